/* The few rules that also hold on a CUDA device are written once, in headers that gcc, clang and
 * nvcc compile. This is the word that marks such a function. */
#ifndef GPUENV_BASE_DEVICE_TOO_H
#define GPUENV_BASE_DEVICE_TOO_H

/* A function in a header; under nvcc, for the host and for the device. */
#ifdef __CUDACC__
#define DEVICE_TOO static inline __host__ __device__
#else
#define DEVICE_TOO static inline
#endif

#endif
