/* Ranges for NVIDIA's profilers, if the toolkit has the header: each step of a chunk shows up as a
 * bar. They cost a few nanoseconds without a profiler. The header initialises itself at the first
 * range with an unlocked check that ThreadSanitizer reports as a race. */
#ifndef GPUENV_CUDA_NVTX_H
#define GPUENV_CUDA_NVTX_H

#if defined(__has_include) && !defined(__SANITIZE_THREAD__)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define CUDA_NVTX 1
#include <nvtx3/nvToolsExt.h>
#endif
#endif

static inline void cuda_range_begin(const char *name)
{
#ifdef CUDA_NVTX
    (void)nvtxRangePushA(name);
#else
    (void)name;
#endif
}

static inline void cuda_range_end(void)
{
#ifdef CUDA_NVTX
    (void)nvtxRangePop();
#endif
}

#endif
