/* SPDX-License-Identifier: MIT */
/* The fast kernels: the *comb*, one algorithm for every instruction set. It is named after its
 * windows, each made of spans that lie one vector apart, like the teeth of a comb.
 *
 * A template: each kernels_<isa>.h defines vectors (comb_slider_tmpl.h lists what is needed), and
 * kernels.c.in becomes a file for each instruction set and kind of values. It includes the vectors
 * and this file, which defines the functions of its kernel table. Below, V is VEC_LANES and w the
 * width.
 *
 * 1. Keys. Samples become the keys of window/rules.h in two or three integer operations. On keys,
 * integer minimum and maximum give equal bits on all machines. Minimum and maximum of floats do
 * not: machines differ on NaN and on the sign of zero.
 *
 * 2. Spans (comb_spans_tmpl.h). The span of a lane is the best of the last few samples up to that
 * lane. Let M_n be the best of the last n samples. M_2n is the better of M_n and of M_n shifted by
 * n lanes, with lanes of the previous vector shifted in. log2 V doublings give M_V. One more shift,
 * by r = w mod V, gives M_(V+r), since the two M_V may overlap. When w < V, doublings and one
 * overlap give M_w, the window itself.
 *
 * 3. Join (comb_join_tmpl.h). When w >= V, the window is the best of q = floor(w/V) spans at the
 * same lane: of this vector and of the q-1 before it. They lie V samples apart and reach V+r back,
 * so they cover (q-1)V + V+r = w samples. That is a running maximum over q whole vectors, without
 * any shift. For a small q, all spans are read; a larger one uses van Herk and Gil-Werman, whose
 * cost does not depend on q.
 *
 * Every lane only looks back, so an output is known as soon as its sample is. An incomplete vector
 * is computed for the outputs of its first lanes; only its samples are kept until it is complete.
 *
 * NaN costs extra only where it occurs (and -infinity on some processors, see vec_keys_tmpl.h).
 * Each batch of samples is checked first. If it has no NaN and none is in reach, the *plain*
 * functions process it. Without NaN, vec_key() gives the key that window/rules.h defines. No window
 * ends as KEY_BELOW or KEY_ABOVE, because in slide() each contains a number, and missing samples
 * before the stream lose against it. So no output is NaN, and vec_value() alone turns a key back
 * into its float.
 *
 * Otherwise the *special* functions apply all the rules. A NaN in vector t is in windows that end
 * at most V-1 + w-1 samples after the first sample of t, so no later than in vector t + w/V + 1.
 * For both sides the plain functions also rely on equal keys of the last vector, which it has if it
 * had no NaN. So the first vector of a stream is special there. */
#ifndef GPUENV_CPU_COMB_TMPL_H
#define GPUENV_CPU_COMB_TMPL_H

#include <string.h>

#include "base/min_max.h"
#include "cpu/boxes_tmpl.h"
#include "cpu/comb_join_tmpl.h"
#include "cpu/comb_slider_tmpl.h"
#include "cpu/comb_spans_tmpl.h"
#include "cpu/comb_windows_tmpl.h"
#include "cpu/extremes_tmpl.h"
#include "cpu/kernels.h"
#include "cpu/places_tmpl.h"
#ifndef KIND_COMPACT
#include "cpu/values_tmpl.h"
#endif
/* Vectors of the baseline decode as sample/decode.c does; integers of 64 bits wait for memory. */
#if !defined(KIND_COMPACT) && !defined(KIND_I64) && !defined(VEC_BASELINE)
#define COMB_DECODES
#include "sample/decode_tmpl.h"
#endif

#ifdef KIND_IS_INTEGER
#define leaf_add NULL
#define leaf_window NULL
#define leaf_window_sums NULL
#define leaf_deviations NULL
#elif !defined(KIND_COMPACT)
#include "cpu/leaf_stats_tmpl.h"
#endif

/* The sizes that follow from a width. */
struct comb_shape {
    unsigned spans; /* index in comb_spans_functions */
    unsigned turn;
    uint64_t block;
    uint64_t slots;
    uint64_t strips;
};

static void comb_shape_ring(struct comb_shape *shape)
{
    if (shape->block <= NEAR) {
        shape->slots = shape->block - 1 + BATCH;
    } else {
        shape->slots = (shape->block + BATCH + BATCH - 1) / BATCH * BATCH;
        shape->strips = (shape->block + STRIP - 1) / STRIP;
    }
}

static struct comb_shape comb_shape_for(uint64_t width)
{
    struct comb_shape shape = {.block = 1};

