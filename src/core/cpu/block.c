/* SPDX-License-Identifier: MIT */
#include "cpu/block.h"

#include "base/min_max.h"
#include "cpu/block_across_priv.h"
#include "cpu/hopper_priv.h"
#include "cpu/planes.h"
#include "cpu/positions_priv.h"
#include "engine/presence_priv.h"

/* ---- channel states ---- */

static void *state_of(const struct block_plan *plan, unsigned char *states, unsigned channel)
{
    return states + (size_t)plan->state_bytes * channel;
}

static struct presence *presence_of(const struct block_plan *plan, unsigned char *states,
                                    unsigned channel)
{
    unsigned char *state = state_of(plan, states, channel);

    return (struct presence *)(void *)(state + plan->presence);
}

void block_start(const struct block_plan *plan, unsigned char *states, uint64_t first)
{
    const struct engine_setup *setup = &plan->setup;

    for (unsigned i = 0; i < block_states(plan); i++) {
        void *state = state_of(plan, states, i);

        if (plan->across != NULL)
            plan->across->across_init(state, setup->window.width, plan->sides, setup->nan);
        else if (plan->sums)
            tally_init(state, setup, first);
        else if (plan->hops)
            hopper_init(state, plan->kernels, &setup->window, setup->nan,
                        plan->finds ? plan->sides : 0, first);
        else if (plan->finds)
            positions_init(state, plan->kernels, setup->window.width, plan->sides, setup->nan,
                           first);
        else
            plan->kernels->slider_init(state, setup->window.width, plan->sides, setup->nan);
        if (setup->least > 0)
            presence_start(presence_of(plan, states, i), setup->window.width);
    }
}

void block_jump(const struct block_plan *plan, unsigned char *states, uint64_t to)
{
    /* Sliders do not depend on the position in the stream. */
    for (unsigned i = 0; plan->hops && i < plan->setup.channels; i++)
        hopper_jump(state_of(plan, states, i), to);
    for (unsigned i = 0; plan->sums && i < plan->setup.channels; i++)
        tally_jump(state_of(plan, states, i), &plan->setup.window, to);
}

/* Where the windows of one channel go, the `index`th of a group: all but those in `skipped` bytes.
 */
static struct windows_found windows_at(const struct scratch_plan *at, unsigned char *scratch,
                                       unsigned index, size_t skipped)
{
    unsigned char *const from = scratch + index * at->plane + skipped;
    unsigned char *const places = from + at->places + index * at->plane;

    return (struct windows_found){{from + at->low, from + at->high}, {places, places + at->plane}};
}

/* Passes one channel's samples through its state. Afterwards `to` holds the `run->kept` windows
 * that are written; with a hop of 1, the first `run->start` others stay before them. If its arrays
 * are NULL, only the state is updated. */
static void state_run(const struct block_plan *plan, void *state, const struct emit_run *run,
                      const void *samples, size_t count, const struct windows_found *to)
{
    void *low = to->extremes[0];
    void *high = to->extremes[1];

    if (plan->hops) {
        hopper_run(state, samples, count, to);
        return;
    }
    if (plan->finds)
        positions_slide(state, plan->kernels, samples, count, to);
    else if (samples == NULL)
        plan->kernels->slide_missing(state, count, low, high);
    else
        plan->kernels->slide(state, samples, count, low, high);
    if (low == NULL || run->kept == count || plan->setup.window.hop == 1)
        return;
    for (unsigned i = 0; i < 2; i++) {
        if ((plan->sides & (i == 0 ? SLIDER_LOW : SLIDER_HIGH)) == 0)
            continue;
        block_keep(run, to->extremes[i], plan->sample_bytes, to->extremes[i]);
        if (plan->finds)
            block_keep(run, to->places[i], plan->sample_bytes, to->places[i]);
    }
}

/* ---- samples in ---- */

/* All channels of `count` frames as interleaved values. Frames that have values already stay in
 * place. */
static const void *values_of(const struct block_plan *plan, unsigned char *scratch,
                             const unsigned char *frames, size_t count)
{
    const struct engine_setup *setup = &plan->setup;

    if (sample_type_is_native(setup->sample, plan->kernels->kind) &&
        (uintptr_t)frames % plan->sample_bytes == 0)
        return frames;
    if (value_is_compact(plan->kernels->kind))
        sample_decode(setup->sample, plan->kernels->kind, frames, scratch, count * setup->channels);
    else
        plan->kernels->decode(setup->sample, frames, scratch, count * setup->channels);
    return scratch;
}

/* Makes planes of up to PLANES_GROUP channels from `first` on. It takes them from `values`, or from
 * the raw frames if the plan is wide. */
