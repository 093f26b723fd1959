/* SPDX-License-Identifier: MIT */
#include "cpu/channel.h"

#include "base/min_max.h"
#include "cpu/level.h"
#include "window/value.h"

enum channel_parts channel_parts_of(const struct emit_list *emits)
{
    return emits_have(emits, EMIT_STD) || emits_have(emits, EMIT_SQUARES) ? CHANNEL_DEVIATIONS
           : emits_need_sums(emits)                                       ? CHANNEL_SUMS
                                                                          : CHANNEL_EXTREMES;
}

/* An empty tree has no leaf and no level. */
size_t channel_bytes(enum channel_parts parts)
{
    return parts == CHANNEL_EXTREMES ? offsetof(struct channel_stats, tree.leaf)
           : parts == CHANNEL_SUMS   ? offsetof(struct channel_stats, variance)
                                     : sizeof(struct channel_stats);
}

void channel_init(struct channel_stats *channel, enum channel_parts parts)
{
    channel->frames = 0;
    channel->values = stats_none;
    channel->parts = parts;
    tree_init(&channel->tree);
    if (parts >= CHANNEL_DEVIATIONS)
        channel->variance.filled = channel->variance.blocks = 0;
}

struct channel_samples channel_samples_of(const char *isa, struct sample_type sample,
                                          struct full_scale scale)
{
    const enum value_kind value = sample_type_value(sample);

    return (struct channel_samples){
        .kernels = cpu_kernels_pick(isa, value),
        .sums = cpu_kernels_pick(isa, value == VALUE_I64 ? VALUE_F64 : value),
        .numbers = sample_type_numbers(sample),
        .unit = sample_type_unit(sample),
        .scale = scale,
        .nan = NAN_OMIT,
    };
}

struct channel_samples channel_samples_for(const char *isa, const struct engine_setup *setup)
{
    struct channel_samples of =
        channel_samples_of(isa, setup->sample, (struct full_scale){.known = false});

    of.nan = setup->nan;
    of.ends = emits_have_ends(&setup->emits);
    of.squares = !emits_have(&setup->emits, EMIT_MEAN) && !emits_have(&setup->emits, EMIT_SUM);
    return of;
}

/* The extremes are found without their positions; these are searched only if the block's extremes
 * are beaten. The first of equal extremes counts. A larger magnitude is that of a new extreme, or
 * of two. */
static void take_extremes(struct channel_stats *channel, const struct channel_samples *of,
                          const void *samples, size_t count, struct extremes extremes)
{
    struct stats_values *values = &channel->values;
    enum value_kind kind = of->numbers;
    uint64_t low_magnitude = level_magnitude(kind, extremes.low);
    uint64_t high_magnitude = level_magnitude(kind, extremes.high);
    uint64_t magnitude = low_magnitude > high_magnitude ? low_magnitude : high_magnitude;
    bool first = values->low > values->high;
    bool larger = first || magnitude > values->magnitude;
    size_t low_at = count;
    size_t high_at = count;

    if (extremes.low > extremes.high) /* all samples are NaN */
        return;
    if (first || extremes.low < values->low) {
        low_at = of->kernels->find(samples, count, level_bits(kind, extremes.low));
        values->low = extremes.low;
        values->low_at = channel->frames + low_at;
    }
    if (first || extremes.high > values->high) {
        high_at = of->kernels->find(samples, count, level_bits(kind, extremes.high));
        values->high = extremes.high;
        values->high_at = channel->frames + high_at;
    }
    if (larger) {
        size_t at = low_magnitude == magnitude ? low_at : count;

        if (high_magnitude == magnitude && high_at < at)
            at = high_at;
        values->magnitude = magnitude;
        values->magnitude_at = channel->frames + at;
    }
}

static void take_ends(struct stats_values *values, const struct channel_samples *of,
                      const void *samples, size_t count, uint64_t place)
{
    const enum value_kind kind = of->kernels->kind;
    size_t first = 0;
    size_t last = of->ends ? count : 0;

    if (of->nan == NAN_OMIT) {
        while (first < last && value_is_nan(kind, samples, first))
            first++;
        while (first < last && value_is_nan(kind, samples, last - 1))
            last--;
    }
    if (first == last)
        return;
    if (values->first_at == STATS_NOWHERE) {
        values->first = value_keys_of(kind, NAN_PROPAGATE, samples, first).low;
        values->first_at = place + first;
    }
    values->last = value_keys_of(kind, NAN_PROPAGATE, samples, last - 1).low;
    values->last_at = place + last - 1;
}

