/* "VecMax": a grid-stride scan, a tree in shared memory, one result a block, of which the host
 * picks one; 1024 threads by 128 blocks, the fastest of the published sweep. Changed: magnitudes
 * and their indexes, not plain values; the tree takes any number of threads; and what max.cuh
 * says. */
#include "bench/cuda/max.cuh"

static const unsigned THREADS = 1024;
static const unsigned BLOCKS = 128;

static __global__ void vecmax_kernel(const float *samples, max_index count, struct max_found *best)
{
    SHARED_DYNAMIC(struct max_found, cache);
    unsigned half;

    cache[threadIdx.x] = max_scan(samples, count, (max_index)blockIdx.x * blockDim.x + threadIdx.x,
                                  (max_index)gridDim.x * blockDim.x);
    __syncthreads();
    for (unsigned left = blockDim.x; left > 1; left = half) {
        half = (left + 1) / 2;
        if (threadIdx.x + half < left && max_beats(cache[threadIdx.x + half], cache[threadIdx.x]))
            cache[threadIdx.x] = cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        best[blockIdx.x] = cache[0];
}

static int vecmax_open(const struct bench_task *task, void **state, struct error *error)
{
    return max_open(task, flavour_blocks(task, BLOCKS), state, error);
}

static cudaError_t vecmax_work(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = flavour_threads(task, THREADS);

    LAUNCH(vecmax_kernel, flavour_blocks(task, BLOCKS), threads, threads * sizeof(struct max_found),
           NULL, state->in, (max_index)task->count, (struct max_found *)state->out);
    return cudaGetLastError();
}

static int vecmax_run(void *state, struct bench_answer *answer, double seconds[BENCH_PHASES],
                      struct error *error)
{
    return max_run(state, vecmax_work, answer, seconds, error);
}

const struct bench_flavour flavour_max_vecmax =
    flavour_make(BENCH_MAX, "vecmax", "a tree in shared memory a block; the host picks",
                 flavour_cannot_free, vecmax_open, vecmax_run);
