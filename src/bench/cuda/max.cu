/* SPDX-License-Identifier: MIT */
/* The largest magnitude and its first index: the flavours of a published comparison, from one
 * thread to warps, and the fastest of a published sweep. Each block or each warp gives its best,
 * and the host chooses among these.
 *
 * As published, they all scan with a stride, starting from a maximum of 0 and index 0. Here they
 * start from "nothing found", so that the index always belongs to a sample, even if all samples are
 * 0. Among equal magnitudes the lowest index wins; in the published ones the last writer wins, so
 * that threads with equal maxima race. Indexes have 64 bits. The published runs used managed
 * memory; these copy. */
#include "cuda/launch.cuh"

#include "bench/cuda/flavour_state.h"

typedef unsigned long long max_index; /* the type that atomics take */

static const max_index NOWHERE = ~0ULL;

/* Nothing found: a negative magnitude, or NOWHERE. */
struct max_found {
    float magnitude;
    max_index index;
};

typedef void max_kernel(const float *samples, max_index count, struct max_found *best);

/* The parts of one flavour. */
struct max_method {
    max_kernel *kernel;
    unsigned threads; /* threads per block, as published */
    unsigned blocks;
    unsigned shared; /* bytes of dynamic shared memory per thread */
    bool by_warps;   /* the host chooses among the warps' results, otherwise among the blocks' */
};

static __host__ __device__ __forceinline__ bool beats(const struct max_found &a,
                                                      const struct max_found &b)
{
    return a.magnitude > b.magnitude || (a.magnitude == b.magnitude && a.index < b.index);
}

/* Every `stride`-th sample from `first` on. */
static __device__ __forceinline__ struct max_found scan(const float *samples, max_index count,
                                                        max_index first, max_index stride)
{
    struct max_found found = {-1.0F, NOWHERE};

    for (max_index i = first; i < count; i += stride) {
        float magnitude = fabsf(samples[i]);

        if (magnitude > found.magnitude) {
            found.magnitude = magnitude;
            found.index = i;
        }
    }
    return found;
}

/* Scans this thread's share: no two threads of the grid read one sample. */
static __device__ __forceinline__ struct max_found scan_share(const float *samples, max_index count)
{
    return scan(samples, count, (max_index)blockIdx.x * blockDim.x + threadIdx.x,
                (max_index)gridDim.x * blockDim.x);
}

/* ---- "Non-optimized algorithm on GPU": one thread scans all samples. */

static __global__ void sequential_kernel(const float *samples, max_index count,
                                         struct max_found *best)
{
    *best = scan(samples, count, 0, 1);
}

static const struct max_method sequential = {sequential_kernel, 1, 1, 0, false};

/* ---- "Optimized GPU thread with local memory": one block of 1024 threads, each with its maximum
 * in registers; the threads combine them by an atomic maximum in device memory, and the thread that
 * has the maximum writes its index. */

/* Atomically replaces *at, which is 0 or more, by the maximum of it and `value`. As published: by
 * compare and swap. */
static __device__ __forceinline__ void atomic_max(float *at, float value)
{
    int assumed = 0;

    while (value > __int_as_float(assumed)) {
        int old = atomicCAS((int *)at, assumed, __float_as_int(value));

        if (old == assumed)
            break;
        assumed = old;
    }
}

/* Combines all threads' best in `all`, by atomics. All threads must call this. */
static __device__ __forceinline__ void meet(struct max_found found, struct max_found *all)
{
    if (threadIdx.x == 0) {
        all->magnitude = 0;
        all->index = NOWHERE;
    }
    __syncthreads();
    atomic_max(&all->magnitude, found.magnitude);
    __syncthreads();
    if (all->magnitude == found.magnitude)
        atomicMin(&all->index, found.index);
}

static __global__ void local_kernel(const float *samples, max_index count, struct max_found *best)
{
    meet(scan(samples, count, threadIdx.x, blockDim.x), best);
}

static const struct max_method local = {local_kernel, 1024, 1, 0, false};

/* ---- "Optimized GPU thread with shared memory": the threads of the block combine their results by
 * an atomic maximum in shared memory; and "Optimized GPU thread blocks": that method in 4 blocks of
 * 1024 threads. Changed: the stride is the whole grid's, so that no two blocks read one sample. */

static __global__ void shared_kernel(const float *samples, max_index count, struct max_found *best)
{
    __shared__ struct max_found all;

    meet(scan_share(samples, count), &all);
    __syncthreads();
    if (threadIdx.x == 0)
        best[blockIdx.x] = all;
}

static const struct max_method shared = {shared_kernel, 1024, 1, 0, false};
static const struct max_method blocks = {shared_kernel, 1024, 4, 0, false};

/* ---- "Warp optimized GPU", without shared memory: one block of 1024 threads; the lanes of a warp
 * find their best by shuffles, and the host chooses among the warps. */

/* The best of all lanes, in all lanes. As published by shuffles; the index by shuffles as well,
 * because the first lane that has the maximum may not have its lowest index. */
