/* "Non-optimized algorithm on GPU": one thread goes through all samples. As published; the launch
 * is one block of one thread. */
#include "bench/cuda/max.cuh"

static __global__ void sequential_kernel(const float *samples, max_index count,
                                         struct max_found *best)
{
    *best = max_scan(samples, count, 0, 1);
}

static const char *sequential_cannot(const struct bench_task *task)
{
    return task->threads > 1 || task->blocks > 1 ? "works in one thread" : NULL;
}

static int sequential_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, 1, state, error);
}

static cudaError_t sequential_work(struct flavour_state *state)
{
    LAUNCH(sequential_kernel, 1, 1, 0, NULL, state->in, (max_index)state->task->count,
           (struct max_found *)state->out);
    return cudaGetLastError();
}

static int sequential_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                          struct error *error)
{
    return max_run(state, sequential_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_sequential = flavour_make(
    BENCH_MAX, "sequential", "one thread", sequential_cannot, sequential_open, sequential_run);
