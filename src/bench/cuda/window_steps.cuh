/* The second strategy of the report on running min and max, in device memory: minima and maxima of
 * 2, 4, 8, ... samples from each sample on, up to the largest power of two in the window; each
 * thread then goes through the rest of the window one by one. A step reads one pair of rows and
 * writes another, because a thread's neighbour must still find the old values. */
#ifndef GPUENV_BENCH_CUDA_WINDOW_STEPS_CUH
#define GPUENV_BENCH_CUDA_WINDOW_STEPS_CUH

#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

/* Floats of memory a sample besides the samples and the windows: two pairs of rows. */
enum { STEPS_SPARE = 4 };

struct steps_rows {
    float *low;
    float *high;
};

/* Both rows are the samples at first; then they are pairs of `rows`, in turns. */
struct steps_view {
    struct steps_rows from;
    struct steps_rows to;
    uint64_t count;
    uint64_t width;
    uint64_t reach; /* how many samples an element of `from` stands for */
};

static __device__ __forceinline__ void steps_double(const struct steps_view &view, uint64_t k)
{
    float low = view.from.low[k];
    float high = view.from.high[k];

    if (k + view.reach < view.count) {
        low = fminf(low, view.from.low[k + view.reach]);
        high = fmaxf(high, view.from.high[k + view.reach]);
    }
    view.to.low[k] = low;
    view.to.high[k] = high;
}

static __device__ __forceinline__ void steps_rest(const struct steps_view &view, uint64_t k)
{
    float low = view.from.low[k];
    float high = view.from.high[k];

    for (uint64_t i = 1; i <= view.width - view.reach; i++) {
        low = fminf(low, view.from.low[k + i]);
        high = fmaxf(high, view.from.high[k + i]);
    }
    view.to.low[k] = low;
    view.to.high[k] = high;
}

/* The pair of rows in spare memory that step number `step` writes. */
static __host__ __device__ __forceinline__ struct steps_rows
steps_spare(float *spare, uint64_t count, unsigned step)
{
    struct steps_rows rows;

    rows.low = spare + step % 2 * 2 * count;
    rows.high = rows.low + count;
    return rows;
}

#endif
