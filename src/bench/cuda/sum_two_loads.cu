/* "Load two values at a time": the tree of sum_no_bank_conflict.cu, but that each thread adds two
 * numbers before it begins, so that half as many blocks do. As published, but for what sum.cuh
 * says; a block can have any number of threads. */
#include "bench/cuda/sum.cuh"

static __global__ void two_loads_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + threadIdx.x;

    sum[threadIdx.x] = sum_number(numbers, i, count) + sum_number(numbers, i + blockDim.x, count);
    sum_tree(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method method = {two_loads_kernel, 2, 1};

static const char *two_loads_cannot(const struct bench_task *task)
{
    return sum_cannot(task, 2);
}

static int two_loads_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_two_loads =
    flavour_make(BENCH_SUM, "two-loads", "the same tree; each thread loads two", two_loads_cannot,
                 two_loads_open, sum_run);
