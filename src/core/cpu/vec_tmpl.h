/* SPDX-License-Identifier: MIT */
/* What vectors of every instruction set have in common. Each kernels_<isa> file includes this after
 * it has defined `vec` and VEC_LANES. */
#ifndef GPUENV_CPU_VEC_TMPL_H
#define GPUENV_CPU_VEC_TMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

/* Vector types for operators, which work lane by lane. */
typedef kind_key vec_ints __attribute__((vector_size(sizeof(vec))));
typedef kind_bits vec_bits __attribute__((vector_size(sizeof(vec))));
#if KIND_HAS_NAN
typedef kind_value vec_floats __attribute__((vector_size(sizeof(vec)))); /* for float16, its bits */
#endif

/* A vector in memory, which may hold values or keys. */
typedef vec vec_there __attribute__((may_alias, aligned(1)));

static inline vec vec_load(const void *at)
{
    return *(const vec_there *)at;
}

static inline void vec_store(void *at, vec v)
{
    *(vec_there *)at = v;
}

static inline vec vec_all(kind_key value)
{
    return (vec)((vec_ints){0} + value);
}

/* The places of the samples of the next vector, from the places of this one's, modulo 2^32 or
 * 2^64. */
static inline vec vec_next_place(vec place)
{
    return (vec)((vec_bits)place + (kind_bits)VEC_LANES);
}

#endif