static void samples_of(const struct block_plan *plan, unsigned char *scratch,
                       const unsigned char *frames, const void *values, unsigned first,
                       unsigned channels, size_t count, const void *samples[])
{
    struct sample_type type = plan->setup.sample;
    unsigned all = plan->setup.channels;
    void *plane[PLANES_GROUP];

    for (unsigned i = 0; i < channels; i++) {
        plane[i] = scratch + plan->scratch.samples + i * plan->scratch.plane;
        samples[i] = frames == NULL ? NULL : plane[i];
    }
    if (frames == NULL)
        return;
    if (all == 1)
        samples[0] = values;
    else if (values != NULL)
        planes_split(plan->sample_bytes, (const unsigned char *)values + first * plan->sample_bytes,
                     all, channels, count, plane);
    for (unsigned i = 0; values == NULL && i < channels; i++)
        sample_decode_strided(type, plan->kernels->kind,
                              frames + (first + i) * sample_type_bytes(type), all, plane[i], count);
    for (unsigned i = 0; plan->magnitudes && i < channels; i++) {
        block_magnitudes(plan, samples[i], count, plane[i]);
        samples[i] = plane[i];
    }
}

/* ---- values out ---- */

/* The plane with the values of one emit. */
static const void *value_plane(const struct block_plan *plan, const struct emit_run *run,
                               const void *state, unsigned item, const struct windows_found *found,
                               void *values)
{
    const enum emit emit = plan->setup.emits.item[item];

    if (!emit_is_position(emit))
        return block_values(plan, item, found->extremes[0], found->extremes[1], run->kept, values);
    positions_frames(plan->hops ? 0 : ((const struct positions *)state)->first, plan->kernels, run,
                     emit, found, values);
    return values;
}

/* Where the first value of an emit of a channel goes. */
static unsigned char *value_at(const struct block_plan *plan, const struct emit_run *run,
                               unsigned item, unsigned channel)
{
    return (unsigned char *)run->out->item[item] + channel * run->out->channel * plan->value_bytes;
}

/* Writes the output frames of `channels` channels whose minima and maxima are in scratch memory. */
static void write_frames(const struct block_plan *plan, unsigned char *states,
                         unsigned char *scratch, const struct emit_run *run, unsigned first,
                         unsigned channels)
{
    const unsigned emits = plan->setup.emits.count;
    const struct scratch_plan *at = &plan->scratch;
    const struct emit_out *out = run->out;
    const unsigned group = out->channel == 1 ? channels : 1; /* neighbours in an array */
    const void *planes[PLANES_GROUP * EMIT_KINDS];           /* in the order of the output */
    const size_t skipped = plan->hops || plan->setup.window.hop > 1 ? 0 : run->start;
    unsigned char *values = scratch + at->values;

    for (unsigned i = 0; i < channels; i++) {
        const struct windows_found found = windows_at(at, scratch, i, skipped * plan->sample_bytes);

        for (unsigned j = 0; j < emits; j++, values += at->value)
            planes[out->together ? i * emits + j : j * channels + i] =
                value_plane(plan, run, state_of(plan, states, first + i), j, &found,
                            out->frame == 1 ? value_at(plan, run, j, first + i) : values);
    }
    if (out->together)
        planes_join(plan->value_bytes, planes, channels * emits, run->kept,
                    value_at(plan, run, 0, first), out->frame);
    for (unsigned i = 0; !out->together && i < channels * emits; i += group)
        planes_join(plan->value_bytes, &planes[i], group, run->kept,
                    value_at(plan, run, i / channels, first + i % channels), out->frame);
}

/* Writes the output frames of several channels whose sliders give the pairs that are written, which
 * is faster than joining minima and maxima. Returns false where the sliders cannot give these
 * pairs. */
static bool write_pairs(const struct block_plan *plan, unsigned char *states,
                        unsigned char *scratch, const struct emit_run *run, unsigned first,
                        unsigned channels, const void *const samples[], size_t count)
{
    const struct scratch_plan *at = &plan->scratch;
    unsigned char *const out = value_at(plan, run, 0, first);
    const void *pairs[PLANES_GROUP];

    if (!plan->pairs || plan->hops || samples[0] == NULL || !run->out->together ||
        run->out->frame % 2 != 0)
        return false;
    for (unsigned i = 0; i < channels; i++) {
        unsigned char *to = scratch + at->values + (size_t)i * 2 * at->value;

        plan->kernels->slide_pairs(state_of(plan, states, first + i), samples[i], count, to);
        pairs[i] = to;
        if (run->kept < count && plan->setup.channels == 1 && run->out->frame == 2)
            pairs[i] = out;
        if (run->kept < count)
            block_keep(run, to, 2 * plan->sample_bytes, (unsigned char *)pairs[i]);
    }
    planes_join(2 * plan->value_bytes, pairs, channels, run->kept, out, run->out->frame / 2);
    return true;
}

/* ---- a block ---- */

/* A shortcut for a single channel whose slider gives exactly what is written. If only some windows
 * are kept, all of them go through scratch memory. */
