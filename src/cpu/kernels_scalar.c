/* The kernels in portable C: van Herk and Gil-Werman, LANES samples at a time.
 *
 * 1. Keys. A sample becomes a key: on most machines the integer of window/rules.h. The first x86-64
 * processors have minimum and maximum instructions for floats, but none for integers. There a key
 * is the sample's bits, plus one if it is negative: read as a float it keeps its order, and -0 is
 * less than +0. Only -infinity and NaN lose their order: they become NaN. Where one of them is in
 * reach, the *special* functions compare the keys as integers.
 *
 * 2. Spans. Each sample becomes the best of itself and of a few before it. A window is the best of
 * spans that lie LANES apart, at the same lane of neighbouring vectors; the spans overlap to cover
 * the rest of the width. A window of less than two vectors is one span.
 *
 * 3. Slide. The vectors form blocks, each as many vectors as there are in a window. A window covers
 * the end of one block and the beginning of the next: it is the best of a suffix of the old block
 * and a prefix of the new one, three comparisons per vector at any width. The suffixes of the old
 * block and the spans of the new one share an array: a place is read for the last time just before
 * it is written. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "cpu/extremes_tmpl.h"
#include "cpu/kernels.h"
#include "cpu/leaf_stats_tmpl.h"
#include "cpu/values_tmpl.h"

/* Without vectors, one lane is best: then a span is a sample. */
#if defined(__SSE2_MATH__) || defined(__ARM_NEON) || defined(__ALTIVEC__) || defined(__riscv_vector)
#define LANES ((size_t)4)
#else
#define LANES ((size_t)1)
#endif

#ifdef __SSE2_MATH__
#define AS_FLOATS true
typedef float ordered;
#else
#define AS_FLOATS false
typedef int32_t ordered;
#endif

#define SCALAR_INLINE static inline __attribute__((always_inline))

typedef int32_t vec __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef ordered vec_ordered __attribute__((vector_size(sizeof(vec))));

enum {
    BATCH_SAMPLES = 256, /* samples at a time */
    HISTORY = 8,         /* keys before them, which their spans look back at */

    BATCH_KEYS = HISTORY + BATCH_SAMPLES + LANES,

    /* The keys that lose and win every comparison for the maximum; for the minimum they are
     * swapped. As a float, LOSER is a NaN, which loses only as the first of two operands: so the
     * older one always comes first. */
    LOSER = AS_FLOATS ? -1 : INT32_MIN,
    WINNER = INT32_MAX,
};

/* One pointer per side. A side that is not wanted is never used. */
struct places {
    int32_t *low;
    int32_t *high;
};

struct slider {
    unsigned sides;
    unsigned span;    /* samples */
    uint64_t block;   /* samples */
    uint64_t reach;   /* samples after a special one that may be compared with it */
    uint64_t special; /* how many of the next samples are still in such a reach */
    int32_t nan_key;
    int32_t history[HISTORY]; /* the newest keys */

    bool has_old;      /* there was a block before this one */
    uint64_t position; /* in the block */
    int32_t prefix_low[LANES];
    int32_t prefix_high[LANES];
    struct places
        blocks; /* each followed by a vector of LOSER: the last vector has no suffix beside it */
    alignas(64) int32_t keys[];
};

static uint64_t block_of(uint64_t width)
{
    return width < 2 * LANES ? LANES : width / LANES * LANES;
}

static uint64_t scalar_slider_bytes(uint64_t width, unsigned sides)
{
    uint64_t blocks = sides == SLIDER_BOTH ? 2 : 1;

    if (width > UINT64_MAX / 32)
        return UINT64_MAX;
    return sizeof(struct slider) + blocks * (block_of(width) + LANES) * sizeof(int32_t);
}

static void reset_prefix(struct slider *slider)
{
    for (unsigned i = 0; i < LANES; i++) {
        slider->prefix_low[i] = WINNER;
        slider->prefix_high[i] = LOSER;
    }
}

static void scalar_slider_init(struct slider *slider, uint64_t width, unsigned sides,
                               enum nan_policy policy)
{
    uint64_t block = block_of(width);

