/* SPDX-License-Identifier: MIT */
#include "cpu/block_plan.h"

#include "base/min_max.h"
#include "cpu/hopper_priv.h"
#include "cpu/planes.h"
#include "cpu/positions_priv.h"
#include "engine/presence_priv.h"

enum {
    /* For samples that are not decoded, in bytes. */
    HOP_BYTES = 96,    /* the shortest hop for which a hopper is faster */
    SLIDE_BYTES = 512, /* the widest window of several hops for which a slider is faster */
};

/* Is a hopper faster for samples that are not decoded? */
static bool compact_hops(const struct window *window, size_t bytes)
{
    return window->hop >= HOP_BYTES / bytes &&
           (window->width <= window->hop || window->width > SLIDE_BYTES / bytes);
}

static unsigned sides_of(const struct emit_list *emits)
{
    unsigned sides = 0;

    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == EMIT_MIN || emits->item[i] == EMIT_ARGMIN)
            sides |= SLIDER_LOW;
        else if (emits->item[i] == EMIT_MAX || emits->item[i] == EMIT_ARGMAX)
            sides |= SLIDER_HIGH;
        else
            sides |= SLIDER_BOTH;
    }
    return sides;
}

/* Plans scratch memory in which each place has all channels of a frame side by side. */
static void plan_scratch_across(struct scratch_plan *scratch, const struct block_plan *plan)
{
    const size_t channels = min_u64(plan->setup.channels, BLOCK_CHANNELS + plan->state_channels);
    const size_t frame = channels * plan->sample_bytes;

    scratch->plane = (plan->frames * frame + 63) / 64 * 64;
    scratch->low = scratch->plane + (frame * STATELESS_DECODED + 63) / 64 * 64;
    scratch->high = scratch->low + scratch->plane;
    scratch->values = scratch->high + scratch->plane;
    scratch->bytes = scratch->values + scratch->plane * plan->setup.emits.count;
}

static void plan_scratch(struct scratch_plan *scratch, const struct block_plan *plan)
{
    const unsigned channels = plan->setup.channels;
    const size_t planes = min_u64(channels, PLANES_GROUP);
    const size_t plane = (plan->frames * plan->sample_bytes + 63) / 64 * 64;
    const size_t value = (plan->frames * plan->value_bytes + 63) / 64 * 64;
    const size_t frames = plan->wide ? 0 : plane * channels;

    scratch->plane = plane;
    scratch->value = max_u64(plane, value);
    /* The samples of a single channel are its decoded frames. */
    scratch->samples = channels == 1 ? 0 : frames;
    scratch->low = scratch->samples + plane * planes;
    scratch->high = scratch->low + plane * planes;
    scratch->places = scratch->high + plane * planes;
    scratch->values = scratch->places + (plan->finds ? 2 * plane * planes : 0);
    /* Pairs of a single channel take two planes. */
    scratch->bytes =
        scratch->values + scratch->value * max_u64(planes * plan->setup.emits.count, 2);
}

/* A sum of bytes, in whole lines of the cache. */
static uint64_t lines(uint64_t bytes, uint64_t more)
{
    if (bytes > UINT64_MAX - 63 || more > UINT64_MAX - 63 - bytes)
        return UINT64_MAX;
    return (bytes + more + 63) / 64 * 64;
}

bool block_has_side(const struct block_plan *plan, unsigned item, enum emit side)
{
    return plan->setup.emits.item[item] == side && plan->setup.results[item] == plan->setup.value &&
           !plan->setup.narrow[item];
}

