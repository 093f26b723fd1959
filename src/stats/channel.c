#include "stats/channel.h"

#include "stats/level.h"
#include "window/rules.h"

void channel_init(struct channel_stats *channel)
{
    channel->frames = 0;
    channel->nans = 0;
    channel->low = KEY64_ABOVE;
    channel->high = KEY64_BELOW;
    channel->magnitude = 0;
    channel->low_at = 0;
    channel->high_at = 0;
    channel->magnitude_at = 0;
    channel->clipped = 0;
    channel->clipped_at = 0;
    tree_init(&channel->tree);
}

/* Are there no numbers so far? */
static bool is_blank(const struct channel_stats *channel)
{
    return channel->low > channel->high;
}

/* The extremes are found without their positions; these are searched only if the block's extremes
 * are beaten. Among equal ones the first counts. A larger magnitude is that of a new extreme, or of
 * both. */
static void take_extremes(struct channel_stats *channel, const struct cpu_kernels *kernels,
                          enum value_kind kind, const void *samples, size_t count,
                          struct extremes extremes)
{
    uint64_t low_magnitude = level_magnitude(kind, extremes.low);
    uint64_t high_magnitude = level_magnitude(kind, extremes.high);
    uint64_t magnitude = low_magnitude > high_magnitude ? low_magnitude : high_magnitude;
    bool first = is_blank(channel);
    bool larger = first || magnitude > channel->magnitude;
    size_t low_at = count;
    size_t high_at = count;

    if (extremes.low > extremes.high) /* only NaN */
        return;
    if (first || extremes.low < channel->low) {
        low_at = kernels->find(samples, count, level_bits(kind, extremes.low));
        channel->low = extremes.low;
        channel->low_at = channel->frames + low_at;
    }
    if (first || extremes.high > channel->high) {
        high_at = kernels->find(samples, count, level_bits(kind, extremes.high));
        channel->high = extremes.high;
        channel->high_at = channel->frames + high_at;
    }
    if (larger) {
        size_t at = low_magnitude == magnitude ? low_at : count;

        if (high_magnitude == magnitude && high_at < at)
            at = high_at;
        channel->magnitude = magnitude;
        channel->magnitude_at = channel->frames + at;
    }
}

/* Most samples are below full scale, and so are the extremes. Only otherwise they are counted. */
static void take_clipped(struct channel_stats *channel, const struct cpu_kernels *kernels,
                         struct full_scale scale, const void *samples, size_t count,
                         struct extremes extremes)
{
    size_t first;
    size_t clipped;

    if (!scale.known || (extremes.low > scale.low && extremes.high < scale.high))
        return;
    clipped = kernels->reach(scale, samples, count, &first);
    if (channel->clipped == 0 && clipped > 0)
        channel->clipped_at = channel->frames + first;
    channel->clipped += clipped;
}

/* Processes the same samples again, now known to contain NaN: ignored for the extremes, and
 * replaced by +0 for the sums. */
static void add_numbers(struct channel_stats *channel, const struct cpu_kernels *kernels,
                        const void *samples, size_t count, struct leaf_stats *leaf)
{
    double clean[TREE_LEAF]; /* values of any kind */
    struct extremes extremes;

    tree_copy_leaf(&channel->tree, kernels->kind, leaf);
    extremes = (struct extremes){leaf->low, leaf->high};
    extremes = kernels->extremes(extremes, samples, count, NAN_OMIT);
    channel->nans += kernels->clean(samples, count, clean);
    tree_fill_leaf(&channel->tree, kernels, clean, count, leaf);
    leaf->low = extremes.low;
    leaf->high = extremes.high;
}

/* All samples are in one leaf. */
static void add_run(struct channel_stats *channel, const struct cpu_kernels *kernels,
                    struct full_scale scale, const void *samples, size_t count)
{
    struct leaf_stats leaf;

