/* SPDX-License-Identifier: MIT */
// Runs the blocks of a kernel, starting with a different one each time, forwards or backwards, a
// few of them at a time. When a block ends, the next takes its place. The threads of all these
// blocks take turns.
//
// Only one kernel runs at a time, because there is one set of fibers. There is also one set of
// static shared variables, so a program that has any gets one block at a time.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sched.h>
#include <unistd.h>

#include "emu_inside.h"

// Defined by the linker if the program has static shared memory.
extern "C" char __start_emu_shared[] __attribute__((weak));
extern "C" char __stop_emu_shared[] __attribute__((weak));

__thread const struct emu_thread *emu_current;

enum state { READY, AT_BARRIER, AT_WARP, EXITED };
enum warp_kind { WARP_NONE, WARP_SHUFFLE, WARP_BALLOT, WARP_BARRIER };

static const unsigned LANES = 32;

// Blocks at a time.
static const unsigned TOGETHER = 3;

struct place;

struct fiber_thread {
    struct emu_thread self; // must be first: emu_current points here
    struct emu_fiber *fiber;
    struct place *place;
    unsigned index; // in the block
    enum state state;
    // at the barrier
    bool predicate;
    unsigned barrier_turn;
    // among the lanes of the warp
    enum warp_kind kind;
    uint32_t mask;
    unsigned turn; // counts exchanges: words of consecutive exchanges are kept apart
    uint64_t words[2];
};

// All static shared memory of the program.
static size_t static_bytes(void)
{
    return (size_t)((uintptr_t)__stop_emu_shared - (uintptr_t)__start_emu_shared);
}

// Where one block runs after another, or a whole cooperative grid.
struct place {
    struct fiber_thread **threads;
    unsigned count;
    // how many of these are in the state
    unsigned at_barrier;
    unsigned at_warp;
    unsigned exited;
    unsigned turn; // of blocks
    bool busy;
    bool pausing; // in this turn
    void *shared;
    bool result; // of the last barrier
    // Only the addresses matter, for ThreadSanitizer. Two for each barrier, used alternately:
    // otherwise a thread that leaves late would seem to wait for one already at the next barrier.
    char barrier_order[2];
    char warp_order[LANES][2];
    // From the end of one block to the start of the next, also alternating. The first is from the
    // start of the kernel, and the last to its end. A thread has as much to do for each as there
    // are threads.
    char block_order[2];
};

// A running kernel. Created anew for each, together with the objects that order its threads.
struct kernel {
    dim3 grid;
    dim3 size;
    size_t shared;
    unsigned of_size; // threads per block
    bool cooperative;
    const std::function<void()> *call;
    uint64_t blocks;
    uint64_t begun;
    uint64_t first;
    bool backwards;
    struct place places[TOGETHER];
    unsigned place_count;
    std::vector<struct fiber_thread *> *threads;
    std::vector<struct fiber_thread *> order; // of the threads of all places
    bool in_order;
    struct emu_fiber *scheduler;
    // The rest of a round, in which each thread that can run does so once.
    unsigned at;
    unsigned left;
    bool back;
    bool any;       // of them can run
    unsigned again; // how often warps may go on at once
    char fence_order;
};

// Threads are allocated once, reused, and never freed. Their list has room for all from the start:
// a list that moved would be a race for ThreadSanitizer, which does not see the lock below.
static std::vector<struct fiber_thread *> &make_list(void)
{
    std::vector<struct fiber_thread *> *list = new std::vector<struct fiber_thread *>();

    list->reserve(TOGETHER * 1024);
    return *list;
}

// Those of kernels whose lanes ThreadSanitizer knows, and of those whose warps it takes for one
// thread.
static std::vector<struct fiber_thread *> *const threads_of[2] = {&make_list(), &make_list()};
static struct kernel *kernel;
static bool failed;
static uint32_t random_state = 1;
static unsigned long blocks_run;

// A lock that is hidden from ThreadSanitizer: programs must not rely on kernels being serialised
// here.
static char one_kernel;

static void lock_kernels(void)
{
    for (unsigned i = 0; __atomic_test_and_set(&one_kernel, __ATOMIC_ACQUIRE); i++) {
        if (i < 100)
            sched_yield();
        else
            usleep(50);
    }
}

static void unlock_kernels(void)
{
    __atomic_clear(&one_kernel, __ATOMIC_RELEASE);
}

