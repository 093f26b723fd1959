/* SPDX-License-Identifier: MIT */
/* Chosen samples are copied unchanged, so their type, and every result, is that of the source. A
 * mean is computed in float64 and rounded once, to the kind of the samples. Pairs of I and Q become
 * samples of a complex type: that of the channels' type, or one of floats if there is none. No
 * engine decodes rows with times, so pairs of a table become magnitudes here. */
#include "format/channels.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/text/number.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct channels_source {
    struct source source;
    enum channels_use use;
    bool copies;    /* the chosen samples are not converted */
    unsigned count; /* number of chosen channels */
    unsigned *channel;
    size_t capacity;    /* frames that are read at a time */
    const char **names; /* names of the channels, and behind them their units */
    unsigned char *block;
};

/* The type to which channels are converted. */
static struct sample_type converted(struct sample_type sample, enum channels_use use)
{
    static const enum sample_kind kinds[2][2] = {{SAMPLE_F32, SAMPLE_F64},
                                                 {SAMPLE_CF32, SAMPLE_CF64}};

    return source_decoded(kinds[use == CHANNELS_IQ][sample_type_value(sample) != VALUE_F32],
                          sample.counts);
}

static void copy_chosen(const struct channels_source *channels, const unsigned char *from,
                        unsigned char *to, size_t frames)
{
    const size_t bytes = sample_type_bytes(channels->source.other->format.sample);
    const size_t other = source_frame_bytes(&channels->source.other->format);

    for (size_t i = 0; i < frames; i++, from += other) {
        for (unsigned j = 0; j < channels->count; j++, to += bytes)
            memcpy(to, from + channels->channel[j] * bytes, bytes);
    }
}

static void mix_chosen(const struct channels_source *channels, const unsigned char *from, void *to,
                       size_t frames)
{
    enum { SOME = 256 };
    const struct source_format *other = &channels->source.other->format;
    const size_t bytes = sample_type_bytes(other->sample);
    const bool narrow = sample_type_value(other->sample) == VALUE_F32;

    for (size_t at = 0; at < frames; at += SOME) {
        const size_t size = frames - at < SOME ? frames - at : SOME;
        double sums[SOME] = {0};

        for (unsigned j = 0; j < channels->count; j++) {
            double values[SOME];

            sample_decode_strided(other->sample, VALUE_F64,
                                  from + (at * other->channels + channels->channel[j]) * bytes,
                                  other->channels, values, size);
            for (size_t i = 0; i < size; i++)
                sums[i] += values[i];
        }
        for (size_t i = 0; i < size; i++) {
            const double mean = sums[i] / channels->count;

            if (narrow)
                ((float *)to)[at + i] = (float)mean;
            else
                ((double *)to)[at + i] = mean;
        }
    }
}

/* Puts the chosen channels side by side, as numbers of the kind of the result. */
static void pair_chosen(const struct channels_source *channels, const unsigned char *from,
                        unsigned char *to, size_t frames)
{
    enum { SOME = 256 };
    const struct source_format *other = &channels->source.other->format;
    const size_t bytes = sample_type_bytes(other->sample);
    const size_t size = sample_type_bytes(channels->source.format.sample) / 2;
    const size_t frame = channels->count * size;
    unsigned char values[SOME * sizeof(double)];

    for (size_t at = 0; at < frames; at += SOME) {
        const size_t now = min_u64(frames - at, SOME);

        for (unsigned j = 0; j < channels->count; j++) {
            sample_decode_strided(other->sample, size == sizeof(float) ? VALUE_F32 : VALUE_F64,
                                  from + (at * other->channels + channels->channel[j]) * bytes,
                                  other->channels, values, now);
            for (size_t i = 0; i < now; i++)
                memcpy(to + (at + i) * frame + j * size, values + i * size, size);
        }
    }
}

/* Computes the magnitudes of pairs of a table. A pair with a missing value is missing, also beside
 * an infinity. */
static void measure_chosen(const struct channels_source *channels, const unsigned char *from,
                           double *to, size_t frames)
{
    const struct source_format *other = &channels->source.other->format;
    const struct sample_type pair = converted(other->sample, CHANNELS_IQ);
    const size_t bytes = sample_type_bytes(other->sample);

    for (size_t at = 0; at < frames; at++, from += source_frame_bytes(other)) {
        for (unsigned j = 0; j < channels->count; j += 2) {
            double parts[2];

            for (unsigned k = 0; k < 2; k++)
                sample_decode(other->sample, VALUE_F64, from + channels->channel[j + k] * bytes,
                              &parts[k], 1);
            if (isnan(parts[0]) || isnan(parts[1]))
                *to++ = (double)NAN;
            else
                sample_decode(pair, VALUE_F64, parts, to++, 1);
        }
    }
}

static void convert(const struct channels_source *channels, const unsigned char *from, void *to,
                    size_t frames)
{
    if (channels->copies)
        copy_chosen(channels, from, to, frames);
    else if (channels->use == CHANNELS_MEAN)
        mix_chosen(channels, from, to, frames);
    else if (channels->source.format.magnitudes)
        measure_chosen(channels, from, to, frames);
    else
        pair_chosen(channels, from, to, frames);
}

/* ---- the source ---- */

static int channels_read(struct source *source, void *frames, size_t capacity, size_t *got,
                         struct error *error)
{
    struct channels_source *channels = (struct channels_source *)source;
    struct source *other = channels->source.other;

    if (capacity > channels->capacity)
        capacity = channels->capacity;
    if (other->class->read(other, channels->block, capacity, got, error) != 0)
        return -1;
    convert(channels, channels->block, frames, *got);
    return 0;
}

static void channels_close(struct source *source)
{
    struct channels_source *channels = (struct channels_source *)source;

    free(channels->channel);
    free(channels->names);
    free(channels->block);
}