    *slider = (struct slider){
        .sides = sides,
        .span = (unsigned)(width < 2 * LANES ? width : LANES + width % LANES),
        .block = block,
        .reach = 2 * (block + 2 * LANES),
        .special = HISTORY, /* which begins with LOSER keys */
        .nan_key = policy == NAN_OMIT ? LOSER : WINNER,
        .blocks.low = slider->keys,
        .blocks.high = slider->keys + (sides == SLIDER_BOTH ? block + LANES : 0),
    };
    for (unsigned i = 0; i < HISTORY; i++)
        slider->history[i] = LOSER;
    reset_prefix(slider);
    for (unsigned i = 0; i < LANES && (sides & SLIDER_LOW) != 0; i++)
        slider->blocks.low[block + i] = WINNER;
    for (unsigned i = 0; i < LANES && (sides & SLIDER_HIGH) != 0; i++)
        slider->blocks.high[block + i] = LOSER;
}

/* ---- keys ---- */

/* What is computed: constants in each call. */
struct kind {
    unsigned sides;
    bool special;
    size_t lanes; /* LANES, or only the first */
};

struct both {
    vec low;
    vec high;
};

SCALAR_INLINE struct both both_load(struct places at, size_t i, const struct kind kind)
{
    struct both both = {0};

    if ((kind.sides & SLIDER_LOW) != 0)
        memcpy(&both.low, at.low + i, kind.lanes * sizeof(int32_t));
    if ((kind.sides & SLIDER_HIGH) != 0)
        memcpy(&both.high, at.high + i, kind.lanes * sizeof(int32_t));
    return both;
}

SCALAR_INLINE void both_store(struct places at, size_t i, struct both both, const struct kind kind)
{
    if ((kind.sides & SLIDER_LOW) != 0)
        memcpy(at.low + i, &both.low, kind.lanes * sizeof(int32_t));
    if ((kind.sides & SLIDER_HIGH) != 0)
        memcpy(at.high + i, &both.high, kind.lanes * sizeof(int32_t));
}

