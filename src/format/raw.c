/* Frames without a header: nothing lies between the file and the engine. Float32 is written from
 * where the engine left it. */
#include "format/raw.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/framed.h"

int source_open_raw(struct input *input, const struct source_request *request, const char *words,
                    struct source **source, struct error *error)
{
    const struct framed_data data = {
        .container = "raw",
        .sample = request->sample,
        .channels = request->channels,
        .rate = request->rate,
        .bytes = FRAMED_UNTIL_END,
    };

    (void)words;
    return source_open_framed(input, &data, source, error);
}

bool raw_type_by_ending(const char *path, struct sample_type *type)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');
    struct sample_type named = {.kind = SAMPLE_F32};
    char ending[16];
    size_t length = dot == NULL ? 0 : strlen(dot + 1);

    if (length == 0 || length >= sizeof ending)
        return false;
    for (size_t i = 0; i <= length; i++)
        ending[i] = (char)tolower((unsigned char)dot[1 + i]);
    if (strcmp(ending, "raw") == 0)
        named.big_endian = type->big_endian;
    else if (!sample_type_parse(ending, type->big_endian, &named))
        return false;
    named.counts = type->counts;
    *type = named;
    return true;
}

struct raw_sink {
    struct sink sink;
    uint64_t begin;       /* where in the output frame 0 goes */
    unsigned char *block; /* encoded samples; NULL when there is nothing to encode */
};

enum { BLOCK_BYTES = 64 * 1024 };

static int raw_write(struct sink *sink, float *frames, size_t count, bool gift, struct error *error)
{
    struct raw_sink *raw = (struct raw_sink *)sink;
    size_t bytes = sample_type_bytes(sink->format.sample);
    size_t left = count * sink->format.channels;

    if (raw->block == NULL && gift)
        return output_give(sink->output, frames, left * sizeof *frames, error);
    if (raw->block == NULL)
        return output_write(sink->output, frames, left * sizeof *frames, error);
    while (left > 0) {
        size_t piece = left < BLOCK_BYTES / bytes ? left : BLOCK_BYTES / bytes;

        sample_encode(sink->format.sample, frames, raw->block, piece, &sink->losses);
        if (output_write(sink->output, raw->block, piece * bytes, error) != 0)
            return -1;
        frames += piece;
        left -= piece;
    }
    return 0;
}

static size_t frame_bytes(const struct sink *sink)
{
    return sample_type_bytes(sink->format.sample) * sink->format.channels;
}

static int raw_reserve(struct sink *sink, uint64_t frames, unsigned threads, struct error *error)
{
    const struct raw_sink *raw = (const struct raw_sink *)sink;

    return output_reserve(sink->output, raw->begin + frames * frame_bytes(sink), threads, error);
}

static int raw_place(struct sink *sink, uint64_t frame, const float *frames, size_t count,
                     struct sample_losses *losses, struct error *error)
{
    const struct raw_sink *raw = (const struct raw_sink *)sink;
    const struct sink_format *format = &sink->format;
    size_t bytes = sample_type_bytes(format->sample);
    uint64_t at = raw->begin + frame * frame_bytes(sink);
    size_t left = count * format->channels;
    unsigned char block[BLOCK_BYTES];

    if (raw->block == NULL)
        return output_write_at(sink->output, at, frames, left * sizeof *frames, error);
    while (left > 0) {
        size_t batch = left < BLOCK_BYTES / bytes ? left : BLOCK_BYTES / bytes;

        sample_encode(format->sample, frames, block, batch, losses);
        if (output_write_at(sink->output, at, block, batch * bytes, error) != 0)
            return -1;
        frames += batch;
        left -= batch;
        at += batch * bytes;
    }
    return 0;
}

static int raw_placed(struct sink *sink, uint64_t frames, struct error *error)
{
    const struct raw_sink *raw = (const struct raw_sink *)sink;

    return output_go_on(sink->output, raw->begin + frames * frame_bytes(sink), error);
}

static int raw_finish(struct sink *sink, struct error *error)
{
    (void)sink;
    (void)error;
    return 0;
}

static void raw_sink_close(struct sink *sink)
{
    struct raw_sink *raw = (struct raw_sink *)sink;

    free(raw->block);
    free(raw);
}

static const struct sink_class raw_sink_class = {
    .write = raw_write,
    .reserve = raw_reserve,
    .place = raw_place,
    .placed = raw_placed,
    .finish = raw_finish,
    .close = raw_sink_close,
};

int sink_open_raw(struct output *output, const struct sink_format *format, struct sink **sink,
                  struct error *error)
{
    struct raw_sink *raw;

    if (sample_type_is_complex(format->sample))
        return error_set(error, ERROR_OUTPUT_TYPE, sample_type_name(format->sample),
                         "cannot be written, a magnitude is no complex number: try f32");
    raw = calloc(1, sizeof *raw);
    if (raw == NULL)
        goto error;
    if (!sample_type_is_native(format->sample)) {
        raw->block = malloc(BLOCK_BYTES);
        if (raw->block == NULL)
            goto error;
    }
    raw->begin = output->bytes;
    raw->sink = (struct sink){.class = &raw_sink_class, .format = *format, .output = output};
    *sink = &raw->sink;
    return 0;

error:
    error_system(error, ERROR_FILE, output->name, errno);
    free(raw);
    return -1;
}

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f16 f32 f64 s8 u8 s16 u16 s24 u24 s32 u32",
    .any_order = true,
    .rateless = true,
    .streams = true,
    .open = sink_open_raw,
};

const struct format format_raw = {
    .names = {"raw"},
    .words = "raw frames",
    .open = source_open_raw,
    .writer = &writer,
};
