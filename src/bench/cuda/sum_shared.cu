/* A tree in shared memory, in blocks of 256: at each level the threads whose number is a multiple
 * of a power of two add, so that the warps' threads part ways. As published, but for what sum.cuh
 * says; a block can have any number of threads. */
#include "bench/cuda/sum.cuh"

static __global__ void shared_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    sum[threadIdx.x] = sum_number(numbers, i, count);
    __syncthreads();
    for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
        if (threadIdx.x % (2 * offset) == 0 && threadIdx.x + offset < blockDim.x)
            sum[threadIdx.x] += sum[threadIdx.x + offset];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum[0];
}

static const struct sum_method method = {shared_kernel, 1, 1};

static const char *shared_cannot(const struct bench_task *task)
{
    return sum_cannot(task, 2);
}

static int shared_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_shared =
    flavour_make(BENCH_SUM, "shared", "a tree in shared memory; the threads that add lie apart",
                 shared_cannot, shared_open, sum_run);
