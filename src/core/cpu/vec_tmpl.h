/* SPDX-License-Identifier: MIT */
/* What vectors of every instruction set have in common. A part of each kernels_<isa> file, once
 * `vec` and VEC_LANES are there. */
#ifndef GPUENV_CPU_VEC_TMPL_H
#define GPUENV_CPU_VEC_TMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kind_tmpl.h"

/* Lane by lane, for operators. */
typedef kind_key vec_ints __attribute__((vector_size(sizeof(vec))));
typedef kind_bits vec_bits __attribute__((vector_size(sizeof(vec))));
#if KIND_HAS_NAN
typedef kind_value vec_floats __attribute__((vector_size(sizeof(vec)))); /* bits of a float16 */
#endif

/* In memory, where there may be values or keys. */
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

/* The places of the samples of the next vector, from those of this one; modulo 2^32 or 2^64. */
static inline vec vec_next_place(vec place)
{
    return (vec)((vec_bits)place + (kind_bits)VEC_LANES);
}

#endif