static bool run_straight(const struct block_plan *plan, void *state, unsigned char *scratch,
                         const struct emit_run *run, const void *samples, size_t count)
{
    const struct windows_found windows = windows_at(&plan->scratch, scratch, 0, 0);
    void *out[2];
    void *to[2];

    if (plan->setup.channels != 1 || plan->hops || samples == NULL)
        return false;
    if (plan->pairs && run->out->together && run->kept == count) {
        plan->kernels->slide_pairs(state, samples, count, run->out->item[0]);
        return true;
    }
    if (run->out->frame != 1 || !block_slides_apart(plan, run, &out[0], &out[1]))
        return false;
    for (unsigned i = 0; i < 2; i++)
        to[i] = run->kept == count || out[i] == NULL ? out[i] : windows.extremes[i];
    plan->kernels->slide(state, samples, count, to[0], to[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (to[i] != out[i])
            block_keep(run, to[i], plan->sample_bytes, out[i]);
    }
    return true;
}

static const struct emit_out no_out;

/* Writes NaN for the windows of a channel that are cut, or have too few samples. */
static void write_missing(const struct block_plan *plan, unsigned char *states, unsigned channel,
                          const struct emit_run *run, const void *samples, size_t count)
{
    if (run->out->item[0] != NULL && run->kept > 0)
        emit_cut(run, channel);
    if (plan->setup.least > 0)
        presence_run(presence_of(plan, states, channel), run, channel, plan->kernels->kind, samples,
                     count);
}

static void run_block(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
                      const struct stretch *stretch, const struct emit_run *run, size_t count)
{
    const void *values = stretch->frames == NULL || plan->wide
                             ? NULL
                             : values_of(plan, scratch, stretch->frames, count);
    bool written = run->out->item[0] != NULL && run->kept > 0;

    for (unsigned first = stretch->channel_first; first < stretch->channel_end;
         first += PLANES_GROUP) {
        unsigned left = stretch->channel_end - first;
        unsigned channels = left < PLANES_GROUP ? left : PLANES_GROUP;
        const void *samples[PLANES_GROUP] = {NULL};
        bool paired;

        samples_of(plan, scratch, stretch->frames, values, first, channels, count, samples);
        for (unsigned i = 0; plan->sums && i < channels; i++) {
            tally_run(state_of(plan, states, first + i), &plan->of, &plan->setup, samples[i], count,
                      written ? run->out : &no_out, first + i);
            if (written)
                emit_cut(run, first + i);
        }
        if (plan->sums)
            continue;
        if (written &&
            run_straight(plan, state_of(plan, states, first), scratch, run, samples[0], count)) {
            write_missing(plan, states, first, run, samples[0], count);
            return;
        }
        paired =
            written && write_pairs(plan, states, scratch, run, first, channels, samples, count);
        for (unsigned i = 0; !paired && i < channels; i++) {
            const struct windows_found to =
                written ? windows_at(&plan->scratch, scratch, i, 0)
                        : (struct windows_found){{NULL, NULL}, {NULL, NULL}};

            state_run(plan, state_of(plan, states, first + i), run, samples[i], count, &to);
        }
        if (written && !paired)
            write_frames(plan, states, scratch, run, first, channels);
        for (unsigned i = 0; i < channels; i++)
            write_missing(plan, states, first + i, run, samples[i], count);
    }
}

/* How many of the next frames go through buffers together. Where windows are summed, these frames
 * end with a window, because a window whose frames come in two parts is summed more slowly. */
static size_t frames_at_once(const struct block_plan *plan, uint64_t first, uint64_t more)
{
    const struct window *window = &plan->setup.window;
    const size_t count = (size_t)min_u64(more, plan->frames);
    const uint64_t hop = window->hop;
    const uint64_t behind = (first + count + hop - (window->after + 1) % hop) % hop;

    return plan->sums && behind < count && count < more ? count - (size_t)behind : count;
}

void block_run(const struct block_plan *plan, unsigned char *states, unsigned char *scratch,
               struct stretch *stretch)
{
    const struct piece *piece = &stretch->piece;
    const bool whole = plan->across != NULL && block_is_straight(plan, stretch);

    for (uint64_t done = 0; done < piece->count;) {
        uint64_t more = piece->count - done;
        size_t count = whole ? (size_t)more : frames_at_once(plan, piece->first + done, more);
        struct emit_run run;

        emit_begin(&run, &plan->setup, piece, done, count, stretch->stream_frames, &stretch->out);
        if (plan->across != NULL)
            block_across(plan, states, scratch, stretch, &run, count);
        else
            run_block(plan, states, scratch, stretch, &run, count);
        if (stretch->frames != NULL)
            stretch->frames += count * (engine_in_bytes(&plan->setup) + stretch->gap);
        emit_out_skip(&stretch->out, &plan->setup, run.kept);
        done += count;
    }
}
