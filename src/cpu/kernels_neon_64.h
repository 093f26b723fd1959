/* Vectors of 64-bit values for NEON. A part of kernels_neon_f64.c and kernels_neon_i64.c. */
#ifndef GPUENV_CPU_KERNELS_NEON_64_H
#define GPUENV_CPU_KERNELS_NEON_64_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES ((size_t)2)
#define VEC_LOG 1
#define VEC_GROUP 4

typedef int64x2_t vec;

/* Through bytes, because the memory may hold doubles or keys. */
static inline vec vec_load(const void *at)
{
    return vreinterpretq_s64_u8(vld1q_u8(at));
}

static inline void vec_store(void *at, vec v)
{
    vst1q_u8(at, vreinterpretq_u8_s64(v));
}

static inline vec vec_all(int64_t value)
{
    return vdupq_n_s64(value);
}

#ifdef KIND_F64

/* A NaN does not equal itself. */
static inline bool vec_any_nan(const double *samples, size_t vectors)
{
    uint64x2_t number = vdupq_n_u64(UINT64_MAX);

    for (; vectors > 0; vectors--) {
        const float64x2_t x = vld1q_f64(samples);

        number = vandq_u64(number, vceqq_f64(x, x));
        samples += VEC_LANES;
    }
    return (vgetq_lane_u64(number, 0) & vgetq_lane_u64(number, 1)) != UINT64_MAX;
}

#endif

#define VEC_SHIFT(was, now, by) vextq_s64(was, now, VEC_LANES - (by))

struct vec_turn {
    uint8x16_t index;
};

/* By 0 or 1. */
static inline void vec_turn_set(int64_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        turn[i] = (int64_t)(VEC_LANES + i - by) * INT64_C(0x0808080808080808) +
                  INT64_C(0x0706050403020100);
}

static inline struct vec_turn vec_turn_load(const int64_t *turn)
{
    return (struct vec_turn){vreinterpretq_u8_s64(vec_load(turn))};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const uint8x16x2_t both = {{vreinterpretq_u8_s64(was), vreinterpretq_u8_s64(now)}};

    return vreinterpretq_s64_u8(vqtbl2q_u8(both, turn.index));
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    vec_store(at, vzip1q_s64(low, high));
    vec_store(at + VEC_LANES, vzip2q_s64(low, high));
}

#endif
