/* "Thrust Naive": thrust::for_each over the windows, with a function that looks at every sample of
 * its window; plain copies in and out.
 * As published. Changed: sizes have 64 bits; the memory is allocated once, by cudaMalloc, as for
 * the other flavours. Threads and blocks are Thrust's choice. */
#include "bench/cuda/thrust.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

struct look_at_window {
    const float *samples;
    float *minima;
    float *maxima;
    uint64_t width;

    __device__ void operator()(uint64_t window) const
    {
        float low = samples[window];
        float high = low;

        for (uint64_t i = 1; i < width; i++) {
            low = fminf(low, samples[window + i]);
            high = fmaxf(high, samples[window + i]);
        }
        minima[window] = low;
        maxima[window] = high;
    }
};

static int naive_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_COPIED, 0, state, error);
}

static cudaError_t naive_work(struct flavour_state *state)
{
    float *minima = (float *)state->out;
    const struct look_at_window look = {state->in, minima, minima + state->windows,
                                        state->task->width};

    return thrust_for_each(state->windows, look);
}

static int naive_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                     struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, naive_work, seconds, error);
}

const struct bench_flavour flavour_window_thrust_naive =
    flavour_make(BENCH_WINDOW, "thrust-naive", "thrust::for_each over the windows",
                 flavour_cannot_choose, naive_open, naive_run);
