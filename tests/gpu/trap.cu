/* SPDX-License-Identifier: MIT */
/* The program with a device that faults, at GPUENV_TRAP_AT=N when the N-th event is recorded; each
 * chunk records several. The linker redirects calls of cudaEventRecord() to this file. */
#include <cstdio>
#include <cstdlib>

#include <atomic>

static __global__ void trap_kernel()
{
    __trap();
}

/* The names are the linker's. NOLINTBEGIN(bugprone-reserved-identifier) */
extern "C" cudaError_t __real_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
extern "C" cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

/* Once the kernel has run, the context of the process is lost. */
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    static std::atomic<long> calls;
    const char *at = getenv("GPUENV_TRAP_AT");

    if (at != NULL && ++calls == strtol(at, NULL, 10)) {
        trap_kernel<<<1, 1>>>();
        printf("trap: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    return __real_cudaEventRecord(event, stream);
}
/* NOLINTEND(bugprone-reserved-identifier) */