    if (width >= VEC_LANES) {
        shape.block = width / VEC_LANES;
        shape.turn = (unsigned)(width % VEC_LANES);
        shape.spans = shape.turn == 0 ? SPANS_WHOLE : VEC_LOG;
    } else if (width > 1) {
        while (width > UINT64_C(2) << shape.spans)
            shape.spans++;
        shape.turn = (unsigned)(width - (UINT64_C(1) << shape.spans));
    }
    comb_shape_ring(&shape);
    return shape;
}

/* A window across channels is one span of each of its frames. */
static struct comb_shape comb_shape_across(uint64_t width)
{
    struct comb_shape shape = {.spans = SPANS_KEYS, .block = width};

    comb_shape_ring(&shape);
    return shape;
}

static uint64_t comb_bytes(const struct comb_shape *shape, unsigned sides)
{
    const bool single = sides == SLIDER_LOW || sides == SLIDER_HIGH;
    uint64_t slot = sizeof(kind_key) * VEC_LANES * (single ? 1 : 2);

    if (shape->slots > UINT64_MAX / 4 / slot)
        return UINT64_MAX;
    return sizeof(struct slider) + (shape->slots + shape->strips) * slot;
}

static uint64_t comb_slider_bytes(uint64_t width, unsigned sides)
{
    const struct comb_shape shape = comb_shape_for(width);

    return width > UINT64_MAX / 32 ? UINT64_MAX : comb_bytes(&shape, sides);
}

static uint64_t comb_across_bytes(uint64_t width, unsigned sides)
{
    const struct comb_shape shape = comb_shape_across(min_u64(width, UINT64_MAX / 32));

    return width > UINT64_MAX / 32 ? UINT64_MAX : comb_bytes(&shape, sides);
}

/* The maximum is the complement of the minimum of the complements, so the low side serves both,
 * with other keys, for integers and places. Floats would take longer. */
static enum comb_kind comb_kind_of(unsigned sides)
{
    if ((sides & SLIDER_BOTH) == SLIDER_BOTH)
        return KIND_PLANES;
    if ((sides & SLIDER_PLACES) != 0)
        return KIND_PLACES;
    return KIND_HAS_NAN && sides == SLIDER_HIGH ? KIND_HIGH : KIND_LOW;
}

/* The key of 0 for these sides. */
static kind_key comb_middle(unsigned sides, kind_key middle)
{
    return (kind_key)((sides & SLIDER_BOTH) == SLIDER_HIGH ? ~middle : middle);
}

/* Sets what the second stage and both kinds of sliders need. */
static void comb_init(struct slider *slider, const struct comb_shape *shape, unsigned sides,
                      enum nan_policy policy, kind_key middle)
{
    const enum comb_kind kind = comb_kind_of(sides);
    const struct both nan = both_nan(policy);

    slider->kind = kind;
    slider->sides = sides;
    slider->doublings = shape->spans < SPANS_WHOLE ? shape->spans : VEC_LOG;
    slider->turned = shape->spans < SPANS_WHOLE;
    slider->missing = false;
    slider->spans = comb_spans_functions[shape->spans][kind];
    slider->block = shape->block;
    slider->slots = shape->slots;
    slider->head = 0;
    slider->fill = 0;
    slider->first_block = true;
    vec_store(slider->middle, vec_all(comb_middle(sides, middle)));
    vec_store(slider->nan_low, nan.low);
    vec_store(slider->nan_high, nan.high);
    both_store(slider->none, both_none(kind), kind);
    both_store(slider->best, both_none(kind), kind);
    both_store(slider->strips_best, both_none(kind), kind);
    for (uint64_t i = 1; shape->block <= NEAR && i < shape->block; i++)
        both_store(slider->ring + (i - 1) * SLOT(kind), both_none(kind), kind);
}

/* `middle` is the key of 0. */
static void comb_slider_make(struct slider *slider, uint64_t width, unsigned sides,
                             enum nan_policy policy, kind_key middle)
{
    const struct comb_shape shape = comb_shape_for(width);

    comb_init(slider, &shape, sides, policy, middle);
    slider->special = slider->kind == KIND_PLANES;
    slider->reach = width / VEC_LANES + 1;
    slider->waiting_count = 0;
    memset(slider->waiting, 0, sizeof slider->waiting);
    vec_turn_set(slider->turn, shape.turn);
    for (unsigned i = 0; i < LEVELS_MOST; i++)
        both_store(slider->level[i], both_none(slider->kind), slider->kind);
    for (unsigned i = 0; i < VEC_LANES; i++)
        slider->place[i] = (kind_key)i;
}

