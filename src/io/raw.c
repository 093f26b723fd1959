/* Frames without a header: nothing lies between the file and the engine. Input is read into
 * the place where the engine takes it from, and float32 is written from where the engine left it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/sink.h"
#include "io/source.h"

struct raw_source {
    struct source source;
    size_t frame_bytes;
    uint64_t frames; /* given or passed so far */
    /* The beginning of a frame whose end the last read did not bring; room for one frame. */
    unsigned char *partial;
    size_t partial_bytes;
};

static int ends_inside_frame(const struct raw_source *raw, size_t stray, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "%s: ends inside a frame: %zu byte%s after frame %llu (a frame is %zu bytes)",
                     raw->source.input->name, stray, stray == 1 ? "" : "s",
                     (unsigned long long)raw->frames, raw->frame_bytes);
}

static int raw_read(struct source *source, void *frames, size_t room, size_t *got,
                    struct error *error)
{
    struct raw_source *raw = (struct raw_source *)source;
    unsigned char *bytes = frames;
    size_t size = room * raw->frame_bytes;
    size_t held = raw->partial_bytes;
    size_t more = 0;
    int result;

    memcpy(bytes, raw->partial, held);
    do {
        result = input_read(source->input, bytes + held, size - held, &more, error);
        if (result == 0)
            held += more;
    } while (result == 0 && more > 0 && held < raw->frame_bytes);

    *got = held / raw->frame_bytes;
    raw->frames += *got;
    raw->partial_bytes = held % raw->frame_bytes;
    memcpy(raw->partial, bytes + *got * raw->frame_bytes, raw->partial_bytes);
    if (result == 0 && more == 0 && raw->partial_bytes > 0 && !source->input->stopped)
        return ends_inside_frame(raw, raw->partial_bytes, error);
    return result;
}

static int raw_skip(struct source *source, uint64_t frames, uint64_t *passed, struct error *error)
{
    struct raw_source *raw = (struct raw_source *)source;
    uint64_t most = UINT64_MAX / raw->frame_bytes;
    uint64_t bytes = (frames < most ? frames : most) * raw->frame_bytes;
    uint64_t held = raw->partial_bytes;
    int result;

    *passed = 0;
    if (frames == 0)
        return 0;
    result = input_skip(source->input, bytes - held, &bytes, error);
    held += bytes;
    *passed = held / raw->frame_bytes;
    raw->frames += *passed;
    raw->partial_bytes = 0; /* what is left of a frame has no end, and is not needed any more */
    if (result == 0 && held % raw->frame_bytes > 0 && !source->input->stopped)
        return ends_inside_frame(raw, (size_t)(held % raw->frame_bytes), error);
    return result;
}

static bool raw_ready(struct source *source, unsigned microseconds)
{
    return input_ready(source->input, microseconds);
}

static void raw_source_close(struct source *source)
{
    struct raw_source *raw = (struct raw_source *)source;

    free(raw->partial);
    free(raw);
}

static const struct source_class raw_source_class = {
    .name = "raw",
    .read = raw_read,
    .skip = raw_skip,
    .ready = raw_ready,
    .close = raw_source_close,
};

int source_open_raw(struct input *input, const struct source_request *request,
                    struct source **source, struct error *error)
{
    struct raw_source *raw = calloc(1, sizeof *raw);
    uint64_t bytes = input_remaining(input);

    if (raw == NULL)
        goto error;
    raw->frame_bytes = sample_type_bytes(request->sample) * request->channels;
    raw->partial = malloc(raw->frame_bytes);
    if (raw->partial == NULL)
        goto error;
    raw->source = (struct source){
        .class = &raw_source_class,
        .format =
            {
                .sample = request->sample,
                .channels = request->channels,
                .rate = request->rate,
                .frames = bytes == UINT64_MAX ? SOURCE_FRAMES_UNKNOWN : bytes / raw->frame_bytes,
            },
        .input = input,
    };
    *source = &raw->source;
    return 0;

error:
    error_system(error, input->name, errno);
    free(raw);
    return -1;
}

struct raw_sink {
    struct sink sink;
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
    .name = "raw",
    .write = raw_write,
    .finish = raw_finish,
    .close = raw_sink_close,
};

int sink_open_raw(struct output *output, const struct sink_format *format, struct sink **sink,
                  struct error *error)
{
    struct raw_sink *raw;

    if (sample_type_is_complex(format->sample))
        return error_set(error, STATUS_USAGE,
                         "%s: cannot be written, a magnitude is no complex number: try f32",
                         sample_type_name(format->sample));
    raw = calloc(1, sizeof *raw);
    if (raw == NULL)
        goto error;
    if (!sample_type_is_native(format->sample)) {
        raw->block = malloc(BLOCK_BYTES);
        if (raw->block == NULL)
            goto error;
    }
    raw->sink = (struct sink){.class = &raw_sink_class, .format = *format, .output = output};
    *sink = &raw->sink;
    return 0;

error:
    error_system(error, output->name, errno);
    free(raw);
    return -1;
}
