/* "Warp optimized GPU", without shared memory: one block of 1024 threads; the lanes of a warp find
 * their best by shuffles, and the host picks one of the warps'. As published, but for what max.cuh
 * says. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;
static const unsigned LANES = 32;

static __global__ void warp_kernel(const float *samples, max_index count, struct max_found *best)
{
    struct max_found found = max_warp(max_scan(samples, count, threadIdx.x, blockDim.x));

    if (threadIdx.x % warpSize == 0)
        best[threadIdx.x / warpSize] = found;
}

static const char *warp_cannot(const struct bench_task *task)
{
    return task->threads % LANES != 0 ? "works in whole warps of 32 threads"
                                      : flavour_cannot_one_block(task);
}

static int warp_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, flavour_threads(task, THREADS) / LANES, state, error);
}

static cudaError_t warp_work(struct flavour_state *state)
{
    LAUNCH(warp_kernel, 1, flavour_threads(state->task, THREADS), 0, NULL, state->in,
           (max_index)state->task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int warp_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                    struct error *error)
{
    return max_run(state, warp_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_warp =
    flavour_make(BENCH_MAX, "warp", "one block, shuffles; the host picks among the warps",
                 warp_cannot, warp_open, warp_run);
