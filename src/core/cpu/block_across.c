/* SPDX-License-Identifier: MIT */
/* A block of many channels. A vector is neighbouring channels of a frame, so samples and windows
 * stay in the order of the frames, and planes are not needed. The block takes so many channels at a
 * time that its rows are long, but not more than the caches can hold. */
#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "cpu/block_across_priv.h"
#include "cpu/planes.h"
#include "sample/strided.h"

/* ---- functions that cpu/block.c uses as well ---- */

void block_magnitudes(const struct block_plan *plan, const void *samples, size_t count, void *to)
{
    const float *floats = samples;
    const double *doubles = samples;
    float *float_to = to;
    double *double_to = to;

    for (size_t i = 0; plan->setup.value == VALUE_F32 && i < count; i++)
        float_to[i] = fabsf(floats[i]);
    for (size_t i = 0; plan->setup.value != VALUE_F32 && i < count; i++)
        double_to[i] = fabs(doubles[i]);
}

const void *block_values(const struct block_plan *plan, unsigned item, const void *low,
                         const void *high, size_t count, void *values)
{
    const enum emit emit = plan->setup.emits.item[item];
    const struct emit_windows windows = {.low = low, .high = high};

    if (block_has_side(plan, item, EMIT_MIN))
        return low;
    if (block_has_side(plan, item, EMIT_MAX) || plan->magnitudes)
        return high;
    if (plan->setup.value == VALUE_I64 || plan->setup.narrow[item])
        emit_values(&plan->setup, item, &windows, count, values);
    else
        plan->kernels->values(EMIT_COMBINE(emit), low, high, count, values);
    return values;
}

void block_keep(const struct emit_run *run, const unsigned char *windows, size_t bytes,
                unsigned char *to)
{
    const ptrdiff_t hop = (ptrdiff_t)run->setup->window.hop;

    windows += run->start * bytes;
    if (run->kept > 1 && hop > 1)
        strided_copy(windows, hop * (ptrdiff_t)bytes, to, (ptrdiff_t)bytes, run->kept, bytes);
    else
        memmove(to, windows, run->kept * bytes);
}

bool block_slides_apart(const struct block_plan *plan, const struct emit_run *run, void **low,
                        void **high)
{
    *low = NULL;
    *high = NULL;
    for (unsigned i = 0; i < plan->setup.emits.count; i++) {
        if (block_has_side(plan, i, EMIT_MIN) && *low == NULL)
            *low = run->out->item[i];
        else if ((block_has_side(plan, i, EMIT_MAX) || plan->magnitudes) && *high == NULL)
            *high = run->out->item[i];
        else
            return false;
    }
    return true;
}

/* ---- across ---- */

/* Channels of a block, the first of which has a channel state of its own. */
struct band {
    const struct block_plan *plan;
    unsigned char *scratch;
    const struct stretch *stretch;
    const struct emit_run *run;
    unsigned first;
    unsigned channels;
    size_t count;
};

/* The raw samples of the band in frame `i`, which may be negative. */
static const unsigned char *raw_at(const struct band *band, ptrdiff_t i)
{
    const struct engine_setup *setup = &band->plan->setup;
    const size_t frame = engine_in_bytes(setup) + band->stretch->gap;

    return band->stretch->frames + i * (ptrdiff_t)frame +
           band->first * sample_type_bytes(setup->sample);
}

/* Sets how many frames there are before and after the band's first one. */
static void find_frames(const struct band *band, struct across *work)
{
    const struct emit_run *run = band->run;
    const uint64_t width = band->plan->setup.window.width;

    work->have = (ptrdiff_t)band->count;
    if (!band->stretch->stateless)
        return;
    work->lead = (size_t)min_u64(run->first, width - 1);
    if (run->first + band->count > run->frames)
        work->have = (ptrdiff_t)run->frames - (ptrdiff_t)run->first;
    if (work->have < -(ptrdiff_t)work->lead)
        work->have = -(ptrdiff_t)work->lead;
}

