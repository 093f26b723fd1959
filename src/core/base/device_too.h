/* SPDX-License-Identifier: MIT */
/* Rules that also hold on a CUDA device are written once, in headers that gcc, clang and nvcc
 * compile. DEVICE_TOO marks their functions. */
#ifndef GPUENV_BASE_DEVICE_TOO_H
#define GPUENV_BASE_DEVICE_TOO_H

/* A function in a header; under nvcc, compiled for host and device. */
#ifdef __CUDACC__
#define DEVICE_TOO static inline __host__ __device__
#else
#define DEVICE_TOO static inline
#endif

#endif
