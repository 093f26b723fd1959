/* The kernels in portable C: van Herk and Gil-Werman, LANES samples at a time.
 *
 * 1. Keys. A sample becomes an integer; a minimum is a maximum of negated ones. On most machines
 * they are the keys of window/rules.h. But the first x86-64 has a maximum for floats and none for
 * integers. There a key is the sample's bits, and one more where it is negative: that tells -0
 * from 0, and as a float it has its sample's place among the others. What has no place, -infinity
 * and NaN, is a NaN. Where one is in reach, keys are compared by the integers that they stand for.
 *
 * 2. Spans. Each sample becomes the best of itself and of a few before it. A window is the best of
 * spans that lie LANES apart, at the same lane of vectors in a row; the rest of the width is
 * in the spans, which overlap. A window of less than two vectors is one span.
 *
 * 3. Slide. The vectors are cut into blocks of as many as there are in a window. That covers the
 * end of one block and the beginning of the next: it is the best of a suffix of the old block and a
 * prefix of the new one, three comparisons a vector, whatever the width. The suffixes of the
 * old block and the spans of the new one share one array: a place is read for the last time
 * just before it is written. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/reduce.h"
#include "cpu/sums.h"
#include "cpu/values.h"

/* Without vectors one lane is best: then a span is a sample. */
#if defined(__SSE2_MATH__) || defined(__ARM_NEON) || defined(__ALTIVEC__) || defined(__riscv_vector)
#define LANES ((size_t)4)
#else
#define LANES ((size_t)1)
#endif

#ifdef __SSE2_MATH__
#define AS_FLOATS true
#else
#define AS_FLOATS false
#endif

#define SCALAR_INLINE static inline __attribute__((always_inline))

typedef int32_t vec __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));

enum {
    PIECE = 256, /* samples at a time */
    HISTORY = 8, /* keys before them, that their spans look back at */

    /* The keys in the maximum of what loses, what wins; in the minimum it is the other way round.
     * As a float, a NaN, the one that loses only does so when it is the first of two: so the older
     * always is. */
    LOSER = AS_FLOATS ? -1 : INT32_MIN,
    WINNER = INT32_MAX,
};

/* The same thing of both sides. What is not asked for is never used. */
struct places {
    int32_t *low;
    int32_t *high;
};

struct slider {
    unsigned sides;
    unsigned span;  /* samples */
    uint64_t block; /* samples */
    uint64_t reach; /* samples after a NaN that it may still be compared with */
    uint64_t exact; /* samples in such a reach to come */
    int32_t nan_key;
    int32_t history[HISTORY]; /* the newest keys */

    bool has_old;      /* there was a block before this one */
    uint64_t position; /* in the block */
    int32_t prefix_low[LANES];
    int32_t prefix_high[LANES];
    struct places blocks; /* each has a vector of losers behind it: the last has no suffix beside */
    alignas(64) int32_t keys[];
};

