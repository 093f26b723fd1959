#include "stats/feed.h"

#include <stdbool.h>
#include <stdint.h>

/* With more channels, each is decoded separately. */
enum { CHANNELS_TOGETHER = 256 };

void feed_init(struct feed *feed, const struct cpu_kernels *kernels, struct sample_type sample,
               unsigned channels)
{
    feed->kernels = kernels;
    feed->sample = sample;
    feed->channels = channels;
    feed->frame_bytes = sample_type_bytes(sample) * channels;
}

/* With this many channels, a batch of all of them would be short. */
static bool is_wide(const struct feed *feed)
{
    return feed->channels > CHANNELS_TOGETHER;
}

static bool usable_in_place(const struct feed *feed, const unsigned char *frames)
{
    return sample_type_is_native(feed->sample, VALUE_F32) && (uintptr_t)frames % sizeof(float) == 0;
}

static void add_wide(struct feed *feed, const unsigned char *frames, size_t count,
                     struct channel_stats *stats)
{
    for (unsigned i = 0; i < feed->channels; i++) {
        sample_decode_strided(feed->sample, VALUE_F32, frames + i * sample_type_bytes(feed->sample),
                              feed->channels, feed->planes[0], count);
        channel_add(&stats[i], feed->kernels, feed->planes[0], count);
    }
}

static void add_planes(struct feed *feed, const float *frames, size_t count,
                       struct channel_stats *stats)
{
    void *const planes[PLANES_GROUP] = {feed->planes[0], feed->planes[1], feed->planes[2],
                                        feed->planes[3]};

    for (unsigned first = 0; first < feed->channels; first += PLANES_GROUP) {
        unsigned left = feed->channels - first;
        unsigned group = left < PLANES_GROUP ? left : PLANES_GROUP;

        planes_split(sizeof(float), frames + first, feed->channels, group, count, planes);
        for (unsigned i = 0; i < group; i++)
            channel_add(&stats[first + i], feed->kernels, planes[i], count);
    }
}

/* At most as many frames as there is room for. */
static void add_batch(struct feed *feed, const unsigned char *frames, size_t count,
                      struct channel_stats *stats)
{
    const float *floats = feed->frames;

    if (is_wide(feed)) {
        add_wide(feed, frames, count, stats);
        return;
    }
    if (usable_in_place(feed, frames))
        floats = (const float *)(const void *)frames;
    else
        feed->kernels->decode(feed->sample, frames, feed->frames, count * feed->channels);
    if (feed->channels == 1)
        channel_add(&stats[0], feed->kernels, floats, count);
    else
        add_planes(feed, floats, count, stats);
}

void feed_add(struct feed *feed, const unsigned char *frames, size_t count,
              struct channel_stats *stats)
{
    size_t room = is_wide(feed) ? FEED_FRAMES : FEED_FLOATS / feed->channels;

    if (room > FEED_FRAMES)
        room = FEED_FRAMES;
    while (count > 0) {
        size_t batch = count < room ? count : room;

        add_batch(feed, frames, batch, stats);
        frames += batch * feed->frame_bytes;
        count -= batch;
    }
}
