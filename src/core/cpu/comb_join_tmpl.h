/* SPDX-License-Identifier: MIT */
/* The second stage of the fast kernels: spans to outputs. comb_tmpl.h explains why a window is q
 * spans.
 *
 * Near, when q is small: each window reads its q spans. Two windows are computed at a time, which
 * share all spans but one. The q-1 spans before a batch precede it in memory.
 *
 * Far: van Herk and Gil-Werman. The vectors of the stream form blocks of q. The window that ends at
 * vector j of the new block is the vectors j+1 .. q-1 of the old block and 0 .. j of the new one:
 * the best of a suffix and of a prefix. Three refinements:
 *
 * - Strips. If all suffixes of a long block were computed when the block is full, its spans would
 *   have left the caches by then. So a block is divided into strips. When a strip is full, the
 *   suffixes within it are computed and its best is stored; when the block is full, the suffixes of
 *   these bests. The old part of a window is then a suffix within one strip and the best of all
 *   later strips. The latter joins the prefix where the new block enters a strip.
 *
 * - No special case at the end of a strip. A window begins one place further on in the old block
 *   than its last vector is in the new one. So at the last vector of a strip the window begins with
 *   a later strip, which is in the prefix already, and at the last vector of a block with the new
 *   block. The place is read nevertheless: the suffix and the span found there both belong to the
 *   window.
 *
 * - Half the stores. Suffixes are written only at the odd places of the ring; an even place keeps
 *   its span. The suffix at an even place is the better of its span and of the suffix after it,
 *   which the next window needs anyway. That suffix may again be in a later strip or in the new
 *   block, and also belongs to the window.
 *
 * The ring has room for one block and one batch, because a batch of spans is written before its
 * first one is joined. It has an even number of slots. */
#ifndef GPUENV_CPU_COMB_JOIN_TMPL_H
#define GPUENV_CPU_COMB_JOIN_TMPL_H

#include "cpu/comb_slider_tmpl.h"

/* Writes the outputs of one vector. `best` are keys. */
COMB_INLINE void join_put(struct both best, vec middle, kind_value *low, kind_value *high,
                          const enum comb_kind kind, const bool special)
{
    struct both bits = {vec_value(vec_turned(best.low, middle)),
                        vec_value(vec_turned(best.high, middle))};

    if (kind == KIND_PLACES) {
        bits.low = vec_value(vec_order(keys_turned(best.low, middle)));
        bits.low = vec_nan_to(bits.low, vec_all((kind_key)KIND_NAN_BITS), bits.low);
        vec_store(low, bits.low);
        vec_store(high, best.high);
        return;
    }
    if (special) {
        const vec nan = vec_all((kind_key)KIND_NAN_BITS);

        bits.low = vec_nan_to(bits.low, nan, bits.low);
        bits.high = vec_nan_to(bits.high, nan, bits.high);
    }
    if (kind == KIND_PAIRS)
        vec_store_pairs(low, bits.low, bits.high);
    if (kind == KIND_PLANES || kind == KIND_LOW)
        vec_store(low, bits.low);
    if (kind == KIND_PLANES || kind == KIND_HIGH)
        vec_store(high, bits.high);
}

COMB_INLINE void join_near(const struct slider *slider, const kind_key *spans, size_t vectors,
                           kind_value *low, kind_value *high, size_t step,
                           const enum comb_kind kind, const bool special)
{
    const size_t slot = SLOT(kind);
    const size_t oldest = (slider->block - 1) * slot;
    const vec middle = vec_load(slider->middle);

    for (; oldest > 0 && vectors >= 2; vectors -= 2) {
        struct both common = both_load(spans, kind);

        for (size_t back = slot; back < oldest; back += slot)
            common = both_better(both_load(spans - back, kind), common, kind, special);
        join_put(both_better(both_load(spans - oldest, kind), common, kind, special), middle, low,
                 high, kind, special);
        join_put(both_better(common, both_load(spans + slot, kind), kind, special), middle,
                 low + step, high + step, kind, special);
        spans += 2 * slot;
        low += 2 * step;
        high += 2 * step;
    }
    for (; vectors > 0; vectors--) {
        struct both best = both_load(spans, kind);

        for (size_t back = slot; back <= oldest; back += slot)
            best = both_better(both_load(spans - back, kind), best, kind, special);
        join_put(best, middle, low, high, kind, special);
        spans += slot;
        low += step;
        high += step;
    }
}