static __device__ __forceinline__ struct max_found best_of_warp(struct max_found found)
{
    const unsigned all = 0xffffffffU;
    float own = found.magnitude;

    for (int lanes = warpSize / 2; lanes > 0; lanes /= 2)
        found.magnitude = fmaxf(found.magnitude, __shfl_xor_sync(all, found.magnitude, lanes));
    if (own != found.magnitude)
        found.index = NOWHERE;
    for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) {
        max_index other = __shfl_xor_sync(all, found.index, lanes);

        found.index = other < found.index ? other : found.index;
    }
    return found;
}

static __global__ void warp_kernel(const float *samples, max_index count, struct max_found *best)
{
    struct max_found found = best_of_warp(scan(samples, count, threadIdx.x, blockDim.x));

    if (threadIdx.x % warpSize == 0)
        best[threadIdx.x / warpSize] = found;
}

static const struct max_method warp = {warp_kernel, 1024, 1, 0, true};

/* ---- "Warp optimized GPU", with shared memory: the warps' bests are stored there, and the first
 * warp finds the block's by shuffles again. The article shows the code of the first half only. */

static __global__ void warp_shared_kernel(const float *samples, max_index count,
                                          struct max_found *best)
{
    __shared__ struct max_found bests[LANES];
    struct max_found found = best_of_warp(scan(samples, count, threadIdx.x, blockDim.x));
    const unsigned warp_of_block = threadIdx.x / LANES;
    const unsigned lane = threadIdx.x % LANES;

    if (lane == 0)
        bests[warp_of_block] = found;
    __syncthreads();
    if (warp_of_block != 0)
        return;
    found = best_of_warp(lane < blockDim.x / LANES ? bests[lane] : max_found{-1.0F, NOWHERE});
    if (lane == 0)
        *best = found;
}

static const struct max_method warp_shared = {warp_shared_kernel, 1024, 1, 0, false};

/* ---- "VecMax": a grid-stride scan, a tree in shared memory, one result per block; 1024 threads by
 * 128 blocks, the fastest of the published sweep. Changed: magnitudes and their indexes, not plain
 * values; the tree takes any number of threads. */

static __global__ void vecmax_kernel(const float *samples, max_index count, struct max_found *best)
{
    SHARED_DYNAMIC(struct max_found, cache);
    unsigned half;

    cache[threadIdx.x] = scan_share(samples, count);
    __syncthreads();
    for (unsigned left = blockDim.x; left > 1; left = half) {
        half = (left + 1) / 2;
        if (threadIdx.x + half < left && beats(cache[threadIdx.x + half], cache[threadIdx.x]))
            cache[threadIdx.x] = cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        best[blockIdx.x] = cache[0];
}

static const struct max_method vecmax = {vecmax_kernel, 1024, 128, sizeof(struct max_found), false};

/* ---- shared host code */

static const char *cannot_threads(const struct bench_flavour *, const struct bench_task *task)
{
    return task->threads > 1 || task->blocks > 1 ? "works in one thread" : NULL;
}

static const char *cannot_warps(const struct bench_flavour *flavour, const struct bench_task *task)
{
    return task->threads % LANES != 0 ? "works in whole warps of 32 threads"
                                      : flavour_cannot_one_block(flavour, task);
}

static int open_max(const struct bench_flavour *flavour, const struct bench_task *task,
                    void **state, struct error *error)
{
    const struct max_method *method = (const struct max_method *)flavour->method;
    size_t results = method->by_warps ? flavour_threads(task, method->threads) / LANES
                                      : flavour_blocks(task, method->blocks);
    const struct flavour_needs needs = {FLAVOUR_COPIED, 0, results * sizeof(struct max_found), 0,
                                        0};

    return flavour_open(flavour, task, &needs, state, error);
}

static cudaError_t launch_max(struct flavour_state *state)
{
    const struct max_method *method = (const struct max_method *)state->flavour->method;
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, method->threads);

    LAUNCH(method->kernel, flavour_blocks(task, method->blocks), threads, threads * method->shared,
           NULL, state->in, (max_index)task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int run_max(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;
    const struct max_found *results = (const struct max_found *)state->results;
    struct max_found best = {-1.0F, NOWHERE};

    if (flavour_run(state, launch_max, answer, error) != 0)
        return -1;
    for (size_t i = 0; i < state->needs.results / sizeof *results; i++) {
        if (beats(results[i], best))
            best = results[i];
    }
    answer->magnitude = best.magnitude;
    answer->index = best.index;
    return 0;
}

#define ROW(name, words, method, cannot)                                                           \
    FLAVOUR_ROW(BENCH_MAX, name, words, method, cannot, open_max, run_max)

const struct bench_flavour flavours_max[] = {
    ROW("sequential", "one thread", &sequential, cannot_threads),
    ROW("local", "one block, atomics in the device's memory", &local, flavour_cannot_one_block),
    ROW("shared", "one block, atomics in shared memory", &shared, flavour_cannot_one_block),
    ROW("blocks", "several blocks, atomics in shared memory; the host picks", &blocks,
        flavour_cannot_free),
    ROW("warp", "one block, shuffles; the host picks among the warps", &warp, cannot_warps),
    ROW("warp-shared", "one block, shuffles, and the warps in shared memory", &warp_shared,
        cannot_warps),
    ROW("vecmax", "a tree in shared memory a block; the host picks", &vecmax, flavour_cannot_free),
    {},
};
