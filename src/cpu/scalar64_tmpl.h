/* The kernels in portable C for values of 64 bits: van Herk and Gil-Werman, one sample at a time. A
 * template: compiled for each kind of such values, see cpu/kind_tmpl.h.
 *
 * The samples form blocks, each as long as a window. A window covers the end of one block and the
 * beginning of the next: it is the best of a suffix of the old block and of a prefix of the new
 * one. The suffixes of the old block and the keys of the new one share an array: a place is read
 * for the last time just before it is written. */
#ifndef GPUENV_CPU_SCALAR64_TMPL_H
#define GPUENV_CPU_SCALAR64_TMPL_H

#include <stdalign.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"
#include "cpu/reduce64_tmpl.h"
#include "cpu/values_tmpl.h"
#include "sample/sample_type.h"

struct slider {
    enum nan_policy policy;
    uint64_t width;
    uint64_t position; /* in the block */
    uint64_t first;    /* of the old block's suffixes: 1, or beyond all of them */
    kind_key prefix_low;
    kind_key prefix_high;
    kind_key *low; /* these two are NULL if not wanted, and end with a key that loses */
    kind_key *high;
    alignas(64) kind_key keys[];
};

static uint64_t scalar_slider_bytes(uint64_t width, unsigned sides)
{
    if (width > UINT64_MAX / 64)
        return UINT64_MAX;
    return sizeof(struct slider) + (sides == SLIDER_BOTH ? 2 : 1) * (width + 1) * sizeof(kind_key);
}

static void scalar_slider_init(struct slider *slider, uint64_t width, unsigned sides,
                               enum nan_policy policy)
{
    *slider = (struct slider){
        .policy = policy,
        .width = width,
        .first = width,
        .prefix_low = KIND_ABOVE,
        .prefix_high = KIND_BELOW,
        .low = (sides & SLIDER_LOW) != 0 ? slider->keys : NULL,
        .high = sides == SLIDER_BOTH  ? slider->keys + width + 1
                : sides == SLIDER_LOW ? NULL
                                      : slider->keys,
    };
    if (slider->low != NULL)
        slider->low[width] = KIND_ABOVE;
    if (slider->high != NULL)
        slider->high[width] = KIND_BELOW;
}

static void end_block(struct slider *slider)
{
    for (uint64_t i = slider->width - 1; i > 0; i--) {
        if (slider->low != NULL && slider->low[i] < slider->low[i - 1])
            slider->low[i - 1] = slider->low[i];
        if (slider->high != NULL && slider->high[i] > slider->high[i - 1])
            slider->high[i - 1] = slider->high[i];
    }
    slider->position = 0;
    slider->first = 0;
    slider->prefix_low = KIND_ABOVE;
    slider->prefix_high = KIND_BELOW;
}

/* Takes the keys of one sample, and gives those of the window that ends with it. */
static inline void slide_one(struct slider *slider, kind_key *low, kind_key *high)
{
    const uint64_t at = slider->position;
    const uint64_t old = slider->first == 0 ? at + 1 : slider->width;

    if (slider->low != NULL) {
        if (*low < slider->prefix_low)
            slider->prefix_low = *low;
        slider->low[at] = *low;
        *low = slider->low[old] < slider->prefix_low ? slider->low[old] : slider->prefix_low;
    }
    if (slider->high != NULL) {
        if (*high > slider->prefix_high)
            slider->prefix_high = *high;
        slider->high[at] = *high;
        *high = slider->high[old] > slider->prefix_high ? slider->high[old] : slider->prefix_high;
    }
    slider->position++;
    if (slider->position == slider->width)
        end_block(slider);
}

/* `samples` NULL: missing samples. Values go to every `step`-th place. */
static void slide_all(struct slider *slider, const kind_value *samples, size_t count,
                      kind_value *low, kind_value *high, size_t step)
{
    for (size_t i = 0; i < count; i++) {
        kind_key low_key = KIND_ABOVE;
        kind_key high_key = KIND_BELOW;

        if (samples != NULL) {
            low_key = kind_low_key(samples[i], slider->policy);
            high_key = kind_high_key(samples[i], slider->policy);
        }
        slide_one(slider, &low_key, &high_key);
        if (low != NULL && slider->low != NULL)
            low[i * step] = kind_from_key(low_key);
        if (high != NULL && slider->high != NULL)
            high[i * step] = kind_from_key(high_key);
    }
}

static void scalar_slide(struct slider *slider, const void *samples, size_t count, void *low,
                         void *high)
{
    slide_all(slider, samples, count, low, high, 1);
}

static void scalar_slide_pairs(struct slider *slider, const void *samples, size_t count,
                               void *pairs)
{
    slide_all(slider, samples, count, pairs, (kind_value *)pairs + 1, 2);
}

static void scalar_slide_missing(struct slider *slider, size_t count, void *low, void *high)
{
    slide_all(slider, NULL, count, low, high, 1);
}

static void scalar_decode(struct sample_type type, const void *raw, void *samples, size_t count)
{
    sample_decode(type, KIND, raw, samples, count);
}

#define SCALAR64_KERNELS                                                                           \
    {                                                                                              \
        .name = "scalar", .kind = KIND, .slider_bytes = scalar_slider_bytes,                       \
        .slider_init = scalar_slider_init, .slide = scalar_slide,                                  \
        .slide_pairs = scalar_slide_pairs, .slide_missing = scalar_slide_missing,                  \
        .extremes = extremes_keys, .values = values_make, .decode = scalar_decode,                 \
        .leaf_stats = leaf_add, .clean = values_clean, .find = values_find, .reach = values_reach, \
    }

#endif
