/* The sum: what the flavours share that halve, or divide by the block, launch by launch, until one
 * number is left. As published the numbers are float32, and the launches go on to the end.
 *
 * Changed for all: sizes have 64 bits; the grid has no block too many; a level takes all numbers of
 * the level before, whatever their count. */
#ifndef GPUENV_BENCH_CUDA_SUM_CUH
#define GPUENV_BENCH_CUDA_SUM_CUH

#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

static const unsigned SUM_THREADS = 256;

typedef void sum_kernel(const float *numbers, float *sums, uint64_t count);

static __device__ __forceinline__ float sum_number(const float *numbers, uint64_t i, uint64_t count)
{
    return i < count ? numbers[i] : 0.0F;
}

/* What a block's sums come to, in the first: threads side by side read words side by side. A level
 * of an odd number of sums leaves the one in the middle as it is. All threads must come. */
static __device__ __forceinline__ void sum_tree(float *sum)
{
    unsigned half;

    __syncthreads();
    for (unsigned left = blockDim.x; left > 1; left = half) {
        half = (left + 1) / 2;
        if (threadIdx.x + half < left)
            sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
}

/* What one flavour is made of. */
struct sum_method {
    sum_kernel *kernel;
    unsigned numbers; /* that a thread takes */
    unsigned sums;    /* that a block gives; 0: one a thread */
};

static inline uint64_t sum_left(const struct sum_method *method, unsigned threads, uint64_t count)
{
    uint64_t taken = method->sums == 0 ? method->numbers : (uint64_t)threads * method->numbers;

    return count / taken + (count % taken != 0 ? 1 : 0);
}

static inline const char *sum_cannot(const struct bench_task *task, unsigned threads_least)
{
    unsigned threads = flavour_threads(task, SUM_THREADS);

    if (threads < threads_least)
        return threads_least == 2 ? "a block needs 2 threads or more"
                                  : "a block needs 64 threads or more";
    return flavour_cannot_grid(task, task->count, threads);
}

/* The spare memory has two rows for what levels leave, in turns. */
static inline int sum_open(const struct bench_task *task, const struct sum_method *method,
                           void **state, struct error *error)
{
    uint64_t left = sum_left(method, flavour_threads(task, SUM_THREADS), task->count);
    const struct flavour_needs needs = {FLAVOUR_COPIED, false, 0, sizeof(float),
                                        2 * (size_t)left * sizeof(float)};
    struct flavour_state *made = NULL;

    if (flavour_open(task, &needs, &made, error) != 0)
        return -1;
    made->method = (void *)method;
    *state = made;
    return 0;
}

static cudaError_t sum_levels(struct flavour_state *state)
{
    const struct sum_method *method = (const struct sum_method *)state->method;
    const unsigned threads = flavour_threads(state->task, SUM_THREADS);
    const size_t row = state->needs.spare / 2 / sizeof(float);
    const float *from = state->in;
    uint64_t count = state->task->count;

    for (unsigned level = 0; level == 0 || count > 1; level++) {
        uint64_t left = sum_left(method, threads, count);
        unsigned grid = method->sums == 0 ? flavour_grid(left, threads) : (unsigned)left;
        float *to = left == 1 ? (float *)state->out : (float *)state->spare + level % 2 * row;

        LAUNCH(method->kernel, grid, threads, threads * sizeof(float), NULL, from, to, count);
        from = to;
        count = left;
    }
    return cudaGetLastError();
}

static inline int sum_run(void *opaque, struct bench_answer *answer, double seconds[BENCH_PHASES],
                          struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;

    if (flavour_run(state, sum_levels, seconds, error) != 0)
        return -1;
    answer->sum = (double)*(const float *)state->results;
    return 0;
}

#endif
