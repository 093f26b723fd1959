/* The first strategy of the report on running min and max: a thread a window, which looks at every
 * sample of it. Two flavours have this kernel, and differ in where the samples lie. */
#ifndef GPUENV_BENCH_CUDA_WINDOW_SCAN_CUH
#define GPUENV_BENCH_CUDA_WINDOW_SCAN_CUH

#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

static const unsigned SCAN_THREADS = 1024;

static __global__ void scan_kernel(const float *samples, float *minima, float *maxima,
                                   uint64_t windows, uint64_t width)
{
    uint64_t window = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (window >= windows)
        return;
    float low = samples[window];
    float high = low;
    for (uint64_t i = 1; i < width; i++) {
        float sample = samples[window + i];

        low = sample < low ? sample : low;
        high = sample > high ? sample : high;
    }
    minima[window] = low;
    maxima[window] = high;
}

static const char *scan_cannot(const struct bench_task *task)
{
    return flavour_cannot_grid(task, task->count - task->width + 1,
                               flavour_threads(task, SCAN_THREADS));
}

static cudaError_t scan_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, SCAN_THREADS);
    float *minima = (float *)state->out;

    LAUNCH(scan_kernel, flavour_grid(state->windows, threads), threads, 0, NULL, state->in, minima,
           minima + state->windows, state->windows, task->width);
    return cudaGetLastError();
}

static int scan_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                    struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, scan_work, seconds, error);
}

#endif