/* Nothing is shifted, so the first vector is not special unless it has a NaN. */
static void comb_across_make(struct slider *slider, uint64_t width, unsigned sides,
                             enum nan_policy policy, kind_key middle)
{
    const struct comb_shape shape = comb_shape_across(width);

    comb_init(slider, &shape, sides, policy, middle);
    slider->special = 0;
    slider->reach = width + 1;
}

/* Where vectors are, `step` values apart, and where their outputs go, `outputs` values apart. */
struct comb_ways {
    const kind_value *samples; /* across channels, NULL stands for missing samples */
    size_t step;
    kind_value *low;
    kind_value *high;
    size_t outputs;
};

/* Passes whole vectors through the stages. If `keep` is false, there is one incomplete vector, and
 * only its outputs are wanted. `ways` moves on instead of a copy: copying a struct that has just
 * been written takes as long as a vector. */
static void comb_pass(struct slider *slider, struct comb_ways *ways, size_t vectors,
                      enum comb_kind kind, bool keep)
{
    const bool far = slider->block > NEAR;
    const size_t slot = SLOT(kind);

    while (vectors > 0) {
        size_t count = vectors < BATCH ? vectors : BATCH;
        size_t at = far ? slider->head : slider->block - 1;
        kind_key *spans = slider->ring + at * slot;
        const kind_key *soon = spans;
        bool nan;
        bool special;

        if (far) {
            if (count > slider->slots - at)
                count = slider->slots - at;
            soon = slider->ring + far_old_slot(slider, at) * slot;
        }
        nan = ways->samples != NULL && vec_any_nan(ways->samples, ways->step, count);
        if (!nan && slider->special > 0)
            count = (size_t)min_u64(count, slider->special);
        special = nan || slider->special > 0 || slider->missing;
        slider->spans[special](slider, ways->samples, ways->step, count, spans, soon, keep);
        comb_join_functions[far][special][kind](slider, spans, count, ways->low, ways->high,
                                                ways->outputs, keep);
        if (!keep)
            return;
        if (!far)
            memmove(slider->ring, slider->ring + count * slot, at * slot * sizeof(kind_key));
        slider->special = nan ? slider->reach : slider->special - min_u64(slider->special, count);
        if (ways->samples != NULL)
            ways->samples += count * ways->step;
        ways->low += count * ways->outputs;
        ways->high += count * ways->outputs;
        vectors -= count;
    }
}

/* Passes up to one vector, made of the waiting samples and `count` more. */
static void comb_pass_part(struct slider *slider, const kind_value *samples, size_t count,
                           kind_value *low, kind_value *high, enum comb_kind kind)
{
    const size_t begin = slider->waiting_count;
    const bool full = begin + count == VEC_LANES;
    const size_t each = OUTPUTS(kind) / VEC_LANES;
    kind_value a[2 * VEC_LANES];
    kind_value b[VEC_LANES];
    struct comb_ways ways = {.samples = slider->waiting,
                             .step = VEC_LANES,
                             .low = kind == KIND_HIGH ? b : a,
                             .high = b,
                             .outputs = OUTPUTS(kind)};

    memcpy(slider->waiting + begin, samples, count * sizeof(kind_value));
    comb_pass(slider, &ways, 1, kind, full);
    if (kind != KIND_HIGH)
        memcpy(low, a + begin * each, count * each * sizeof(kind_value));
    if (KIND_HAS_HIGH(kind) && kind != KIND_PAIRS)
        memcpy(high, b + begin, count * sizeof(kind_value));
    slider->waiting_count = full ? 0 : (unsigned)(begin + count);
    /* A NaN that has left the vector would make the next part special. */
    if (full)
        memset(slider->waiting, 0, sizeof slider->waiting);
}

static void comb_feed(struct slider *slider, const kind_value *samples, size_t count,
                      kind_value *low, kind_value *high, enum comb_kind kind)
{
    const size_t each = OUTPUTS(kind) / VEC_LANES;

    while (count > 0) {
        size_t part = VEC_LANES - slider->waiting_count;

        if (part == VEC_LANES && count >= VEC_LANES) {
            struct comb_ways ways = {samples, VEC_LANES, low, high, OUTPUTS(kind)};

            part = count / VEC_LANES * VEC_LANES;
            comb_pass(slider, &ways, count / VEC_LANES, kind, true);
        } else {
            part = (size_t)min_u64(part, count);
            comb_pass_part(slider, samples, part, low, high, kind);
        }
        samples += part;
        low += part * each;
        high += part * each;
        count -= part;
    }
}

