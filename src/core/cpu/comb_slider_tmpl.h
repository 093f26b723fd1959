/* SPDX-License-Identifier: MIT */
/* The slider of the fast kernels, and what both their stages share. comb_tmpl.h explains how they
 * work.
 *
 * A template: compiled for each instruction set, with the vectors of its kernels_<isa>.h:
 *   VEC_LANES, VEC_LOG   the number of lanes, and its logarithm
 *   VEC_GROUP            how many vectors comb_spans_tmpl.h keeps in registers at a time: 4 or 8
 *   vec                  the type; vec_tmpl.h has what all have in common
 *   VEC_TO_DOUBLES()     for statistics: half as many samples, float32, as there are lanes
 *   vec_min_ints(), vec_max_ints(), with VEC_MIN_INTS and VEC_MAX_INTS: of signed integers
 *   vec_select(), with VEC_SELECT, and vec_if_less(), with VEC_IF_LESS: lane by lane
 *   vec_flip(), vec_nan_to(), with VEC_FLIP: float bits to key and back, if there is no NaN; and
 *                        `then` where the float is a NaN, otherwise `otherwise`
 *   vec_min(), vec_max() of floats, if there is VEC_MIN_FLOATS or VEC_RANGE_FLOATS
 *   vec_any_nan(), with VEC_ANY_NAN: is there a NaN in these vectors of samples, which are `step`
 *                        apart?
 *   VEC_SHIFT()          the last `by` lanes of `was`, then the first of `now`; `by` is a constant
 *   vec_turn             does what VEC_SHIFT() does, for any `by` from 0 to V-1: _set(), _load(),
 *                        _shift()
 *   vec_store_pairs()    low, high, low, high, ...
 * vec_keys_tmpl.h makes keys of them. It also defines the functions "with" a macro, unless the
 * instruction set has better ones and defines the macro. */
#ifndef GPUENV_CPU_COMB_SLIDER_TMPL_H
#define GPUENV_CPU_COMB_SLIDER_TMPL_H

#ifndef VEC_LANES
#error "a template: the vectors of an instruction set must be defined before it"
#endif

#include <stdalign.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"
#include "cpu/vec_keys_tmpl.h"

#define COMB_INLINE static inline __attribute__((always_inline))

enum {
    BATCH = 32, /* vectors that go through both stages together; they fit in the L1 cache */
    STRIP = 64, /* vectors; see comb_join_tmpl.h */
    AHEAD = 64, /* vectors from a sample to the sample that is prefetched with it: 4 KiB at most */
    NEAR = VEC_LANES > 4 ? 10 : 8, /* the most spans that a window reads one by one */
    SINK = 256,                    /* values */
    GROUP_MOST = 8,                /* the greatest VEC_GROUP */
    LEVELS_MOST = VEC_LOG + 1,     /* doublings, and the overlap */
};

/* What is computed, and where it goes. */
enum comb_kind {
    KIND_LOW,
    KIND_HIGH,
    KIND_PLACES, /* either side as the low one, and the places of its extremes as the high one */
    KIND_PLANES,
    KIND_PAIRS,
    KINDS,
};

#define KIND_HAS_LOW(kind) ((kind) != KIND_HIGH)
#define KIND_HAS_HIGH(kind) ((kind) != KIND_LOW)
#define KIND_HAS_BOTH(kind) ((kind) >= KIND_PLACES)

/* A slot has the keys of one vector, or their spans: the low side, then the high side, or the
 * places of a single side. It has only the wanted sides. */
#define SLOT(kind) ((size_t)(KIND_HAS_BOTH(kind) ? 2 : 1) * VEC_LANES)

/* Values from one vector's outputs to the next, of one channel. */
#define OUTPUTS(kind) ((size_t)((kind) == KIND_PAIRS ? 2 : 1) * VEC_LANES)

typedef void comb_spans_function(struct slider *slider, const kind_value *samples, size_t step,
                                 size_t vectors, kind_key *spans, const kind_key *soon, bool keep);
typedef void comb_join_function(struct slider *slider, const kind_key *spans, size_t vectors,
                                kind_value *low, kind_value *high, size_t step, bool keep);

struct slider {
    /* The newest M_1, M_2, M_4, ... */
    alignas(64) kind_key level[LEVELS_MOST][2 * VEC_LANES];