/* The slot where a window begins that ends with the vector in slot `head`. */
static inline size_t far_old_slot(const struct slider *slider, size_t head)
{
    size_t slot = head + 1 + slider->slots - slider->block;

    return slot >= slider->slots ? slot - slider->slots : slot;
}

/* The working set of the far join. `best` is the best of the new block so far and of the later
 * strips of the old one. */
struct far_work {
    const kind_key *spans;
    kind_value *low;
    kind_value *high;
    size_t step; /* values from the outputs of one vector to the next */
    struct both best;
    vec middle;
};

/* Joins the next vector. `old` is the suffix of the old block's strip with which its window
 * begins. */
COMB_INLINE void far_vector(struct far_work *work, struct both old, const enum comb_kind kind,
                            const bool special)
{
    work->best = both_better(work->best, both_load(work->spans, kind), kind, special);
    join_put(both_better(old, work->best, kind, special), work->middle, work->low, work->high, kind,
             special);
    work->spans += SLOT(kind);
    work->low += work->step;
    work->high += work->step;
}

/* Joins several vectors, all in one strip. Their windows begin at `old`, an odd or even place, and
 * at the slots after it, which are `step` apart. */
COMB_INLINE void far_vectors(struct far_work *work, const kind_key *old, size_t step, bool odd,
                             size_t vectors, const enum comb_kind kind, const bool special)
{
    if (odd) {
        far_vector(work, both_load(old, kind), kind, special);
        old += step;
        vectors--;
    }
    for (; vectors >= 2; vectors -= 2) {
        struct both suffix = both_load(old + step, kind);

        far_vector(work, both_better(both_load(old, kind), suffix, kind, special), kind, special);
        far_vector(work, suffix, kind, special);
        old += 2 * step;
    }
    if (vectors > 0)
        far_vector(work,
                   both_better(both_load(old, kind), both_load(old + step, kind), kind, special),
                   kind, special);
}

/* Computes the suffixes in slots begin .. end-1, from the last; `best` is the best of the slots
 * after them; if there are none, it is that of the last slot. Returns the best of all. */
COMB_INLINE struct both far_suffixes(kind_key *ring, size_t begin, size_t end, struct both best,
                                     const enum comb_kind kind, const bool special)
{
    const size_t slot = SLOT(kind);
    kind_key *at = ring + end * slot;

    if (end % 2 == 0 && end > begin) {
        at -= slot;
        end--;
        best = both_better(both_load(at, kind), best, kind, special);
        both_store(at, best, kind);
    }
    for (; end >= begin + 2; end -= 2) {
        at -= 2 * slot;
        best =
            both_better(both_better(both_load(at, kind), both_load(at + slot, kind), kind, special),
                        best, kind, special);
        both_store(at, best, kind);
    }
    if (end > begin)
        best = both_better(both_load(at - slot, kind), best, kind, special);
    return best;
}

/* Computes the suffixes of the strip that ends before slot `end`; it may wrap around the ring. */
COMB_INLINE struct both far_strip(struct slider *slider, size_t end, size_t vectors,
                                  const enum comb_kind kind, const bool special)
{
    const size_t here = vectors < end ? vectors : end;
    const struct both last = both_load(slider->ring + (end - 1) * SLOT(kind), kind);
    struct both best = far_suffixes(slider->ring, end - here, end, last, kind, special);

    if (here < vectors)
        best = far_suffixes(slider->ring, slider->slots - (vectors - here), slider->slots, best,
                            kind, special);
    return best;
}

/* Called when the new block has `fill` vectors and its last strip is full. Stores the strip's best,
 * and returns what the next strip starts with. */