/* A piece of the stream on its way through a slider. */
struct piece {
    const float *samples; /* NULL: they are not there */
    size_t count;
    bool exact;
    int32_t keys[HISTORY + PIECE + LANES]; /* those of a NaN are of the maximum */
    int32_t low[PIECE];                    /* the windows */
    int32_t high[PIECE];
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

SCALAR_INLINE vec vec_load(const int32_t *at)
{
    vec v;

    memcpy(&v, at, sizeof v);
    return v;
}

SCALAR_INLINE void vec_store(int32_t *at, vec v)
{
    memcpy(at, &v, sizeof v);
}

/* What is computed: constants in each call. */
struct kind {
    unsigned sides;
    bool exact;
};

struct both {
    vec low;
    vec high;
};

SCALAR_INLINE struct both both_load(struct places at, size_t i, const struct kind kind)
{
    struct both both = {0};

    if ((kind.sides & SLIDER_LOW) != 0)
        both.low = vec_load(at.low + i);
    if ((kind.sides & SLIDER_HIGH) != 0)
        both.high = vec_load(at.high + i);
    return both;
}

SCALAR_INLINE void both_store(struct places at, size_t i, struct both both, const struct kind kind)
{
    if ((kind.sides & SLIDER_LOW) != 0)
        vec_store(at.low + i, both.low);
    if ((kind.sides & SLIDER_HIGH) != 0)
        vec_store(at.high + i, both.high);
}

/* Lane by lane, which compilers know as the minimum and the maximum of floats. */
SCALAR_INLINE vec lesser_float(vec older, vec newer)
{
    floats a = (floats)older;
    floats b = (floats)newer;

    for (size_t i = 0; i < LANES; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return (vec)a;
}

SCALAR_INLINE vec greater_float(vec older, vec newer)
{
    floats a = (floats)older;
    floats b = (floats)newer;

    for (size_t i = 0; i < LANES; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return (vec)a;
}

SCALAR_INLINE vec choose(vec mask, vec a, vec b)
{
    return (a & mask) | (b & ~mask);
}

/* A float's key as an integer. */
SCALAR_INLINE vec exact_key(vec key)
{
    return AS_FLOATS ? key ^ ((key >> 31) & INT32_MAX) : key;
}

SCALAR_INLINE struct both both_better(struct both older, struct both newer, const struct kind kind)
{
    vec low = exact_key(older.low) < exact_key(newer.low);
    vec high = exact_key(older.high) > exact_key(newer.high);

    if (kind.exact)
        return (struct both){choose(low, older.low, newer.low),
                             choose(high, older.high, newer.high)};
    return (struct both){lesser_float(older.low, newer.low), greater_float(older.high, newer.high)};
}

/* The rules of window/rules.h without branches, which compilers make vectors of. Returns false
 * where a sample has no place among the floats. */
static bool make_keys(struct piece *piece, int32_t nan_key)
{
    const float *samples = piece->samples;
    int32_t *keys = piece->keys + HISTORY;
    size_t count = piece->count;
    unsigned without = 0;

    for (size_t i = 0; i < count; i++) {
        int32_t bits = (int32_t)rules_bits(samples[i]);

        keys[i] = AS_FLOATS ? bits - (bits >> 31) : bits ^ ((bits >> 31) & INT32_MAX);
        without |= samples[i] > -INFINITY ? 0U : 1U;
    }
    for (size_t i = 0; without != 0 && i < count; i++)
        keys[i] = isnan(samples[i]) ? nan_key : keys[i];
    return without == 0;
}

SCALAR_INLINE float value_of(int32_t key, const bool exact)
{
    int32_t bits = AS_FLOATS ? (int32_t)((uint32_t)key - ((uint32_t)key >> 31))
                             : key ^ ((key >> 31) & INT32_MAX);
    int32_t nan = -((bits & INT32_MAX) > 0x7f800000);

    return rules_float((uint32_t)(exact ? (bits & ~nan) | ((int32_t)RULES_NAN_BITS & nan) : bits));
}

/* ---- spans ---- */

/* Keys for both sides: to the minimum, LOSER and WINNER are the other way round. */
SCALAR_INLINE struct both both_keys(const int32_t *keys, const struct kind kind)
{
    vec v = vec_load(keys);
    vec turned = (v == LOSER) | (v == WINNER);

    return (struct both){kind.exact ? v ^ (turned & (LOSER ^ WINNER)) : v, v};
}

/* The best of `near` keys at each place, from one vector after the first key on. */
SCALAR_INLINE void make_spans(const int32_t *keys, size_t count, size_t near, struct places spans,
                              const struct kind kind)
{
    for (size_t i = LANES; i < count; i += LANES) {
        struct both best = both_keys(keys + i + 1 - near, kind);

        for (size_t back = near - 1; back-- > 0;)
            best = both_better(best, both_keys(keys + i - back, kind), kind);
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

/* From spans to windows: whole vectors, all in one block. */
SCALAR_INLINE void slide_vectors(struct slider *slider, struct places spans, size_t turn,
                                 struct places windows, size_t begin, size_t end,
                                 const struct kind kind)
{
    struct places prefixes = {slider->prefix_low, slider->prefix_high};
    struct both prefix = both_load(prefixes, 0, kind);
    struct places block = slider->blocks;
    uint64_t at = slider->position;
    /* What is beside it in the old block: the suffix that begins a vector later. */
    uint64_t old = slider->has_old ? at + LANES : slider->block;
    size_t step = slider->has_old ? LANES : 0;

    for (size_t i = begin; i < end; i += LANES) {
        struct both span =
            both_better(both_load(spans, i - turn, kind), both_load(spans, i, kind), kind);

        prefix = both_better(prefix, span, kind);
        both_store(windows, i, both_better(both_load(block, old, kind), prefix, kind), kind);
        both_store(block, at, span, kind);
        at += LANES;
        old += step;
    }
    both_store(prefixes, 0, prefix, kind);
    slider->position = at;
}

/* ---- the same for one lane ---- */

SCALAR_INLINE struct both lane_load(struct places at, size_t i, const struct kind kind)
{
    struct both both = {0};

    if ((kind.sides & SLIDER_LOW) != 0)
        both.low[0] = at.low[i];
    if ((kind.sides & SLIDER_HIGH) != 0)
        both.high[0] = at.high[i];
    return both;
}

SCALAR_INLINE void lane_store(struct places at, size_t i, struct both both, const struct kind kind)
{
    if ((kind.sides & SLIDER_LOW) != 0)
        at.low[i] = both.low[0];
    if ((kind.sides & SLIDER_HIGH) != 0)
        at.high[i] = both.high[0];
}

SCALAR_INLINE void slide_lane(struct slider *slider, struct places spans, size_t turn,
                              struct places windows, size_t i, const struct kind kind)
{
    struct places block = slider->blocks;
    uint64_t at = slider->position;
    uint64_t old = slider->has_old ? at + LANES : slider->block;
    struct places prefix = {slider->prefix_low + at % LANES, slider->prefix_high + at % LANES};
    struct both best =
        both_better(lane_load(spans, i - turn, kind), lane_load(spans, i, kind), kind);

    lane_store(block, at, best, kind);
    best = both_better(lane_load(prefix, 0, kind), best, kind);
    lane_store(prefix, 0, best, kind);
    lane_store(windows, i, both_better(lane_load(block, old, kind), best, kind), kind);
    slider->position++;
}

SCALAR_INLINE void slide(struct slider *slider, struct places spans, size_t turn,
                         struct places windows, size_t count, const struct kind kind)
{
    for (size_t i = 0, run; i < count; i += run) {
        uint64_t left = slider->block - slider->position;

        run = (left < count - i ? (size_t)left : count - i) / LANES * LANES;
        if (slider->position % LANES != 0 || run == 0) {
            run = 1;
            slide_lane(slider, spans, turn, windows, i, kind);
        } else {
            slide_vectors(slider, spans, turn, windows, i, i + run, kind);
        }
        if (slider->position == slider->block) {
            block_to_suffixes(slider->blocks, slider->block, kind);
            reset_prefix(slider);
            slider->position = 0;
            slider->has_old = true;
        }
    }
}

/* ---- a piece ---- */

SCALAR_INLINE void run(struct slider *slider, struct piece *piece, const struct kind kind)
{
    int32_t low[HISTORY + PIECE + LANES];
    int32_t high[HISTORY + PIECE + LANES];
    const struct places spans = {low, high};
    const struct places windows = {piece->low, piece->high};
    size_t count = HISTORY + piece->count;

    if (slider->span >= LANES)
        make_spans(piece->keys, count, LANES, spans, kind);
    else
        make_spans(piece->keys, count, slider->span, spans, kind);
    slide(slider, (struct places){low + HISTORY, high + HISTORY},
          slider->span > LANES ? slider->span - LANES : 0, windows, piece->count, kind);
}

/* One function for each kind. */
#define RUN(name, sides, exact)                                                                    \
    static void name(struct slider *slider, struct piece *piece)                                   \
    {                                                                                              \
        run(slider, piece, (struct kind){sides, exact});                                           \
    }

RUN(run_low, SLIDER_LOW, !AS_FLOATS)
RUN(run_high, SLIDER_HIGH, !AS_FLOATS)
RUN(run_both, SLIDER_BOTH, !AS_FLOATS)
RUN(run_low_exact, SLIDER_LOW, true)
RUN(run_high_exact, SLIDER_HIGH, true)
RUN(run_both_exact, SLIDER_BOTH, true)

static void (*const runs[2][SLIDER_BOTH + 1])(struct slider *slider, struct piece *piece) = {
    {NULL, run_low, run_high, run_both},
    {NULL, run_low_exact, run_high_exact, run_both_exact},
};

/* Takes in the next samples; NULL: samples that are not there. */
static void piece_run(struct slider *slider, struct piece *piece, const float *samples,
                      size_t count)
{
    bool plain = false;

    piece->samples = samples;
    piece->count = count;
    memcpy(piece->keys, slider->history, sizeof slider->history);
    if (samples != NULL)
        plain = make_keys(piece, slider->nan_key);
    for (size_t i = samples == NULL ? 0 : count; i < count + LANES; i++)
        piece->keys[HISTORY + i] = LOSER;
    memcpy(slider->history, piece->keys + count, sizeof slider->history);
    piece->exact = !plain || slider->exact > 0;
    runs[piece->exact][slider->sides](slider, piece);
    if (!plain)
        slider->exact = slider->reach;
    else
        slider->exact -= slider->exact < count ? slider->exact : count;
}

static void write_values(const struct piece *piece, const int32_t *windows, float *values)
{
    for (size_t i = 0; piece->exact && i < piece->count; i++)
        values[i] = value_of(windows[i], true);
    for (size_t i = 0; !piece->exact && i < piece->count; i++)
        values[i] = value_of(windows[i], false);
}

static void slider_run(struct slider *slider, const float *samples, size_t count, float *low,
                       float *high)
{
    struct piece piece;

    for (size_t at = 0; at < count; at += PIECE) {
        size_t part = count - at < PIECE ? count - at : PIECE;

        piece_run(slider, &piece, samples == NULL ? NULL : samples + at, part);
        if (low != NULL && (slider->sides & SLIDER_LOW) != 0)
            write_values(&piece, piece.low, low + at);
        if (high != NULL && (slider->sides & SLIDER_HIGH) != 0)
            write_values(&piece, piece.high, high + at);
    }
}

static void scalar_slide(struct slider *slider, const float *samples, size_t count, float *low,
                         float *high)
{
    slider_run(slider, samples, count, low, high);
}

SCALAR_INLINE void write_pairs(const struct piece *piece, float *pairs, const bool exact)
{
    for (size_t i = 0; i < piece->count; i++) {
        pairs[2 * i] = value_of(piece->low[i], exact);
        pairs[2 * i + 1] = value_of(piece->high[i], exact);
    }
}

static void scalar_slide_pairs(struct slider *slider, const float *samples, size_t count,
                               float *pairs)
{
    struct piece piece;

    for (size_t at = 0; at < count; at += PIECE) {
        piece_run(slider, &piece, samples + at, count - at < PIECE ? count - at : PIECE);
        if (piece.exact)
            write_pairs(&piece, pairs + 2 * at, true);
        else
            write_pairs(&piece, pairs + 2 * at, false);
    }
}

static void scalar_slide_missing(struct slider *slider, size_t count, float *low, float *high)
{
    slider_run(slider, NULL, count, low, high);
}

const struct cpu_kernels cpu_kernels_scalar = {
    .name = "scalar",
    .slider_bytes = scalar_slider_bytes,
    .slider_init = scalar_slider_init,
    .slide = scalar_slide,
    .slide_pairs = scalar_slide_pairs,
    .slide_missing = scalar_slide_missing,
    .reduce = reduce_keys,
    .values = values_make,
    .decode = sample_decode,
    .sums = sums_add,
    .find = sums_find,
};
