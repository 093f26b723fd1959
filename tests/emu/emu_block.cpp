// The blocks of a kernel, one after the other, from another one each time, forwards or backwards;
// the threads of a block take turns.
//
// One kernel runs at a time: the fibers and the static shared memory are there once.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "emu_inside.h"

// The linker makes these when there is static shared memory in the program.
extern "C" char __start_emu_shared[] __attribute__((weak));
extern "C" char __stop_emu_shared[] __attribute__((weak));

__thread const struct emu_thread *emu_current;

enum state { READY, AT_BARRIER, AT_WARP, EXITED };
enum warp_kind { WARP_NONE, WARP_SHUFFLE, WARP_BALLOT, WARP_BARRIER };

static const unsigned LANES = 32;

struct fiber_thread {
    struct emu_thread self; // first: emu_current points here
    struct emu_fiber *fiber;
    unsigned index; // in the block
    enum state state;
    // at the barrier
    enum emu_reduce reduce;
    int predicate;
    unsigned barrier_turn;
    // among the lanes of the warp
    enum warp_kind kind;
    uint32_t mask;
    uint32_t word;
    unsigned turn; // counts exchanges: words of two turns are kept apart
    uint32_t words[2];
};

struct block_state {
    std::vector<struct fiber_thread *> threads; // made once, used again
    unsigned count;   // threads that run at once: a block's, or a whole grid's
    unsigned of_size; // threads of a block
    bool cooperative;
    const std::function<void()> *call;
    void *shared;
    int result; // of the last barrier
    bool failed;
    uint32_t random;
    // These only have an address, for ThreadSanitizer. Two for each barrier, in turns: else who
    // passes late would seem to wait for who is at the next one already.
    char barrier_order[2];
    char start_order;
    char end_order;
    char warp_order[LANES][2];
};

static struct block_state &block = *new struct block_state(); // there to the very end
static std::mutex one_kernel;
static unsigned long blocks_run;
static bool quiet;

void emu_set_quiet(bool wanted)
{
    quiet = wanted;
}

