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
    PIECE = 256,  /* samples at a time */
    HISTORY = 12, /* keys before them: no less than three overlaps look back */

    /* The key that loses. As a float, a NaN, it only does when it is the first of two: so the
     * older always is. */
    MISSING = AS_FLOATS ? -1 : INT32_MIN,
    WINNER = INT32_MAX,
};

/* One side of a slider. */
struct side {
    int32_t negate;    /* the bits of a key to turn; 0 for the maximum */
    int32_t nan_key;   /* WINNER or MISSING */
    bool has_old;      /* there was a block before this one */
    uint64_t position; /* in the block */
    int32_t prefix[LANES];
    int32_t history[HISTORY]; /* the newest keys */
    int32_t *block;           /* and a vector of MISSING: the last one has no suffix beside it */
};

struct slider {
    unsigned sides;
    unsigned span;  /* samples */
    uint64_t block; /* samples */
    uint64_t reach; /* samples after a NaN that it may still be compared with */
    uint64_t exact; /* samples in such a reach to come */
    struct side low;
    struct side high;
    alignas(64) int32_t keys[];
};

/* A piece of the stream on its way through one side. */
struct piece {
    const float *samples; /* NULL: they are not there */
    size_t count;
    int32_t keys[HISTORY + PIECE + LANES]; /* then spans, then windows */
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

static void side_init(struct side *side, int32_t *block, uint64_t length, enum nan_policy policy)
{
    *side = (struct side){.nan_key = policy == NAN_OMIT ? MISSING : WINNER, .block = block};
    for (unsigned i = 0; i < LANES; i++) {
        side->prefix[i] = MISSING;
        block[length + i] = MISSING;
    }
    for (unsigned i = 0; i < HISTORY; i++)
        side->history[i] = MISSING;
}

static void scalar_slider_init(struct slider *slider, uint64_t width, unsigned sides,
                               enum nan_policy policy)
{
    uint64_t block = block_of(width);
    int32_t *high = slider->keys + (sides == SLIDER_BOTH ? block + LANES : 0);

