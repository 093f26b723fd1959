/* "Optimized GPU thread with shared memory": one block of 1024 threads, each with its maximum in
 * registers; the threads meet at an atomic maximum in shared memory. As published, but for what
 * max.cuh says; the index by an atomic minimum, so that threads with the same maximum do not
 * race. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;

static __global__ void shared_kernel(const float *samples, max_index count, struct max_found *best)
{
    __shared__ float magnitude;
    __shared__ max_index index;
    const struct max_found found = max_scan(samples, count, threadIdx.x, blockDim.x);

    max_meet(found, &magnitude, &index);
    if (threadIdx.x == 0) {
        best->magnitude = magnitude;
        best->index = index;
    }
}

static int shared_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, 1, state, error);
}

static cudaError_t shared_work(struct flavour_state *state)
{
    LAUNCH(shared_kernel, 1, flavour_threads(state->task, THREADS), 0, NULL, state->in,
           (max_index)state->task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int shared_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    return max_run(state, shared_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_shared =
    flavour_make(BENCH_MAX, "shared", "one block, atomics in shared memory",
                 flavour_cannot_one_block, shared_open, shared_run);
