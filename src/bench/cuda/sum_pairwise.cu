/* "Pair-wise reduction" on the GPU: a thread adds two neighbours, in blocks of 256, and there is a
 * launch for every halving, through the device's memory. As published, but for what sum.cuh says;
 * an odd number at the end goes up alone, where the published code adds it to the first pair. */
#include "bench/cuda/sum.cuh"

static __global__ void pairwise_kernel(const float *numbers, float *sums, uint64_t count)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (2 * i < count)
        sums[i] = numbers[2 * i] + sum_number(numbers, 2 * i + 1, count);
}

static const struct sum_method method = {pairwise_kernel, 2, 0};

static const char *pairwise_cannot(const struct bench_task *task)
{
    return sum_cannot(task, 1);
}

static int pairwise_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_pairwise =
    flavour_make(BENCH_SUM, "pairwise-gpu", "pairs, a launch for every halving", pairwise_cannot,
                 pairwise_open, sum_run);