/* ---- readers ---- */

struct channels_reader {
    struct frame_reader reader;
    struct frame_reader *other;
    const struct channels_source *channels;
    unsigned char block[BLOCK_BYTES];
};

static size_t read_frames(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct channels_reader *own = (struct channels_reader *)reader;
    const size_t bytes = source_frame_bytes(&own->channels->source.format);
    const size_t from = source_frame_bytes(&own->channels->source.other->format);
    size_t done = 0;

    while (done < count) {
        const size_t size = (size_t)min_u64(count - done, sizeof own->block / from);
        const size_t got = own->other->class->read(own->other, frame + done, own->block, size);

        convert(own->channels, own->block, (unsigned char *)frames + done * bytes, got);
        done += got;
        if (got < size)
            break;
    }
    reader->bytes = own->other->bytes;
    reader->failed = own->other->failed;
    return done;
}

static void close_reader(struct frame_reader *reader)
{
    struct channels_reader *own = (struct channels_reader *)reader;

    own->other->class->close(own->other);
    free(own);
}

static int channels_open_reader(struct source *source, struct frame_reader **reader,
                                struct error *error)
{
    static const struct frame_reader_class class = {read_frames, close_reader};
    struct channels_source *channels = (struct channels_source *)source;
    struct channels_reader *own = malloc(sizeof *own);

    if (own == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    own->reader = (struct frame_reader){.class = &class};
    own->channels = channels;
    if (channels->source.other->class->reader(channels->source.other, &own->other, error) != 0) {
        free(own);
        return -1;
    }
    *reader = &own->reader;
    return 0;
}

/* ---- the choice ---- */

/* The names or units of the chosen channels; NULL if they have none. */
static const char *const *choose_words(const struct channels_source *channels,
                                       const char *const *from, const char **to)
{
    for (unsigned i = 0; from != NULL && i < channels->count; i++)
        to[i] = from[channels->channel[i]];
    return from == NULL ? NULL : to;
}

/* Sets the members that differ from the other source's. */
static void describe(struct channels_source *channels)
{
    const struct source *other = channels->source.other;
    struct source_format *format = &channels->source.format;
    const enum channels_use use = channels->use;

    format->channels = use == CHANNELS_MEAN ? 1
                       : use == CHANNELS_IQ ? channels->count / 2
                                            : channels->count;
    format->mixed = use == CHANNELS_MEAN;
    format->part = other->format.sample;
    format->magnitudes =
        use == CHANNELS_IQ && (format->nan_is_missing || other->table->times != NULL);
    channels->copies = use == CHANNELS_EACH || (use == CHANNELS_IQ && !format->magnitudes &&
                                                sample_type_pair(&format->sample));
    if (!channels->copies)
        format->sample = converted(other->format.sample, format->magnitudes ? CHANNELS_MEAN : use);
    channels->source.names = channels->source.units = NULL;
    if (use == CHANNELS_EACH) {
        channels->source.names = choose_words(channels, other->names, channels->names);
        channels->source.units =
            choose_words(channels, other->units, channels->names + channels->count);
    }
}

static int check_pairs(const struct source *source, unsigned count, struct error *error)
{
    if (sample_type_is_complex(source->format.sample))
        return error_set(error, ERROR_FILE, source->input->name,
                         "has complex samples already: leave --iq out");
    if (count % 2 != 0)
        return error_set(error, ERROR_FILE, source->input->name,
                         "has %u channel%s here, and I and Q are pairs: leave --iq out", count,
                         count == 1 ? "" : "s");
    return 0;
}

int channels_choose(struct source **source, const unsigned *channel, unsigned count,
                    enum channels_use use, struct error *error)
{
    static const struct source_class class = {
        .bytes = sizeof(struct channels_source),
        .read = channels_read,
        .skip = source_skip_other,
        .reader = channels_open_reader,
        .go = source_go_other,
        .ready = source_ready_other,
        .close = channels_close,
    };
    struct source *other = *source;
    const size_t bytes = source_frame_bytes(&other->format);
    const unsigned there = other->format.channels;
    struct channels_source *channels;

    for (unsigned i = 0; i < count; i++) {
        if (channel[i] >= there)
            return error_set(error, ERROR_FILE, other->input->name,
                             "has %u channel%s, and so no channel %u (--pick)", there,
                             there == 1 ? "" : "s", channel[i] + 1);
    }
    if (use == CHANNELS_IQ && check_pairs(other, count > 0 ? count : there, error) != 0)
        return -1;
    channels = source_over(&class, source, error);
    if (channels == NULL)
        return -1;
    channels->source.anywhere = other->anywhere && bytes <= BLOCK_BYTES;
    channels->use = use;
    channels->capacity = bytes < BLOCK_BYTES ? BLOCK_BYTES / bytes : 1;
    channels->count = count > 0 ? count : there;
    channels->channel = malloc(channels->count * sizeof *channels->channel);
    channels->names = malloc(2 * (size_t)channels->count * sizeof *channels->names);
    channels->block = malloc(channels->capacity * bytes);
    if (channels->channel == NULL || channels->block == NULL || channels->names == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    for (unsigned i = 0; i < channels->count; i++)
        channels->channel[i] = count > 0 ? channel[i] : i;
    describe(channels);
    return 0;
}

const char *channel_name(const char *const *names, unsigned channel, char usual[CHANNEL_NAME])
{
    const char *name = names == NULL ? NULL : names[channel];
    char digits[NUMBER_MOST];
    const size_t length = number_write_u64(digits, (uint64_t)channel + 1);

    *(char *)mempcpy(stpcpy(usual, "ch"), digits, length) = '\0';
    return name != NULL && name[0] != '\0' ? name : usual;
}
