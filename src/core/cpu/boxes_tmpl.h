/* SPDX-License-Identifier: MIT */
/* Boxes of images, for lib/tiles.c. A template: compiled for each instruction set and kind, with
 * the vectors of comb_slider_tmpl.h.
 *
 * Samples become keys once, and keys become results once. In between, keys are integers, the
 * greater of which is the better. The key of a NaN is the greatest or the least of all, so a NaN
 * needs no other code. */
#ifndef GPUENV_CPU_BOXES_TMPL_H
#define GPUENV_CPU_BOXES_TMPL_H

#include <stddef.h>
#include <string.h>

#include "base/min_max.h"
#include "cpu/comb_spans_tmpl.h"
#include "cpu/kernels.h"

enum { STRAND_VECTORS = 4 }; /* vectors of a row that are compared together */
_Static_assert((size_t)STRAND_VECTORS *VEC_LANES * sizeof(kind_key) <= BOXES_STRAND,
               "rows are read and written as whole strands");

struct keys_turn {
    vec turn; /* the key of 0 if the maximum is wanted, otherwise its complement */
    vec nan;
};

static struct keys_turn turn_for(kind_key middle, unsigned sides, enum nan_policy policy)
{
    return (struct keys_turn){vec_all((kind_key)(sides == SLIDER_HIGH ? middle : ~middle)),
                              vec_all(policy == NAN_OMIT ? KIND_BELOW : KIND_ABOVE)};
}

COMB_INLINE vec keys_of(const struct keys_turn *turn, vec bits)
{
    return vec_nan_to(bits, turn->nan, keys_turned(vec_flip(bits), turn->turn));
}

COMB_INLINE vec keys_value(const struct keys_turn *turn, vec key)
{
    const vec bits = vec_flip(keys_turned(key, turn->turn));

    return vec_nan_to(bits, vec_all((kind_key)KIND_NAN_BITS), bits);
}

COMB_INLINE void keys_make(struct keys_turn turn, const kind_key *samples, size_t count,
                           kind_key *keys)
{
    enum { group = STRAND_VECTORS };
    kind_key last[VEC_LANES] = {0};
    size_t at = 0;

    for (; at + group * VEC_LANES <= count; at += group * VEC_LANES)
        EACH(vec_store(keys + at + i * VEC_LANES,
                       keys_of(&turn, vec_load(samples + at + i * VEC_LANES))));
    for (; at + VEC_LANES <= count; at += VEC_LANES)
        vec_store(keys + at, keys_of(&turn, vec_load(samples + at)));
    memcpy(last, samples + at, (count - at) * sizeof *last);
    vec_store(last, keys_of(&turn, vec_load(last)));
    memcpy(keys + at, last, (count - at) * sizeof *last);
}

/* ---- along rows */

COMB_INLINE void keys_best_of(const kind_key *keys, size_t step, const size_t width, size_t count,
                              kind_key *to)
{
    enum { group = STRAND_VECTORS };

    for (size_t at = 0; at < count; at += group * VEC_LANES) {
        vec best[GROUP_MOST];

        EACH(best[i] = vec_load(keys + at + i * VEC_LANES));
        for (size_t more = 1; more < width; more++)
            EACH(best[i] =
                     vec_max_ints(best[i], vec_load(keys + more * step + at + i * VEC_LANES)));
        EACH(vec_store(to + at + i * VEC_LANES, best[i]));
    }
}

static void keys_best(const void *keys, size_t step, size_t width, size_t count, void *to)
{
    if (width == 2)
        keys_best_of(keys, step, 2, count, to);
    else if (width == 3)
        keys_best_of(keys, step, 3, count, to);
    else if (width == 5)
        keys_best_of(keys, step, 5, count, to);
    else
        keys_best_of(keys, step, width, count, to);
}

/* ---- down columns */

COMB_INLINE void stacks_put(const struct keys_turn *turn, vec best, unsigned char *to,
                            const size_t lanes)
{
    const vec value = keys_value(turn, best);

    if (lanes == VEC_LANES)
        vec_store(to, value);
    else
        memcpy(to, &value, lanes * sizeof(kind_key));
}

/* Van Herk and Gil-Werman, as in comb_windows_tmpl.h: neighbouring vectors from key number `at` of
 * each row on. Of a single vector, the first `lanes` lanes are written. */
