/* SPDX-License-Identifier: MIT */
// Fibers. This file and emu_block.cpp are never built with a sanitizer: their own data passes from
// fiber to fiber without the synchronisation that a CUDA program needs. They tell the sanitizers of
// the rest which fiber runs.
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#include "emu_inside.h"

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(EMU_ASAN)
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
    const void *stack;
    size_t bytes; // of the stack
#if defined(__x86_64__)
    void *place; // its stack pointer while it does not run
#else
    ucontext_t place;
#endif
#if defined(EMU_ASAN)
    void *fake_stack;
#endif
#if defined(EMU_TSAN)
    void *own;
    void *tsan; // its own, or that of the fiber that it passes for
#endif
};

// The fiber that ran before the one that runs.
static struct emu_fiber *before;

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

// What is left to do by the fiber that comes.
static void arrive(struct emu_fiber *fiber)
{
#if defined(EMU_ASAN)
    __sanitizer_finish_switch_fiber(fiber->fake_stack, &before->stack, &before->bytes);
#else
    (void)fiber;
#endif
}

extern "C" void emu_fiber_main(struct emu_fiber *fiber);

void emu_fiber_main(struct emu_fiber *fiber)
{
    arrive(fiber);
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
    fiber->stack = stack;
    fiber->bytes = STACK_BYTES - unused;
#if defined(__x86_64__)
    // The layout left by emu_switch_stack(): r15 r14 r13 r12 rbx rbp, and the return address; what
    // follows is aligned to 16 bytes, as a call requires.
    void **top = (void **)((char *)stack + fiber->bytes) - 9;

    top[4] = fiber;
    top[6] = (void *)emu_fiber_start;
    fiber->place = top;
#else
    getcontext(&fiber->place);
    fiber->place.uc_stack.ss_sp = stack;
    fiber->place.uc_stack.ss_size = fiber->bytes;
    fiber->place.uc_link = NULL;
    makecontext(&fiber->place, start, 0);
#endif
#if defined(EMU_TSAN)
    fiber->own = __tsan_create_fiber(0);
    fiber->tsan = fiber->own;
#endif
    return fiber;
}

struct emu_fiber *emu_fiber_of_thread(void)
{
    static struct emu_fiber fiber;

#if defined(EMU_TSAN)
    fiber.tsan = __tsan_get_current_fiber();
#endif
    return &fiber;
}

void emu_fiber_pass_for(struct emu_fiber *fiber, const struct emu_fiber *other)
{
#if defined(EMU_TSAN)
    fiber->tsan = other->own;
#else
    (void)fiber, (void)other;
#endif
}

void emu_fiber_expect(const struct emu_fiber *fiber)
{
#if defined(__x86_64__)
    const char *place = (const char *)fiber->place;

    for (int i = 0; i < 5; i++)
        __builtin_prefetch(place + 64 * i);
#else
    (void)fiber;
#endif
}

void emu_fiber_switch(struct emu_fiber *from, struct emu_fiber *to)
{
    before = from;
#if defined(EMU_ASAN)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->bytes);
#endif
#if defined(EMU_TSAN)
    if (to->tsan != from->tsan)
        __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__)
    emu_switch_stack(&from->place, to->place);
#else
    starting = to;
    swapcontext(&from->place, &to->place);
#endif
    arrive(from);
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