bool block_has_values(const struct block_plan *plan, const unsigned char *frames, size_t frame)
{
    return sample_type_is_native(plan->setup.sample, plan->kernels->kind) && !plan->magnitudes &&
           (uintptr_t)frames % plan->sample_bytes == 0 && frame % plan->sample_bytes == 0;
}

/* Sets where the values of the band are. Samples that are values already stay in place. */
static void find_samples(const struct band *band, struct across *work)
{
    const struct block_plan *plan = band->plan;
    const struct engine_setup *setup = &plan->setup;
    const size_t frame = engine_in_bytes(setup) + band->stretch->gap;
    const bool whole = band->channels == setup->channels && band->stretch->gap == 0;
    const size_t row = band->channels * plan->sample_bytes;
    const size_t frames = (size_t)((ptrdiff_t)work->lead + work->have);

    if (band->stretch->frames == NULL)
        return;
    if (block_has_values(plan, band->stretch->frames, frame)) {
        work->samples = raw_at(band, 0);
        work->in_step = frame / plan->sample_bytes;
        return;
    }
    if (whole)
        plan->kernels->decode(setup->sample, raw_at(band, -(ptrdiff_t)work->lead), band->scratch,
                              frames * band->channels);
    for (size_t i = 0; !whole && i < frames; i++)
        plan->kernels->decode(setup->sample, raw_at(band, (ptrdiff_t)i - (ptrdiff_t)work->lead),
                              band->scratch + i * row, band->channels);
    if (plan->magnitudes)
        block_magnitudes(plan, band->scratch, frames * band->channels, band->scratch);
    work->samples = band->scratch + work->lead * row;
    work->in_step = band->channels;
}

static unsigned char *value_at(const struct band *band, unsigned item, size_t frame)
{
    const struct emit_out *out = band->run->out;

    return (unsigned char *)out->item[item] +
           (frame * out->frame + band->first * out->channel) * band->plan->value_bytes;
}

/* Can the sliders write straight to the results? */
static bool slides_straight(const struct block_plan *plan, const struct emit_run *run, void **low,
                            void **high)
{
    const struct emit_out *out = run->out;

    *low = out->item[0];
    *high = NULL;
    return out->together && plan->setup.emits.count > 1
               ? plan->pairs
               : out->channel == 1 && block_slides_apart(plan, run, low, high);
}

static bool find_places(const struct band *band, struct across *work)
{
    const struct block_plan *plan = band->plan;
    const struct emit_out *out = band->run->out;
    const size_t first = band->first * out->channel * plan->value_bytes;
    void *low;
    void *high;

    if (band->run->start + band->run->kept != band->count ||
        !slides_straight(plan, band->run, &low, &high))
        return false;
    if (low != NULL)
        work->low = (unsigned char *)low + first;
    if (high != NULL)
        work->high = (unsigned char *)high + first;
    work->pairs = out->together && plan->pairs;
    work->out_step = out->frame;
    work->muted = band->run->start;
    return true;
}

bool block_is_straight(const struct block_plan *plan, const struct stretch *stretch)
{
    const struct emit_run run = {.out = &stretch->out};
    void *low;
    void *high;

    return stretch->stateless && stretch->out.item[0] != NULL && plan->setup.window.hop == 1 &&
           block_has_values(plan, stretch->frames, engine_in_bytes(&plan->setup) + stretch->gap) &&
           slides_straight(plan, &run, &low, &high);
}

