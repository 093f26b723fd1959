/* A fault of a real device: emu_trap() for tests/gpu/. */
#include <stdio.h>

#include "../emu/emu.h"

static __global__ void trap_kernel()
{
    __trap();
}

/* When it returns, the context of the process is lost. */
void emu_trap(void)
{
    cudaError_t result;

    trap_kernel<<<1, 1>>>();
    result = cudaDeviceSynchronize();
    printf("trap: %s\n", cudaGetErrorString(result));
}
