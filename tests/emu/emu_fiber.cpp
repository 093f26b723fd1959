// Fibers. This file and emu_block.cpp are never built with ThreadSanitizer: their own data passes
// from fiber to fiber without the synchronisation that a CUDA program needs.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#include "emu_inside.h"

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(EMU_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

static const size_t STACK_BYTES = 128 * 1024;

// Stacks begin at page boundaries. If all fibers started at the same offset, they would share a few
// sets of the CPU's caches, and each switch would wait for memory.
static const size_t PLACES = 64;
static const size_t PLACE_BYTES = 64;

struct emu_fiber {
    void (*entry)(void *);
    void *context;
    char *stack;
#if defined(__x86_64__)
    void *place;  // its stack pointer while it does not run
    void *caller; // and that of its caller
#else
    ucontext_t place;
    ucontext_t caller;
#endif
#if defined(__SANITIZE_ADDRESS__)
    void *fake_stack;
    void *caller_fake_stack;
    const void *caller_stack;
    size_t caller_stack_bytes;
#endif
#if defined(EMU_TSAN)
    void *tsan;
    void *caller_tsan;
#endif
};

#if defined(__x86_64__)
// Saves the callee-saved registers, stores the stack pointer in *from, and continues at `to`.
extern "C" void emu_switch_stack(void **from, void *to);
extern "C" void emu_fiber_start(void);
asm(".text\n"
    ".globl emu_switch_stack\n"
    ".type emu_switch_stack, @function\n"
    "emu_switch_stack:\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n"
    ".size emu_switch_stack, . - emu_switch_stack\n"
    // The first time, the fiber itself is in the slot that rbx is restored from.
    ".globl emu_fiber_start\n"
    ".type emu_fiber_start, @function\n"
    "emu_fiber_start:\n"
    "    movq %rbx, %rdi\n"
    "    call emu_fiber_main\n"
    "    ud2\n"
    ".size emu_fiber_start, . - emu_fiber_start\n");
#endif

extern "C" void emu_fiber_main(struct emu_fiber *fiber);

void emu_fiber_main(struct emu_fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fiber->fake_stack, &fiber->caller_stack,
                                    &fiber->caller_stack_bytes);
#endif
    fiber->entry(fiber->context);
    abort();
}

#if !defined(__x86_64__)
static struct emu_fiber *starting;

static void start(void)
{
    emu_fiber_main(starting);
}
#endif

struct emu_fiber *emu_fiber_make(void (*entry)(void *), void *context)
{
    static size_t made;
    const size_t unused = made++ % PLACES * PLACE_BYTES;
    struct emu_fiber *fiber = (struct emu_fiber *)calloc(1, sizeof *fiber);
    void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (fiber == NULL || stack == MAP_FAILED) {
        perror("emulator: fibers");
        abort();
    }
    fiber->entry = entry;
    fiber->context = context;
    fiber->stack = (char *)stack;
#if defined(__x86_64__)
    // The layout left by emu_switch_stack(): r15 r14 r13 r12 rbx rbp, and the return address; what
    // follows is aligned to 16 bytes, as a call requires.
    void **top = (void **)(fiber->stack + STACK_BYTES - unused) - 9;

    top[4] = fiber;
    top[6] = (void *)emu_fiber_start;
    fiber->place = top;
#else
    getcontext(&fiber->place);
    fiber->place.uc_stack.ss_sp = fiber->stack;
    fiber->place.uc_stack.ss_size = STACK_BYTES - unused;
    fiber->place.uc_link = NULL;
    makecontext(&fiber->place, start, 0);
#endif
#if defined(EMU_TSAN)
    fiber->tsan = __tsan_create_fiber(0);
#endif
    return fiber;
}

void emu_fiber_resume(struct emu_fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fiber->caller_fake_stack, fiber->stack, STACK_BYTES);
#endif
#if defined(EMU_TSAN)
    fiber->caller_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber->tsan, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
    emu_switch_stack(&fiber->caller, fiber->place);
#else
    starting = fiber;
    swapcontext(&fiber->caller, &fiber->place);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fiber->caller_fake_stack, NULL, NULL);
#endif
}

void emu_fiber_yield(struct emu_fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fiber->fake_stack, fiber->caller_stack,
                                   fiber->caller_stack_bytes);
#endif
#if defined(EMU_TSAN)
    __tsan_switch_to_fiber(fiber->caller_tsan, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
    emu_switch_stack(&fiber->place, fiber->caller);
#else
    swapcontext(&fiber->place, &fiber->caller);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fiber->fake_stack, &fiber->caller_stack,
                                    &fiber->caller_stack_bytes);
#endif
}

void emu_order_release(void *object)
{
#if defined(EMU_TSAN)
    __tsan_release(object);
#else
    (void)object;
#endif
}

void emu_order_acquire(void *object)
{
#if defined(EMU_TSAN)
    __tsan_acquire(object);
#else
    (void)object;
#endif
}
