/* "Reduce thread divergency": the tree of sum_shared.cu, but that the first threads of the block do
 * the additions. As published, but for what sum.cuh says; a block can have any number of threads.
 */
#include "bench/cuda/sum.cuh"

static __global__ void no_divergence_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    sum[threadIdx.x] = sum_number(numbers, i, count);
    __syncthreads();
    for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
        unsigned index = 2 * offset * threadIdx.x;

        if (index + offset < blockDim.x)
            sum[index] += sum[index + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method method = {no_divergence_kernel, 1, 1};

static const char *no_divergence_cannot(const struct bench_task *task)
{
    return sum_cannot(task, 2);
}

static int no_divergence_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_no_divergence =
    flavour_make(BENCH_SUM, "no-divergence", "the same tree; the first threads add",
                 no_divergence_cannot, no_divergence_open, sum_run);
