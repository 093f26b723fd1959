/* "Sequential memory access": a tree in shared memory where threads side by side read words side by
 * side, in blocks of 256. As published, but for what sum.cuh says; a block can have any number of
 * threads. */
#include "bench/cuda/sum.cuh"

static __global__ void no_bank_conflict_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    sum[threadIdx.x] = sum_number(numbers, i, count);
    sum_tree(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method method = {no_bank_conflict_kernel, 1, 1};

static const char *no_bank_conflict_cannot(const struct bench_task *task)
{
    return sum_cannot(task, 2);
}

static int no_bank_conflict_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_no_bank_conflict = flavour_make(
    BENCH_SUM, "no-bank-conflict", "a tree in shared memory; neighbours read neighbours",
    no_bank_conflict_cannot, no_bank_conflict_open, sum_run);