/* Writes the values of the windows in scratch memory. */
static void write_rows(const struct band *band)
{
    const struct block_plan *plan = band->plan;
    const struct scratch_plan *places = &plan->scratch;
    const struct emit_out *out = band->run->out;
    const unsigned emits = plan->setup.emits.count;
    const size_t step = out->together ? emits : out->channel;
    const size_t count = band->run->kept * band->channels;
    const size_t row = out->frame == step * band->channels ? count : band->channels;
    const void *values[EMIT_KINDS];

    for (unsigned i = 0; i < emits; i++)
        values[i] = block_values(plan, i, band->scratch + places->low, band->scratch + places->high,
                                 count, band->scratch + places->values + i * places->plane);
    for (size_t at = 0; at < count; at += row) {
        const size_t frame = at / band->channels;
        const void *of[EMIT_KINDS];

        for (unsigned i = 0; i < emits; i++)
            of[i] = (const unsigned char *)values[i] + at * plan->value_bytes;
        if (out->together)
            planes_join(plan->value_bytes, of, emits, row, value_at(band, 0, frame), step);
        for (unsigned i = 0; !out->together && i < emits; i++)
            planes_join(plan->value_bytes, &of[i], 1, row, value_at(band, i, frame), step);
    }
}

/* Prefetches rows that are far apart before their vectors are loaded, so that the processor detects
 * each row as a sequence. Always inline, because GCC removes calls that only prefetch. */
static inline __attribute__((always_inline)) void fetch_rows(const void *rows, size_t step,
                                                             size_t row, size_t count)
{
    enum { LINE = 64 };

    if (rows == NULL || step <= row)
        return;
    for (size_t i = 0; i < count; i++) {
        for (size_t at = 0; at < row; at += LINE)
            __builtin_prefetch((const unsigned char *)rows + i * step + at, 0, 2);
    }
}

static inline __attribute__((always_inline)) void fetch(const struct band *band,
                                                        const struct across *work)
{
    const size_t bytes = band->plan->sample_bytes;
    const size_t row = band->channels * bytes;
    const size_t rows = band->count - work->muted;
    const size_t step = work->out_step * bytes;

    fetch_rows(work->samples, work->in_step * bytes, row, band->count);
    fetch_rows(work->low, step, work->pairs ? 2 * row : row, rows);
    fetch_rows(work->high, step, row, rows);
}

static void run_band(const struct band *band, unsigned char *states)
{
    const struct block_plan *plan = band->plan;
    const struct emit_run *run = band->run;
    const bool written = run->out->item[0] != NULL && run->kept > 0;
    const size_t row = band->channels * plan->value_bytes;
    struct across work = {.channels = band->channels, .count = band->count};
    const bool straight = written && find_places(band, &work);

    find_frames(band, &work);
    find_samples(band, &work);
    if (written && !straight) {
        work.low = band->scratch + plan->scratch.low;
        work.high = band->scratch + plan->scratch.high;
        work.out_step = band->channels;
    }
    if (!band->stretch->stateless)
        fetch(band, &work);
    if (!band->stretch->stateless)
        plan->across->slide_across(states + band->first / plan->state_channels * plan->state_bytes,
                                   (size_t)plan->state_bytes, &work);
    else if (written)
        plan->across->window_across(&work, plan->setup.window.width, plan->sides, plan->setup.nan);
    if (written && !straight) {
        block_keep(run, work.low, row, work.low);
        block_keep(run, work.high, row, work.high);
        write_rows(band);
    }
    for (unsigned i = 0; written && plan->setup.window.edge == EDGE_NAN && i < band->channels; i++)
        emit_cut(run, band->first + i);
}

void block_across(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
                  const struct stretch *stretch, const struct emit_run *run, size_t count)
{
    struct band band = {plan, scratch, stretch, run, stretch->channel_first, 0, count};
    const bool whole = block_is_straight(plan, stretch);

    for (; band.first < stretch->channel_end; band.first += band.channels) {
        const unsigned left = stretch->channel_end - band.first;

        /* The last band is never shorter than a vector. */
        band.channels =
            whole || left < BLOCK_CHANNELS + plan->state_channels ? left : BLOCK_CHANNELS;
        run_band(&band, states);
    }
}
