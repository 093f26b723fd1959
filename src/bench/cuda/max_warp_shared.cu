/* "Warp optimized GPU", with shared memory: as max_warp.cu, and the warps' bests meet in shared
 * memory, where the first warp finds the block's by shuffles again. The article shows the code of
 * the first half only. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;
static const unsigned LANES = 32;

static __global__ void warp_shared_kernel(const float *samples, max_index count,
                                          struct max_found *best)
{
    __shared__ float magnitudes[LANES];
    __shared__ max_index indexes[LANES];
    struct max_found found = max_warp(max_scan(samples, count, threadIdx.x, blockDim.x));
    const unsigned warp = threadIdx.x / LANES;
    const unsigned lane = threadIdx.x % LANES;

    if (lane == 0) {
        magnitudes[warp] = found.magnitude;
        indexes[warp] = found.index;
    }
    __syncthreads();
    if (warp != 0)
        return;
    found.magnitude = lane < blockDim.x / LANES ? magnitudes[lane] : -1.0F;
    found.index = lane < blockDim.x / LANES ? indexes[lane] : MAX_NOWHERE;
    found = max_warp(found);
    if (lane == 0)
        *best = found;
}

static const char *warp_shared_cannot(const struct bench_task *task)
{
    return task->threads % LANES != 0 ? "works in whole warps of 32 threads"
                                      : flavour_cannot_one_block(task);
}

static int warp_shared_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, 1, state, error);
}

static cudaError_t warp_shared_work(struct flavour_state *state)
{
    LAUNCH(warp_shared_kernel, 1, flavour_threads(state->task, THREADS), 0, NULL, state->in,
           (max_index)state->task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int warp_shared_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                           struct error *error)
{
    return max_run(state, warp_shared_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_warp_shared =
    flavour_make(BENCH_MAX, "warp-shared", "one block, shuffles, and the warps in shared memory",
                 warp_shared_cannot, warp_shared_open, warp_shared_run);