static void comb_slide_pairs(struct slider *slider, const void *samples, size_t count, void *pairs)
{
    comb_feed(slider, samples, count, pairs, pairs, KIND_PAIRS);
}

static void comb_slide(struct slider *slider, const void *values, size_t count, void *lows,
                       void *highs)
{
    const kind_value *samples = values;
    kind_value *low = lows;
    kind_value *high = highs;
    kind_value sink[SINK]; /* receives the side that is not wanted */

    if (slider->sides == SLIDER_LOW)
        high = low;
    if (slider->sides == SLIDER_HIGH)
        low = high;
    if (low != NULL && high != NULL) {
        comb_feed(slider, samples, count, low, high, slider->kind);
        return;
    }
    while (count > 0) {
        size_t part = count < SINK ? count : SINK;

        comb_feed(slider, samples, part, low == NULL ? sink : low, high == NULL ? sink : high,
                  slider->kind);
        samples += part;
        if (low != NULL)
            low += part;
        if (high != NULL)
            high += part;
        count -= part;
    }
}

/* From here on a NaN represents a missing sample; the waiting samples keep their meaning. */
static void comb_begin_missing(struct slider *slider)
{
    for (unsigned i = slider->waiting_count; i < VEC_LANES; i++) {
        slider->nan_low[i] = COMB_ABOVE;
        slider->nan_high[i] = COMB_BELOW;
    }
    slider->missing = true;
}

static void comb_slide_missing(struct slider *slider, size_t count, void *lows, void *highs)
{
    kind_value *low = lows;
    kind_value *high = highs;
    kind_value samples[4 * VEC_LANES];

    for (unsigned i = 0; i < 4 * VEC_LANES; i++)
        samples[i] = kind_from_bits(KIND_NAN_BITS);
    if (!slider->missing)
        comb_begin_missing(slider);
    while (count > 0) {
        size_t part = VEC_LANES - slider->waiting_count;

        if (slider->waiting_count == 0) {
            comb_begin_missing(slider);
            part = 4 * VEC_LANES;
        }
        part = (size_t)min_u64(part, count);
        comb_slide(slider, samples, part, low, high);
        if (low != NULL)
            low += part;
        if (high != NULL)
            high += part;
        count -= part;
    }
}

/* Slides over one vector of channels. If there is no place for outputs, `sink` receives them. */
static void comb_slide_column(struct slider *slider, const struct across *work,
                              struct comb_ways *ways, kind_value *sink)
{
    const enum comb_kind kind = work->pairs ? KIND_PAIRS : slider->kind;
    const size_t muted = work->low == NULL && work->high == NULL ? work->count : work->muted;

    if (work->samples == NULL)
        slider->missing = true;
    if (slider->sides == SLIDER_HIGH)
        ways->low = ways->high;
    if (muted > 0) {
        struct comb_ways mute = {ways->samples, ways->step, sink, sink, 0};

        comb_pass(slider, &mute, muted, kind, true);
        ways->samples = mute.samples;
    }
    if (work->count > muted)
        comb_pass(slider, ways, work->count - muted, kind, true);
}

/* The last vector overlaps the one before it if the channels are no multiple of a vector. */
static void comb_slide_across(void *sliders, size_t slider_bytes, const struct across *work)
{
    const kind_value *samples = work->samples;
    kind_value *low = work->low;
    kind_value *high = work->high;
    kind_value sink[2 * VEC_LANES];
    unsigned char *slider = sliders;
    size_t each = work->pairs ? 2 : 1;

    for (size_t at = 0; at < work->channels; at += VEC_LANES, slider += slider_bytes) {
        const size_t first = at + VEC_LANES <= work->channels ? at : work->channels - VEC_LANES;
        struct comb_ways ways = {.step = work->in_step, .outputs = work->out_step};

        if (samples != NULL)
            ways.samples = samples + first;
        if (low != NULL)
            ways.low = low + first * each;
        ways.high = high != NULL ? high + first * each : ways.low;
        if (low == NULL)
            ways.low = ways.high;
        comb_slide_column((struct slider *)(void *)slider, work, &ways, sink);
    }
}