    kind_key none[2 * VEC_LANES]; /* a slot that loses every comparison */
    kind_key nan_low[VEC_LANES];  /* the keys that a NaN gets, lane by lane */
    kind_key nan_high[VEC_LANES];
    kind_key turn[2 * VEC_LANES];
    kind_key middle[VEC_LANES]; /* see struct keying */
    kind_key place[VEC_LANES];  /* places of the samples of the next vector */

    kind_value waiting[VEC_LANES]; /* the samples of an incomplete vector */
    unsigned waiting_count;

    enum comb_kind kind; /* KIND_PLANES also stands for pairs */
    unsigned sides;
    unsigned doublings; /* doublings that make a span */
    bool turned;        /* the overlap follows the doublings */
    bool missing;       /* slide_missing() has been called */
    uint64_t special;   /* how many vectors must still pass through the special functions */
    uint64_t reach;     /* how many vectors after one with a NaN can still see it */
    comb_spans_function *const *spans; /* plain, special */

    /* comb_join_tmpl.h */
    uint64_t block;   /* q */
    uint64_t slots;   /* slots of the ring */
    uint64_t head;    /* the slot of the next vector */
    uint64_t fill;    /* vectors in the new block */
    bool first_block; /* there is no old block */
    kind_key best[2 * VEC_LANES];
    kind_key strips_best[2 * VEC_LANES];

    alignas(64) kind_key ring[];
};

/* Both sides of a vector. A side that is not wanted is never used. With places, `high` has the
 * places, and `low` the keys as integers in order, or their complements for the maximum. */
struct both {
    vec low;
    vec high;
};

COMB_INLINE struct both both_load(const kind_key *slot, const enum comb_kind kind)
{
    vec low = vec_load(slot);

    return (struct both){low, KIND_HAS_BOTH(kind) ? vec_load(slot + VEC_LANES) : low};
}

COMB_INLINE void both_store(kind_key *slot, struct both both, const enum comb_kind kind)
{
    vec_store(slot, KIND_HAS_LOW(kind) ? both.low : both.high);
    if (KIND_HAS_BOTH(kind))
        vec_store(slot + VEC_LANES, both.high);
}

/* The better of two vectors with places. The first of equals keeps its place. */
COMB_INLINE struct both both_first(struct both older, struct both newer)
{
    return (struct both){vec_min_ints(older.low, newer.low),
                         vec_if_less(newer.low, older.low, newer.high, older.high)};
}

/* The better of two slots. */
COMB_INLINE struct both both_better(struct both older, struct both newer, const enum comb_kind kind,
                                    const bool special)
{
    if (kind == KIND_PLACES)
        return both_first(older, newer);
    if (KIND_HAS_LOW(kind))
        older.low =
            (vec)(special ? vec_min_special(older.low, newer.low) : vec_min(older.low, newer.low));
    if (KIND_HAS_HIGH(kind))
        older.high = (vec)(special ? vec_max_special(older.high, newer.high)
                                   : vec_max(older.high, newer.high));
    return older;
}

COMB_INLINE struct both both_none(const enum comb_kind kind)
{
    return (struct both){vec_all(COMB_ABOVE), vec_all(kind == KIND_PLACES ? 0 : COMB_BELOW)};
}

/* How samples become keys: `middle` is for integers and places, see keys_turned(), and `nan` has
 * the keys of a NaN. */
struct keying {
    vec middle;
    struct both nan;
};

COMB_INLINE struct keying keying_of(const struct slider *slider)
{
    return (struct keying){vec_load(slider->middle),
                           {vec_load(slider->nan_low), vec_load(slider->nan_high)}};
}

/* The keys of a vector. */
COMB_INLINE struct both spans_keys(const struct keying *keying, vec bits, const bool special)
{
    const vec key = vec_turned(vec_key(bits), keying->middle);

    if (!special)
        return (struct both){key, key};
    return (struct both){vec_low_key(bits, keying->nan.low, key),
                         vec_high_key(bits, keying->nan.high, key)};
}

/* The keys of a vector with places, in order; `middle` has the complement for the maximum. */
COMB_INLINE vec places_keys(const struct keying *keying, vec bits)
{
    return vec_low_key(bits, vec_order(keying->nan.low),
                       keys_turned(vec_order(vec_key(bits)), keying->middle));
}

/* The keys of a NaN under this policy. */
COMB_INLINE struct both both_nan(enum nan_policy policy)
{
    const bool omit = KIND_HAS_NAN && policy == NAN_OMIT;

    return omit ? both_none(KIND_PLANES) : (struct both){vec_all(COMB_BELOW), vec_all(COMB_ABOVE)};
}

#endif
