/* "Optimized GPU thread with local memory": one block of 1024 threads, each with its maximum in
 * registers; the threads meet at an atomic maximum in the device's memory, and the one that has the
 * maximum gives its index. As published, but for what max.cuh says; the index by an atomic minimum,
 * so that threads with the same maximum do not race. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;

static __global__ void local_kernel(const float *samples, max_index count, struct max_found *best)
{
    struct max_found found;

    if (threadIdx.x == 0) {
        best->magnitude = 0;
        best->index = MAX_NOWHERE;
    }
    __syncthreads();
    found = max_scan(samples, count, threadIdx.x, blockDim.x);
    max_atomic(&best->magnitude, found.magnitude);
    __syncthreads();
    if (best->magnitude == found.magnitude)
        atomicMin(&best->index, found.index);
}

static int local_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, 1, state, error);
}

static cudaError_t local_work(struct flavour_state *state)
{
    LAUNCH(local_kernel, 1, flavour_threads(state->task, THREADS), 0, NULL, state->in,
           (max_index)state->task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int local_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                     struct error *error)
{
    return max_run(state, local_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_local =
    flavour_make(BENCH_MAX, "local", "one block, atomics in the device's memory",
                 flavour_cannot_one_block, local_open, local_run);
