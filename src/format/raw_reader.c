/* SPDX-License-Identifier: MIT */
/* Frames are read directly into the engine's buffer; an incomplete frame at the end of a read is
 * kept for the next one. */
#include "format/raw_reader_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "format/file_chunk_priv.h"
#include "format/recognise_priv.h"
#include "io/read_at.h"
#include "sample/strided.h"

enum { TAG_MOST = 4096 };

/* For random access. The channels of some data are planes, stored one after the other, like the
 * columns of a NumPy array in Fortran order: a range of every plane is read into a buffer that
 * stays in the cache, and frames are interleaved from there. Used by one thread. */
struct raw_reader_reader {
    struct frame_reader reader;
    const struct raw_reader_source *of;
    unsigned char *buffer; /* `capacity` samples of each plane; NULL if there are no planes */
    size_t capacity;
    uint64_t first; /* the first frame in the buffer */
    size_t count;
    uint64_t missing; /* where the file ended too early, else the end of the planes */
};

struct raw_reader_source {
    struct source source;
    struct raw_reader_data data;
    size_t sample_bytes;
    size_t frame_bytes;
    uint64_t begin;  /* offset of the frames in a plain file */
    uint64_t frames; /* frames returned or skipped so far */
    bool over;       /* the data after the frames have been checked */
    char remark[80]; /* a warning; may be empty */
    struct raw_reader_reader planes;
    /* An incomplete frame at the end of the last read; room for one frame. */
    unsigned char *partial;
    size_t partial_bytes;
};

/* ---- planes */

enum {
    BUFFER_BYTES = 128 * 1024,
    /* The fewest bytes per plane in one read, unless all planes together then exceed
     * BUFFER_MOST. */
    STRETCH_LEAST = 4096,
    BUFFER_MOST = 4 * 1024 * 1024,
};

/* Returns 0, or -1 if memory runs out. */
static int planes_open(struct raw_reader_reader *planes, const struct raw_reader_source *of)
{
    size_t least_capacity = STRETCH_LEAST / of->sample_bytes;
    size_t capacity = BUFFER_BYTES / of->frame_bytes;

    if (capacity < least_capacity)
        capacity = (size_t)min_u64(least_capacity, BUFFER_MOST / of->frame_bytes);
    if (capacity == 0)
        capacity = 1;
    planes->of = of;
    planes->capacity = capacity;
    planes->buffer = malloc(capacity * of->frame_bytes);
    planes->missing = of->begin + of->data.bytes;
    return planes->buffer == NULL ? -1 : 0;
}

/* Fills the buffer from this frame on. */
static void fetch(struct raw_reader_reader *planes, uint64_t frame)
{
    const struct raw_reader_source *of = planes->of;
    size_t size = of->sample_bytes;

    planes->first = frame;
    planes->count = (size_t)min_u64(planes->capacity, of->data.format.frames - frame);
    for (unsigned i = 0; planes->count > 0 && i < of->source.format.channels; i++) {
        uint64_t at = of->begin + (i * of->data.format.frames + frame) * size;
        size_t got = read_at(of->source.input->fd, planes->buffer + i * planes->capacity * size,
                             planes->count * size, at);

        planes->reader.bytes += got;
        if (got < planes->count * size)
            planes->missing = at + got;
        planes->count = got / size;
    }
}

/* Returns the number of frames: less than `count` only at the end of the file. */
static size_t planes_read(struct raw_reader_reader *planes, uint64_t frame, unsigned char *frames,
                          size_t count)
{
    const struct raw_reader_source *of = planes->of;
    size_t size = of->sample_bytes;
    const struct strided buffer = {
        .bytes = size,
        .frame = (ptrdiff_t)size,
        .channel = (ptrdiff_t)(planes->capacity * size),
    };
    size_t done = 0;

    while (done < count && frame + done < of->data.format.frames) {
        uint64_t at = frame + done;
        size_t offset;
        size_t now;

        if (at < planes->first || at - planes->first >= planes->count)
            fetch(planes, at);
        if (planes->count == 0)
            break;
        offset = (size_t)(at - planes->first);
        now = (size_t)min_u64(planes->count - offset, count - done);
        strided_gather(&buffer, planes->buffer + offset * size, now, of->source.format.channels,
                       frames + done * of->frame_bytes);
        done += now;
    }
    return done;
}

/* ---- the source */

/* The bytes of data that have been passed so far. */
static uint64_t bytes_passed(const struct raw_reader_source *raw)
{
    return raw->frames * raw->frame_bytes + raw->partial_bytes;
}

