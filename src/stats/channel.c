#include "stats/channel.h"

#include "window/rules.h"

#define ALL_BITS UINT32_MAX
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

/* Without its NaN, which become +0. Returns how many there were. */
static uint64_t without_nan(const float *samples, size_t count, float *clean)
{
    uint32_t nans = 0;

    for (size_t i = 0; i < count; i++) {
        bool nan = rules_is_nan_bits(rules_bits(samples[i]));

        clean[i] = nan ? 0.0F : samples[i];
        nans += nan ? 1U : 0U;
    }
    return nans;
}

/* The extremes of a leaf are found without their places; these are looked for only where the
 * block's are beaten. An equal one came first. */
static void take_extremes(struct channel_stats *channel, const struct cpu_kernels *kernels,
                          const float *samples, size_t count, int32_t low, int32_t high)
{
    uint32_t low_bits = rules_flip((uint32_t)low);
    uint32_t high_bits = rules_flip((uint32_t)high);
    uint32_t magnitude = low_bits & MAGNITUDE_BITS;
    bool first = channel->low > channel->high;

    if (low > high) /* nothing but NaN */
        return;
    if (magnitude < (high_bits & MAGNITUDE_BITS))
        magnitude = high_bits & MAGNITUDE_BITS;
    if (low < channel->low) {
        channel->low = low;
        channel->low_at = channel->frames + kernels->find(samples, count, ALL_BITS, low_bits);
    }
    if (high > channel->high) {
        channel->high = high;
        channel->high_at = channel->frames + kernels->find(samples, count, ALL_BITS, high_bits);
    }
    if (first || magnitude > channel->magnitude) {
        channel->magnitude = magnitude;
        channel->magnitude_at =
            channel->frames + kernels->find(samples, count, MAGNITUDE_BITS, magnitude);
    }
}

/* A piece is looked over for its extremes, then summed, while it is in the first cache. */
static void add_piece(struct channel_stats *channel, const struct cpu_kernels *kernels,
                      const float *samples, size_t count)
{
    float clean[TREE_LEAF];
    const float *numbers = samples;
    int32_t low = KEY_ABOVE;
    int32_t high = KEY_BELOW;

    kernels->reduce(samples, count, NAN_PROPAGATE, &low, &high);
    if (low == KEY_BELOW) { /* no number's key: there is a NaN */
        low = KEY_ABOVE;
        high = KEY_BELOW;
        kernels->reduce(samples, count, NAN_OMIT, &low, &high);
        channel->nans += without_nan(samples, count, clean);
        numbers = clean;
    }
    take_extremes(channel, kernels, samples, count, low, high);
    tree_add(&channel->tree, kernels, numbers, count);
    channel->frames += count;
}

void channel_add(struct channel_stats *channel, const struct cpu_kernels *kernels,
                 const float *samples, size_t count)
{
    while (count > 0) {
        size_t piece = count < TREE_LEAF ? count : TREE_LEAF;

        add_piece(channel, kernels, samples, piece);
        samples += piece;
        count -= piece;
    }
}

void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values)
{
    bool first = channel->low > channel->high;
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
