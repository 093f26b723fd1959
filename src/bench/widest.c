#include "bench/widest.h"

#include "window/rules.h"

/* Compiled for what the function is compiled for that it is part of. */
#define LOOP static inline __attribute__((always_inline))

LOOP void copy_loop(const float *restrict samples, size_t count, float *restrict pairs)
{
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = samples[i];
        pairs[2 * i + 1] = samples[i];
    }
}

/* Of the bits: an addition that compilers may do in any order. */
LOOP uint32_t read_loop(const float *samples, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += rules_bits(samples[i]);
    return sum;
}

struct loops {
    copy_function *copy;
    read_function *read;
};

static void copy_plain(const float *restrict samples, size_t count, float *restrict pairs)
{
    copy_loop(samples, count, pairs);
}

static uint32_t read_plain(const float *samples, size_t count)
{
    return read_loop(samples, count);
}

static const struct loops plain = {copy_plain, read_plain};

#ifdef __x86_64__
#ifdef __clang__
#define WIDE "avx512f"
#else
#define WIDE "avx512f,prefer-vector-width=512"
#endif
__attribute__((target("avx2"))) static void copy_avx2(const float *restrict samples, size_t count,
                                                      float *restrict pairs)
{
    copy_loop(samples, count, pairs);
}

__attribute__((target("avx2"))) static uint32_t read_avx2(const float *samples, size_t count)
{
    return read_loop(samples, count);
}

static const struct loops avx2 = {copy_avx2, read_avx2};

__attribute__((target(WIDE))) static void copy_avx512(const float *restrict samples, size_t count,
                                                      float *restrict pairs)
{
    copy_loop(samples, count, pairs);
}

__attribute__((target(WIDE))) static uint32_t read_avx512(const float *samples, size_t count)
{
    return read_loop(samples, count);
}

static const struct loops avx512 = {copy_avx512, read_avx512};
#endif

static const struct loops *widest(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2"))
        return &avx2;
#endif
    return &plain;
}

copy_function *widest_copy(void)
{
    return widest()->copy;
}

read_function *widest_read(void)
{
    return widest()->read;
}
