/* SPDX-License-Identifier: MIT */
/* Converts the places of extremes, which a slider finds, to frames. A template: compiled for each
 * instruction set and kind, see cpu/kind_tmpl.h; compilers vectorise the loop. */
#ifndef GPUENV_CPU_PLACES_TMPL_H
#define GPUENV_CPU_PLACES_TMPL_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"

/* If an integer extreme equals that of missing samples, its place may be that of a missing sample.
 * But then all samples of the window equal it, and the first one is `most` older than the last. */
static inline kind_bits places_age(const struct places *work, kind_value extreme, kind_bits age,
                                   uint64_t most)
{
    const bool is_none = !KIND_HAS_NAN && kind_to_bits(extreme) == (kind_bits)work->none;

    return is_none ? (kind_bits)most : age;
}

/* Frames count backwards if `turn` is -1. After the last window, the numbers do not matter. */
static inline uint64_t places_turned(uint64_t number, int64_t turn)
{
    return (number ^ (uint64_t)turn) - (uint64_t)turn;
}

static void places_frames(const struct places *places)
{
    const struct places work = *places; /* a copy, which no write of a result can change */
    const kind_value *extremes = work.extremes;
    const kind_bits *found = work.places;
    const uint64_t hop = places_turned(work.hop, work.turn);
    uint64_t end = places_turned(work.end, work.turn) + (uint64_t)work.origin;
    uint64_t before = work.end - work.first; /* samples before the window's last one */
    kind_bits last = (kind_bits)before;

    for (size_t i = 0; i < work.windows; i++) {
        const kind_bits age =
            places_age(&work, extremes[i], (kind_bits)(last - found[i]), work.width - 1);
        const int64_t at = (int64_t)(end - places_turned(age, work.turn));

        work.frames[i] = kind_is_nan_bits(kind_to_bits(extremes[i])) ? -1 : at;
        last = (kind_bits)(last + (kind_bits)work.hop);
        end += hop;
    }
    /* Windows that begin before the first sample are shorter. */
    for (size_t i = 0; !KIND_HAS_NAN && i < work.windows && before < work.width - 1; i++) {
        const kind_bits age =
            places_age(&work, extremes[i], (kind_bits)((kind_bits)before - found[i]), before);

        work.frames[i] = (int64_t)places_turned(work.first + before - age, work.turn) + work.origin;
        before += work.hop;
    }
}

#endif
