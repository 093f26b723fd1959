/* The kernels in portable C: van Herk and Gil-Werman, one sample at a time.
 *
 * The stream is cut into blocks of `width` samples. A window covers the end of one block and
 * the beginning of the next, so its maximum is that of a suffix of the old block and a prefix of
 * the new one: three comparisons a sample, whatever the width. The suffixes of the old block and
 * the samples of the new one share one array: place i is read for the last time just
 * before sample i is put there. */
#include <stdalign.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/reduce.h"
#include "cpu/sums.h"
#include "cpu/values.h"

enum {
    PIECE = 256, /* keys at a time */
};

/* One side of a slider. The minimum is a maximum of complemented keys. */
struct side {
    uint64_t position; /* in the block, 0 .. width-1 */
    bool has_old;      /* there was a block before this one */
    int32_t prefix;
    int32_t complement; /* -1 for the minimum, 0 for the maximum */
    int32_t nan_key;    /* the one that wins or the one that loses */
    int32_t *block;
};

struct slider {
    uint64_t width;
    unsigned sides;
    struct side low;
    struct side high;
    alignas(64) int32_t keys[];
};

static uint64_t scalar_slider_bytes(uint64_t width, unsigned sides)
{
    uint64_t blocks = sides == SLIDER_BOTH ? 2 : 1;

    if (width > UINT64_MAX / 32)
        return UINT64_MAX;
    return sizeof(struct slider) + blocks * width * sizeof(int32_t);
}

static void scalar_slider_init(struct slider *slider, uint64_t width, unsigned sides,
                               enum nan_policy policy)
{
    const struct side empty = {
        .prefix = KEY_BELOW,
        .nan_key = policy == NAN_OMIT ? KEY_BELOW : KEY_ABOVE,
        .block = slider->keys,
    };

    slider->width = width;
    slider->sides = sides;
    slider->low = empty;
    slider->high = empty;
    slider->low.complement = -1;
    if (sides == SLIDER_BOTH)
        slider->high.block += width;
}

static inline int32_t max_key(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void block_to_suffixes(int32_t *block, uint64_t width)
{
    int32_t suffix = block[width - 1];

    for (uint64_t i = width - 1; i-- > 0;) {
        suffix = max_key(suffix, block[i]);
        block[i] = suffix;
    }
}

/* The rules of window/rules.h without branches, which compilers make vectors of. */
static void keys_of(const struct side *side, const float *samples, size_t count, int32_t *keys)
{
    int32_t complement = side->complement;
    int32_t nan_key = side->nan_key;

    for (size_t i = 0; i < count; i++) {
        int32_t bits = (int32_t)rules_bits(samples[i]);
        int32_t key = bits ^ ((bits >> 31) & INT32_MAX) ^ complement;
        int32_t nan = -((bits & INT32_MAX) > 0x7f800000);

        keys[i] = (key & ~nan) | (nan_key & nan);
    }
}

static void values_of(const struct side *side, const int32_t *keys, size_t count, float *out,
                      size_t stride)
{
    int32_t complement = side->complement;

    for (size_t i = 0; i < count; i++)
        out[i * stride] = rules_from_key(keys[i] ^ complement);
}

/* Puts the best of each window in the place of its last key. None of the keys is the last of its
 * block: that one has no suffix beside it. */
static int32_t slide_within(bool has_old, int32_t *restrict block, int32_t prefix,
                            int32_t *restrict keys, size_t count)
{
    for (size_t i = 0; has_old && i < count; i++) {
        int32_t key = keys[i];

        prefix = max_key(prefix, key);
        keys[i] = max_key(prefix, block[i + 1]);
        block[i] = key;
    }
    for (size_t i = 0; !has_old && i < count; i++) {
        block[i] = keys[i];
        prefix = max_key(prefix, keys[i]);
        keys[i] = prefix;
    }
    return prefix;
}

static void slide_keys(struct side *side, uint64_t width, int32_t *keys, size_t count)
{
    while (count > 0) {
        uint64_t left = width - side->position;
        size_t run = left < count ? (size_t)left : count;
        size_t within = run == left ? run - 1 : run;
        int32_t *block = side->block + side->position;

        side->prefix = slide_within(side->has_old, block, side->prefix, keys, within);
        side->position += run;
        if (run > within) {
            block[within] = keys[within];
            keys[within] = max_key(side->prefix, keys[within]);
            block_to_suffixes(side->block, width);
            side->position = 0;
            side->prefix = KEY_BELOW;
            side->has_old = true;
        }
        keys += run;
        count -= run;
    }
}

/* `samples` NULL: samples that are not there. `out` NULL: only takes in; else every `stride`th
 * place is written. */
static void side_run(struct side *side, uint64_t width, const float *samples, size_t count,
                     float *out, size_t stride)
{
    int32_t keys[PIECE] = {0};

    for (size_t at = 0; at < count; at += PIECE) {
        size_t piece = count - at < PIECE ? count - at : PIECE;

        if (samples != NULL)
            keys_of(side, samples + at, piece, keys);
        for (size_t i = 0; samples == NULL && i < piece; i++)
            keys[i] = KEY_BELOW;
        slide_keys(side, width, keys, piece);
        if (out != NULL)
            values_of(side, keys, piece, out + at * stride, stride);
    }
}

static void slider_run(struct slider *slider, const float *samples, size_t count, float *low,
                       float *high, size_t stride)
{
    if ((slider->sides & SLIDER_LOW) != 0)
        side_run(&slider->low, slider->width, samples, count, low, stride);
    if ((slider->sides & SLIDER_HIGH) != 0)
        side_run(&slider->high, slider->width, samples, count, high, stride);
}

static void scalar_slide(struct slider *slider, const float *samples, size_t count, float *low,
                         float *high)
{
    slider_run(slider, samples, count, low, high, 1);
}

static void scalar_slide_pairs(struct slider *slider, const float *samples, size_t count,
                               float *pairs)
{
    slider_run(slider, samples, count, pairs, pairs + 1, 2);
}

static void scalar_slide_missing(struct slider *slider, size_t count, float *low, float *high)
{
    slider_run(slider, NULL, count, low, high, 1);
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