static uint64_t bytes_left(const struct raw_reader_source *raw)
{
    uint64_t bytes = raw->data.bytes;

    return bytes == RAW_UNTIL_END ? RAW_UNTIL_END : bytes - bytes_passed(raw);
}

static bool is_padding(const struct raw_reader_source *raw)
{
    if (raw->partial_bytes >= raw->data.padding || bytes_passed(raw) % raw->data.padding != 0)
        return false;
    for (size_t i = 0; i < raw->partial_bytes; i++) {
        if (raw->partial[i] != 0)
            return false;
    }
    return true;
}

/* True if a chunk of frames begins here. */
static bool has_frames(struct input *input)
{
    const unsigned char *bytes;
    struct error ignored;
    size_t got;

    return input_peek(input, 4, &bytes, &got, &ignored) == 0 && got >= 4 &&
           (memcmp(bytes, "data", 4) == 0 || memcmp(bytes, "SSND", 4) == 0);
}

/* Skips a chunk, if there is one. Adds skipped bytes that are not part of a chunk to `*rest`. */
static bool pass_chunk(struct input *input, const struct chunk_shape *shape, uint64_t *rest,
                       struct error *error)
{
    const unsigned char *bytes;
    struct file_chunk chunk;
    size_t got;
    uint64_t size;
    uint64_t passed;

    if (input_peek(input, chunk_start(shape), &bytes, &got, error) != 0 ||
        got < chunk_start(shape) || !chunk_has_name(bytes) || !chunk_parse(shape, bytes, &chunk) ||
        chunk.size >= CHUNK_HUGE)
        return false;
    size = chunk_start(shape) + chunk.padded;
    if (input_skip(input, size, &passed, error) != 0)
        return false;
    if (passed == size)
        return true;
    /* The padding of the last chunk is often missing; otherwise it was not a chunk. */
    if (passed + shape->align <= size)
        *rest += passed;
    return false;
}

/* Skips the zeros that align the next chunk. */
static int pass_padding(struct input *input, const struct raw_reader_data *data,
                        struct error *error)
{
    unsigned over = (unsigned)(data->bytes % data->chunks->align);
    unsigned most = over == 0 ? 0 : data->chunks->align - over;
    const unsigned char *bytes;
    unsigned zeros = 0;
    uint64_t passed;
    size_t got;

    if (input_peek(input, most, &bytes, &got, error) != 0)
        return -1;
    while (zeros < most && zeros < got && bytes[zeros] == 0)
        zeros++;
    return input_skip(input, zeros, &passed, error);
}

/* Warns of a second file, as by `cat a.wav b.wav`, and of frames that the header does not count,
 * because it was never updated or the size has passed 4 GiB. Both would be lost silently. Tags of
 * a few KiB are normal. */
static int look_behind(struct input *input, const struct raw_reader_data *data, uint64_t frames,
                       struct error *error)
{
    const struct chunk_shape *shape = data->chunks;
    uint64_t rest = 0;
    uint64_t passed;

    if (shape != NULL && pass_padding(input, data, error) != 0)
        return -1;
    do {
        struct recognised next;

        if (recognise(input, &next, error) != 0)
            return -1;
        if (next.format != NULL && !next.format->no_samples)
            return recognise_another(input, next.words, frames, error);
        if (shape != NULL && has_frames(input))
            return error_set(error, ERROR_FILE, input->name,
                             "another chunk of samples follows the first, after %llu frames: only "
                             "the first was used",
                             (unsigned long long)frames);
    } while (shape != NULL && pass_chunk(input, shape, &rest, error));
    /* Reads a pipe to its end, so that its writer can finish. */
    if (input_skip(input, UINT64_MAX, &passed, error) != 0)
        return -1;
    rest += passed;
    if (rest <= TAG_MOST)
        return 0;
    return error_set(error, ERROR_FILE, input->name,
                     "%llu bytes follow the %llu frames that its %s header promises, and were "
                     "not used: if they are frames too, name them as raw: --skip and -t TYPE",
                     (unsigned long long)rest, (unsigned long long)frames, data->container);
}

