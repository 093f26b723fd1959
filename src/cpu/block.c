#include "cpu/block.h"

#include <math.h>
#include <string.h>

#include "cpu/hopper.h"
#include "engine/emit.h"

/* ---- the plan ---- */

static unsigned sides_of(const struct emit_list *emits)
{
    unsigned sides = 0;

    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN)
            sides |= SLIDER_LOW;
        else if (emits->item[i] == EMIT_MAX)
            sides |= SLIDER_HIGH;
        else
            sides |= SLIDER_BOTH;
    }
    return sides;
}

void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels)
{
    uint64_t bytes;

    plan->setup = *setup;
    plan->kernels = kernels;
    plan->magnitudes = setup->emits.count == 1 && setup->emits.item[0] == EMIT_ABS;
    plan->sides = plan->magnitudes ? SLIDER_HIGH : sides_of(&setup->emits);
    plan->hops = hopper_pays(&setup->window);
    plan->wide = setup->channels > BLOCK_CHANNELS;
    plan->frames = BLOCK_FLOATS / (plan->wide ? BLOCK_CHANNELS : setup->channels);
    if (plan->frames > BLOCK_FRAMES)
        plan->frames = BLOCK_FRAMES;
    bytes = plan->hops ? hopper_bytes(&setup->window)
                       : kernels->slider_bytes(setup->window.width, plan->sides);
    plan->state_bytes = bytes > UINT64_MAX - 63 ? UINT64_MAX : (bytes + 63) / 64 * 64;
}

/* ---- channel states ---- */

static void *state_of(const struct block_plan *plan, unsigned char *states, unsigned channel)
{
    return states + (size_t)plan->state_bytes * channel;
}

void block_start(const struct block_plan *plan, unsigned char *states, uint64_t first)
{
    const struct engine_setup *setup = &plan->setup;

    for (unsigned i = 0; i < setup->channels; i++) {
        void *state = state_of(plan, states, i);

        if (plan->hops)
            hopper_init(state, plan->kernels, &setup->window, setup->nan, first);
        else
            plan->kernels->slider_init(state, setup->window.width, plan->sides, setup->nan);
    }
}

void block_jump(const struct block_plan *plan, unsigned char *states, uint64_t to)
{
    /* Sliders do not depend on the position in the stream. */
    for (unsigned i = 0; plan->hops && i < plan->setup.channels; i++)
        hopper_jump(state_of(plan, states, i), to);
}

/* Passes one channel's samples through its state. Afterwards low and high hold the windows that are
 * written, `run->kept` of them; NULL: only updates the state. */
static void state_run(const struct block_plan *plan, void *state, const struct emit_run *run,
                      const float *samples, size_t count, float *low, float *high)
{
    size_t hop = run->kept > 1 ? (size_t)plan->setup.window.hop : 1;

    if (plan->hops) {
        hopper_run(state, samples, count, low, high);
        return;
    }
    if (samples == NULL)
        plan->kernels->slide_missing(state, count, low, high);
    else
        plan->kernels->slide(state, samples, count, low, high);
    if (low == NULL || run->kept == count)
        return;
    for (size_t i = 0; i < run->kept; i++) {
        low[i] = low[run->start + i * hop];
        high[i] = high[run->start + i * hop];
    }
}

/* ---- samples in ---- */

static const float *magnitudes_of(const float *samples, size_t count, float *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = fabsf(samples[i]);
    return to;
}

/* All channels of `count` frames as interleaved float32: in place if they already are. */
static const float *floats_of(const struct block_plan *plan, struct scratch *scratch,
                              const unsigned char *frames, size_t count)
{
    const struct engine_setup *setup = &plan->setup;

    if (sample_type_is_native(setup->sample, setup->value) &&
        (uintptr_t)frames % sizeof(float) == 0)
        return (const float *)(const void *)frames;
    plan->kernels->decode(setup->sample, frames, scratch->frames, count * setup->channels);
    return scratch->frames;
}

/* Up to PLANES_GROUP channels from `first` on, as planes: from all channels as float32, or for a
 * wide plan from the raw frames. */
static void samples_of(const struct block_plan *plan, struct scratch *scratch,
                       const unsigned char *frames, const float *floats, unsigned first,
                       unsigned channels, size_t count, const float *samples[])
{
    struct sample_type type = plan->setup.sample;
    unsigned all = plan->setup.channels;
    float *plane[PLANES_GROUP];

    for (unsigned i = 0; i < channels; i++) {
        plane[i] = scratch->samples[i];
        samples[i] = frames == NULL ? NULL : plane[i];
    }
    if (frames == NULL)
        return;
    if (all == 1)
        samples[0] = floats;
    else if (floats != NULL)
        planes_split(floats + first, all, channels, count, plane);
    for (unsigned i = 0; floats == NULL && i < channels; i++)
        sample_decode_strided(type, plan->setup.value,
                              frames + (first + i) * sample_type_bytes(type), all, plane[i], count);
    for (unsigned i = 0; plan->magnitudes && i < channels; i++)
        samples[i] = magnitudes_of(samples[i], count, plane[i]);
}

/* ---- values out ---- */

