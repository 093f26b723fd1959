/* "Unroll the last warp": sum_two_loads.cu, but that the last 64 sums are added by one warp without
 * a loop and without asking who has to add. As published, but for what sum.cuh says; the lanes wait
 * for each other (__syncwarp) between reading and writing, where the published code relies on
 * `volatile`. So the threads are a power of two, 64 or more. */
#include "bench/cuda/sum.cuh"

/* The 64 sums in shared memory; the lanes from 16, 8, ... on add what nobody wants. */
static __device__ __forceinline__ float last_warp(float *sum, unsigned lane)
{
    float own = sum[lane] + sum[lane + 32];

#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        __syncwarp();
        sum[lane] = own;
        __syncwarp();
        own += sum[lane + offset];
    }
    return own;
}

static __global__ void unrolled_warp_kernel(const float *numbers, float *sums, uint64_t count)
{
    SHARED_DYNAMIC(float, sum);
    uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + threadIdx.x;

    sum[threadIdx.x] = sum_number(numbers, i, count) + sum_number(numbers, i + blockDim.x, count);
    __syncthreads();
    for (unsigned offset = blockDim.x / 2; offset > 32; offset /= 2) {
        if (threadIdx.x < offset)
            sum[threadIdx.x] += sum[threadIdx.x + offset];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        float total = last_warp(sum, threadIdx.x);

        if (threadIdx.x == 0)
            sums[blockIdx.x] = total;
    }
}

static const struct sum_method method = {unrolled_warp_kernel, 2, 1};

static const char *unrolled_warp_cannot(const struct bench_task *task)
{
    unsigned threads = flavour_threads(task, SUM_THREADS);

    if ((threads & (threads - 1)) != 0)
        return "the threads of a block must be a power of two";
    return sum_cannot(task, 64);
}

static int unrolled_warp_open(const struct bench_task *task, void **state, struct error *error)
{
    return sum_open(task, &method, state, error);
}

const struct bench_flavour flavour_sum_unrolled_warp =
    flavour_make(BENCH_SUM, "unrolled-warp", "two loads; the last warp without a loop",
                 unrolled_warp_cannot, unrolled_warp_open, sum_run);
