/* "CUDA Page-Locked Shared": a thread a window, in blocks of 1024. A block takes the samples of its
 * windows from the host's page-locked memory into shared memory, each once, one or two a thread;
 * then its threads look at every sample of their windows there. So a window has as many samples as
 * a block has threads, at most.
 * As published. Changed: as much shared memory as the block needs, not a fixed size, so that the
 * threads can be chosen; sizes have 64 bits; the memory is registered once, not for every run. */
#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

static const unsigned THREADS = 1024;

static __global__ void shared_kernel(const float *samples, float *minima, float *maxima,
                                     uint64_t count, unsigned width)
{
    SHARED_DYNAMIC(float, cache);
    uint64_t window = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (window < count)
        cache[threadIdx.x] = samples[window];
    if (threadIdx.x + 1 < width && window + blockDim.x < count)
        cache[blockDim.x + threadIdx.x] = samples[window + blockDim.x];
    __syncthreads();
    if (window + width > count)
        return;

    float low = cache[threadIdx.x];
    float high = low;
    for (unsigned i = 1; i < width; i++) {
        float sample = cache[threadIdx.x + i];

        low = sample < low ? sample : low;
        high = sample > high ? sample : high;
    }
    minima[window] = low;
    maxima[window] = high;
}

static const char *shared_cannot(const struct bench_task *task)
{
    unsigned threads = flavour_threads(task, THREADS);

    if (task->width > threads)
        return "a window is wider than a block has threads";
    return flavour_cannot_grid(task, task->count - task->width + 1, threads);
}

static int shared_open(const struct bench_task *task, void **state, struct error *error)
{
    return flavour_open_windows(task, FLAVOUR_PAGE_LOCKED, 0, state, error);
}

static cudaError_t shared_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, THREADS);
    float *minima = (float *)state->out;

    LAUNCH(shared_kernel, flavour_grid(state->windows, threads), threads,
           (threads + (size_t)task->width - 1) * sizeof(float), NULL, state->in, minima,
           minima + state->windows, (uint64_t)task->count, (unsigned)task->width);
    return cudaGetLastError();
}

static int shared_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    (void)answer;
    return flavour_run((struct flavour_state *)state, shared_work, seconds, error);
}

const struct bench_flavour flavour_window_pagelocked_shared = flavour_make(
    BENCH_WINDOW, "pagelocked-shared", "a thread a window, from page-locked into shared memory",
    shared_cannot, shared_open, shared_run);