/* Counts the samples at full scale only if an extreme reaches it: in most blocks none does. */
static void take_clipped(struct channel_stats *channel, const struct channel_samples *of,
                         const void *samples, size_t count, struct extremes extremes)
{
    const struct full_scale scale = of->scale;
    size_t first;
    size_t clipped;

    if (!scale.known || (extremes.low > scale.low && extremes.high < scale.high))
        return;
    clipped = of->kernels->reach(scale, samples, count, &first);
    if (channel->values.clipped == 0 && clipped > 0)
        channel->values.clipped_at = channel->frames + first;
    channel->values.clipped += clipped;
}

/* Processes samples among which there may be NaN: these are ignored for the extremes, and replaced
 * by +0 for the sums. */
static void add_numbers(struct channel_stats *channel, const struct cpu_kernels *kernels,
                        const void *samples, size_t count, struct leaf_stats *leaf)
{
    double clean[TREE_LEAF]; /* values of any kind */
    struct extremes extremes =
        kernels->extremes(extremes_none(kernels->kind), samples, count, NAN_OMIT);

    channel->values.nans += kernels->clean(samples, count, clean);
    if (channel->parts >= CHANNEL_SUMS)
        tree_fill_leaf(&channel->tree, kernels, clean, count, leaf);
    leaf->low = extremes.low;
    leaf->high = extremes.high;
}

/* Fills the leaf from floats, and returns their extremes. The sums show whether there is a NaN;
 * most leaves have none. */
static struct extremes fill_floats(struct channel_stats *channel, const struct channel_samples *of,
                                   const void *samples, size_t count, struct leaf_stats *leaf)
{
    const struct cpu_kernels *kernels = of->kernels;

    const bool at_once = leaf != &channel->tree.leaf && channel->parts >= CHANNEL_SUMS;

    if (at_once)
        tree_fill_leaf(&channel->tree, kernels, samples, count, leaf);
    if (!at_once || extremes_have_nan(kernels->kind, (struct extremes){leaf->low, leaf->high}))
        add_numbers(channel, kernels, samples, count, leaf);
    return (struct extremes){leaf->low, leaf->high};
}

/* Integers are rounded once: the unit is a power of two. */
void channel_make_doubles(const struct channel_samples *of, const void *samples, size_t count,
                          double *doubles)
{
    const int64_t *integers = samples;

    for (size_t i = 0; i < count; i++)
        doubles[i] = of->numbers == VALUE_F32   ? (double)((const float *)samples)[i]
                     : of->numbers == VALUE_F64 ? ((const double *)samples)[i]
                     : of->numbers == VALUE_U64 ? (double)((uint64_t)integers[i] ^ LEVEL_TOP_BIT)
                                                : (double)integers[i] * of->unit;
}

/* Looking for NaN among so few samples takes less time than copying a leaf. */
enum { FEW = 16 };

/* Adds samples that are all in one leaf. */
static void add_run(struct channel_stats *channel, const struct channel_samples *of,
                    const void *samples, size_t count)
{
    const bool whole = of->kernels->kind == VALUE_I64;
    double doubles[TREE_LEAF]; /* of integers */
    const void *floats = whole ? doubles : samples;
    struct leaf_stats copy;
    struct leaf_stats *leaf =
        count < FEW && channel->parts >= CHANNEL_SUMS ? &channel->tree.leaf : &copy;
    struct extremes extremes;

    if (whole) {
        channel_make_doubles(of, samples, count, doubles);
        extremes = of->kernels->extremes(extremes_none(VALUE_I64), samples, count, NAN_OMIT);
        if (channel->parts >= CHANNEL_SUMS)
            tree_fill_leaf(&channel->tree, of->sums, doubles, count, leaf);
    } else {
        extremes = fill_floats(channel, of, samples, count, leaf);
    }
    take_extremes(channel, of, samples, count, extremes);
    take_ends(&channel->values, of, samples, count, channel->frames);
    take_clipped(channel, of, samples, count, extremes);
    if (channel->parts >= CHANNEL_DEVIATIONS)
        variance_add(&channel->variance, of->sums, floats, count);
    if (channel->parts >= CHANNEL_SUMS)
        tree_take(&channel->tree, count, leaf);
    if (channel->parts == CHANNEL_LEAVES && channel->tree.filled == 0)
        variance_end_leaf(&channel->variance, channel->tree.leaves);
    channel->frames += count;
}

