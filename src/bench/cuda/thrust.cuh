/* thrust::for_each over the numbers 0 .. count-1, for the flavours that are made of it. */
#ifndef GPUENV_BENCH_CUDA_THRUST_CUH
#define GPUENV_BENCH_CUDA_THRUST_CUH

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system_error.h>

template <typename Function>
static cudaError_t thrust_for_each(uint64_t count, const Function &function)
{
    try {
        thrust::for_each(thrust::device, thrust::counting_iterator<uint64_t>(0),
                         thrust::counting_iterator<uint64_t>(count), function);
    } catch (const thrust::system_error &failure) {
        return failure.code().category() == thrust::cuda_category()
                   ? (cudaError_t)failure.code().value()
                   : cudaErrorUnknown;
    } catch (...) {
        return cudaErrorUnknown;
    }
    return cudaSuccess;
}

#endif
