#include "stats/channel.h"

#include "window/rules.h"

#define MAGNITUDE_BITS UINT32_C(0x7fffffff)

void channel_init(struct channel_stats *channel)
{
    channel->frames = 0;
    channel->nans = 0;
    channel->low = KEY_ABOVE;
    channel->high = KEY_BELOW;
    channel->magnitude = 0;
    channel->low_at = 0;
    channel->high_at = 0;
    channel->magnitude_at = 0;
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
                          const float *samples, size_t count, int64_t low, int64_t high)
{
    uint32_t low_bits = rules_flip((uint32_t)low);
    uint32_t high_bits = rules_flip((uint32_t)high);
    uint32_t low_magnitude = low_bits & MAGNITUDE_BITS;
    uint32_t high_magnitude = high_bits & MAGNITUDE_BITS;
    uint32_t magnitude = low_magnitude > high_magnitude ? low_magnitude : high_magnitude;
    bool larger = is_blank(channel) || magnitude > channel->magnitude;
    size_t low_at = count;
    size_t high_at = count;

    if (low > high) /* only NaN */
        return;
    if (low < channel->low) {
        low_at = kernels->find(samples, count, low_bits);
        channel->low = low;
        channel->low_at = channel->frames + low_at;
    }
    if (high > channel->high) {
        high_at = kernels->find(samples, count, high_bits);
        channel->high = high;
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

static bool has_nan(const struct leaf_stats *leaf)
{
    return extremes_have_nan(VALUE_F32, (struct extremes){leaf->low, leaf->high});
}

/* Processes the same samples again, now known to contain NaN: ignored for the extremes, and
 * replaced by +0 for the sums. */
static void add_numbers(struct channel_stats *channel, const struct cpu_kernels *kernels,
                        const float *samples, size_t count, struct leaf_stats *leaf)
{
    float clean[TREE_LEAF];
    struct extremes extremes;

    tree_copy_leaf(&channel->tree, leaf);
    extremes = (struct extremes){leaf->low, leaf->high};
    extremes = kernels->extremes(extremes, samples, count, NAN_OMIT);
    channel->nans += kernels->clean(samples, count, clean);
    tree_fill_leaf(&channel->tree, kernels, clean, count, leaf);
    leaf->low = extremes.low;
    leaf->high = extremes.high;
}

/* All samples are in one leaf. */
static void add_run(struct channel_stats *channel, const struct cpu_kernels *kernels,
                    const float *samples, size_t count)
{
    struct leaf_stats leaf;

    tree_copy_leaf(&channel->tree, &leaf);
    tree_fill_leaf(&channel->tree, kernels, samples, count, &leaf);
    if (has_nan(&leaf))
        add_numbers(channel, kernels, samples, count, &leaf);
    take_extremes(channel, kernels, samples, count, leaf.low, leaf.high);
    tree_take(&channel->tree, count, &leaf);
    channel->frames += count;
}

void channel_add(struct channel_stats *channel, const struct cpu_kernels *kernels,
                 const float *samples, size_t count)
{
    while (count > 0) {
        size_t room = tree_room(&channel->tree);
        size_t run = count < room ? count : room;

        add_run(channel, kernels, samples, run);
        samples += run;
        count -= run;
    }
}

void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values)
{
    bool first = is_blank(channel);
    bool there = values->low <= values->high;

    if (there && values->low < channel->low) {
        channel->low = values->low;
        channel->low_at = channel->frames + values->low_at;
    }
    if (there && values->high > channel->high) {
        channel->high = values->high;
        channel->high_at = channel->frames + values->high_at;
    }
    if (there && (first || values->magnitude > channel->magnitude)) {
        channel->magnitude = values->magnitude;
        channel->magnitude_at = channel->frames + values->magnitude_at;
    }
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
    };
}
