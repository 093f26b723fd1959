#include "stats/feed.h"

#include <stdbool.h>
#include <stdint.h>

#include "stats/level.h"

/* With more channels, each is decoded separately. */
enum { CHANNELS_TOGETHER = 256 };

void feed_init(struct feed *feed, const char *isa, struct sample_type sample, unsigned channels,
               struct full_scale scale)
{
    const enum value_kind value = sample_type_value(sample);

    feed->kernels = cpu_kernels_pick(isa, value);
    feed->integers = (struct channel_integers){.kernels = NULL};
    if (value == VALUE_I64)
        feed->integers = (struct channel_integers){
            .kernels = feed->kernels,
            .doubles = cpu_kernels_pick(isa, VALUE_F64),
            .kind = sample_type_numbers(sample),
            .unit = sample_type_unit(sample),
            .scale = scale,
        };
    feed->scale = scale;
    feed->sample = sample;
    feed->channels = channels;
    feed->value_bytes = value_bytes(value);
    feed->frame_bytes = sample_type_bytes(sample) * channels;
}

/* With this many channels, a batch of all of them would be short. */
static bool is_wide(const struct feed *feed)
{
    return feed->channels > CHANNELS_TOGETHER;
}

static bool usable_in_place(const struct feed *feed, const unsigned char *frames)
{
    return sample_type_is_native(feed->sample, feed->kernels->kind) &&
           (uintptr_t)frames % feed->value_bytes == 0;
}

static void add_values(const struct feed *feed, const void *values, size_t count,
                       struct channel_stats *stats)
{
    if (feed->integers.kernels != NULL)
        channel_add_integers(stats, &feed->integers, values, count);
    else
        channel_add(stats, feed->kernels, feed->scale, values, count);
}

static void add_wide(struct feed *feed, const unsigned char *frames, size_t count,
                     struct channel_stats *stats)
{
    for (unsigned i = 0; i < feed->channels; i++) {
        sample_decode_strided(feed->sample, feed->kernels->kind,
                              frames + i * sample_type_bytes(feed->sample), feed->channels,
                              feed->planes[0], count);
        add_values(feed, feed->planes[0], count, &stats[i]);
    }
}

static void add_planes(struct feed *feed, const unsigned char *values, size_t count,
                       struct channel_stats *stats)
{
    void *const planes[PLANES_GROUP] = {feed->planes[0], feed->planes[1], feed->planes[2],
                                        feed->planes[3]};

    for (unsigned first = 0; first < feed->channels; first += PLANES_GROUP) {
        unsigned left = feed->channels - first;
        unsigned group = left < PLANES_GROUP ? left : PLANES_GROUP;

        planes_split(feed->value_bytes, values + first * feed->value_bytes, feed->channels, group,
                     count, planes);
        for (unsigned i = 0; i < group; i++)
            add_values(feed, planes[i], count, &stats[first + i]);
    }
}

/* At most as many frames as there is room for. */
static void add_batch(struct feed *feed, const unsigned char *frames, size_t count,
                      struct channel_stats *stats)
{
    const void *values = feed->frames;

    if (is_wide(feed)) {
        add_wide(feed, frames, count, stats);
        return;
    }
    if (usable_in_place(feed, frames))
        values = frames;
    else
        feed->kernels->decode(feed->sample, frames, feed->frames, count * feed->channels);
    if (feed->channels == 1)
        add_values(feed, values, count, &stats[0]);
    else
        add_planes(feed, values, count, stats);
}

void feed_add(struct feed *feed, const unsigned char *frames, size_t count,
              struct channel_stats *stats)
{
    size_t most = FEED_PLANE_BYTES / feed->value_bytes;
    size_t room = is_wide(feed) ? most : FEED_BYTES / feed->value_bytes / feed->channels;

    if (room > most)
        room = most;
    while (count > 0) {
        size_t batch = count < room ? count : room;

        add_batch(feed, frames, batch, stats);
        frames += batch * feed->frame_bytes;
        count -= batch;
    }
}
