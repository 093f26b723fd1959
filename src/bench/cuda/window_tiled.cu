/* "CUDA Tiled": a block of 1024 threads takes as many samples from the host's page-locked memory
 * into shared memory, and makes minima and maxima of 2, 4, 8, ... samples there, up to the largest
 * power of two in the window; the rest of the window each thread goes through one by one. Blocks
 * overlap by width - 1 samples, so a block gives threads - width + 1 windows.
 * As published, also in what that costs as the window grows. Changed: all threads come to every
 * barrier; the grid ends with the last window; a window wider than the block is refused; sizes have
 * 64 bits; the memory is registered once, not for every run. */
#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

static const unsigned THREADS = 1024;

static __global__ void tiled_kernel(const float *samples, float *minima, float *maxima,
                                    uint64_t count, unsigned width)
{
    SHARED_DYNAMIC(float, lows);
    float *highs = lows + blockDim.x;
    const unsigned k = threadIdx.x;
    const unsigned given = blockDim.x - width + 1;
    const uint64_t first = (uint64_t)blockIdx.x * given;
    float low = first + k < count ? samples[first + k] : 0;
    float high = low;
    unsigned reach = 1;

    lows[k] = low;
    highs[k] = high;
    __syncthreads();
    for (; 2 * reach <= width; reach *= 2) {
        if (k + reach < blockDim.x) {
            low = fminf(low, lows[k + reach]);
            high = fmaxf(high, highs[k + reach]);
        }
        __syncthreads();
        lows[k] = low;
        highs[k] = high;
        __syncthreads();
    }
    if (k >= given || first + k + width > count)
        return;
    for (unsigned i = 1; i <= width - reach; i++) {
        low = fminf(low, lows[k + i]);
        high = fmaxf(high, highs[k + i]);
    }
    minima[first + k] = low;
    maxima[first + k] = high;
}

static const char *tiled_cannot(const struct bench_task *task)
{
    unsigned threads = flavour_threads(task, THREADS);

    if (task->width > threads)
        return "a window is wider than a block has threads";
    return flavour_cannot_grid(task, task->count - task->width + 1,
                               threads - (unsigned)task->width + 1);
}

static int tiled_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_PAGE_LOCKED, 0, state, error);
}

static cudaError_t tiled_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, THREADS);
    float *minima = (float *)state->out;

    LAUNCH(tiled_kernel, flavour_grid(state->windows, threads - task->width + 1), threads,
           2 * threads * sizeof(float), NULL, state->in, minima, minima + state->windows,
           (uint64_t)task->count, (unsigned)task->width);
    return cudaGetLastError();
}

static int tiled_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                     struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, tiled_work, seconds, error);
}

const struct bench_flavour flavour_window_tiled =
    flavour_make(BENCH_WINDOW, "tiled",
                 "doubling in shared memory, then the rest one by one; tiles that overlap",
                 tiled_cannot, tiled_open, tiled_run);
