/* SPDX-License-Identifier: MIT */
/* Vectors for NEON, which every 64-bit ARM CPU has. A part of kernels_neon.c and of the files for
 * other kinds. */
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
#define VEC_TO_DOUBLES(samples) vcvt_f64_f32(vld1_f32(samples))
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