COMB_INLINE void stacks_strand(const struct keys_turn *turn, const struct stacks *work, size_t at,
                               const unsigned group, const size_t lanes)
{
    unsigned char *to = (unsigned char *)work->out + at * sizeof(kind_key);
    kind_key *const suffixes = work->suffixes;
    size_t block;

    for (size_t first = 0; first < work->windows; first += block) {
        const void *const *const rows = work->rows + first;
        const kind_key *row = (const kind_key *)rows[work->height - 1] + at;
        vec best[GROUP_MOST];
        vec newer[GROUP_MOST];

        block = min_u64(work->height, work->windows - first);
        EACH(best[i] = vec_load(row + i * VEC_LANES));
        EACH(newer[i] = vec_all(KIND_BELOW));
        for (size_t place = work->height - 1; place > 0; place--) {
            if (place < block)
                EACH(vec_store(suffixes + (place * group + i) * VEC_LANES, best[i]));
            row = (const kind_key *)rows[place - 1] + at;
            EACH(best[i] = vec_max_ints(best[i], vec_load(row + i * VEC_LANES)));
        }
        EACH(stacks_put(turn, best[i], to + i * sizeof(vec), lanes));
        to += work->step;
        for (size_t place = 1; place < block; place++) {
            row = (const kind_key *)rows[work->height + place - 1] + at;
            EACH(newer[i] = vec_max_ints(newer[i], vec_load(row + i * VEC_LANES)));
            EACH(stacks_put(
                turn, vec_max_ints(newer[i], vec_load(suffixes + (place * group + i) * VEC_LANES)),
                to + i * sizeof(vec), lanes));
            to += work->step;
        }
    }
}

/* Windows of three rows: two windows share the best of two neighbouring rows. */
COMB_INLINE void stacks_of_three(const struct keys_turn *turn, const struct stacks *work, size_t at,
                                 const unsigned group, const size_t lanes)
{
    const kind_key *const first = (const kind_key *)work->rows[0] + at;
    const kind_key *row = (const kind_key *)work->rows[1] + at;
    unsigned char *to = (unsigned char *)work->out + at * sizeof(kind_key);
    vec was[GROUP_MOST];
    vec pair[GROUP_MOST];

    EACH(was[i] = vec_load(row + i * VEC_LANES));
    EACH(pair[i] = vec_max_ints(was[i], vec_load(first + i * VEC_LANES)));
    for (size_t window = 0; window < work->windows; window++, to += work->step) {
        vec now[GROUP_MOST];

        row = (const kind_key *)work->rows[window + 2] + at;
        EACH(now[i] = vec_load(row + i * VEC_LANES));
        EACH(stacks_put(turn, vec_max_ints(pair[i], now[i]), to + i * sizeof(vec), lanes));
        EACH(pair[i] = vec_max_ints(was[i], now[i]));
        EACH(was[i] = now[i]);
    }
}

COMB_INLINE void stacks_any(const struct keys_turn *turn, const struct stacks *work, size_t at,
                            const unsigned group, const size_t lanes)
{
    if (work->height == 3)
        stacks_of_three(turn, work, at, group, lanes);
    else
        stacks_strand(turn, work, at, group, lanes);
}

static void stacks_make(struct keys_turn turn, const struct stacks *work)
{
    size_t at = 0;

    for (; at + (size_t)STRAND_VECTORS * VEC_LANES <= work->count;
         at += (size_t)STRAND_VECTORS * VEC_LANES)
        stacks_any(&turn, work, at, STRAND_VECTORS, VEC_LANES);
    for (; at + VEC_LANES <= work->count; at += VEC_LANES)
        stacks_any(&turn, work, at, 1, VEC_LANES);
    if (at < work->count)
        stacks_any(&turn, work, at, 1, work->count - at);
}

/* The functions of a table for its kind of values; `middle` is the key of 0. */
#define BOXES_BEGIN(sign, middle)                                                                  \
    static void boxes_keys_##sign(unsigned sides, enum nan_policy policy, const void *samples,     \
                                  size_t count, void *keys)                                        \
    {                                                                                              \
        keys_make(turn_for(middle, sides, policy), samples, count, keys);                          \
    }                                                                                              \
    static void boxes_stacks_##sign(unsigned sides, enum nan_policy policy,                        \
                                    const struct stacks *work)                                     \
    {                                                                                              \
        stacks_make(turn_for(middle, sides, policy), work);                                        \
    }

#endif