unsigned long emu_blocks_run(void)
{
    std::lock_guard<std::mutex> lock(one_kernel);
    return blocks_run;
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

void emu_fill_garbage(void *memory, size_t bytes)
{
    static thread_local uint32_t state = 2463534242U;
    unsigned char *at = (unsigned char *)memory;
    // NaN, huge, tiny, negative: a word at a time, from a short random list.
    uint32_t words[61];

    for (uint32_t &word : words)
        word = next_random(&state);
    words[7] = 0x7fc01234U;
    words[30] = 0xff800000U;
    words[45] = 0x7f800000U;
    while (bytes > 0) {
        size_t piece = bytes < sizeof words ? bytes : sizeof words;

        memcpy(at, words, piece);
        at += piece;
        bytes -= piece;
    }
}

static struct fiber_thread *current(void)
{
    return (struct fiber_thread *)(void *)const_cast<struct emu_thread *>(emu_current);
}

static void thread_main(void *context)
{
    struct fiber_thread *thread = (struct fiber_thread *)context;

    for (;;) {
        emu_order_acquire(&block.start_order);
        (*block.call)();
        emu_order_release(&block.end_order);
        thread->state = EXITED;
        emu_fiber_yield(thread->fiber);
    }
}

static void make_threads(unsigned count)
{
    while (block.threads.size() < count) {
        struct fiber_thread *thread = new struct fiber_thread();

        thread->index = (unsigned)block.threads.size();
        thread->fiber = emu_fiber_make(thread_main, thread);
        block.threads.push_back(thread);
    }
}

// What only a grid that came block by block can have, or only the other.
static void need_cooperative(bool needed, const char *what)
{
    if (block.cooperative == needed)
        return;
    emu_say("%s in a grid that was %s cooperatively", what, needed ? "not launched" : "launched");
    block.failed = true;
}

void *emu_shared_memory(void)
{
    need_cooperative(false, "shared memory");
    return block.shared;
}

static int meet_all(enum emu_reduce reduce, int predicate)
{
    struct fiber_thread *thread = current();

    thread->reduce = reduce;
    thread->predicate = predicate;
    thread->state = AT_BARRIER;
    thread->barrier_turn ^= 1;
    emu_order_release(&block.barrier_order[thread->barrier_turn]);
    emu_fiber_yield(thread->fiber);
    emu_order_acquire(&block.barrier_order[thread->barrier_turn]);
    return block.result;
}

int emu_barrier(enum emu_reduce reduce, int predicate)
{
    need_cooperative(false, "a block's barrier");
    return meet_all(reduce, predicate);
}

void emu_grid_barrier(void)
{
    need_cooperative(true, "the grid's barrier");
    (void)meet_all(EMU_COUNT, 0);
}

// Gives this lane's word and waits until all lanes of the mask have given theirs.
static void meet_warp(struct fiber_thread *thread, enum warp_kind kind, uint32_t mask,
                      uint32_t word)
{
    need_cooperative(false, "an exchange in a warp");
    thread->kind = kind;
    thread->mask = mask;
    thread->turn ^= 1;
    thread->words[thread->turn] = word;
    thread->state = AT_WARP;
    emu_fiber_yield(thread->fiber);
}

uint32_t emu_shuffle_word(enum emu_shuffle kind, uint32_t mask, uint32_t word, int from, int width)
{
    struct fiber_thread *thread = current();
    int lane = (int)(thread->index % LANES);
    int segment = lane / width * width;
    int source = lane;

    meet_warp(thread, WARP_SHUFFLE, mask, word);
    switch (kind) {
    case EMU_INDEX:
        source = segment + from % width;
        break;
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
        return 0xdeadbeefU; // what a lane outside the mask gives is not defined
    return block.threads[thread->index - (unsigned)lane + (unsigned)source]->words[thread->turn];
}

uint32_t emu_ballot(uint32_t mask, int predicate)
{
    struct fiber_thread *thread = current();
    unsigned first = thread->index / LANES * LANES;
    uint32_t votes = 0;

    meet_warp(thread, WARP_BALLOT, mask, predicate != 0 ? 1 : 0);
    for (unsigned lane = 0; lane < LANES && first + lane < block.count; lane++) {
        if ((mask >> lane & 1) != 0 && block.threads[first + lane]->words[thread->turn] != 0)
            votes |= 1U << lane;
    }
    return votes;
}

void emu_warp_barrier(uint32_t mask)
{
    struct fiber_thread *thread = current();
    char *order = &block.warp_order[thread->index / LANES % LANES][thread->turn];

    emu_order_release(order);
    meet_warp(thread, WARP_BARRIER, mask, 0);
    emu_order_acquire(order);
}

static void fault(const char *what, const struct fiber_thread *thread)
{
    emu_say("%s: thread %u of block %u,%u,%u", what, thread->index, thread->self.block.x,
            thread->self.block.y, thread->self.block.z);
    block.failed = true;
}

// Lets the lanes of one warp go on whose masks are complete. True: some can.
static bool release_warp(unsigned first)
{
    unsigned end = first + LANES < block.count ? first + LANES : block.count;
    bool any = false;

    for (unsigned i = first; i < end; i++) {
        struct fiber_thread *thread = block.threads[i];
        bool complete = true;

        if (thread->state != AT_WARP)
            continue;
        if ((thread->mask >> (i - first) & 1) == 0)
            fault("a lane is not in its own mask", thread);
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct fiber_thread *other;

            if ((thread->mask >> lane & 1) == 0)
                continue;
            if (first + lane >= end) {
                // Lanes that the block does not have count as there.
                continue;
            }
            other = block.threads[first + lane];
            if (other->state == EXITED) {
                fault("a lane of the mask has left", thread);
                return false;
            }
            complete = complete && other->state == AT_WARP && other->kind == thread->kind &&
                       other->mask == thread->mask;
        }
        if (!complete)
            continue;
        for (unsigned lane = 0; first + lane < end; lane++) {
            if ((thread->mask >> lane & 1) != 0)
                block.threads[first + lane]->state = READY;
        }
        any = true;
    }
    return any;
}

// All threads stand at the barrier, or none may pass.
static bool release_barrier(void)
{
    const struct fiber_thread *waiting = NULL;
    unsigned at = 0;
    unsigned left = 0;
    unsigned votes = 0;

    for (unsigned i = 0; i < block.count; i++) {
        const struct fiber_thread *thread = block.threads[i];

        if (thread->state == EXITED)
            left++;
        if (thread->state != AT_BARRIER)
            continue;
        at++;
        waiting = thread;
        votes += thread->predicate != 0 ? 1 : 0;
    }
    if (at == 0 || at + left < block.count)
        return false;
    if (left > 0) {
        fault("others have left the block while this waits at a barrier", waiting);
        return false;
    }
    block.result = waiting->reduce == EMU_COUNT ? (int)votes
                   : waiting->reduce == EMU_OR  ? votes > 0
                                                : votes == block.count;
    for (unsigned i = 0; i < block.count; i++)
        block.threads[i]->state = READY;
    return true;
}

static uint3 place_in(unsigned i, dim3 size)
{
    return uint3{i % size.x, i / size.x % size.y, i / size.x / size.y};
}

// The blocks from number `first` on: one, or all of a cooperative grid.
static void run_block(unsigned first, dim3 grid, dim3 size, const std::vector<unsigned> &order)
{
    for (unsigned i = 0; i < block.count; i++) {
        struct fiber_thread *thread = block.threads[i];

        thread->self.thread = place_in(i % block.of_size, size);
        thread->self.block = place_in(first + i / block.of_size, grid);
        thread->self.block_size = size;
        thread->self.grid_size = grid;
        thread->state = READY;
        thread->turn = 0;
        thread->barrier_turn = 0;
    }
    emu_order_release(&block.start_order);
    for (;;) {
        // From another thread each time, now forwards, now backwards.
        unsigned from = next_random(&block.random) % block.count;
        bool back = next_random(&block.random) % 2 != 0;
        bool any = false;

        for (unsigned i = 0; i < block.count; i++) {
            unsigned turn = (back ? block.count - 1 - i : i) + from;
            struct fiber_thread *thread = block.threads[order[turn % block.count]];

            if (thread->state != READY)
                continue;
            any = true;
            emu_current = &thread->self;
            emu_fiber_resume(thread->fiber);
        }
        for (unsigned lane = 0; lane < block.count; lane += LANES)
            any = release_warp(lane) || any;
        any = release_barrier() || any;
        if (block.failed)
            break;
        if (!any) {
            for (unsigned i = 0; i < block.count; i++) {
                if (block.threads[i]->state != EXITED) {
                    fault("waits for ever", block.threads[i]);
                    break;
                }
            }
            break;
        }
    }
    emu_order_acquire(&block.end_order);
}

bool emu_run_grid(dim3 grid, dim3 size, size_t shared, bool cooperative, unsigned seed,
                  const std::function<void()> &call)
{
    std::lock_guard<std::mutex> lock(one_kernel);
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    size_t static_bytes = (size_t)(__stop_emu_shared - __start_emu_shared);
    uint64_t first = blocks > 0 ? seed % blocks : 0;
    std::vector<unsigned> order;
    bool result = false;

    block.of_size = size.x * size.y * size.z;
    block.cooperative = cooperative;
    block.count = block.of_size * (cooperative ? (unsigned)blocks : 1);
    block.call = new std::function<void()>(call);
    block.failed = false;
    block.random = seed * 2654435761U + 1;
    if (posix_memalign(&block.shared, 16, shared > 0 ? shared : 16) != 0)
        abort();
    make_threads(block.count);
    for (unsigned i = 0; i < block.count; i++)
        order.push_back(i);
    if (seed % 3 == 0) {
        for (unsigned i = block.count; i > 1; i--)
            std::swap(order[i - 1], order[next_random(&block.random) % i]);
    }
    for (uint64_t i = 0; i < blocks && !block.failed; i += block.count / block.of_size) {
        uint64_t turned = (seed % 2 == 0 ? i : blocks - 1 - i) + first;
        uint64_t at = turned < blocks ? turned : turned - blocks;

        emu_fill_garbage(block.shared, shared);
        if (static_bytes > 0)
            emu_fill_garbage(__start_emu_shared, static_bytes);
        run_block(cooperative ? 0 : (unsigned)at, grid, size, order);
        blocks_run += block.count / block.of_size;
    }
    result = !block.failed;
    if (block.failed) {
        // The fibers are in the middle of the kernel: they, and what they hold, stay as they are.
        static std::vector<struct fiber_thread *> &stuck =
            *new std::vector<struct fiber_thread *>();
        static std::vector<const void *> &kept = *new std::vector<const void *>();

        stuck.insert(stuck.end(), block.threads.begin(), block.threads.end());
        kept.push_back(block.call);
        kept.push_back(block.shared);
        block.threads.clear();
    } else {
        delete block.call;
        free(block.shared);
    }
    block.shared = NULL;
    emu_current = NULL;
    return result;
}
