#include "bench/widest.h"

#include "window/rules.h"

#define COPY_LOOP                                                                                  \
    for (size_t i = 0; i < count; i++) {                                                           \
        pairs[2 * i] = samples[i];                                                                 \
        pairs[2 * i + 1] = samples[i];                                                             \
    }

/* Of the bits: an addition that compilers may do in any order. */
#define READ_LOOP                                                                                  \
    uint32_t sum = 0;                                                                              \
    for (size_t i = 0; i < count; i++)                                                             \
        sum += rules_bits(samples[i]);                                                             \
    return sum;

static void copy_plain(const float *restrict samples, size_t count, float *restrict pairs)
{
    COPY_LOOP
}

static uint32_t read_plain(const float *samples, size_t count)
{
    READ_LOOP
}

#ifdef __x86_64__
#ifdef __clang__
#define WIDE "avx512f"
#else
#define WIDE "avx512f,prefer-vector-width=512"
#endif
__attribute__((target("avx2"))) static void copy_avx2(const float *restrict samples, size_t count,
                                                      float *restrict pairs)
{
    COPY_LOOP
}

__attribute__((target("avx2"))) static uint32_t read_avx2(const float *samples, size_t count)
{
    READ_LOOP
}

__attribute__((target(WIDE))) static void copy_avx512(const float *restrict samples, size_t count,
                                                      float *restrict pairs)
{
    COPY_LOOP
}

__attribute__((target(WIDE))) static uint32_t read_avx512(const float *samples,
                                                          size_t count){READ_LOOP}
#endif

copy_function *widest_copy(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return copy_avx512;
    if (__builtin_cpu_supports("avx2"))
        return copy_avx2;
#endif
    return copy_plain;
}

read_function *widest_read(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return read_avx512;
    if (__builtin_cpu_supports("avx2"))
        return read_avx2;
#endif
    return read_plain;
}
