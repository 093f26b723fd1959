/* SPDX-License-Identifier: MIT */
#include "cpu/feed.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/min_max.h"

/* With more channels, each is decoded separately. */
enum { CHANNELS_TOGETHER = 256 };

void feed_init(struct feed *feed, const char *isa, struct sample_type sample, unsigned channels,
               struct full_scale scale)
{
    feed->values = channel_samples_of(isa, sample, scale);
    feed->sample = sample;
    feed->channels = channels;
    feed->value_bytes = value_bytes(feed->values.kernels->kind);
    feed->frame_bytes = sample_type_bytes(sample) * channels;
}

/* With this many channels, a batch of all of them would be short. */
static bool is_wide(const struct feed *feed)
{
    return feed->channels > CHANNELS_TOGETHER;
}

static void add_wide(struct feed *feed, const unsigned char *frames, size_t count,
                     struct channel_stats *stats)
{
    for (unsigned i = 0; i < feed->channels; i++) {
        sample_decode_strided(feed->sample, feed->values.kernels->kind,
                              frames + i * sample_type_bytes(feed->sample), feed->channels,
                              feed->planes[0], count);
        channel_add(&stats[i], &feed->values, feed->planes[0], count);
    }
}

static void add_planes(struct feed *feed, const unsigned char *values, size_t count,
                       struct channel_stats *stats)
{
    void *const planes[PLANES_GROUP] = {feed->planes[0], feed->planes[1], feed->planes[2],
                                        feed->planes[3]};

    for (unsigned first = 0; first < feed->channels; first += PLANES_GROUP) {
        const unsigned group = (unsigned)min_u64(PLANES_GROUP, feed->channels - first);

        planes_split(feed->value_bytes, values + first * feed->value_bytes, feed->channels, group,
                     count, planes);
        for (unsigned i = 0; i < group; i++)
            channel_add(&stats[first + i], &feed->values, planes[i], count);
    }
}

/* Adds frames for which `frames` and `planes` have room. */
static void add_batch(struct feed *feed, const unsigned char *frames, size_t count,
                      struct channel_stats *stats)
{
    const void *values = feed->frames;

    if (is_wide(feed)) {
        add_wide(feed, frames, count, stats);
        return;
    }
    if (sample_type_is_native(feed->sample, feed->values.kernels->kind) &&
        (uintptr_t)frames % feed->value_bytes == 0)
        values = frames;
    else
        feed->values.kernels->decode(feed->sample, frames, feed->frames, count * feed->channels);
    if (feed->channels == 1)
        channel_add(&stats[0], &feed->values, values, count);
    else
        add_planes(feed, values, count, stats);
}

void feed_add(struct feed *feed, const unsigned char *frames, size_t count,
              struct channel_stats *stats)
{
    const size_t most = FEED_PLANE_BYTES / feed->value_bytes;
    const size_t room = FEED_BYTES / feed->value_bytes / feed->channels;

    while (count > 0) {
        const size_t batch = (size_t)min_u64(count, is_wide(feed) ? most : min_u64(most, room));

        add_batch(feed, frames, batch, stats);
        frames += batch * feed->frame_bytes;
        count -= batch;
    }
}
