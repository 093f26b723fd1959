/* "Optimized GPU thread blocks": max_shared.cu in 4 blocks of 1024 threads; each gives its best, of
 * which the host picks one. As published, but for what max.cuh says, and that the stride is the
 * whole grid's, so that no two blocks look at the same sample. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;
static const unsigned BLOCKS = 4;

static __global__ void blocks_kernel(const float *samples, max_index count, struct max_found *best)
{
    __shared__ float magnitude;
    __shared__ max_index index;
    const struct max_found found =
        max_scan(samples, count, (max_index)blockIdx.x * blockDim.x + threadIdx.x,
                 (max_index)gridDim.x * blockDim.x);

    max_meet(found, &magnitude, &index);
    if (threadIdx.x == 0) {
        best[blockIdx.x].magnitude = magnitude;
        best[blockIdx.x].index = index;
    }
}

static int blocks_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, flavour_blocks(task, BLOCKS), state, error);
}

static cudaError_t blocks_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;

    LAUNCH(blocks_kernel, flavour_blocks(task, BLOCKS), flavour_threads(task, THREADS), 0, NULL,
           state->in, (max_index)task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int blocks_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    return max_run(state, blocks_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_blocks =
    flavour_make(BENCH_MAX, "blocks", "several blocks, atomics in shared memory; the host picks",
                 flavour_cannot_free, blocks_open, blocks_run);
