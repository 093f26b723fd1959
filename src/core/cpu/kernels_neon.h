/* Vectors for NEON, which every 64-bit ARM CPU has. A part of kernels_neon.c and of those for other
 * kinds. */
#ifndef GPUENV_CPU_KERNELS_NEON_H
#define GPUENV_CPU_KERNELS_NEON_H

#include <arm_neon.h>
#include <string.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (16 / sizeof(kind_key))
#define VEC_GROUP 4

#if KIND_BYTES == 8
typedef int64x2_t vec;
#define VEC_LOG 1
#define VEC_OF_LANES(operation) operation##_s64
#elif KIND_BYTES == 4
typedef int32x4_t vec;
#define VEC_LOG 2
#define VEC_OF_LANES(operation) operation##_s32
#elif KIND_BYTES == 2
typedef int16x8_t vec;
#define VEC_LOG 3
#define VEC_OF_LANES(operation) operation##_s16
#else
typedef int8x16_t vec;
#define VEC_LOG 4
#define VEC_OF_LANES(operation) operation##_s8
#endif

#include "cpu/vec_tmpl.h"

#if KIND_BYTES < 8
#define VEC_MIN_INTS VEC_OF_LANES(vminq)
#define VEC_MAX_INTS VEC_OF_LANES(vmaxq)
#endif

#ifdef KIND_F32

static inline vec vec_max_unsigned(vec a, vec b)
{
    return vreinterpretq_s32_u32(vmaxq_u32(vreinterpretq_u32_s32(a), vreinterpretq_u32_s32(b)));
}

/* Half as many samples as there are lanes. */
static inline float64x2_t vec_to_doubles(const float *samples)
{
    return vcvt_f64_f32(vld1_f32(samples));
}

#define VEC_FLIP

static inline vec vec_flip(vec x)
{
    return veorq_s32(x, vandq_s32(vshrq_n_s32(x, 31), vec_all(INT32_MAX)));
}

/* A NaN does not equal itself. */
static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const float32x4_t x = vreinterpretq_f32_s32(bits);

    return vbslq_s32(vceqq_f32(x, x), otherwise, then);
}

static inline bool vec_any_nan(const float *samples, size_t step, size_t vectors)
{
    uint32x4_t number = vdupq_n_u32(UINT32_MAX);

    for (; vectors > 0; vectors--) {
        const float32x4_t x = vld1q_f32(samples);

        number = vandq_u32(number, vceqq_f32(x, x));
        samples += step;
    }
    return vminvq_u32(number) == 0;
}

#endif

#ifdef KIND_F64

/* A NaN does not equal itself. */
static inline bool vec_any_nan(const double *samples, size_t step, size_t vectors)
{
    uint64x2_t number = vdupq_n_u64(UINT64_MAX);

    for (; vectors > 0; vectors--) {
        const float64x2_t x = vld1q_f64(samples);

        number = vandq_u64(number, vceqq_f64(x, x));
        samples += step;
    }
    return (vgetq_lane_u64(number, 0) & vgetq_lane_u64(number, 1)) != UINT64_MAX;
}

#endif

#define VEC_SHIFT(was, now, by) VEC_OF_LANES(vextq)(was, now, VEC_LANES - (by))

struct vec_turn {
    uint8x16_t index;
};

static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    uint8_t index[16];

    for (size_t i = 0; i < 16; i++)
        index[i] = (uint8_t)(16 + i - by * sizeof(kind_key));
    memcpy(turn, index, sizeof index);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){(uint8x16_t)vec_load(turn)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const uint8x16x2_t both = {{(uint8x16_t)was, (uint8x16_t)now}};

    return (vec)vqtbl2q_u8(both, turn.index);
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    vec_store(at, VEC_OF_LANES(vzip1q)(low, high));
    vec_store(at + VEC_LANES, VEC_OF_LANES(vzip2q)(low, high));
}

#endif
