/* SPDX-License-Identifier: MIT */
/* The sum: the steps of a published tutorial. All except the first reduce the numbers launch by
 * launch, by half or by the block size, until one is left. As published, the numbers are float32,
 * blocks have 256 threads, and launches go on to the end.
 *
 * Changed for all: sizes have 64 bits; the grid has no superfluous block; a level takes all numbers
 * of the previous level, whatever their count. Changed for the trees in shared memory except the
 * last: a block can have any number of threads. */
#include "cuda/launch.cuh"

#include "bench/cuda/flavour_state.h"

static const unsigned THREADS = 256;
static const unsigned UNROLLED = 64; /* the sums that the last warp adds */

typedef void sum_kernel(const float *numbers, float *sums, uint64_t count);

/* The parts of one flavour. */
struct sum_method {
    sum_kernel *kernel;     /* kernel of a level; NULL for the atomics */
    unsigned numbers;       /* numbers that a thread takes */
    unsigned sums;          /* sums that a block gives; 0 if each thread gives one */
    unsigned threads_least; /* threads per block, at least; UNROLLED asks for a power of two, too */
};

static __device__ __forceinline__ float number_of(const float *numbers, uint64_t i, uint64_t count)
{
    return i < count ? numbers[i] : 0.0F;
}

static __device__ __forceinline__ uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* The sum of two numbers for each thread of a block: half as many blocks as numbers need. */
static __device__ __forceinline__ float load_two(const float *numbers, uint64_t count)
{
    uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + threadIdx.x;

    return number_of(numbers, i, count) + number_of(numbers, i + blockDim.x, count);
}

/* ---- "Basic reduction": one thread per sample, each with an atomic addition to one place.
 * Changed: the place is a double, which the tutorial names as the easiest remedy: a float32 stops
 * growing long before 10^8 samples. */

static __global__ void atomics_kernel(const float *samples, double *sum, uint64_t count)
{
    uint64_t i = thread_of_grid();

    if (i < count)
        atomicAdd(sum, (double)samples[i]);
}

static const struct sum_method atomics = {NULL, 0, 0, 1};

/* ---- "Pair-wise reduction" on the GPU: a thread adds two neighbours, with one launch per halving,
 * through device memory. An odd number at the end moves up unchanged; the published code adds it to
 * the first pair. */

static __global__ void pairwise_kernel(const float *numbers, float *sums, uint64_t count)
{
    uint64_t i = thread_of_grid();

    if (2 * i < count)
        sums[i] = numbers[2 * i] + number_of(numbers, 2 * i + 1, count);
}

static const struct sum_method pairwise = {pairwise_kernel, 2, 0, 1};

/* ---- A tree in shared memory: at each level, the threads whose number is a multiple of a power of
 * two add, so that warps diverge; and "Reduce thread divergency": that tree, except that the
 * first threads of the block do the additions. */

template <bool apart>
static __global__ void tree_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);

    sum[threadIdx.x] = number_of(numbers, thread_of_grid(), count);
    __syncthreads();
    for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
        unsigned index = apart ? threadIdx.x : 2 * offset * threadIdx.x;

        if ((!apart || threadIdx.x % (2 * offset) == 0) && index + offset < blockDim.x)
            sum[index] += sum[index + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method shared = {tree_kernel<true>, 1, 1, 2};
static const struct sum_method no_divergence = {tree_kernel<false>, 1, 1, 2};

/* ---- "Sequential memory access": a tree where adjacent threads read adjacent words. */

/* On a level with an odd number of sums, the middle one stays as it is. */
template <bool two>
static __global__ void block_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    unsigned half;

    sum[threadIdx.x] = two ? load_two(numbers, count) : number_of(numbers, thread_of_grid(), count);
    __syncthreads();
    for (unsigned left = blockDim.x; left > 1; left = half) {
        half = (left + 1) / 2;
        if (threadIdx.x + half < left)
            sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method no_bank_conflict = {block_kernel<false>, 1, 1, 2};

/* ---- "Load two values at a time": this tree, except that each thread adds two numbers first,
 * so that half as many blocks suffice. */

static const struct sum_method two_loads = {block_kernel<true>, 2, 1, 2};

/* ---- "Unroll the last warp": two loads, except that one warp adds the last 64 sums, without a
 * loop and without checking which thread adds. The lanes synchronise (__syncwarp) between reading
 * and writing, where the published code relies on `volatile`. So the number of threads must be a
 * power of two, 64 or more. */

/* Adds the 64 sums in shared memory; the results of the lanes from 16, 8, ... on are not used. */
static __device__ __forceinline__ float last_warp(float *sum, unsigned lane)
{
    float own = sum[lane] + sum[lane + 32];

#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        __syncwarp();
        sum[lane] = own;
        __syncwarp();
        own += sum[lane + offset];
    }
    return own;
}

static __global__ void unrolled_warp_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);

    sum[threadIdx.x] = load_two(numbers, count);
    __syncthreads();
    for (unsigned offset = blockDim.x / 2; offset > 32; offset /= 2) {
        if (threadIdx.x < offset)
            sum[threadIdx.x] += sum[threadIdx.x + offset];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        float total = last_warp(sum, threadIdx.x);

        if (threadIdx.x == 0)
            sums[blockIdx.x] = total;
    }
}

