/* The slider of the fast kernels, and what both their stages share. comb_tmpl.h explains how they
 * work.
 *
 * A template: compiled for each instruction set, by the kernels_<isa>.c that defines these vectors
 * and then includes comb_tmpl.h:
 *   VEC_LANES, VEC_LOG   the number of lanes, and its logarithm
 *   VEC_GROUP            how many vectors comb_spans_tmpl.h keeps in registers at a time: 4 or 8
 *   vec, vec_load(), vec_store(), vec_all(), vec_min(), vec_max()
 *   vec_flip()           float bits to key and back, if there is no NaN
 *   vec_nan_to()         `then` where the float is a NaN, else `otherwise`
 *   vec_any_nan()        is there one among these samples?
 *   VEC_SHIFT()          the last `by` lanes of `was`, then the first of `now`; `by` is a constant
 *   vec_turn             the same for any `by` from 0 to V-1: _set(), _load(), _shift()
 *   vec_store_pairs()    low, high, low, high, ... */
#ifndef GPUENV_CPU_COMB_SLIDER_TMPL_H
#define GPUENV_CPU_COMB_SLIDER_TMPL_H

#ifndef VEC_LANES
#error "a template: the vectors of an instruction set must be defined before it"
#endif

#include <stdalign.h>
#include <string.h>

#include "cpu/kernels.h"
#include "window/rules.h"

#define COMB_INLINE static inline __attribute__((always_inline))

enum {
    BATCH = 32, /* vectors that go through both stages together; they fit in the L1 cache */
    STRIP = 64, /* vectors; see comb_join_tmpl.h */
    NEAR = VEC_LANES > 4 ? 10 : 8, /* the most spans that a window reads one by one */
    SINK = 256,                    /* floats */
    GROUP_MOST = 8,                /* the greatest VEC_GROUP */
    LEVELS_MOST = 5,               /* 0 .. the greatest VEC_LOG */
};

/* What is computed, and where it goes. */
enum comb_kind {
    KIND_LOW,
    KIND_HIGH,
    KIND_PLANES,
    KIND_PAIRS,
    KINDS,
};

#define KIND_HAS_LOW(kind) ((kind) != KIND_HIGH)
#define KIND_HAS_HIGH(kind) ((kind) != KIND_LOW)
#define KIND_HAS_BOTH(kind) ((kind) >= KIND_PLANES)

/* The keys of one vector, or their spans: those of the low side, then those of the high side. A
 * slot has only the wanted sides. */
#define SLOT(kind) ((size_t)(KIND_HAS_BOTH(kind) ? 2 : 1) * VEC_LANES)

/* Floats from one vector's outputs to the next. */
#define OUTPUTS(kind) ((size_t)((kind) == KIND_PAIRS ? 2 : 1) * VEC_LANES)

typedef void comb_spans_function(struct slider *slider, const float *samples, size_t vectors,
                                 int32_t *spans, const int32_t *soon, bool keep);
typedef void comb_join_function(struct slider *slider, const int32_t *spans, size_t vectors,
                                float *low, float *high, bool keep);

struct slider {
    /* The newest M_1, M_2, M_4, ... */
    alignas(64) int32_t level[LEVELS_MOST][2 * VEC_LANES];

    int32_t none[2 * VEC_LANES]; /* a slot that loses every comparison */
    int32_t nan_low[VEC_LANES];  /* the keys that a NaN gets, lane by lane */
    int32_t nan_high[VEC_LANES];
    int32_t turn[2 * VEC_LANES];

    float waiting[VEC_LANES]; /* the samples of an incomplete vector */
    unsigned waiting_count;

    enum comb_kind kind; /* KIND_PLANES also stands for pairs */
    bool missing;        /* slide_missing() has been called */
    uint64_t special;    /* vectors that must still pass through the special functions */
    uint64_t reach;      /* how many vectors after one with a NaN can still see it */
    comb_spans_function *const *spans; /* plain, special */

    /* comb_join_tmpl.h */
    uint64_t block;   /* q */
    uint64_t slots;   /* of the ring */
    uint64_t head;    /* the slot of the next vector */
    uint64_t fill;    /* vectors in the new block */
    bool first_block; /* there is no old block */
    int32_t best[2 * VEC_LANES];
    int32_t strips_best[2 * VEC_LANES];

    alignas(64) int32_t ring[];
};

/* Both sides of a vector. A side that is not wanted is never used. */
struct both {
    vec low;
    vec high;
};

COMB_INLINE struct both both_load(const int32_t *slot, const enum comb_kind kind)
{
    vec low = vec_load(slot);

    return (struct both){low, KIND_HAS_BOTH(kind) ? vec_load(slot + VEC_LANES) : low};
}

COMB_INLINE void both_store(int32_t *slot, struct both both, const enum comb_kind kind)
{
    vec_store(slot, KIND_HAS_LOW(kind) ? both.low : both.high);
    if (KIND_HAS_BOTH(kind))
        vec_store(slot + VEC_LANES, both.high);
}

COMB_INLINE struct both both_better(struct both a, struct both b, const enum comb_kind kind)
{
    if (KIND_HAS_LOW(kind))
        a.low = vec_min(a.low, b.low);
    if (KIND_HAS_HIGH(kind))
        a.high = vec_max(a.high, b.high);
    return a;
}

COMB_INLINE struct both both_none(void)
{
    return (struct both){vec_all(KEY_ABOVE), vec_all(KEY_BELOW)};
}

#endif