    slider->sides = sides;
    slider->span = (unsigned)(width < 2 * LANES ? width : LANES + width % LANES);
    slider->block = block;
    slider->reach = 2 * (block + 2 * LANES);
    slider->exact = 0;
    side_init(&slider->low, slider->keys, block, policy);
    side_init(&slider->high, high, block, policy);
    slider->low.negate = AS_FLOATS ? INT32_MIN : -1;
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

/* Lane by lane, which compilers know as the maximum of floats. */
SCALAR_INLINE vec better_floats(vec older, vec newer)
{
    floats a = (floats)older;
    floats b = (floats)newer;

    for (size_t i = 0; i < LANES; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return (vec)a;
}

SCALAR_INLINE vec better(vec older, vec newer, const bool exact)
{
    vec a = older;
    vec b = newer;
    vec greater;

    if (!exact)
        return better_floats(older, newer);
    if (AS_FLOATS) {
        a ^= (a >> 31) & INT32_MAX;
        b ^= (b >> 31) & INT32_MAX;
    }
    greater = a > b;
    return (older & greater) | (newer & ~greater);
}

/* The rules of window/rules.h without branches, which compilers make vectors of. */
SCALAR_INLINE void make_keys(const struct side *side, const struct piece *piece, int32_t *keys,
                             const bool exact)
{
    int32_t negate = side->negate;
    int32_t nan_key = side->nan_key;

    for (size_t i = 0; i < piece->count; i++) {
        int32_t bits = (int32_t)rules_bits(piece->samples[i]);
        int32_t nan = -((bits & INT32_MAX) > 0x7f800000);
        int32_t key = AS_FLOATS ? bits - (bits >> 31) : bits ^ ((bits >> 31) & INT32_MAX);

        key ^= negate;
        keys[i] = exact ? (key & ~nan) | (nan_key & nan) : key;
    }
}

SCALAR_INLINE void write_values(const struct side *side, const int32_t *keys, size_t count,
                                float *values, const bool exact)
{
    int32_t negate = side->negate;

    for (size_t i = 0; i < count; i++) {
        int32_t key = keys[i] ^ negate;
        int32_t bits = AS_FLOATS ? (int32_t)((uint32_t)key - ((uint32_t)key >> 31))
                                 : key ^ ((key >> 31) & INT32_MAX);
        int32_t nan = -((bits & INT32_MAX) > 0x7f800000);

        if (exact)
            bits = (bits & ~nan) | ((int32_t)RULES_NAN_BITS & nan);
        values[i] = rules_float((uint32_t)bits);
    }
}

/* ---- spans ---- */

/* From the last to the first, so that each is still what it was when it is looked back at. */
SCALAR_INLINE void make_spans(struct piece *piece, unsigned span, const bool exact)
{
    size_t vectors = (HISTORY + piece->count + LANES - 1) / LANES;

    for (unsigned done = 1, step; done < span; done += step) {
        step = done < span - done ? done : span - done;
        for (size_t i = vectors; i-- > 1;) {
            int32_t *at = piece->keys + i * LANES;

            vec_store(at, better(vec_load(at - step), vec_load(at), exact));
        }
    }
}

/* ---- slide ---- */

SCALAR_INLINE void block_to_suffixes(int32_t *block, uint64_t length, const bool exact)
{
    vec suffix = vec_load(block + length - LANES);

    for (uint64_t i = length - LANES; i > 0;) {
        i -= LANES;
        suffix = better(vec_load(block + i), suffix, exact);
        vec_store(block + i, suffix);
    }
}

/* What is beside a place of the block in the old one: the suffix that begins a vector later. */
SCALAR_INLINE const int32_t *old_of(const struct side *side, uint64_t length)
{
    return side->block + (side->has_old ? side->position + LANES : length);
}

/* Puts the best of each window in the place of its last span. Whole vectors, all in one block. */
SCALAR_INLINE void slide_vectors(struct side *side, uint64_t length, int32_t *spans, size_t count,
                                 const bool exact)
{
    const int32_t *old = old_of(side, length);
    size_t step = side->has_old ? LANES : 0;
    int32_t *at = side->block + side->position;
    vec prefix = vec_load(side->prefix);

    for (size_t i = 0; i < count; i += LANES) {
        vec span = vec_load(spans + i);

        prefix = better(prefix, span, exact);
        vec_store(spans + i, better(vec_load(old), prefix, exact));
        vec_store(at + i, span);
        old += step;
    }
    vec_store(side->prefix, prefix);
    side->position += count;
}

/* The same for one lane. */
SCALAR_INLINE void slide_lane(struct side *side, uint64_t length, int32_t *span, const bool exact)
{
    int32_t *prefix = &side->prefix[side->position % LANES];
    int32_t old = *old_of(side, length);

    *prefix = better((vec){*prefix}, (vec){*span}, exact)[0];
    side->block[side->position++] = *span;
    *span = better((vec){old}, (vec){*prefix}, exact)[0];
}

SCALAR_INLINE void slide(struct side *side, uint64_t length, int32_t *spans, size_t count,
                         const bool exact)
{
    while (count > 0) {
        uint64_t left = length - side->position;
        size_t run = (left < count ? (size_t)left : count) / LANES * LANES;

        if (side->position % LANES == 0 && run > 0) {
            slide_vectors(side, length, spans, run, exact);
        } else {
            run = 1;
            slide_lane(side, length, spans, exact);
        }
        if (side->position == length) {
            block_to_suffixes(side->block, length, exact);
            for (size_t i = 0; i < LANES; i++)
                side->prefix[i] = MISSING;
            side->position = 0;
            side->has_old = true;
        }
        spans += run;
        count -= run;
    }
}

/* ---- a piece ---- */

SCALAR_INLINE void side_run(const struct slider *slider, struct side *side, struct piece *piece,
                            float *values, const bool exact)
{
    int32_t *keys = piece->keys + HISTORY;

    memcpy(piece->keys, side->history, sizeof side->history);
    for (size_t i = 0; piece->samples == NULL && i < piece->count; i++)
        keys[i] = MISSING;
    if (piece->samples != NULL)
        make_keys(side, piece, keys, exact);
    for (size_t i = 0; i < LANES; i++)
        keys[piece->count + i] = MISSING;
    memcpy(side->history, piece->keys + piece->count, sizeof side->history);
    make_spans(piece, slider->span, exact);
    slide(side, slider->block, keys, piece->count, exact);
    write_values(side, keys, piece->count, values, exact);
}

static void side_exact(const struct slider *slider, struct side *side, struct piece *piece,
                       float *values)
{
    side_run(slider, side, piece, values, true);
}

static void side_plain(const struct slider *slider, struct side *side, struct piece *piece,
                       float *values)
{
    side_run(slider, side, piece, values, !AS_FLOATS);
}

/* NaN or -infinity. */
static bool any_without_place(const struct piece *piece)
{
    unsigned any = 0;

    for (size_t i = 0; i < piece->count; i++)
        any |= piece->samples[i] > -INFINITY ? 0U : 1U;
    return any != 0;
}

/* Takes the piece in. What is not asked for is not written to `low` and `high`. */
static void piece_run(struct slider *slider, struct piece *piece, float *low, float *high)
{
    bool begins = AS_FLOATS && (piece->samples == NULL || any_without_place(piece));
    bool exact = begins || slider->exact > 0;

    if ((slider->sides & SLIDER_LOW) != 0)
        (exact ? side_exact : side_plain)(slider, &slider->low, piece, low);
    if ((slider->sides & SLIDER_HIGH) != 0)
        (exact ? side_exact : side_plain)(slider, &slider->high, piece, high);
    if (begins)
        slider->exact = slider->reach;
    else
        slider->exact -= slider->exact < piece->count ? slider->exact : piece->count;
}

/* `samples` NULL: samples that are not there. */
static void slider_run(struct slider *slider, const float *samples, size_t count, float *low,
                       float *high)
{
    float sink[PIECE]; /* for what is not wanted */
    struct piece piece;

    for (size_t at = 0; at < count; at += PIECE) {
        piece.samples = samples == NULL ? NULL : samples + at;
        piece.count = count - at < PIECE ? count - at : PIECE;
        piece_run(slider, &piece, low == NULL ? sink : low + at, high == NULL ? sink : high + at);
    }
}

static void scalar_slide(struct slider *slider, const float *samples, size_t count, float *low,
                         float *high)
{
    slider_run(slider, samples, count, low, high);
}

static void scalar_slide_pairs(struct slider *slider, const float *samples, size_t count,
                               float *pairs)
{
    while (count > 0) {
        size_t part = count < PIECE ? count : PIECE;
        float low[PIECE];
        float high[PIECE];

        slider_run(slider, samples, part, low, high);
        for (size_t i = 0; i < part; i++) {
            pairs[2 * i] = low[i];
            pairs[2 * i + 1] = high[i];
        }
        samples += part;
        pairs += 2 * part;
        count -= part;
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