void channel_add(struct channel_stats *channel, const struct channel_samples *of,
                 const void *samples, size_t count)
{
    const unsigned char *from = samples;

    while (count > 0) {
        const size_t run = (size_t)min_u64(count, TREE_LEAF - channel->tree.filled);

        add_run(channel, of, from, run);
        from += run * value_bytes(of->kernels->kind);
        count -= run;
    }
}

/* Apart, because a function with so large an array touches all its pages. */
static __attribute__((noinline)) void take_numbers(const struct channel_samples *of,
                                                   const void *samples, size_t count,
                                                   struct window_stats *found, uint64_t *nans)
{
    const struct cpu_kernels *kernels = of->kernels;
    double clean[TREE_LEAF]; /* floats of either kind */
    const struct extremes extremes =
        kernels->extremes(extremes_none(kernels->kind), samples, count, NAN_OMIT);

    *nans = kernels->clean(samples, count, clean);
    kernels->window_stats(clean, count, of->squares, found);
    found->low = extremes.low;
    found->high = extremes.high;
}

bool channel_values_of(const struct channel_samples *of, const void *samples, size_t count,
                       struct stats_values *values)
{
    const struct cpu_kernels *kernels = of->kernels;
    struct window_stats found;

    if (samples == NULL || count > TREE_LEAF || kernels->window_stats == NULL)
        return false;
    kernels->window_stats(samples, count, of->squares, &found);
    values->nans = 0;
    values->first_at = STATS_NOWHERE;
    take_ends(values, of, samples, count, 0);
    if (extremes_have_nan(kernels->kind, (struct extremes){found.low, found.high}))
        take_numbers(of, samples, count, &found, &values->nans);
    values->sum = found.sum;
    values->square = found.square;
    values->low = found.low;
    values->high = found.high;
    return true;
}

void channel_join(struct stats_values *all, const struct stats_values *values, uint64_t first)
{
    const bool empty = all->low > all->high;
    const bool there = values->low <= values->high;
    const uint64_t low_at = first + values->low_at;
    const uint64_t high_at = first + values->high_at;

    if (there &&
        (empty || values->low < all->low || (values->low == all->low && low_at < all->low_at))) {
        all->low = values->low;
        all->low_at = low_at;
    }
    if (there && (empty || values->high > all->high ||
                  (values->high == all->high && high_at < all->high_at))) {
        all->high = values->high;
        all->high_at = high_at;
    }
    if (there && (empty || values->magnitude > all->magnitude)) {
        all->magnitude = values->magnitude;
        all->magnitude_at = first + values->magnitude_at;
    }
    if (values->clipped > 0 && (all->clipped == 0 || first + values->clipped_at < all->clipped_at))
        all->clipped_at = first + values->clipped_at;
    all->clipped += values->clipped;
    all->nans += values->nans;
    if (values->first_at == STATS_NOWHERE)
        return;
    if (all->first_at == STATS_NOWHERE) {
        all->first = values->first;
        all->first_at = first + values->first_at;
    }
    all->last = values->last;
    all->last_at = first + values->last_at;
}

void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values)
{
    channel_join(&channel->values, values, channel->frames);
    channel->frames += part->frames;
    tree_add_subtree(&channel->tree, part->level, (struct tree_sums){values->sum, values->square});
    if (channel->parts == CHANNEL_LEAVES)
        variance_add_leaves(&channel->variance, part->level, values->deviations);
}

struct stats_values channel_values(const struct channel_stats *channel)
{
    struct stats_values values = channel->values;
    struct tree_sums sums = tree_total(&channel->tree);

    values.sum = sums.sum;
    values.square = sums.square;
    if (channel->parts >= CHANNEL_DEVIATIONS)
        values.deviations = variance_total(&channel->variance);
    return values;
}
