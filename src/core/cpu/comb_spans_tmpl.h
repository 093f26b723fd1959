/* SPDX-License-Identifier: MIT */
/* The first stage of the fast kernels: samples to spans. comb_tmpl.h defines spans.
 *
 * A doubling needs the result of the one before it, and a shift takes several cycles. So a group of
 * vectors goes through each doubling together, which hides the latency. */
#ifndef GPUENV_CPU_COMB_SPANS_TMPL_H
#define GPUENV_CPU_COMB_SPANS_TMPL_H

#include "cpu/comb_slider_tmpl.h"

/* A statement for each vector `i` of a group, unrolled, so that all stay in registers. */
#define EACH(...)                                                                                  \
    do {                                                                                           \
        EACH_AT(0, __VA_ARGS__);                                                                   \
        if (group > 1) {                                                                           \
            EACH_AT(1, __VA_ARGS__);                                                               \
            EACH_AT(2, __VA_ARGS__);                                                               \
            EACH_AT(3, __VA_ARGS__);                                                               \
        }                                                                                          \
        if (VEC_GROUP > 4 && group > 4) {                                                          \
            EACH_AT(4, __VA_ARGS__);                                                               \
            EACH_AT(5, __VA_ARGS__);                                                               \
            EACH_AT(6, __VA_ARGS__);                                                               \
            EACH_AT(7, __VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)
#define EACH_AT(place, ...)                                                                        \
    {                                                                                              \
        enum { i = place };                                                                        \
        __VA_ARGS__;                                                                               \
    }

/* Does one side of a doubling: m becomes the better of m and m shifted. `was` is the vector before
 * the group, and becomes the last one of the group. All names are the caller's. */
#define DOUBLE_SIDE(side, better, was, shift, by)                                                  \
    do {                                                                                           \
        EACH(shifted[i] = shift(BEFORE(was).side, m[i].side, by));                                 \
        (was).side = m[group - 1].side;                                                            \
        EACH(m[i].side = special ? better##_special(shifted[i], m[i].side)                         \
                                 : better(shifted[i], m[i].side));                                 \
    } while (0)
#define BEFORE(was) (*(i == 0 ? &(was) : &m[i - (i > 0)]))

/* Does one doubling of keys and their places. */
#define DOUBLE_PLACES(was, shift, by)                                                              \
    do {                                                                                           \
        EACH(shifted[i] = shift(BEFORE(was).low, m[i].low, by));                                   \
        EACH(places[i] = shift(BEFORE(was).high, m[i].high, by));                                  \
        (was) = m[group - 1];                                                                      \
        EACH(m[i] = both_first((struct both){shifted[i], places[i]}, m[i]));                       \
    } while (0)

#define DOUBLE(was, shift, by)                                                                     \
    do {                                                                                           \
        if (kind == KIND_PLACES) {                                                                 \
            DOUBLE_PLACES(was, shift, by);                                                         \
            break;                                                                                 \
        }                                                                                          \
        if (KIND_HAS_LOW(kind))                                                                    \
            DOUBLE_SIDE(low, vec_min, was, shift, by);                                             \
        if (KIND_HAS_HIGH(kind))                                                                   \
            DOUBLE_SIDE(high, vec_max, was, shift, by);                                            \
    } while (0)

/* Does the doubling from M_n to M_2n for n = 2^log if it is wanted; a vector may be too short for
 * it. */
#define DOUBLE_IF(log)                                                                             \
    do {                                                                                           \
        enum { level = (log) < VEC_LOG ? (log) : 0 };                                              \
        if ((log) < VEC_LOG && doublings > (log))                                                  \
            DOUBLE(work->level[level], VEC_SHIFT, 1 << level);                                     \
    } while (0)

/* The working set of the loop below. */
struct spans_work {
    const kind_value *samples;
    kind_key *spans;
    const kind_key *soon;
    struct vec_turn turn;
    struct keying keying;
    vec place;
    struct both level[LEVELS_MOST];
};

/* The spans of a group, after `doublings`, and the overlap if `turned`. */
COMB_INLINE void spans_group(struct spans_work *work, const unsigned group,
                             const unsigned doublings, const bool turned, const enum comb_kind kind,
                             const bool special)
{
    struct both m[GROUP_MOST];
    vec shifted[GROUP_MOST];
    vec places[GROUP_MOST];

    if (kind == KIND_PLACES)
        EACH(m[i].low = places_keys(&work->keying, vec_load(work->samples + i * VEC_LANES));
             m[i].high = work->place; work->place = vec_next_place(work->place));
    else
        EACH(m[i] = spans_keys(&work->keying, vec_load(work->samples + i * VEC_LANES), special));
    if (doublings > 0 && KIND_HAS_BOTH(kind) && !special) {
        /* Both sides still have equal keys, so one shift serves both. */
        EACH(shifted[i] = VEC_SHIFT(BEFORE(work->level[0]).low, m[i].low, 1));
        work->level[0] = m[group - 1];
        EACH(m[i] = both_better((struct both){shifted[i], shifted[i]}, m[i], kind, special));
    } else if (doublings > 0) {
        DOUBLE(work->level[0], VEC_SHIFT, 1);
    }
    DOUBLE_IF(1);
    DOUBLE_IF(2);
    DOUBLE_IF(3);
    DOUBLE_IF(4);
    DOUBLE_IF(5);
    if (turned)
        DOUBLE(work->level[VEC_LOG], vec_turn_shift, work->turn);
    EACH(both_store(work->spans + i * SLOT(kind), m[i], kind));
    work->samples += group * VEC_LANES;
    work->spans += group * SLOT(kind);
}

/* Prefetches samples to come, and the old block, which the join reads next. A few at a time, while
 * the vector units are busy, they arrive in time even from memory. */
COMB_INLINE void spans_prefetch(struct spans_work *work, const unsigned group,
                                const enum comb_kind kind)
{
    EACH(__builtin_prefetch(work->samples + (AHEAD + i) * VEC_LANES));
    EACH(__builtin_prefetch(work->soon + i * SLOT(kind)));
    if (SLOT(kind) * sizeof(kind_key) > 64)
        EACH(__builtin_prefetch(work->soon + i * SLOT(kind) + VEC_LANES));
    work->soon += group * SLOT(kind);
}

/* A statement for each level `n` in use, unrolled. */
#define LEVELS(...)                                                                                \
    do {                                                                                           \
        LEVEL_AT(0, __VA_ARGS__)                                                                   \
        LEVEL_AT(1, __VA_ARGS__)                                                                   \
        LEVEL_AT(2, __VA_ARGS__)                                                                   \
        LEVEL_AT(3, __VA_ARGS__)                                                                   \
        LEVEL_AT(4, __VA_ARGS__)                                                                   \
        LEVEL_AT(5, __VA_ARGS__)                                                                   \
        LEVEL_AT(6, __VA_ARGS__)                                                                   \
    } while (0)
#define LEVEL_AT(place, ...)                                                                       \
    if ((place) < doublings || ((place) == VEC_LOG && turned)) {                                   \
        enum { n = (place) < LEVELS_MOST ? (place) : 0 };                                          \
        __VA_ARGS__;                                                                               \
    }

COMB_INLINE void spans_run(struct slider *slider, const kind_value *samples, size_t vectors,
                           kind_key *spans, const kind_key *soon, bool keep,
                           const unsigned doublings, const bool turned, const enum comb_kind kind,
                           const bool special)
{
    struct spans_work work = {
        .samples = samples,
        .spans = spans,
        .soon = soon,
        .turn = vec_turn_load(slider->turn),
        .keying = keying_of(slider),
        .place = vec_load(slider->place),
    };
    /* Places take as many registers as keys. Missing integers come only at the end of a stream. */
    const unsigned group = kind == KIND_PLACES ? 4 : special && !KIND_HAS_NAN ? 1 : VEC_GROUP;

    LEVELS(work.level[n] = both_load(slider->level[n], kind));
    for (; vectors >= group; vectors -= group) {
        spans_prefetch(&work, group, kind);
        spans_group(&work, group, doublings, turned, kind, special);
    }
    for (; vectors > 0; vectors--)
        spans_group(&work, 1, doublings, turned, kind, special);
    if (!keep)
        return;
    LEVELS(both_store(slider->level[n], work.level[n], kind));
    if (kind == KIND_PLACES)
        vec_store(slider->place, work.place);
}

/* Across channels each lane has a channel of its own, and its spans are its keys. If `samples` is
 * NULL, samples are missing. */
COMB_INLINE void spans_across_run(const struct slider *slider, const kind_value *samples,
                                  size_t step, size_t vectors, kind_key *spans,
                                  const kind_key *soon, const enum comb_kind kind,
                                  const bool special)
{
    const struct keying keying = keying_of(slider);

    for (size_t i = 0; i < vectors; i++) {
        const bool missing = special && samples == NULL;

        if (!missing)
            __builtin_prefetch(samples + (i + BATCH) * step);
        __builtin_prefetch(soon + i * SLOT(kind));
        if (SLOT(kind) * sizeof(kind_key) > 64)
            __builtin_prefetch(soon + i * SLOT(kind) + VEC_LANES);
        both_store(spans + i * SLOT(kind),
                   missing ? both_none(kind)
                           : spans_keys(&keying, vec_load(samples + i * step), special),
                   kind);
    }
}

/* One function for each number of doublings, kind and need: `spans_<shape>_<kind>[_special]`. */
#define SPANS(name, doublings, turned, kind, special)                                              \
    static void name(struct slider *slider, const kind_value *samples, size_t step,                \
                     size_t vectors, kind_key *spans, const kind_key *soon, bool keep)             \
    {                                                                                              \
        (void)step;                                                                                \
        spans_run(slider, samples, vectors, spans, soon, keep, doublings, turned, kind, special);  \
    }

#define SPANS_ACROSS(name, kind, special)                                                          \
    static void name(struct slider *slider, const kind_value *samples, size_t step,                \
                     size_t vectors, kind_key *spans, const kind_key *soon, bool keep)             \
    {                                                                                              \
        (void)keep;                                                                                \
        spans_across_run(slider, samples, step, vectors, spans, soon, kind, special);              \
    }

/* Special samples, and places, need one function for all shapes. */
#define SPANS_ANY(name, kind) SPANS(name, slider->doublings, slider->turned, kind, true)

SPANS_ANY(spans_low_special, KIND_LOW)
SPANS_ANY(spans_both_special, KIND_PLANES)
SPANS_ANY(spans_places, KIND_PLACES)
SPANS_ACROSS(spans_across_low, KIND_LOW, false)
SPANS_ACROSS(spans_across_low_special, KIND_LOW, true)
SPANS_ACROSS(spans_across_both, KIND_PLANES, false)
SPANS_ACROSS(spans_across_both_special, KIND_PLANES, true)

#define SPANS_LOW(shape, doublings, turned)                                                        \
    SPANS(spans_##shape##_low, doublings, turned, KIND_LOW, false)                                 \
    SPANS(spans_##shape##_both, doublings, turned, KIND_PLANES, false)

#define ROW_LOW(low, both)                                                                         \
    [KIND_LOW] = {low, spans_low_special}, [KIND_PLANES] = {both, spans_both_special},             \
    [KIND_PLACES] = {spans_places, spans_places}
#define KEYS_LOW                                                                                   \
    [KIND_LOW] = {spans_across_low, spans_across_low_special}, [KIND_PLANES] = {                   \
                                                                   spans_across_both,              \
                                                                   spans_across_both_special}

#if KIND_HAS_NAN

SPANS_ANY(spans_high_special, KIND_HIGH)
SPANS_ACROSS(spans_across_high, KIND_HIGH, false)
SPANS_ACROSS(spans_across_high_special, KIND_HIGH, true)

#define SPANS_OF(shape, doublings, turned)                                                         \
    SPANS_LOW(shape, doublings, turned)                                                            \
    SPANS(spans_##shape##_high, doublings, turned, KIND_HIGH, false)
#define SPANS_ROW(shape)                                                                           \
    ROW_LOW(spans_##shape##_low, spans_##shape##_both), [KIND_HIGH] = {spans_##shape##_high,       \
                                                                       spans_high_special}
#define SPANS_KEYS_ROW KEYS_LOW, [KIND_HIGH] = {spans_across_high, spans_across_high_special}

#else

/* Functions for the low side serve both sides, see comb_kind_of(). */
#define SPANS_OF SPANS_LOW
#define SPANS_ROW(shape) ROW_LOW(spans_##shape##_low, spans_##shape##_both)
#define SPANS_KEYS_ROW KEYS_LOW

#endif

/* Calls `of` with each number of doublings, from 0 to VEC_LOG. */
#define FOR_0(of) of(0)
#define FOR_1(of) FOR_0(of) of(1)
#define FOR_2(of) FOR_1(of) of(2)
#define FOR_3(of) FOR_2(of) of(3)
#define FOR_4(of) FOR_3(of) of(4)
#define FOR_5(of) FOR_4(of) of(5)
#define FOR_6(of) FOR_5(of) of(6)
#define FOR_LOG(log, of) FOR_##log(of)
#define FOR_DOUBLINGS(log, of) FOR_LOG(log, of)

#define SPANS_TURNED(doublings) SPANS_OF(turned_##doublings, doublings, true)
#define ROW_TURNED(doublings) [doublings] = {SPANS_ROW(turned_##doublings)},

FOR_DOUBLINGS(VEC_LOG, SPANS_TURNED)
SPANS_OF(whole, VEC_LOG, false)

/* The shapes: 0 .. VEC_LOG doublings and an overlap; then M_V alone; then keys alone. */
enum { SPANS_WHOLE = VEC_LOG + 1, SPANS_KEYS };

static comb_spans_function *const comb_spans_functions[VEC_LOG + 3][KIND_PLANES + 1][2] = {
    [SPANS_WHOLE] = {SPANS_ROW(whole)},
    [SPANS_KEYS] = {SPANS_KEYS_ROW},
    FOR_DOUBLINGS(VEC_LOG, ROW_TURNED)};

#endif
