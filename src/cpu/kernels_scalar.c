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

/* One side of a slider. The minimum is a maximum of complemented keys. */
struct side {
    uint64_t position; /* in the block, 0 .. width-1 */
    bool has_old;      /* there was a block before this one */
    int32_t prefix;
    int32_t *block;
};

struct slider {
    uint64_t width;
    unsigned sides;
    enum nan_policy policy;
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
    const struct side empty = {.prefix = KEY_BELOW, .block = slider->keys};

    slider->width = width;
    slider->sides = sides;
    slider->policy = policy;
    slider->low = empty;
    slider->high = empty;
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

/* `samples` NULL: samples that are not there. `out` NULL: only takes in; else every `stride`th
 * place is written. `low` and `policy` are constants where it counts. */
static inline void side_run(struct side *side, uint64_t width, bool low, enum nan_policy policy,
                            const float *samples, size_t count, float *out, size_t stride)
{
    int32_t *block = side->block;

    while (count > 0) {
        uint64_t left = width - side->position;
        size_t run = left < count ? (size_t)left : count;
        int32_t prefix = side->prefix;

        for (size_t i = 0; i < run; i++) {
            uint64_t position = side->position + i;
            int32_t key = KEY_BELOW;
            int32_t best;

            if (samples != NULL)
                key = low ? ~rules_low_key(samples[i], policy) : rules_high_key(samples[i], policy);
            prefix = max_key(prefix, key);
            best = prefix;
            if (side->has_old && position + 1 < width)
                best = max_key(best, block[position + 1]);
            block[position] = key;
            if (out != NULL)
                out[i * stride] = rules_from_key(low ? ~best : best);
        }
        side->prefix = prefix;
        side->position += run;
        if (side->position == width) {
            block_to_suffixes(block, width);
            side->position = 0;
            side->prefix = KEY_BELOW;
            side->has_old = true;
        }
        if (samples != NULL)
            samples += run;
        if (out != NULL)
            out += run * stride;
        count -= run;
    }
}

static void slider_run(struct slider *slider, const float *samples, size_t count, float *low,
                       float *high, size_t stride)
{
    bool omit = slider->policy == NAN_OMIT;

    if ((slider->sides & SLIDER_LOW) != 0) {
        if (omit)
            side_run(&slider->low, slider->width, true, NAN_OMIT, samples, count, low, stride);
        else
            side_run(&slider->low, slider->width, true, NAN_PROPAGATE, samples, count, low, stride);
    }
    if ((slider->sides & SLIDER_HIGH) != 0) {
        if (omit)
            side_run(&slider->high, slider->width, false, NAN_OMIT, samples, count, high, stride);
        else
            side_run(&slider->high, slider->width, false, NAN_PROPAGATE, samples, count, high,
                     stride);
    }
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

static void scalar_reduce(const float *samples, size_t count, enum nan_policy policy,
                          int32_t *low_key, int32_t *high_key)
{
    reduce_keys(samples, count, policy, low_key, high_key);
}

const struct cpu_kernels cpu_kernels_scalar = {
    .name = "scalar",
    .slider_bytes = scalar_slider_bytes,
    .slider_init = scalar_slider_init,
    .slide = scalar_slide,
    .slide_pairs = scalar_slide_pairs,
    .slide_missing = scalar_slide_missing,
    .reduce = scalar_reduce,
};