static const struct sum_method unrolled_warp = {unrolled_warp_kernel, 2, 1, UNROLLED};

/* ---- launches of the atomics */

static cudaError_t launch_atomics(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, THREADS);
    cudaError_t result = cudaMemsetAsync(state->out, 0, sizeof(double), NULL);

    if (result != cudaSuccess)
        return result;
    LAUNCH(atomics_kernel, flavour_grid(task->count, threads), threads, 0, NULL, state->in,
           (double *)state->out, (uint64_t)task->count);
    return cudaGetLastError();
}

/* ---- launches of the others, level by level: the results of a level go to one of two rows of the
 * spare memory, alternately */

static uint64_t sums_left(const struct sum_method *method, unsigned threads, uint64_t count)
{
    uint64_t taken = method->sums == 0 ? method->numbers : (uint64_t)threads * method->numbers;

    return count / taken + (count % taken != 0 ? 1 : 0);
}

static cudaError_t launch_levels(struct flavour_state *state)
{
    const struct sum_method *method = (const struct sum_method *)state->flavour->method;
    const unsigned threads = flavour_threads(state->task, THREADS);
    const size_t row = state->needs.spare / 2 / sizeof(float);
    const float *from = state->in;
    uint64_t count = state->task->count;

    for (unsigned level = 0; level == 0 || count > 1; level++) {
        uint64_t left = sums_left(method, threads, count);
        unsigned grid = method->sums == 0 ? flavour_grid(left, threads) : (unsigned)left;
        float *to = left == 1 ? (float *)state->out : (float *)state->spare + level % 2 * row;

        LAUNCH(method->kernel, grid, threads, threads * sizeof(float), NULL, from, to, count);
        from = to;
        count = left;
    }
    return cudaGetLastError();
}

/* ---- shared host code */

static const char *cannot_sum(const struct bench_flavour *flavour, const struct bench_task *task)
{
    const struct sum_method *method = (const struct sum_method *)flavour->method;
    unsigned threads = flavour_threads(task, THREADS);

    if (method->threads_least == UNROLLED && (threads & (threads - 1)) != 0)
        return "the threads of a block must be a power of two";
    if (threads < method->threads_least)
        return method->threads_least == UNROLLED ? "a block needs 64 threads or more"
                                                 : "a block needs 2 threads or more";
    return flavour_cannot_grid(task, task->count, threads);
}

static int open_sum(const struct bench_flavour *flavour, const struct bench_task *task,
                    void **state, struct error *error)
{
    const struct sum_method *method = (const struct sum_method *)flavour->method;
    struct flavour_needs needs = {FLAVOUR_COPIED, 0, sizeof(double), 0, 0};
    uint64_t left;

    if (method->kernel != NULL) {
        left = sums_left(method, flavour_threads(task, THREADS), task->count);
        needs.results = sizeof(float);
        needs.spare = 2 * (size_t)left * sizeof(float);
    }
    return flavour_open(flavour, task, &needs, state, error);
}

static int run_sum(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;
    const struct sum_method *method = (const struct sum_method *)state->flavour->method;
    flavour_work *launch = method->kernel != NULL ? launch_levels : launch_atomics;

    if (flavour_run(state, launch, answer, error) != 0)
        return -1;
    answer->sum = method->kernel != NULL ? (double)*(const float *)state->results
                                         : *(const double *)state->results;
    return 0;
}

#define ROW(name, words, method)                                                                   \
    FLAVOUR_ROW(BENCH_SUM, name, words, method, cannot_sum, open_sum, run_sum)

const struct bench_flavour flavours_sum[] = {
    ROW("atomics", "an atomic addition a sample, to one double", &atomics),
    ROW("pairwise-gpu", "pairs, a launch for every halving", &pairwise),
    ROW("shared", "a tree in shared memory; the threads that add lie apart", &shared),
    ROW("no-divergence", "the same tree; the first threads add", &no_divergence),
    ROW("no-bank-conflict", "a tree in shared memory; neighbours read neighbours",
        &no_bank_conflict),
    ROW("two-loads", "the same tree; each thread loads two", &two_loads),
    ROW("unrolled-warp", "two loads; the last warp without a loop", &unrolled_warp),
    {},
};
