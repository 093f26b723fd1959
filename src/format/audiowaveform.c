/* SPDX-License-Identifier: MIT */
/* The data formats of audiowaveform: waveform overviews for players in a browser, .dat and .json.
 * The bytes are those that `audiowaveform --split-channels` writes. Each frame is a pixel: a
 * minimum and a maximum of each channel. The length is in front of the data: if it is neither
 * known in advance nor can be filled in later, the data wait in a temporary file.
 *
 * .dat is little-endian: int32 version (1, or 2 with the last field), uint32 flags (1: 8 bits),
 * int32 rate, int32 frames per pixel, uint32 pixels, and in version 2 int32 channels; then for
 * each pixel and channel its minimum and maximum. .json is one line, always of version 2.
 *
 * audiowaveform converts PCM to 16 bits by dropping the lower bits, which is a floor. A floor is
 * monotonic, so the floor of a minimum is the minimum of the floors. 8-bit values are 16-bit ones
 * divided as in C, toward zero. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "format/raw_writer_priv.h"
#include "format/text/number.h"

enum { JSON_VALUE = 7 }; /* bytes of a value, with a comma and a sign */

static bool is_narrow(const struct sink_format *format)
{
    return format->sample.kind == SAMPLE_S8;
}

/* ---- the header */

static void put_dat(struct builder *builder, const struct sink_format *format, uint64_t pixels)
{
    const struct sink_context *context = &format->context;
    bool mono = context->channels == 1;

    put_little(builder, mono ? 1 : 2, 4);
    put_little(builder, is_narrow(format) ? 1 : 0, 4);
    put_little(builder, header_whole_rate(format), 4);
    put_little(builder, context->window.hop, 4);
    put_little(builder, pixels, 4);
    if (!mono)
        put_little(builder, context->channels, 4);
}

static void put_json(struct builder *builder, const struct sink_format *format, uint64_t pixels)
{
    const struct sink_context *context = &format->context;

    builder->size += (size_t)snprintf((char *)builder->bytes + builder->size, HEADER_MOST,
                                      "{\"version\":2,\"channels\":%u,\"sample_rate\":%" PRIu32
                                      ",\"samples_per_pixel\":%" PRIu64
                                      ",\"bits\":%d,\"length\":%" PRIu64 ",\"data\":[",
                                      context->channels, header_whole_rate(format),
                                      context->window.hop, is_narrow(format) ? 8 : 16, pixels);
}

/* ---- the data */

static int value_of(const struct sink_format *format, float sample, struct sample_losses *losses)
{
    const double whole = is_narrow(format) ? 256 : 1;
    double level = floor((double)sample * (format->sample.counts ? whole : 0x1p15));

    losses->nan += isnan(level) ? 1 : 0;
    losses->clipped += level < INT16_MIN || level > INT16_MAX ? 1 : 0;
    level = isnan(level)        ? 0
            : level < INT16_MIN ? INT16_MIN
            : level > INT16_MAX ? INT16_MAX
                                : level;
    return is_narrow(format) ? (int)level / 256 : (int)level;
}

static void encode_dat(struct builder *builder, const struct sink_format *format,
                       const void *values, size_t count, bool first, struct sample_losses *losses)
{
    unsigned bytes = (unsigned)sample_type_bytes(format->sample);

    (void)first;
    for (size_t i = 0; i < count; i++)
        put_little(builder, (uint64_t)(int64_t)value_of(format, ((const float *)values)[i], losses),
                   bytes);
}

static void encode_json(struct builder *builder, const struct sink_format *format,
                        const void *values, size_t count, bool first, struct sample_losses *losses)
{
    char *to = (char *)builder->bytes + builder->size;

    for (size_t i = 0; i < count; i++) {
        if (!first || i > 0)
            *to++ = ',';
        to += number_write_i64(to, value_of(format, ((const float *)values)[i], losses));
    }
    builder->size = (size_t)(to - (char *)builder->bytes);
}

/* ---- opening */

static int open_overview(struct output *output, const struct sink_format *format,
                         struct sink **sink, struct error *error)
{
    const struct sink_context *context = &format->context;
    const struct emit_list *emits = &context->emits;
    const struct window *window = &context->window;

    if (emits->count != 2 || emits->item[0] != EMIT_MIN || emits->item[1] != EMIT_MAX)
        return error_set(error, ERROR_FORMAT, output->name,
                         "a %s file holds minima and maxima: give --emit min,max",
                         format->container);
    /* Each frame stands for the frames that begin at it: --zoom. */
    if (window->align != ALIGN_FORWARD || window->width != window->hop || window->hop < 2)
        return error_set(error, ERROR_FORMAT, output->name,
                         "a %s file has pixels of 2 frames or more: give --zoom LEN",
                         format->container);
    if (window->hop > INT32_MAX)
        return error_set(error, ERROR_FORMAT, output->name,
                         "a %s file has pixels of 2147483647 frames at most", format->container);
    return sink_open_header(output, format, sink, error);
}

#define SPOOLED "an overview"

static const struct format_writer dat_writer = {
    .usual = SAMPLE_S16,
    .kinds = " s16 s8",
    .rate_most = INT32_MAX,
    .rate_of_input = true,
    .open = open_overview,
    .header =
        &(const struct header_rules){
            .put = put_dat,
            .spools = SPOOLED,
            .frames_most = UINT32_MAX,
            .encode = encode_dat,
            .value_most = 2,
        },
};

static const struct format_writer json_writer = {
    .usual = SAMPLE_S16,
    .kinds = " s16 s8",
    .rate_most = INT32_MAX,
    .rate_of_input = true,
    .text = true,
    .open = open_overview,
    .header =
        &(const struct header_rules){
            .put = put_json,
            .grows = true,
            .spools = SPOOLED,
            .encode = encode_json,
            .value_most = JSON_VALUE,
            .end = "]}\n",
        },
};

const struct format format_dat = {
    .names = {"dat"},
    .words = "an overview for players",
    .endings = " dat",
    .writer = &dat_writer,
};

const struct format format_json = {
    .names = {"json"},
    .words = "an overview for players, as JSON",
    .endings = " json",
    .writer = &json_writer,
};
