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

/* One side of a slider. */
struct side {
    bool has_old;      /* there was a block before this one */
    uint64_t position; /* in the block */
    int32_t loser;
    int32_t prefix[LANES];
    int32_t *block; /* and a vector of losers: the last vector has no suffix beside it */
};

struct slider {
    unsigned sides;
    unsigned span;  /* samples */
    uint64_t block; /* samples */
    uint64_t reach; /* samples after a NaN that it may still be compared with */
    uint64_t exact; /* samples in such a reach to come */
    int32_t nan_key;
    int32_t history[HISTORY]; /* the newest keys */
    struct side low;
    struct side high;
    alignas(64) int32_t blocks[];
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

static void side_init(struct side *side, int32_t *block, uint64_t length, int32_t loser)
{
    *side = (struct side){.block = block, .loser = loser};
    for (unsigned i = 0; i < LANES; i++) {
        side->prefix[i] = loser;
        block[length + i] = loser;
    }
}

static void scalar_slider_init(struct slider *slider, uint64_t width, unsigned sides,
                               enum nan_policy policy)
{
    uint64_t block = block_of(width);
    int32_t *high = slider->blocks + (sides == SLIDER_BOTH ? block + LANES : 0);

    slider->sides = sides;
    slider->span = (unsigned)(width < 2 * LANES ? width : LANES + width % LANES);
    slider->block = block;
    slider->reach = 2 * (block + 2 * LANES);
    slider->exact = 0;
    slider->nan_key = policy == NAN_OMIT ? LOSER : WINNER;
    for (unsigned i = 0; i < HISTORY; i++)
        slider->history[i] = LOSER;
    if ((sides & SLIDER_LOW) != 0)
        side_init(&slider->low, slider->blocks, block, WINNER);
    if ((sides & SLIDER_HIGH) != 0)
        side_init(&slider->high, high, block, LOSER);
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
    bool low; /* the minimum */
    bool exact;
};

/* Lane by lane, which compilers know as the maximum of floats. */
SCALAR_INLINE vec better_floats(vec older, vec newer, const bool low)
{
    floats a = (floats)older;
    floats b = (floats)newer;

    for (size_t i = 0; i < LANES; i++) {
        if (low)
            a[i] = a[i] < b[i] ? a[i] : b[i];
        else
            a[i] = a[i] > b[i] ? a[i] : b[i];
    }
    return (vec)a;
}

SCALAR_INLINE vec better(vec older, vec newer, const struct kind kind)
{
    vec a = older;
    vec b = newer;
    vec mask;

    if (!kind.exact)
        return better_floats(older, newer, kind.low);
    if (AS_FLOATS) {
        a ^= (a >> 31) & INT32_MAX;
        b ^= (b >> 31) & INT32_MAX;
    }
    mask = kind.low ? a < b : a > b;
    return (older & mask) | (newer & ~mask);
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

/* Keys for one side: to the minimum, LOSER and WINNER are the other way round. */
SCALAR_INLINE vec side_keys(const int32_t *keys, const struct kind kind)
{
    vec v = vec_load(keys);
    vec turned;

    if (!kind.low || !kind.exact)
        return v;
    turned = (v == LOSER) | (v == WINNER);
    return v ^ (turned & (LOSER ^ WINNER));
}

/* The best of `near` keys at each place, from one vector after the first key on. */
SCALAR_INLINE void make_spans(const struct piece *piece, size_t near, int32_t *spans,
                              const struct kind kind)
{
    for (size_t i = LANES; i < HISTORY + piece->count; i += LANES) {
        vec best = side_keys(piece->keys + i + 1 - near, kind);

        for (size_t back = near - 1; back-- > 0;)
            best = better(best, side_keys(piece->keys + i - back, kind), kind);
        vec_store(spans + i, best);
    }
}

/* ---- slide ---- */

SCALAR_INLINE void block_to_suffixes(int32_t *block, uint64_t length, const struct kind kind)
{
    vec suffix = vec_load(block + length - LANES);

    for (uint64_t i = length - LANES; i > 0;) {
        i -= LANES;
        suffix = better(vec_load(block + i), suffix, kind);
        vec_store(block + i, suffix);
    }
}

/* What is beside a place of the block in the old one: the suffix that begins a vector later. */
SCALAR_INLINE const int32_t *old_of(const struct side *side, uint64_t length)
{
    return side->block + (side->has_old ? side->position + LANES : length);
}

/* From spans to windows: whole vectors, all in one block. */
SCALAR_INLINE void slide_vectors(struct side *side, uint64_t length, const int32_t *spans,
                                 size_t turn, int32_t *windows, size_t count,
                                 const struct kind kind)
{
    const int32_t *old = old_of(side, length);
    size_t step = side->has_old ? LANES : 0;
    int32_t *at = side->block + side->position;
    vec prefix = vec_load(side->prefix);

    for (size_t i = 0; i < count; i += LANES) {
        vec span = better(vec_load(spans + i - turn), vec_load(spans + i), kind);

        prefix = better(prefix, span, kind);
        vec_store(windows + i, better(vec_load(old), prefix, kind));
        vec_store(at + i, span);
        old += step;
    }
    vec_store(side->prefix, prefix);
    side->position += count;
}

/* The same for one lane. */
SCALAR_INLINE void slide_lane(struct side *side, uint64_t length, const int32_t *span, size_t turn,
                              int32_t *window, const struct kind kind)
{
    int32_t *prefix = &side->prefix[side->position % LANES];
    int32_t old = *old_of(side, length);
    vec best = better((vec){*(span - turn)}, (vec){*span}, kind);

    side->block[side->position++] = best[0];
    best = better((vec){*prefix}, best, kind);
    *prefix = best[0];
    *window = better((vec){old}, best, kind)[0];
}

SCALAR_INLINE void slide(struct side *side, uint64_t length, const int32_t *spans, size_t turn,
                         int32_t *windows, size_t count, const struct kind kind)
{
    while (count > 0) {
        uint64_t left = length - side->position;
        size_t run = (left < count ? (size_t)left : count) / LANES * LANES;

        if (side->position % LANES == 0 && run > 0) {
            slide_vectors(side, length, spans, turn, windows, run, kind);
        } else {
            run = 1;
            slide_lane(side, length, spans, turn, windows, kind);
        }
        if (side->position == length) {
            block_to_suffixes(side->block, length, kind);
            for (size_t i = 0; i < LANES; i++)
                side->prefix[i] = side->loser;
            side->position = 0;
            side->has_old = true;
        }
        spans += run;
        windows += run;
        count -= run;
    }
}

/* ---- a piece ---- */

SCALAR_INLINE void side_run(const struct slider *slider, struct side *side,
                            const struct piece *piece, int32_t *windows, const struct kind kind)
{
    int32_t spans[HISTORY + PIECE + LANES];

    if (slider->span >= LANES)
        make_spans(piece, LANES, spans, kind);
    else
        make_spans(piece, slider->span, spans, kind);
    slide(side, slider->block, spans + HISTORY, slider->span > LANES ? slider->span - LANES : 0,
          windows, piece->count, kind);
}

/* One function for each kind. */
#define SIDE_RUN(name, low, exact)                                                                 \
    static void name(const struct slider *slider, struct side *side, const struct piece *piece,    \
                     int32_t *windows)                                                             \
    {                                                                                              \
        side_run(slider, side, piece, windows, (struct kind){low, exact});                         \
    }

SIDE_RUN(low_plain, true, !AS_FLOATS)
SIDE_RUN(low_exact, true, true)
SIDE_RUN(high_plain, false, !AS_FLOATS)
SIDE_RUN(high_exact, false, true)

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
    if ((slider->sides & SLIDER_LOW) != 0)
        (piece->exact ? low_exact : low_plain)(slider, &slider->low, piece, piece->low);
    if ((slider->sides & SLIDER_HIGH) != 0)
        (piece->exact ? high_exact : high_plain)(slider, &slider->high, piece, piece->high);
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
