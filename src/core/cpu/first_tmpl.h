/* Where the first minimum and the first maximum of samples are, as numbers: -0 equals 0, and NaN
 * are passed over. A template: compiled for each instruction set and kind, with the vectors of
 * comb_slider_tmpl.h.
 *
 * Each lane keeps its extremes and the numbers of the vectors that they are in. At first a NaN has
 * the key of its bits, which shows in the extremes. */
#ifndef GPUENV_CPU_FIRST_TMPL_H
#define GPUENV_CPU_FIRST_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/vec_keys_tmpl.h"
#include "window/rules.h"

#define FIRST_INLINE static inline __attribute__((always_inline))

enum { FIRST_AHEAD = 4096 }; /* bytes: processors stop to look ahead at the end of a page */

struct first_lanes {
    vec low;
    vec high;
    vec low_in;
    vec high_in;
};

/* The key of a float in order, one more for negative ones: that of -0 becomes that of 0. */
FIRST_INLINE vec first_key(vec bits, vec turn)
{
    const vec key = vec_flip(vec_turned(bits, turn));

    if (!KIND_HAS_NAN)
        return key;
    return (vec)((vec_ints)key - ((vec_ints)key >> (8 * sizeof(kind_key) - 1)));
}

FIRST_INLINE void first_take(struct first_lanes *lanes, vec bits, vec turn, vec number,
                             const bool omit)
{
    const vec key = first_key(bits, turn);
    vec low = key;
    vec high = key;

    if (omit) {
        low = vec_nan_to(bits, vec_all(KIND_ABOVE), key);
        high = vec_nan_to(bits, vec_all(KIND_BELOW), key);
    }
    lanes->low_in = vec_if_less(low, lanes->low, number, lanes->low_in);
    lanes->high_in = vec_if_less(lanes->high, high, number, lanes->high_in);
    lanes->low = vec_min_ints(lanes->low, low);
    lanes->high = vec_max_ints(lanes->high, high);
}

/* The best key of all lanes, and the first sample that has it; `last` is the first sample of the
 * last vector, number `vectors`. */
FIRST_INLINE kind_key first_of_lanes(vec keys, vec numbers, kind_key turn, uint32_t vectors,
                                     uint32_t last, size_t *at)
{
    kind_key key[VEC_LANES];
    kind_bits number[VEC_LANES];
    uint32_t place[VEC_LANES]; /* an array, which compilers need for vectors */
    kind_key best = KIND_ABOVE;
    uint32_t first = UINT32_MAX;

    memcpy(key, &keys, sizeof key);
    memcpy(number, &numbers, sizeof number);
    for (size_t i = 0; i < VEC_LANES; i++) {
        const kind_key turned = (kind_key)(key[i] ^ turn);

        if (turned < best)
            best = turned;
    }
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        const uint32_t in = (uint32_t)number[i];
        const uint32_t begin = in == vectors ? last : in * (uint32_t)VEC_LANES;

        place[i] = (key[i] ^ turn) == best ? begin + i : UINT32_MAX;
    }
    for (size_t i = 0; i < VEC_LANES; i++)
        first = place[i] < first ? place[i] : first;
    *at = first;
    return (kind_key)(best ^ turn);
}

/* The last vector overlaps the one before it: only what is new there can be better. */
FIRST_INLINE struct extremes first_by_vectors(const kind_value *samples, size_t count,
                                              kind_key middle, size_t at[2], const bool omit)
{
    const size_t vectors = count / VEC_LANES;
    const size_t last = count - VEC_LANES;
    const vec turn = vec_all(middle);
    struct first_lanes lanes = {vec_all(KIND_ABOVE), vec_all(KIND_BELOW), vec_all(0), vec_all(0)};
    vec number = vec_all(0);

    for (size_t i = 0; i < vectors; i++) {
        __builtin_prefetch((const void *)((uintptr_t)(samples + i * VEC_LANES) + FIRST_AHEAD));
        first_take(&lanes, vec_load(samples + i * VEC_LANES), turn, number, omit);
        number = (vec)((vec_bits)number + 1);
    }
    first_take(&lanes, vec_load(samples + last), turn, number, omit);
    return (struct extremes){
        first_of_lanes(lanes.low, lanes.low_in, 0, (uint32_t)vectors, (uint32_t)last, &at[0]),
        first_of_lanes(lanes.high, lanes.high_in, -1, (uint32_t)vectors, (uint32_t)last, &at[1]),
    };
}

FIRST_INLINE struct extremes first_plainly(const kind_value *samples, size_t count, kind_key middle,
                                           size_t at[2])
{
    struct extremes best = {KIND_ABOVE, KIND_BELOW};

    at[0] = at[1] = 0;
    for (size_t i = 0; i < count; i++) {
        const kind_bits bits = (kind_bits)(kind_to_bits(samples[i]) ^ (kind_bits)middle);
        const kind_key flipped = (kind_key)kind_flip(bits);
        const kind_key key = (kind_key)(KIND_HAS_NAN && flipped < 0 ? flipped + 1 : flipped);
        const bool is = !kind_is_nan_bits(bits);

        at[0] = is && key < best.low ? i : at[0];
        at[1] = is && key > best.high ? i : at[1];
        best.low = is && key < best.low ? key : best.low;
        best.high = is && key > best.high ? key : best.high;
    }
    return best;
}

/* `middle` is the key of 0 among integers. */
FIRST_INLINE struct extremes first_places(const kind_value *samples, size_t count, kind_key middle,
                                          size_t at[2])
{
    struct extremes found;

    if (VEC_LANES == 1 || count < VEC_LANES)
        return first_plainly(samples, count, middle, at);
    found = first_by_vectors(samples, count, middle, at, false);
#if KIND_HAS_NAN
    if (found.low < -(int64_t)KIND_INFINITY_BITS || found.high > KIND_INFINITY_BITS)
        found = first_by_vectors(samples, count, middle, at, true);
#endif
    return found;
}

#endif
