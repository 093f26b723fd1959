/* SPDX-License-Identifier: MIT */
/* CUDA on a CPU, the C++ side: what kernels use, and how they are launched. */
#ifndef GPUENV_EMU_CUDA_RUNTIME_H
#define GPUENV_EMU_CUDA_RUNTIME_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "cuda_runtime_api.h"

#define GPUENV_EMU 1

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
/* Static shared memory is in a section of its own, so that it can be filled before each block. This
 * does not work for templates, whose variables the compiler puts elsewhere: they use
 * SHARED_DYNAMIC(). */
#define __shared__ static __attribute__((section("emu_shared")))

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

struct alignas(8) int2 {
    int x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};

static inline float2 make_float2(float x, float y)
{
    return float2{x, y};
}

/* One CUDA thread, as seen by its code. */
struct emu_thread {
    uint3 thread;
    uint3 block;
    dim3 block_size;
    dim3 grid_size;
};

extern __thread const struct emu_thread *emu_current;

#define threadIdx (emu_current->thread)
#define blockIdx (emu_current->block)
#define blockDim (emu_current->block_size)
#define gridDim (emu_current->grid_size)
#define warpSize 32

/* The block's dynamic shared memory. */
void *emu_shared_memory(void);
/* True if the predicate of any thread is. */
bool emu_barrier(bool predicate);
/* Every lane of `mask` gives a word of 32 or 64 bits, and gets that of lane `from` of its
 * segment. */
enum emu_shuffle { EMU_UP, EMU_DOWN, EMU_XOR };
uint64_t emu_shuffle_word(enum emu_shuffle kind, uint32_t mask, uint64_t word, int from, int width);
uint32_t emu_ballot(uint32_t mask, int predicate);
void emu_warp_barrier(uint32_t mask);

static inline void __syncthreads(void)
{
    emu_barrier(false);
}
static inline int __syncthreads_or(int predicate)
{
    return emu_barrier(predicate != 0);
}
static inline void __syncwarp(unsigned mask = 0xffffffffU)
{
    emu_warp_barrier(mask);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return emu_ballot(mask, predicate);
}
static inline int __any_sync(unsigned mask, int predicate)
{
    return emu_ballot(mask, predicate) != 0;
}

static inline int __popc(unsigned word)
{
    return __builtin_popcount(word);
}

template <typename T>
static inline T emu_shuffle_value(enum emu_shuffle kind, unsigned mask, T value, int from,
                                  int width)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move words");
    uint64_t word = 0;

    memcpy(&word, &value, sizeof value);
    word = emu_shuffle_word(kind, mask, word, from, width);
    memcpy(&value, &word, sizeof value);
    return value;
}
template <typename T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_value(EMU_UP, mask, value, (int)delta, width);
}
template <typename T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_value(EMU_DOWN, mask, value, (int)delta, width);
}
template <typename T>
static inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    return emu_shuffle_value(EMU_XOR, mask, value, lanes, width);
}

/* Other threads see what a thread did before its fence after a later fence of their own. */
void emu_fence(void);
static inline void __threadfence(void)
{
    emu_fence();
}

/* Lets other threads run now and then: where two blocks compete for one word, either may win. */
void emu_pause(void);

