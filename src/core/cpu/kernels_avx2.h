/* SPDX-License-Identifier: MIT */
/* Vectors for AVX2 (and BMI2, which the compiler may use). A part of kernels_avx2.c and of the
 * files for other kinds. */
#ifndef GPUENV_CPU_KERNELS_AVX2_H
#define GPUENV_CPU_KERNELS_AVX2_H

#include <immintrin.h>
#include <string.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (32 / sizeof(kind_key))
#define VEC_GROUP 4

typedef __m256i vec;

#include "cpu/vec_tmpl.h"

#if KIND_BYTES == 8
#define VEC_LOG 2
#define VEC_OF_LANES(operation) _mm256_##operation##_epi64
#elif KIND_BYTES == 4
#define VEC_LOG 3
#define VEC_OF_LANES(operation) _mm256_##operation##_epi32
#elif KIND_BYTES == 2
#define VEC_LOG 4
#define VEC_OF_LANES(operation) _mm256_##operation##_epi16
#else
#define VEC_LOG 5
#define VEC_OF_LANES(operation) _mm256_##operation##_epi8
#endif

#if KIND_BYTES < 8
#define VEC_MIN_INTS VEC_OF_LANES(min)
#define VEC_MAX_INTS VEC_OF_LANES(max)
#endif

#ifdef KIND_F32
#define VEC_TO_DOUBLES(samples) _mm256_cvtps_pd(_mm_loadu_ps(samples))
#endif

#ifdef KIND_F64
#define VEC_MIN_FLOATS _mm256_min_pd
#define VEC_MAX_FLOATS _mm256_max_pd
#endif

#define VEC_SELECT(mask, then, otherwise) _mm256_blendv_epi8(otherwise, then, mask)

#if KIND_BYTES >= 4

/* Blends the wanted lanes of both vectors, each in its place, and rotates the result. */
static inline vec vec_shift(vec was, vec now, const size_t bytes)
{
    if (bytes == 4)
        return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(now, was, 0x80),
                                           _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
    if (bytes == 8)
        return _mm256_permute4x64_epi64(_mm256_blend_epi32(now, was, 0xc0),
                                        _MM_SHUFFLE(2, 1, 0, 3));
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by) vec_shift(was, now, (by) * sizeof(kind_key))

struct vec_turn {
    vec index; /* indices of 32 bits */
    vec mask;
};

static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const size_t shift = by * sizeof(kind_key) / 4;
    int32_t index[8];
    int32_t mask[8];

    for (size_t i = 0; i < 8; i++) {
        index[i] = (int32_t)((8 + i - shift) % 8);
        mask[i] = i + shift >= 8 ? -1 : 0;
    }
    memcpy(turn, index, sizeof index);
    memcpy(turn + VEC_LANES, mask, sizeof mask);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm256_permutevar8x32_epi32(_mm256_blendv_epi8(now, was, turn.mask), turn.index);
}

#else

/* The last 16 bytes of `was`, and the first of `now`. */
static inline vec vec_middle(vec was, vec now)
{
    return _mm256_permute2x128_si256(was, now, 0x21);
}

#define VEC_SHIFT(was, now, by)                                                                    \
    (KIND_BYTES * (by) >= 16                                                                       \
         ? vec_middle(was, now)                                                                    \
         : _mm256_alignr_epi8(now, vec_middle(was, now), (16 - KIND_BYTES * (by)) & 15))

struct vec_turn {
    vec upper; /* indices of bytes for the upper lanes; other indices are negative */
    vec lower;
    vec far; /* all ones for a shift by 16 bytes more */
};

/* A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const unsigned shift = by * KIND_BYTES;
    int8_t bytes[32];

    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (int8_t)((int)(i % 16) - (int)(shift % 16));
    memcpy(turn, bytes, sizeof bytes);
    memset(turn + VEC_LANES, shift >= 16 ? 0xff : 0, sizeof bytes);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    const vec upper = vec_load(turn);

    return (struct vec_turn){upper, _mm256_xor_si256(upper, _mm256_set1_epi8(INT8_MIN)),
                             vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const vec middle = vec_middle(was, now);
    const vec upper = _mm256_blendv_epi8(now, middle, turn.far);
    const vec lower = _mm256_blendv_epi8(middle, was, turn.far);

    return _mm256_or_si256(_mm256_shuffle_epi8(upper, turn.upper),
                           _mm256_shuffle_epi8(lower, turn.lower));
}

#endif

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    const vec even = VEC_OF_LANES(unpacklo)(low, high);
    const vec odd = VEC_OF_LANES(unpackhi)(low, high);

    vec_store(at, _mm256_permute2x128_si256(even, odd, 0x20));
    vec_store(at + VEC_LANES, _mm256_permute2x128_si256(even, odd, 0x31));
}

#endif
