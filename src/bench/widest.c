/* SPDX-License-Identifier: MIT */
#include "bench/widest.h"

#include "window/rules.h"

/* Inlined, so that it is compiled for the instruction set of its caller. */
#define LOOP static inline __attribute__((always_inline))

LOOP void copy_loop(const float *restrict samples, size_t count, float *restrict pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = samples[i];
        pairs[2 * i + 1] = samples[i];
    }
}

/* Sums the bits: compilers may reorder these additions. */
LOOP uint32_t read_loop(const float *samples, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += rules_bits(samples[i]);
    return sum;
}

/* Both loops, compiled with attributes. */
#define LOOPS(isa, ...)                                                                            \
    __VA_ARGS__ static void copy_##isa(const float *restrict samples, size_t count,                \
                                       float *restrict pairs)                                      \
    {                                                                                              \
        copy_loop(samples, count, pairs);                                                          \
    }                                                                                              \
    __VA_ARGS__ static uint32_t read_##isa(const float *samples, size_t count)                     \
    {                                                                                              \
        return read_loop(samples, count);                                                          \
    }                                                                                              \
    static const struct widest isa = {copy_##isa, read_##isa};

LOOPS(plain, )
#ifdef __x86_64__
LOOPS(avx2, __attribute__((target("avx2"))))
#ifdef __clang__
LOOPS(avx512, __attribute__((target("avx512f"))))
#else
LOOPS(avx512, __attribute__((target("avx512f,prefer-vector-width=512"))))
#endif
#endif

const struct widest *widest(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2"))
        return &avx2;
#endif
    return &plain;
}