static void comb_window_across_by(const struct across *work, uint64_t width, unsigned sides,
                                  enum nan_policy policy, kind_key middle)
{
    const enum comb_kind kind = comb_kind_of(sides);
    struct windows windows = {
        .work = work,
        .keying = {vec_all(comb_middle(sides, middle)), both_nan(policy)},
        .low = sides == SLIDER_HIGH ? work->high : work->low,
    };
    const size_t most = min_u64(width, windows_most(work, kind));

    windows.high = kind == KIND_PLANES ? work->high : windows.low;
    for (size_t i = work->muted; i < work->count; i += windows.count) {
        windows.count = min_u64(most, work->count - i);
        windows.first = (ptrdiff_t)i;
        windows.begin = windows.first - (ptrdiff_t)width + 1;
        comb_windows_functions[kind](&windows);
        windows.low += windows.count * work->out_step;
        windows.high += windows.count * work->out_step;
    }
}

/* The functions of a table for its kind of values; `middle` is the key of 0. */
#define COMB_BEGIN(sign, middle)                                                                   \
    BOXES_BEGIN(sign, middle)                                                                      \
    static void comb_slider_init_##sign(struct slider *slider, uint64_t width, unsigned sides,     \
                                        enum nan_policy policy)                                    \
    {                                                                                              \
        comb_slider_make(slider, width, sides, policy, middle);                                    \
    }                                                                                              \
    static void comb_across_init_##sign(struct slider *slider, uint64_t width, unsigned sides,     \
                                        enum nan_policy policy)                                    \
    {                                                                                              \
        comb_across_make(slider, width, sides, policy, middle);                                    \
    }                                                                                              \
    static void comb_window_across_##sign(const struct across *work, uint64_t width,               \
                                          unsigned sides, enum nan_policy policy)                  \
    {                                                                                              \
        comb_window_across_by(work, width, sides, policy, middle);                                 \
    }

#define COMB_SLIDER(isa, kind_of, sign)                                                            \
    .name = #isa, .kind = (kind_of), .slider_bytes = comb_slider_bytes,                            \
    .slider_init = comb_slider_init_##sign, .slide = comb_slide, .slide_pairs = comb_slide_pairs,  \
    .slide_missing = comb_slide_missing, .lanes = VEC_LANES, .across_bytes = comb_across_bytes,    \
    .across_init = comb_across_init_##sign, .slide_across = comb_slide_across,                     \
    .window_across = comb_window_across_##sign, .frames = places_frames,                           \
    .extremes = extremes_##sign, .decode = comb_decode, .keys = boxes_keys_##sign,                 \
    .best = keys_best, .stacks = boxes_stacks_##sign

COMB_BEGIN(plain, 0)

#ifdef KIND_COMPACT

/* Only samples at an odd address are copied. */
static void comb_decode(struct sample_type type, const void *raw, void *samples, size_t count)
{
    memcpy(samples, raw, count * sample_type_bytes(type));
}

/* The tables of a file: one, or those for signed and for unsigned integers. */
#ifdef KIND_IS_INTEGER
COMB_BEGIN(unsigned, KIND_BELOW)

#define COMB_KERNELS(isa, suffix)                                                                  \
    const struct cpu_kernels cpu_kernels_##isa##_##suffix[] = {                                    \
        {COMB_SLIDER(isa, KIND, plain)},                                                           \
        {COMB_SLIDER(isa, KIND_UNSIGNED, unsigned)},                                               \
    };
#else
#define COMB_KERNELS(isa, suffix)                                                                  \
    const struct cpu_kernels cpu_kernels_##isa##_##suffix[] = {{COMB_SLIDER(isa, KIND, plain)}};
#endif

#else

static void comb_decode(struct sample_type type, const void *raw, void *samples, size_t count)
{
#ifdef COMB_DECODES
    const struct decode_work work = decode_work_make(type, raw, 1, samples, count);

    decode_any(KIND, true, &work);
#else
    sample_decode(type, KIND, raw, samples, count);
#endif
}

#define COMB_KERNELS(isa, suffix)                                                                  \
    const struct cpu_kernels cpu_kernels_##isa##_##suffix[] = {{                                   \
        COMB_SLIDER(isa, KIND, plain),                                                             \
        .values = values_make,                                                                     \
        .leaf_stats = leaf_add,                                                                    \
        .window_stats = leaf_window,                                                               \
        .window_sums = leaf_window_sums,                                                           \
        .deviations = leaf_deviations,                                                             \
        .clean = values_clean,                                                                     \
        .find = values_find,                                                                       \
        .reach = values_reach,                                                                     \
        .within = values_within,                                                                   \
    }};

#endif

#endif