static inline int __float_as_int(float value)
{
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline float __int_as_float(int bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline int min(int a, int b)
{
    return b < a ? b : a;
}
static inline int max(int a, int b)
{
    return a < b ? b : a;
}
static inline unsigned min(unsigned a, unsigned b)
{
    return b < a ? b : a;
}
static inline unsigned max(unsigned a, unsigned b)
{
    return a < b ? b : a;
}
static inline int64_t min(int64_t a, int64_t b)
{
    return b < a ? b : a;
}
static inline int64_t max(int64_t a, int64_t b)
{
    return a < b ? b : a;
}
static inline uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of the two integers of 16 bits in each word. */
static inline unsigned __vmins2(unsigned a, unsigned b)
{
    return ((unsigned)min((int16_t)a, (int16_t)b) & 0xffff) |
           (unsigned)min((int)a >> 16, (int)b >> 16) << 16;
}
static inline unsigned __vmaxs2(unsigned a, unsigned b)
{
    return ~__vmins2(~a, ~b);
}
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned picked = 0;

    for (int i = 0; i < 4; i++)
        picked |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return picked;
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}

static inline float min(float a, float b)
{
    return fminf(a, b);
}
static inline float max(float a, float b)
{
    return fmaxf(a, b);
}
static inline double __dadd_rn(double a, double b)
{
    return a + b;
}
static inline double __dmul_rn(double a, double b)
{
    return a * b;
}
template <typename T> static inline T __ldcs(const T *at)
{
    return *at;
}
template <typename T> static inline void __stcs(T *at, T value)
{
    *at = value;
}

/* Atomics are real, but relaxed, as on a device: to publish other memory, a barrier is needed, and
 * ThreadSanitizer notices if it is missing. */
template <typename T> static inline T atomicCAS(T *at, T expected, T wanted)
{
    emu_pause();
    __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <typename T> static inline T atomicExch(T *at, T value)
{
    emu_pause();
    return __atomic_exchange_n(at, value, __ATOMIC_RELAXED);
}
/* Replaces the value by function(value). Returns the old value. */
template <typename T, typename Function> static inline T emu_atomic(T *at, Function function)
{
    T old;
    T wanted;

    emu_pause();
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do {
        wanted = function(old);
    } while (
        !__atomic_compare_exchange(at, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
template <typename T> static inline T atomicAdd(T *at, T value)
{
    return emu_atomic(at, [=](T old) { return (T)(old + value); });
}
template <typename T> static inline T atomicMin(T *at, T value)
{
    return emu_atomic(at, [=](T old) { return value < old ? value : old; });
}
template <typename T> static inline T atomicMax(T *at, T value)
{
    return emu_atomic(at, [=](T old) { return old < value ? value : old; });
}

/* The barrier of a cooperative grid; see cooperative_groups.h. */
void emu_grid_barrier(void);

/* A kernel and its arguments at the time of the launch. */
template <typename... Parameters, typename... Arguments>
static inline std::function<void()> emu_call(void (*kernel)(Parameters...), Arguments... arguments)
{
    return [=] { kernel(arguments...); };
}

/* Enqueues a kernel on a stream. */
void emu_launch(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                const std::function<void()> &call);

/* The same for a grid whose blocks all run at once. */
cudaError_t emu_launch_cooperative(const void *kernel, dim3 grid, dim3 block, size_t shared,
                                   cudaStream_t stream, const std::function<void()> &call);

template <typename... Parameters, size_t... Is>
static inline std::function<void()> emu_call_array(void (*kernel)(Parameters...), void **arguments,
                                                   std::index_sequence<Is...>)
{
    (void)arguments; /* there may be none */
    return emu_call(kernel, *(Parameters *)arguments[Is]...);
}
template <typename... Parameters>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid,
                                                      dim3 block, void **arguments,
                                                      size_t shared = 0, cudaStream_t stream = NULL)
{
    return emu_launch_cooperative(
        (const void *)kernel, grid, block, shared, stream,
        emu_call_array(kernel, arguments, std::index_sequence_for<Parameters...>()));
}

/* One: the emulated multiprocessors are small. */
template <typename Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                        Function kernel,
                                                                        int threads, size_t shared)
{
    (void)kernel;
    *blocks = threads > 0 && threads <= 1024 && shared <= 48 * 1024 ? 1 : 0;
    return cudaSuccess;
}

template <typename Function>
static inline cudaError_t cudaFuncSetAttribute(Function *function, enum cudaFuncAttribute,
                                               int bytes)
{
    return emu_func_set_attribute((const void *)function, bytes);
}

#endif