static bool quiet;

void emu_set_quiet(bool wanted)
{
    quiet = wanted;
}

unsigned long emu_blocks_run(void)
{
    unsigned long blocks;

    lock_kernels();
    blocks = blocks_run;
    unlock_kernels();
    return blocks;
}

void emu_say(const char *format, ...)
{
    va_list arguments;

    if (quiet)
        return;
    va_start(arguments, format);
    fputs("emulator: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// Words of random bits, NaN and infinities. A loop, not a function that ThreadSanitizer intercepts:
// nothing orders this after the previous block.
static void spoil(void *memory, size_t bytes, uint32_t *state)
{
    volatile uint32_t *word = (volatile uint32_t *)memory;
    volatile unsigned char *rest = (volatile unsigned char *)memory + bytes / 4 * 4;

    for (size_t i = 0; i < bytes / 4; i++)
        word[i] = i % 61 == 7    ? 0x7fc01234U
                  : i % 61 == 30 ? 0xff800000U
                  : i % 61 == 45 ? 0x7f800000U
                                 : next_random(state);
    for (size_t i = 0; i < bytes % 4; i++)
        rest[i] = 0xa5;
}

void emu_fill_garbage(void *memory, size_t bytes)
{
    static thread_local uint32_t state = 2463534242U;

    spoil(memory, bytes, &state);
}

static struct fiber_thread *current(void)
{
    return (struct fiber_thread *)(void *)const_cast<struct emu_thread *>(emu_current);
}

// The next thread of this round that can run, except in pausing blocks.
static struct fiber_thread *next_thread(void)
{
    const unsigned count = (unsigned)kernel->order.size();

    while (kernel->left > 0) {
        struct fiber_thread *thread = kernel->order[kernel->at];

        kernel->left--;
        if (kernel->back)
            kernel->at = (kernel->at > 0 ? kernel->at : count) - 1;
        else
            kernel->at = kernel->at + 1 < count ? kernel->at + 1 : 0;
        if (thread->state != READY)
            continue;
        kernel->any = true; // also if it pauses, since it could run
        if (!thread->place->pausing)
            return thread;
    }
    return NULL;
}

// Continues with the next thread, or at the end of a round with the scheduler: one switch for each
// thread, not two.
static void leave(struct emu_fiber *fiber)
{
    struct fiber_thread *next = next_thread();
    struct emu_fiber *to = next != NULL ? next->fiber : kernel->scheduler;

    if (next != NULL)
        emu_current = &next->self;
    emu_fiber_expect(kernel->order[kernel->at]->fiber);
    if (to != fiber)
        emu_fiber_switch(fiber, to);
}

static void thread_main(void *context)
{
    struct fiber_thread *thread = (struct fiber_thread *)context;

    for (;;) {
        emu_order_acquire(&thread->place->block_order[(thread->place->turn + 1) % 2]);
        (*kernel->call)();
        emu_order_release(&thread->place->block_order[thread->place->turn % 2]);
        thread->state = EXITED;
        thread->place->exited++;
        leave(thread->fiber);
    }
}

static void make_threads(bool warps, unsigned count)
{
    std::vector<struct fiber_thread *> &threads = *threads_of[warps];

    kernel->threads = &threads;
    while (threads.size() < count) {
        struct fiber_thread *thread = new struct fiber_thread();

        thread->fiber = emu_fiber_make(thread_main, thread);
        if (warps && threads.size() % LANES != 0)
            emu_fiber_pass_for(thread->fiber, threads[threads.size() / LANES * LANES]->fiber);
        threads.push_back(thread);
    }
}

// For features of cooperative grids only, or of other grids only.
static void need_cooperative(bool needed, const char *what)
{
    if (kernel->cooperative == needed)
        return;
    emu_say("%s in a grid that was %s cooperatively", what, needed ? "not launched" : "launched");
    failed = true;
}

void *emu_shared_memory(void)
{
    need_cooperative(false, "shared memory");
    return current()->place->shared;
}

void emu_pause(void)
{
    if (next_random(&random_state) % 4 == 0)
        leave(current()->fiber);
}

void emu_fence(void)
{
    emu_order_release(&kernel->fence_order);
    emu_pause();
    emu_order_acquire(&kernel->fence_order);
}

static bool meet_all(bool predicate)
{
    struct fiber_thread *thread = current();

    thread->predicate = predicate;
    thread->state = AT_BARRIER;
    thread->place->at_barrier++;
    thread->barrier_turn ^= 1;
    emu_order_release(&thread->place->barrier_order[thread->barrier_turn]);
    leave(thread->fiber);
    emu_order_acquire(&thread->place->barrier_order[thread->barrier_turn]);
    return thread->place->result;
}

bool emu_barrier(bool predicate)
{
    need_cooperative(false, "a block's barrier");
    return meet_all(predicate);
}

void emu_grid_barrier(void)
{
    need_cooperative(true, "the grid's barrier");
    (void)meet_all(false);
}

static bool release_warp(struct place *place, unsigned first);

// If this is the last lane of a warp that can go on now, the warp does: its memory is in the
// first-level cache, which that of all threads is not.
static void run_again(const struct fiber_thread *thread)
{
    const unsigned count = (unsigned)kernel->order.size();

    if (kernel->again == 0 || thread->index % LANES != (kernel->back ? 0 : LANES - 1) ||
        !release_warp(thread->place, thread->index / LANES * LANES))
        return;
    kernel->again--;
    kernel->left += LANES;
    kernel->at = (kernel->at + (kernel->back ? LANES : count - LANES)) % count;
}

// Gives this lane's word and waits until all lanes of the mask have given theirs.
static void meet_warp(struct fiber_thread *thread, enum warp_kind kind, uint32_t mask,
                      uint64_t word)
{
    need_cooperative(false, "an exchange in a warp");
    thread->kind = kind;
    thread->mask = mask;
    thread->turn ^= 1;
    thread->words[thread->turn] = word;
    thread->state = AT_WARP;
    thread->place->at_warp++;
    run_again(thread);
    leave(thread->fiber);
}

uint64_t emu_shuffle_word(enum emu_shuffle kind, uint32_t mask, uint64_t word, int from, int width)
{
    struct fiber_thread *thread = current();
    int lane = (int)(thread->index % LANES);
    int segment = lane / width * width;
    int source = lane;

    meet_warp(thread, WARP_SHUFFLE, mask, word);
    switch (kind) {
    case EMU_UP:
        source = lane - from >= segment ? lane - from : lane;
        break;
    case EMU_DOWN:
        source = lane + from < segment + width ? lane + from : lane;
        break;
    case EMU_XOR:
        source = (lane ^ from) < segment + width ? lane ^ from : lane;
        break;
    }
    if ((mask >> source & 1) == 0)
        return 0xdeadbeefdeadbeefU; // the word of a lane outside the mask is undefined
    return thread->place->threads[thread->index - (unsigned)lane + (unsigned)source]
        ->words[thread->turn];
}

uint32_t emu_ballot(uint32_t mask, int predicate)
{
    struct fiber_thread *thread = current();
    const struct place *place = thread->place;
    unsigned first = thread->index / LANES * LANES;
    uint32_t votes = 0;

    meet_warp(thread, WARP_BALLOT, mask, predicate != 0 ? 1 : 0);
    for (unsigned lane = 0; lane < LANES && first + lane < place->count; lane++) {
        if ((mask >> lane & 1) != 0 && place->threads[first + lane]->words[thread->turn] != 0)
            votes |= 1U << lane;
    }
    return votes;
}

void emu_warp_barrier(uint32_t mask)
{
    struct fiber_thread *thread = current();
    char *order = &thread->place->warp_order[thread->index / LANES % LANES][thread->turn];

    emu_order_release(order);
    meet_warp(thread, WARP_BARRIER, mask, 0);
    emu_order_acquire(order);
}

static void fault(const char *what, const struct fiber_thread *thread)
{
    emu_say("%s: thread %u of block %u,%u,%u", what, thread->index, thread->self.block.x,
            thread->self.block.y, thread->self.block.z);
    failed = true;
}

// The lanes of a warp that wait for the same exchange as `thread`, as a mask.
static uint32_t same_wish(struct fiber_thread *const *lanes, unsigned count,
                          const struct fiber_thread *thread)
{
    uint32_t same = 0;

    for (unsigned lane = 0; lane < count; lane++) {
        const struct fiber_thread *other = lanes[lane];

        if (other->state == AT_WARP && other->kind == thread->kind && other->mask == thread->mask)
            same |= 1U << lane;
    }
    return same;
}

// Releases the lanes of a warp whose masks are complete. Returns true if there are any.
static bool release_warp(struct place *place, unsigned first)
{
    struct fiber_thread *const *lanes = &place->threads[first];
    unsigned count = LANES < place->count - first ? LANES : place->count - first;
    uint32_t there = count < LANES ? (1U << count) - 1 : 0xffffffffU;
    uint32_t waiting = 0;
    uint32_t exited = 0;
    bool any = false;

    for (unsigned lane = 0; lane < count; lane++) {
        waiting |= (lanes[lane]->state == AT_WARP ? 1U : 0U) << lane;
        exited |= (lanes[lane]->state == EXITED ? 1U : 0U) << lane;
    }
    while (waiting != 0) {
        const struct fiber_thread *thread = lanes[__builtin_ctz(waiting)];
        // Lanes that the block does not have count as present.
        uint32_t mask = thread->mask & there;
        uint32_t same = same_wish(lanes, count, thread);

        if ((same & ~mask) != 0)
            fault("a lane is not in its own mask", lanes[__builtin_ctz(same & ~mask)]);
        if ((mask & exited) != 0) {
            fault("a lane of the mask has left", lanes[__builtin_ctz(mask & exited)]);
            return false;
        }
        waiting &= ~same;
        if ((mask & ~same) != 0)
            continue;
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
            lanes[__builtin_ctz(rest)]->state = READY;
        place->at_warp -= (unsigned)__builtin_popcount(mask);
        any = true;
    }
    return any;
}

// Releases the barrier if all threads have reached it.
static bool release_barrier(struct place *place)
{
    if (place->at_barrier == 0 || place->at_barrier + place->exited < place->count)
        return false;
    place->result = false;
    for (unsigned i = 0; i < place->count; i++) {
        struct fiber_thread *thread = place->threads[i];

        if (thread->state == AT_BARRIER && place->exited > 0) {
            fault("others have left the block while this waits at a barrier", thread);
            return false;
        }
        place->result = place->result || thread->predicate;
        thread->state = READY;
    }
    place->at_barrier = 0;
    return true;
}

static uint3 place_in(unsigned i, dim3 size)
{
    return uint3{i % size.x, i / size.x % size.y, i / size.x / size.y};
}

// Starts the next block, if there is one, in this place.
static void begin_block(struct place *place)
{
    uint64_t turned;
    unsigned at;

    place->busy = kernel->begun < kernel->blocks;
    if (!place->busy)
        return;
    turned =
        kernel->first + (kernel->backwards ? kernel->blocks - 1 - kernel->begun : kernel->begun);
    at = kernel->cooperative ? 0 : (unsigned)(turned % kernel->blocks);
    place->turn++;
    place->exited = 0;
    kernel->begun += place->count / kernel->of_size;
    blocks_run += place->count / kernel->of_size;
    spoil(place->shared, kernel->shared, &random_state);
    spoil(__start_emu_shared, static_bytes(), &random_state);
    for (unsigned i = 0; i < place->count; i++) {
        struct fiber_thread *thread = place->threads[i];

        thread->self.thread = place_in(i % kernel->of_size, kernel->size);
        thread->self.block = place_in(at + i / kernel->of_size, kernel->grid);
        thread->self.block_size = kernel->size;
        thread->self.grid_size = kernel->grid;
        thread->place = place;
        thread->index = i;
        thread->state = READY;
        thread->turn = 0;
        thread->barrier_turn = 0;
    }
}

// Runs every runnable thread until it has to wait, except in pausing blocks. Starts with a
// different thread each time, alternating forwards and backwards. Returns true if there are any.
static bool run_threads(void)
{
    unsigned count = (unsigned)kernel->order.size();
    unsigned from = next_random(&random_state) % count;

    kernel->back = next_random(&random_state) % 2 != 0;
    kernel->at = kernel->back ? (from + count - 1) % count : from;
    kernel->left = count;
    kernel->any = false;
    kernel->again = kernel->in_order && next_random(&random_state) % 2 == 0 ? count : 0;
    for (unsigned i = 0; i < kernel->place_count; i++)
        kernel->places[i].pausing = kernel->place_count > 1 && next_random(&random_state) % 4 == 0;
    leave(kernel->scheduler);
    return kernel->any;
}

// One turn of one place. Returns true if a thread can run, or a new block has started.
static bool release(struct place *place)
{
    bool any = false;

    for (unsigned lane = 0; place->at_warp > 0 && lane < place->count; lane += LANES)
        any = release_warp(place, lane) || any;
    any = release_barrier(place) || any;
    if (place->exited < place->count)
        return any;
    begin_block(place);
    return place->busy;
}

static void run_blocks(void)
{
    bool any = true;

    while (any && !failed) {
        any = run_threads();
        for (unsigned i = 0; i < kernel->place_count && !failed; i++) {
            // If no thread ran, nothing has changed.
            if (kernel->places[i].busy && !kernel->places[i].pausing)
                any = release(&kernel->places[i]) || any;
        }
    }
    for (unsigned i = 0; i < kernel->place_count && !failed; i++) {
        for (unsigned j = 0; kernel->places[i].busy && j < kernel->places[i].count; j++) {
            if (kernel->places[i].threads[j]->state != EXITED) {
                fault("waits for ever", kernel->places[i].threads[j]);
                break;
            }
        }
    }
}

static void open_places(bool warps)
{
    unsigned count = kernel->of_size * (kernel->cooperative ? (unsigned)kernel->blocks : 1);

    kernel->place_count = TOGETHER;
    if (kernel->cooperative || static_bytes() > 0)
        kernel->place_count = 1;
    else if (kernel->blocks < TOGETHER)
        kernel->place_count = (unsigned)kernel->blocks;
    make_threads(warps && kernel->of_size % LANES == 0, kernel->place_count * count);
    for (unsigned i = 0; i < kernel->place_count; i++) {
        struct place *place = &kernel->places[i];

        place->threads = &(*kernel->threads)[i * count];
        place->count = count;
        if (posix_memalign(&place->shared, 16, kernel->shared > 0 ? kernel->shared : 16) != 0)
            abort();
        for (unsigned j = 0; j < count; j++) {
            place->threads[j]->place = place;
            place->threads[j]->state = EXITED;
            kernel->order.push_back(place->threads[j]);
        }
    }
}

static void close_kernel(void)
{
    if (failed) {
        // The fibers are in the middle of the kernel: they and what they own stay as they are.
        static std::vector<void *> &kept = *new std::vector<void *>();

        kept.insert(kept.end(), kernel->threads->begin(), kernel->threads->end());
        kept.push_back(kernel);
        kernel->threads->clear();
    } else {
        for (unsigned i = 0; i < kernel->place_count; i++)
            free(kernel->places[i].shared);
        delete kernel->call;
        delete kernel;
    }
    kernel = NULL;
    emu_current = NULL;
}

bool emu_run_grid(dim3 grid, dim3 size, size_t shared, bool cooperative, bool warps, unsigned seed,
                  const std::function<void()> &call)
{
    bool result;

    lock_kernels();
    kernel = new struct kernel();
    kernel->grid = grid;
    kernel->size = size;
    kernel->shared = shared;
    kernel->of_size = size.x * size.y * size.z;
    kernel->cooperative = cooperative;
    kernel->call = new std::function<void()>(call);
    kernel->blocks = (uint64_t)grid.x * grid.y * grid.z;
    kernel->scheduler = emu_fiber_of_thread();
    kernel->first = kernel->blocks > 0 ? seed % kernel->blocks : 0;
    kernel->backwards = seed % 2 != 0;
    failed = false;
    random_state = seed * 2654435761U + 1;
    random_state += random_state == 0 ? 1 : 0;
    open_places(warps);
    kernel->in_order = seed % 3 != 0 && kernel->of_size % LANES == 0;
    if (seed % 3 == 0) {
        for (size_t i = kernel->order.size(); i > 1; i--)
            std::swap(kernel->order[i - 1], kernel->order[next_random(&random_state) % i]);
    }
    for (unsigned i = 0; i < kernel->place_count; i++) {
        emu_order_release(&kernel->places[i].block_order[0]);
        begin_block(&kernel->places[i]);
    }
    run_blocks();
    for (unsigned i = 0; i < kernel->place_count; i++)
        emu_order_acquire(&kernel->places[i].block_order[kernel->places[i].turn % 2]);
    result = !failed;
    close_kernel();
    unlock_kernels();
    return result;
}
