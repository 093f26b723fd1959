/* GPUENV_TRAP_AT=N: the device faults when the N-th event is recorded; each chunk records several.
 * The linker redirects calls of cudaEventRecord() to this file. */
#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../emu/emu.h"

/* The names are the linker's. NOLINTBEGIN(bugprone-reserved-identifier) */
cudaError_t __real_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

cudaError_t __wrap_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    static atomic_long calls;
    const char *at = getenv("GPUENV_TRAP_AT");

    if (at != NULL && atomic_fetch_add(&calls, 1) + 1 == strtol(at, NULL, 10))
        emu_trap();
    return __real_cudaEventRecord(event, stream);
}
/* NOLINTEND(bugprone-reserved-identifier) */