/* Lane by lane, a pattern that compilers recognise as minimum and maximum. */
SCALAR_INLINE vec lesser(vec older, vec newer)
{
    vec_ordered a = (vec_ordered)older;
    vec_ordered b = (vec_ordered)newer;

    for (size_t i = 0; i < LANES; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return (vec)a;
}

SCALAR_INLINE vec greater(vec older, vec newer)
{
    vec_ordered a = (vec_ordered)older;
    vec_ordered b = (vec_ordered)newer;

    for (size_t i = 0; i < LANES; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return (vec)a;
}

SCALAR_INLINE vec choose(vec mask, vec a, vec b)
{
    return (a & mask) | (b & ~mask);
}

/* A float that may be a NaN as the integer that it stands for, and back. */
SCALAR_INLINE vec flip(vec v)
{
    return v ^ ((v >> 31) & INT32_MAX);
}

SCALAR_INLINE struct both both_better(struct both older, struct both newer, const struct kind kind)
{
    if (AS_FLOATS && kind.special) {
        vec low = flip(older.low) < flip(newer.low);
        vec high = flip(older.high) > flip(newer.high);

        older.low = choose(low, older.low, newer.low);
        older.high = choose(high, older.high, newer.high);
    } else {
        older.low = lesser(older.low, newer.low);
        older.high = greater(older.high, newer.high);
    }
    return older;
}

/* Converts keys to the bits of floats. */
SCALAR_INLINE vec values_of(vec keys, const struct kind kind)
{
    const vec nan = (vec){0} + (int32_t)RULES_NAN_BITS;
    const vec bits = AS_FLOATS ? keys + (keys >> 31) : flip(keys);

    return kind.special ? choose((bits & INT32_MAX) > 0x7f800000, nan, bits) : bits;
}

/* The keys for the maximum, without branches, so that compilers can vectorize it. Returns false if
 * one of them is a NaN. */
static bool make_keys(const float *samples, size_t count, int32_t nan_key, int32_t *keys)
{
    unsigned any = 0;

    for (size_t i = 0; i < count; i++) {
        int32_t bits = (int32_t)rules_bits(samples[i]);

        keys[i] = AS_FLOATS ? bits - (bits >> 31) : bits ^ ((bits >> 31) & INT32_MAX);
        any |= (AS_FLOATS ? samples[i] > -INFINITY : samples[i] == samples[i]) ? 0U : 1U;
    }
    for (size_t i = 0; any != 0 && i < count; i++)
        keys[i] = isnan(samples[i]) ? nan_key : keys[i];
    return any == 0;
}

/* ---- spans ---- */

/* The keys for the minimum: LOSER and WINNER are swapped. */
static void make_low_keys(const int32_t *keys, size_t count, int32_t *low)
{
    for (size_t i = 0; i < count; i++) {
        int32_t turn = -(keys[i] == LOSER || keys[i] == WINNER);

        low[i] = keys[i] ^ (turn & (LOSER ^ WINNER));
    }
}

/* The best of `near` keys at each place, starting one vector after the first key. */
SCALAR_INLINE void make_spans(struct places keys, size_t count, size_t near, struct places spans,
                              const struct kind kind)
{
    for (size_t i = LANES; i < count; i += LANES) {
        struct both best = both_load(keys, i + 1 - near, kind);

        for (size_t left = near; left > 1; left--)
            best = both_better(best, both_load(keys, i + 2 - left, kind), kind);
        both_store(spans, i, best, kind);
    }
}

/* ---- slide ---- */

SCALAR_INLINE void block_to_suffixes(struct places block, uint64_t length, const struct kind kind)
{
    struct both suffix = both_load(block, length - LANES, kind);

    for (uint64_t i = length - LANES; i > 0;) {
        i -= LANES;
        suffix = both_better(both_load(block, i, kind), suffix, kind);
        both_store(block, i, suffix, kind);
    }
}

SCALAR_INLINE struct both both_values(struct both keys, const struct kind kind)
{
    return (struct both){values_of(keys.low, kind), values_of(keys.high, kind)};
}

/* From spans to windows that consist of one span, or of two overlapping ones. */
SCALAR_INLINE void slide_narrow(struct places spans, size_t turn, struct places windows,
                                size_t begin, size_t end, const struct kind kind)
{
    for (size_t i = begin; i < end; i += kind.lanes) {
        const struct both older = both_load(spans, HISTORY + i - turn, kind);
        const struct both best = both_better(older, both_load(spans, HISTORY + i, kind), kind);

        both_store(windows, i, both_values(best, kind), kind);
    }
}

/* To longer windows, all in one block: whole vectors, or one lane of one. */
SCALAR_INLINE void slide_run(struct slider *slider, struct places spans, size_t turn,
                             struct places windows, size_t begin, size_t end,
                             const struct kind kind)
{
    const struct places block = slider->blocks;
    uint64_t at = slider->position;
    /* The matching place in the old block: the suffix that begins a vector later. */
    uint64_t old = slider->has_old ? at + LANES : slider->block;
    const size_t old_step = slider->has_old ? kind.lanes : 0;
    const struct places prefixes = {slider->prefix_low, slider->prefix_high};
    const size_t lane = at % LANES;
    struct both prefix = both_load(prefixes, lane, kind);

    for (size_t i = begin; i < end; i += kind.lanes) {
        struct both span = both_better(both_load(spans, HISTORY + i - turn, kind),
                                       both_load(spans, HISTORY + i, kind), kind);
        struct both best;

        prefix = both_better(prefix, span, kind);
        best = both_better(both_load(block, old, kind), prefix, kind);
        both_store(windows, i, both_values(best, kind), kind);
        both_store(block, at, span, kind);
        at += kind.lanes;
        old += old_step;
    }
    both_store(prefixes, lane, prefix, kind);
    slider->position = at;
}

SCALAR_INLINE void slide(struct slider *slider, struct places spans, size_t turn,
                         struct places windows, size_t count, const struct kind kind)
{
    const struct kind one = {kind.sides, kind.special, 1};
    const size_t whole = count / LANES * LANES;

    if (slider->block == LANES) {
        slide_narrow(spans, turn, windows, 0, whole, kind);
        slide_narrow(spans, turn, windows, whole, count, one);
        return;
    }
    for (size_t i = 0, run; i < count; i += run) {
        uint64_t left = slider->block - slider->position;

        run = (left < count - i ? (size_t)left : count - i) / LANES * LANES;
        if (slider->position % LANES != 0 || run == 0) {
            run = 1;
            slide_run(slider, spans, turn, windows, i, i + 1, one);
        } else {
            slide_run(slider, spans, turn, windows, i, i + run, kind);
        }
        if (slider->position == slider->block) {
            block_to_suffixes(slider->blocks, slider->block, kind);
            reset_prefix(slider);
            slider->position = 0;
            slider->has_old = true;
        }
    }
}

/* ---- a batch ---- */

SCALAR_INLINE void batch_run(struct slider *slider, int32_t *keys, size_t count,
                             struct places windows, const struct kind kind)
{
    int32_t low_keys[BATCH_KEYS];
    int32_t low[BATCH_KEYS];
    int32_t high[BATCH_KEYS];
    const struct places both_keys = {kind.special ? low_keys : keys, keys};
    const struct places spans = {low, high};
    const size_t turn = slider->span > LANES ? slider->span - LANES : 0;

    if (kind.special && (kind.sides & SLIDER_LOW) != 0)
        make_low_keys(keys, HISTORY + count + LANES, low_keys);
    if (slider->span >= LANES)
        make_spans(both_keys, HISTORY + count, LANES, spans, kind);
    else
        make_spans(both_keys, HISTORY + count, slider->span, spans, kind);
    slide(slider, spans, turn, windows, count, kind);
}

/* One function for each kind. */
#define BATCH(name, sides, special)                                                                \
    static void name(struct slider *slider, int32_t *keys, size_t count, struct places windows)    \
    {                                                                                              \
        batch_run(slider, keys, count, windows, (struct kind){sides, special, LANES});             \
    }

BATCH(batch_low, SLIDER_LOW, false)
BATCH(batch_high, SLIDER_HIGH, false)
BATCH(batch_both, SLIDER_BOTH, false)
BATCH(batch_low_special, SLIDER_LOW, true)
BATCH(batch_high_special, SLIDER_HIGH, true)
BATCH(batch_both_special, SLIDER_BOTH, true)

static void (*const batch_functions[2][SLIDER_BOTH + 1])(struct slider *slider, int32_t *keys,
                                                         size_t count, struct places windows) = {
    {NULL, batch_low, batch_high, batch_both},
    {NULL, batch_low_special, batch_high_special, batch_both_special},
};

/* `samples` NULL: missing samples. Up to BATCH_SAMPLES of them. */
static void slide_batch(struct slider *slider, const float *samples, size_t count, float *low,
                        float *high)
{
    int32_t keys[BATCH_KEYS];
    bool plain = false;
    bool special;

    memcpy(keys, slider->history, sizeof slider->history);
    if (samples != NULL)
        plain = make_keys(samples, count, slider->nan_key, keys + HISTORY);
    for (size_t i = samples == NULL ? 0 : count; i < count + LANES; i++)
        keys[HISTORY + i] = LOSER;
    memcpy(slider->history, keys + count, sizeof slider->history);
    special = !plain || slider->special > 0;
    batch_functions[special][slider->sides](slider, keys, count,
                                            (struct places){(void *)low, (void *)high});
    if (!plain)
        slider->special = slider->reach;
    else
        slider->special -= slider->special < count ? slider->special : count;
}

static void slide_all(struct slider *slider, const float *samples, size_t count, float *low,
                      float *high)
{
    float sink[BATCH_SAMPLES]; /* receives the side that is not wanted */

    for (size_t at = 0; at < count; at += BATCH_SAMPLES)
        slide_batch(slider, samples == NULL ? NULL : samples + at,
                    count - at < BATCH_SAMPLES ? count - at : BATCH_SAMPLES,
                    low == NULL ? sink : low + at, high == NULL ? sink : high + at);
}

static void scalar_slide(struct slider *slider, const void *samples, size_t count, void *low,
                         void *high)
{
    slide_all(slider, samples, count, low, high);
}

static void scalar_slide_pairs(struct slider *slider, const void *samples, size_t count,
                               void *values)
{
    float *pairs = values;
    float low[BATCH_SAMPLES];
    float high[BATCH_SAMPLES];

    for (size_t at = 0; at < count; at += BATCH_SAMPLES) {
        size_t part = count - at < BATCH_SAMPLES ? count - at : BATCH_SAMPLES;

        slide_batch(slider, (const float *)samples + at, part, low, high);
        for (size_t i = 0; i < part; i++) {
            pairs[2 * (at + i)] = low[i];
            pairs[2 * (at + i) + 1] = high[i];
        }
    }
}

static void scalar_slide_missing(struct slider *slider, size_t count, void *low, void *high)
{
    slide_all(slider, NULL, count, low, high);
}

static void scalar_decode(struct sample_type type, const void *raw, void *samples, size_t count)
{
    sample_decode(type, VALUE_F32, raw, samples, count);
}

const struct cpu_kernels cpu_kernels_scalar = {
    .name = "scalar",
    .kind = VALUE_F32,
    .slider_bytes = scalar_slider_bytes,
    .slider_init = scalar_slider_init,
    .slide = scalar_slide,
    .slide_pairs = scalar_slide_pairs,
    .slide_missing = scalar_slide_missing,
    .extremes = extremes_keys,
    .values = values_make,
    .decode = scalar_decode,
    .leaf_stats = leaf_add,
    .clean = values_clean,
    .find = values_find,
    .reach = values_reach,
};