/* At the end of the input: returns an error if that comes too early. */
static int at_end(struct raw_reader_source *raw, struct error *error)
{
    struct input *input = raw->source.input;
    unsigned long long frames = raw->frames;
    size_t stray = raw->partial_bytes;
    uint64_t left = bytes_left(raw);
    uint64_t promised = raw->data.bytes / raw->frame_bytes;

    if (input->stopped)
        return 0;
    if (left != RAW_UNTIL_END && frames < promised)
        return error_set(error, ERROR_DAMAGED, input->name,
                         "ends after %llu frames; its %s header promises %llu: the frames that are "
                         "there were used",
                         frames, raw->data.container, (unsigned long long)promised);
    if (stray > 0 && !is_padding(raw))
        return error_set(error, ERROR_DAMAGED, input->name,
                         "ends inside a frame: %zu byte%s after %llu whole frame%s (a frame is %zu "
                         "bytes)",
                         stray, stray == 1 ? "" : "s", frames, frames == 1 ? "" : "s",
                         raw->frame_bytes);
    if (left > 0 || raw->over)
        return 0;
    raw->over = true;
    return look_behind(input, &raw->data, frames, error);
}

/* Positions the input at the end of the planes, or at a missing sample: a look there shows whether
 * it is the end of the file or an error. */
static int planes_at_end(struct raw_reader_source *raw, struct error *error)
{
    struct input *input = raw->source.input;
    const unsigned char *byte;
    size_t got;

    if (input_rewind(input, raw->planes.missing, error) != 0 ||
        input_peek(input, 1, &byte, &got, error) != 0)
        return -1;
    return at_end(raw, error);
}

static int read_planes(struct raw_reader_source *raw, void *frames, size_t capacity, size_t *got,
                       struct error *error)
{
    struct raw_reader_reader *planes = &raw->planes;
    uint64_t before = planes->reader.bytes;

    *got = planes_read(planes, raw->frames, frames, capacity);
    raw->frames += *got;
    raw->source.input->bytes += planes->reader.bytes - before;
    return *got > 0 ? 0 : planes_at_end(raw, error);
}

static int skip_planes(struct raw_reader_source *raw, uint64_t frames, uint64_t *passed,
                       struct error *error)
{
    *passed = min_u64(frames, raw->source.format.frames - raw->frames);
    raw->frames += *passed;
    return *passed == frames ? 0 : planes_at_end(raw, error);
}

/* Looks at the beginning of a pipe: if it is that of a file, warns that it was read as raw
 * frames. */
static void look_at_start(struct raw_reader_source *raw, const unsigned char *bytes, size_t size)
{
    size_t more;
    struct recognised found = recognise_bytes(bytes, size, false, &more);

    if (found.format != NULL && found.refused == NULL)
        snprintf(raw->remark, sizeof raw->remark,
                 "begins like %s, but was read as raw frames, header and all", found.words);
}

static int raw_reader_read(struct source *source, void *frames, size_t capacity, size_t *got,
                           struct error *error)
{
    struct raw_reader_source *raw = (struct raw_reader_source *)source;
    unsigned char *bytes = frames;
    size_t held = raw->partial_bytes;
    size_t size = (size_t)min_u64(capacity * raw->frame_bytes - held, bytes_left(raw)) + held;
    size_t more = 0;
    int result = 0;

    if (raw->data.planar)
        return read_planes(raw, frames, capacity, got, error);
    if (size % raw->frame_bytes != 0)
        source->input->reading = NULL; /* an incomplete frame is looked at */
    memcpy(bytes, raw->partial, held);
    do {
        more = 0;
        if (size > held)
            result = input_read(source->input, bytes + held, size - held, &more, error);
        held += more;
    } while (result == 0 && more > 0 && held < raw->frame_bytes);

    if (raw->data.named && !source->input->regular && raw->frames == 0)
        look_at_start(raw, bytes, held);
    *got = held / raw->frame_bytes;
    raw->frames += *got;
    raw->partial_bytes = held % raw->frame_bytes;
    memcpy(raw->partial, bytes + *got * raw->frame_bytes, raw->partial_bytes);
    if (result == 0 && more == 0)
        return at_end(raw, error);
    return result;
}

static int raw_reader_skip(struct source *source, uint64_t frames, uint64_t *passed,
                           struct error *error)
{
    struct raw_reader_source *raw = (struct raw_reader_source *)source;
    uint64_t most = UINT64_MAX / raw->frame_bytes;
    uint64_t wanted = (frames < most ? frames : most) * raw->frame_bytes;
    uint64_t held = raw->partial_bytes;
    uint64_t more = 0;
    int result;