COMB_INLINE struct both far_turn(struct slider *slider, size_t end, size_t fill,
                                 const enum comb_kind kind, const bool special)
{
    const size_t slot = SLOT(kind);
    kind_key *strips = slider->ring + slider->slots * slot;
    size_t strip = (fill - 1) / STRIP;
    struct both best = far_strip(slider, end, fill - strip * STRIP, kind, special);

    both_store(strips + strip * slot, best, kind);
    if (fill == slider->block) {
        for (; strip > 1; strip--) {
            best = both_better(both_load(strips + (strip - 1) * slot, kind), best, kind, special);
            both_store(strips + (strip - 1) * slot, best, kind);
        }
        best = both_none(kind);
        fill = 0;
        slider->first_block = false;
    } else {
        best = both_better(both_load(slider->strips_best, kind), best, kind, special);
    }
    both_store(slider->strips_best, best, kind);
    strip = fill / STRIP + 1;
    if (!slider->first_block && strip * STRIP < slider->block) {
        const struct both later = both_load(strips + strip * slot, kind);

        best = fill == 0 ? later : both_better(later, best, kind, special);
    }
    return best;
}

COMB_INLINE void join_far(struct slider *slider, const kind_key *spans, size_t vectors,
                          kind_value *low, kind_value *high, size_t step, bool keep,
                          const enum comb_kind kind, const bool special)
{
    struct far_work work = {
        spans, low, high, step, both_load(slider->best, kind), vec_load(slider->middle)};
    size_t head = slider->head;
    size_t fill = slider->fill;

    while (vectors > 0) {
        size_t place = far_old_slot(slider, head);
        const kind_key *old = slider->ring + place * SLOT(kind);
        size_t next = SLOT(kind);
        size_t run = STRIP - fill % STRIP;

        if (run > slider->block - fill)
            run = slider->block - fill;
        if (run > vectors)
            run = vectors;
        if (slider->first_block) {
            old = slider->none;
            next = 0;
        } else if (run > slider->slots - place) {
            run = slider->slots - place;
        }
        far_vectors(&work, old, next, place % 2 != 0, run, kind, special);
        if (!keep)
            return;
        head += run;
        fill += run;
        if (fill % STRIP == 0 || fill == slider->block) {
            work.best = far_turn(slider, head, fill, kind, special);
            fill = fill == slider->block ? 0 : fill;
        }
        head = head == slider->slots ? 0 : head;
        vectors -= run;
    }
    slider->head = head;
    slider->fill = fill;
    both_store(slider->best, work.best, kind);
}

/* One function for each kind and need: `near_<kind>[_special]`, `far_<kind>[_special]`. */
#define JOIN(name, kind, special)                                                                  \
    static void near_##name(struct slider *slider, const kind_key *spans, size_t vectors,          \
                            kind_value *low, kind_value *high, size_t step, bool keep)             \
    {                                                                                              \
        (void)keep;                                                                                \
        join_near(slider, spans, vectors, low, high, step, kind, special);                         \
    }                                                                                              \
    static void far_##name(struct slider *slider, const kind_key *spans, size_t vectors,           \
                           kind_value *low, kind_value *high, size_t step, bool keep)              \
    {                                                                                              \
        join_far(slider, spans, vectors, low, high, step, keep, kind, special);                    \
    }

JOIN(low, KIND_LOW, false)
JOIN(planes, KIND_PLANES, false)
JOIN(pairs, KIND_PAIRS, false)
JOIN(places, KIND_PLACES, true)
#if KIND_HAS_NAN
#define JOIN_ROW(distance, need)                                                                   \
    {                                                                                              \
        distance##_low##need, distance##_high##need, distance##_places, distance##_planes##need,   \
            distance##_pairs##need                                                                 \
    }

JOIN(high, KIND_HIGH, false)
JOIN(low_special, KIND_LOW, true)
JOIN(high_special, KIND_HIGH, true)
JOIN(planes_special, KIND_PLANES, true)
JOIN(pairs_special, KIND_PAIRS, true)
#define JOIN_ROWS(distance)                                                                        \
    {                                                                                              \
        JOIN_ROW(distance, ), JOIN_ROW(distance, _special)                                         \
    }
#else
/* Functions for the low side serve both sides, see comb_kind_of(). */
#define JOIN_ROW(distance)                                                                         \
    {                                                                                              \
        distance##_low, NULL, distance##_places, distance##_planes, distance##_pairs               \
    }
#define JOIN_ROWS(distance)                                                                        \
    {                                                                                              \
        JOIN_ROW(distance), JOIN_ROW(distance)                                                     \
    }
#endif

static comb_join_function *const comb_join_functions[2][2][KINDS] = {JOIN_ROWS(near),
                                                                     JOIN_ROWS(far)};

#endif
