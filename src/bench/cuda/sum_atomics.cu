/* "Basic reduction": a thread a sample, in blocks of 256, and one atomic addition each to one
 * place. Changed: the place is a double, as the tutorial says is the easiest remedy: a float32
 * stands still long before 10^8 samples. */
#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

static const unsigned THREADS = 256;

static __global__ void atomics_kernel(const float *samples, double *sum, uint64_t count)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        atomicAdd(sum, (double)samples[i]);
}

static const char *atomics_cannot(const struct bench_task *task)
{
    return flavour_cannot_grid(task, task->count, flavour_threads(task, THREADS));
}

static int atomics_open(const struct bench_task *task, void **state, struct error *error)
{
    const struct flavour_needs needs = {FLAVOUR_COPIED, false, 0, sizeof(double), 0};
    struct flavour_state *made = NULL;

    if (flavour_open(task, &needs, &made, error) != 0)
        return -1;
    *state = made;
    return 0;
}

static cudaError_t atomics_work(struct flavour_state *state)
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

static int atomics_run(void *opaque, struct bench_answer *answer, double seconds[BENCH_PHASES],
                       struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;

    if (flavour_run(state, atomics_work, seconds, error) != 0)
        return -1;
    answer->sum = *(const double *)state->results;
    return 0;
}

const struct bench_flavour flavour_sum_atomics =
    flavour_make(BENCH_SUM, "atomics", "an atomic addition a sample, to one double", atomics_cannot,
                 atomics_open, atomics_run);