    tree_copy_leaf(&channel->tree, kernels->kind, &leaf);
    tree_fill_leaf(&channel->tree, kernels, samples, count, &leaf);
    if (extremes_have_nan(kernels->kind, (struct extremes){leaf.low, leaf.high}))
        add_numbers(channel, kernels, samples, count, &leaf);
    take_extremes(channel, kernels, kernels->kind, samples, count,
                  (struct extremes){leaf.low, leaf.high});
    take_clipped(channel, kernels, scale, samples, count, (struct extremes){leaf.low, leaf.high});
    tree_take(&channel->tree, count, &leaf);
    channel->frames += count;
}

/* The most of `count` samples that can be added at a time. */
static size_t run_of(const struct channel_stats *channel, size_t count)
{
    size_t room = tree_room(&channel->tree);

    return count < room ? count : room;
}

void channel_add(struct channel_stats *channel, const struct cpu_kernels *kernels,
                 struct full_scale scale, const void *samples, size_t count)
{
    const unsigned char *from = samples;

    while (count > 0) {
        size_t run = run_of(channel, count);

        add_run(channel, kernels, scale, from, run);
        from += run * value_bytes(kernels->kind);
        count -= run;
    }
}

/* Rounded once: the unit is a power of two. */
static void make_doubles(const struct channel_integers *integers, const int64_t *samples,
                         size_t count, double *doubles)
{
    if (integers->kind == VALUE_U64) {
        for (size_t i = 0; i < count; i++)
            doubles[i] = (double)((uint64_t)samples[i] ^ LEVEL_TOP_BIT);
    } else {
        for (size_t i = 0; i < count; i++)
            doubles[i] = (double)samples[i] * integers->unit;
    }
}

/* All samples are in one leaf, whose own extremes are not used. */
static void add_integers(struct channel_stats *channel, const struct channel_integers *integers,
                         const int64_t *samples, size_t count)
{
    const struct cpu_kernels *kernels = integers->kernels;
    double doubles[TREE_LEAF];
    const struct extremes extremes =
        kernels->extremes(extremes_none(VALUE_I64), samples, count, NAN_OMIT);
    struct leaf_stats leaf;

    make_doubles(integers, samples, count, doubles);
    tree_copy_leaf(&channel->tree, VALUE_F64, &leaf);
    tree_fill_leaf(&channel->tree, integers->doubles, doubles, count, &leaf);
    take_extremes(channel, kernels, integers->kind, samples, count, extremes);
    take_clipped(channel, kernels, integers->scale, samples, count, extremes);
    tree_take(&channel->tree, count, &leaf);
    channel->frames += count;
}

void channel_add_integers(struct channel_stats *channel, const struct channel_integers *integers,
                          const int64_t *samples, size_t count)
{
    while (count > 0) {
        size_t run = run_of(channel, count);

        add_integers(channel, integers, samples, run);
        samples += run;
        count -= run;
    }
}

void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values)
{
    bool first = is_blank(channel);
    bool there = values->low <= values->high;

    if (there && (first || values->low < channel->low)) {
        channel->low = values->low;
        channel->low_at = channel->frames + values->low_at;
    }
    if (there && (first || values->high > channel->high)) {
        channel->high = values->high;
        channel->high_at = channel->frames + values->high_at;
    }
    if (there && (first || values->magnitude > channel->magnitude)) {
        channel->magnitude = values->magnitude;
        channel->magnitude_at = channel->frames + values->magnitude_at;
    }
    if (channel->clipped == 0 && values->clipped > 0)
        channel->clipped_at = channel->frames + values->clipped_at;
    channel->clipped += values->clipped;
    channel->nans += values->nans;
    channel->frames += part->frames;
    tree_add_subtree(&channel->tree, part->level, (struct tree_sums){values->sum, values->square});
}

struct stats_values channel_values(const struct channel_stats *channel)
{
    struct tree_sums sums = tree_total(&channel->tree);

    return (struct stats_values){
        .sum = sums.sum,
        .square = sums.square,
        .nans = channel->nans,
        .low_at = channel->low_at,
        .high_at = channel->high_at,
        .magnitude_at = channel->magnitude_at,
        .low = channel->low,
        .high = channel->high,
        .magnitude = channel->magnitude,
        .clipped = channel->clipped,
        .clipped_at = channel->clipped_at,
    };
}
