/* SPDX-License-Identifier: MIT */
/* Vectors for SSE4.1 (and SSSE3, which it implies). A part of kernels_sse4.c and of
 * kernels_sse4_f64.c. SSE4.1 does not compare integers of 64 bits: for those, kernels_scalar.h is
 * faster. */
#ifndef GPUENV_CPU_KERNELS_SSE4_H
#define GPUENV_CPU_KERNELS_SSE4_H

#include <smmintrin.h>
#include <string.h>

#include "cpu/kind_tmpl.h"

#define VEC_LANES (16 / sizeof(kind_key))
#define VEC_GROUP 4

typedef __m128i vec;

#include "cpu/vec_tmpl.h"

#if KIND_BYTES == 8
#define VEC_LOG 1
#define VEC_OF_LANES(operation) _mm_##operation##_epi64
#elif KIND_BYTES == 4
#define VEC_LOG 2
#define VEC_OF_LANES(operation) _mm_##operation##_epi32
#elif KIND_BYTES == 2
#define VEC_LOG 3
#define VEC_OF_LANES(operation) _mm_##operation##_epi16
#else
#define VEC_LOG 4
#define VEC_OF_LANES(operation) _mm_##operation##_epi8
#endif

#if KIND_BYTES < 8
#define VEC_MIN_INTS VEC_OF_LANES(min)
#define VEC_MAX_INTS VEC_OF_LANES(max)
#define VEC_SELECT(mask, then, otherwise) _mm_blendv_epi8(otherwise, then, mask)
#endif

#ifdef KIND_F32
#define VEC_TO_DOUBLES(samples) _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si64(samples)))
#endif

#ifdef KIND_F64
#define VEC_MIN_FLOATS _mm_min_pd
#define VEC_MAX_FLOATS _mm_max_pd
#endif

#define VEC_SHIFT(was, now, by) _mm_alignr_epi8(now, was, 16 - (int)sizeof(kind_key) * (by))

struct vec_turn {
    vec was;
    vec now;
};

/* A shuffle gives 0 for an index with the high bit. */
static inline void vec_turn_set(kind_key *turn, unsigned by)
{
    const size_t shift = by * sizeof(kind_key);
    uint8_t was[16];
    uint8_t now[16];

    for (size_t i = 0; i < 16; i++) {
        const uint8_t from = (uint8_t)((16 + i - shift) % 16);

        was[i] = i < shift ? from : UINT8_MAX;
        now[i] = i < shift ? UINT8_MAX : from;
    }
    memcpy(turn, was, sizeof was);
    memcpy(turn + VEC_LANES, now, sizeof now);
}

static inline struct vec_turn vec_turn_load(const kind_key *turn)
{
    return (struct vec_turn){vec_load(turn), vec_load(turn + VEC_LANES)};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    return _mm_or_si128(_mm_shuffle_epi8(was, turn.was), _mm_shuffle_epi8(now, turn.now));
}

static inline void vec_store_pairs(kind_value *at, vec low, vec high)
{
    vec_store(at, VEC_OF_LANES(unpacklo)(low, high));
    vec_store(at + VEC_LANES, VEC_OF_LANES(unpackhi)(low, high));
}

#endif