void block_plan(struct block_plan *plan, const struct engine_setup *setup,
                const struct cpu_kernels *kernels)
{
    uint64_t bytes;

    plan->setup = *setup;
    plan->kernels = kernels;
    plan->value_bytes = engine_value_bytes(setup);
    /* The magnitude of the lowest integer does not fit into its kind. */
    plan->magnitudes =
        setup->value != VALUE_I64 && setup->emits.count == 1 && setup->emits.item[0] == EMIT_ABS;
    plan->sides = plan->magnitudes ? SLIDER_HIGH : sides_of(&setup->emits);
    plan->sums = emits_need_sums(&setup->emits);
    if (plan->sums) {
        plan->of = channel_samples_for(kernels->name, setup);
        plan->kernels = plan->of.kernels;
    }
    plan->pairs = setup->emits.count == 2 && block_has_side(plan, 0, EMIT_MIN) &&
                  block_has_side(plan, 1, EMIT_MAX);
    plan->finds = !plan->sums && emits_positions(&setup->emits) > 0;
    if (plan->finds && setup->window.width - 1 > UINT32_MAX && kernels->kind == VALUE_F32)
        plan->kernels = cpu_kernels_pick(kernels->name, VALUE_F64);
    plan->sample_bytes = value_bytes(plan->kernels->kind);
    plan->hops = !plan->sums && hopper_pays(&setup->window, plan->finds) &&
                 (!value_is_compact(plan->kernels->kind) ||
                  compact_hops(&setup->window, plan->sample_bytes));
    plan->across = plan->sums || plan->hops || plan->finds || setup->least > 0 ||
                           setup->channels < ACROSS_CHANNELS
                       ? NULL
                       : cpu_kernels_across(kernels, setup->channels);
    plan->state_channels = plan->across != NULL ? (unsigned)plan->across->lanes : 1;
    plan->wide = setup->channels > BLOCK_CHANNELS;
    plan->frames = (plan->across != NULL ? ACROSS_BYTES : BLOCK_BYTES) / plan->sample_bytes /
                   (plan->wide ? BLOCK_CHANNELS : setup->channels);
    if (plan->frames > PLANE_BYTES / plan->sample_bytes)
        plan->frames = PLANE_BYTES / plan->sample_bytes;
    bytes = plan->sums             ? tally_bytes(&setup->window)
            : plan->hops           ? hopper_bytes(&setup->window, plan->finds ? plan->sides : 0)
            : plan->finds          ? positions_bytes(plan->kernels, setup->window.width)
            : plan->across != NULL ? plan->across->across_bytes(setup->window.width, plan->sides)
                                   : kernels->slider_bytes(setup->window.width, plan->sides);
    plan->presence = lines(bytes, 0);
    plan->state_bytes =
        lines(plan->presence, setup->least > 0 ? presence_bytes(setup->window.width) : 0);
    if (plan->across != NULL)
        plan_scratch_across(&plan->scratch, plan);
    else
        plan_scratch(&plan->scratch, plan);
}

uint64_t block_states_bytes(const struct block_plan *plan)
{
    const unsigned states = block_states(plan);

    return plan->state_bytes > UINT64_MAX / states ? UINT64_MAX : plan->state_bytes * states;
}

void block_keep_samples(struct engine_setup *setup, const char *isa, struct sample_type result)
{
    const struct sample_type sample = setup->sample;
    /* As float32, samples of these types lose the bits that are not in use. */
    const bool rounds = sample.kind != SAMPLE_F32 && sample_type_bytes(sample) == 4 &&
                        sample_type_value(sample) == VALUE_F32;
    const bool cuts = setup->window.edge == EDGE_NAN && setup->window.align != ALIGN_VALID &&
                      !sample_type_has_nan(sample);
    const bool positions = emits_positions(&setup->emits) == setup->emits.count;
    enum value_kind kind = VALUE_S8;

    for (unsigned i = 0; i < setup->emits.count; i++) {
        if (setup->emits.item[i] > EMIT_MAX && !positions)
            return;
    }
    while (kind < VALUE_KINDS && !sample_type_is_native(sample, kind))
        kind++;
    if (kind == VALUE_KINDS || rounds || setup->least > 0 || emits_need_sums(&setup->emits) ||
        (positions && hopper_pays(&setup->window, true)))
        return;
    /* Places are as wide as values. */
    if (positions && value_bytes(kind) == 1 && setup->window.width - 1 > UINT8_MAX)
        kind = kind == VALUE_S8 ? VALUE_S16 : VALUE_U16;
    if (positions ? setup->window.width - 1 > UINT64_MAX >> (64 - 8 * value_bytes(kind))
                  : cuts || !sample_type_is_native(result, kind) || sample.counts != result.counts)
        return;
    if (cpu_kernels_pick(isa, kind) == NULL)
        return;
    setup->value = kind;
    for (unsigned i = 0; i < setup->emits.count && !positions; i++)
        setup->results[i] = kind;
}