/* The plane of one emit: that of the slider itself, or one computed from both of its planes. */
static const float *value_plane(const struct block_plan *plan, enum emit emit, const float *low,
                                const float *high, size_t count, float *values)
{
    switch (emit) {
    case EMIT_MIN:
    case EMIT_KINDS:
        return low;
    case EMIT_MAX:
        return high;
    case EMIT_ABS:
        if (plan->magnitudes)
            return high;
        break;
    case EMIT_RANGE:
    case EMIT_MID:
        break;
    }
    plan->kernels->values(emit, low, high, count, values);
    return values;
}

/* Writes the output frames of `channels` channels whose minima and maxima are in scratch memory. */
static void write_frames(const struct block_plan *plan, struct scratch *scratch,
                         const struct emit_run *run, unsigned first, unsigned channels)
{
    const struct emit_list *emits = &plan->setup.emits;
    const float *planes[PLANES_GROUP * EMIT_KINDS];
    unsigned count = 0;

    for (unsigned i = 0; i < channels; i++) {
        for (unsigned j = 0; j < emits->count; j++, count++)
            planes[count] = value_plane(plan, emits->item[j], scratch->low[i], scratch->high[i],
                                        run->kept, scratch->values[count]);
    }
    planes_join(planes, count, run->kept, (float *)run->out + (size_t)first * emits->count,
                (size_t)plan->setup.channels * emits->count);
}

/* ---- a block ---- */

/* Copies `count` groups of `floats` floats (a constant in each call) from places a step apart. With
 * a hop of 2, a loop that is not unrolled takes as long as sliding. */
static inline __attribute__((always_inline)) void pick(const float *from, const size_t floats,
                                                       size_t step, size_t count, float *to)
{
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * floats, from + i * step, floats * sizeof *to);
}

/* A shortcut for a single channel whose slider gives exactly what is written. If only some windows
 * are kept, all of them go through scratch memory. */
static bool run_straight(const struct block_plan *plan, void *state, struct scratch *scratch,
                         const struct emit_run *run, const float *samples, size_t count)
{
    const struct emit_list *emits = &plan->setup.emits;
    const struct cpu_kernels *kernels = plan->kernels;
    const size_t hop = run->kept > 1 ? (size_t)plan->setup.window.hop : 1;
    float *windows = run->kept == count ? (float *)run->out : (float *)scratch->values;

    if (plan->setup.channels != 1 || plan->hops || samples == NULL)
        return false;
    if (emits->count == 2 && emits->item[0] == EMIT_MIN && emits->item[1] == EMIT_MAX)
        kernels->slide_pairs(state, samples, count, windows);
    else if (emits->count == 1 && emits->item[0] == EMIT_MIN)
        kernels->slide(state, samples, count, windows, NULL);
    else if (emits->count == 1 && (emits->item[0] == EMIT_MAX || plan->magnitudes))
        kernels->slide(state, samples, count, NULL, windows);
    else
        return false;
    if (windows == run->out)
        return true;
    windows += run->start * emits->count;
    if (emits->count == 2)
        pick(windows, 2, 2 * hop, run->kept, run->out);
    else
        pick(windows, 1, hop, run->kept, run->out);
    return true;
}

static void run_block(const struct block_plan *plan, unsigned char *states, struct scratch *scratch,
                      const struct stretch *stretch, const struct emit_run *run, size_t count)
{
    const float *floats = stretch->frames == NULL || plan->wide
                              ? NULL
                              : floats_of(plan, scratch, stretch->frames, count);
    bool written = run->out != NULL && run->kept > 0;

    for (unsigned first = stretch->channel_first; first < stretch->channel_end;
         first += PLANES_GROUP) {
        unsigned left = stretch->channel_end - first;
        unsigned channels = left < PLANES_GROUP ? left : PLANES_GROUP;
        const float *samples[PLANES_GROUP];

        samples_of(plan, scratch, stretch->frames, floats, first, channels, count, samples);
        if (written &&
            run_straight(plan, state_of(plan, states, first), scratch, run, samples[0], count)) {
            emit_cut(run, 0);
            return;
        }
        for (unsigned i = 0; i < channels; i++)
            state_run(plan, state_of(plan, states, first + i), run, samples[i], count,
                      written ? scratch->low[i] : NULL, written ? scratch->high[i] : NULL);
        if (written)
            write_frames(plan, scratch, run, first, channels);
        for (unsigned i = 0; written && i < channels; i++)
            emit_cut(run, first + i);
    }
}

void block_run(const struct block_plan *plan, unsigned char *states, struct scratch *scratch,
               const struct stretch *stretch)
{
    const struct piece *piece = &stretch->piece;
    struct stretch left = *stretch;

    for (uint64_t done = 0; done < piece->count;) {
        uint64_t more = piece->count - done;
        size_t count = more < plan->frames ? (size_t)more : plan->frames;
        struct emit_run run;

        emit_begin(&run, &plan->setup, piece, done, count, left.stream_frames, left.out);
        run_block(plan, states, scratch, &left, &run, count);
        if (left.frames != NULL)
            left.frames += count * engine_in_bytes(&plan->setup);
        left.out = run.out_end;
        done += count;
    }
}