    *passed = 0;
    if (frames == 0)
        return 0;
    if (raw->data.planar)
        return skip_planes(raw, frames, passed, error);
    result = input_skip(source->input, min_u64(wanted - held, bytes_left(raw)), &more, error);
    held += more;
    *passed = held / raw->frame_bytes;
    raw->frames += *passed;
    raw->partial_bytes = (size_t)(held % raw->frame_bytes);
    /* The bytes of an incomplete frame were skipped: only their number matters, and they may be
     * padding. */
    memset(raw->partial, 0, raw->partial_bytes);
    if (result == 0 && held < wanted)
        return at_end(raw, error);
    return result;
}

/* ---- random access */

static size_t read_frames(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct raw_reader_reader *own = (struct raw_reader_reader *)reader;
    size_t size = own->of->frame_bytes;
    uint64_t at = own->of->begin + frame * size;
    size_t got;

    if (own->of->data.planar)
        return planes_read(own, frame, frames, count);
    got = read_at(own->of->source.input->fd, frames, count * size, at);
    reader->bytes += got;
    return got / size;
}

static void close_reader(struct frame_reader *reader)
{
    free(((struct raw_reader_reader *)reader)->buffer);
    free(reader);
}

static int raw_reader_open_reader(struct source *source, struct frame_reader **reader,
                                  struct error *error)
{
    static const struct frame_reader_class class = {read_frames, close_reader};
    const struct raw_reader_source *raw = (const struct raw_reader_source *)source;
    struct raw_reader_reader *own = calloc(1, sizeof *own);

    if (own == NULL || (raw->data.planar && planes_open(own, raw) != 0)) {
        free(own);
        return error_system(error, ERROR_FILE, source->input->name, errno);
    }
    own->reader.class = &class;
    own->of = raw;
    *reader = &own->reader;
    return 0;
}

static int raw_reader_go(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    struct raw_reader_source *raw = (struct raw_reader_source *)source;

    (void)doubt;
    raw->frames = frame;
    raw->partial_bytes = 0;
    return input_rewind(source->input, raw->begin + bytes_passed(raw), error);
}

static bool raw_reader_ready(struct source *source, unsigned microseconds)
{
    const struct raw_reader_source *raw = (const struct raw_reader_source *)source;

    /* An incomplete frame is no frame: a read would wait for the rest. */
    return bytes_left(raw) == 0 || raw->data.planar ||
           (input_ready(source->input, microseconds) &&
            input_waiting(source->input) >= raw->frame_bytes - raw->partial_bytes);
}

static void raw_reader_close(struct source *source)
{
    struct raw_reader_source *raw = (struct raw_reader_source *)source;

    free(raw->planes.buffer);
    free(raw->partial);
}

static const struct source_class raw_reader_class = {
    .bytes = sizeof(struct raw_reader_source),
    .read = raw_reader_read,
    .passes = true,
    .skip = raw_reader_skip,
    .reader = raw_reader_open_reader,
    .go = raw_reader_go,
    .ready = raw_reader_ready,
    .close = raw_reader_close,
};

int source_open_raw_frames(struct input *input, const struct raw_reader_data *data,
                           struct source **source, struct error *error)
{
    struct raw_reader_source *raw = source_new(&raw_reader_class, input, source, error);
    uint64_t there = input_remaining(input);
    uint64_t *frames;
    uint64_t others; /* bytes of all planes but the last */

    if (raw == NULL)
        return -1;
    raw->source.remark = raw->remark;
    raw->source.container = data->container;
    raw->source.encoding = sample_type_name(data->format.sample);
    raw->source.format = data->format;
    raw->source.anywhere = input->regular;
    frames = &raw->source.format.frames;
    raw->data = *data;
    raw->over = data->bounded;
    raw->sample_bytes = sample_type_bytes(data->format.sample);
    raw->frame_bytes = source_frame_bytes(&data->format);
    raw->begin = input->regular ? input_position(input) : 0;
    raw->partial = malloc(raw->frame_bytes);
    if (raw->partial == NULL || (data->planar && planes_open(&raw->planes, raw) != 0))
        return error_system(error, ERROR_FILE, input->name, errno);
    /* In a file the smaller of the stated and the actual size counts. The size of the last plane
     * gives the number of frames. */
    there = min_u64(there, data->bytes);
    others = data->bytes - data->format.frames * raw->sample_bytes;
    if (data->planar)
        *frames = there < others ? 0 : (there - others) / raw->sample_bytes;
    else
        *frames = there == UINT64_MAX ? SOURCE_FRAMES_UNKNOWN : there / raw->frame_bytes;
    return 0;
}
