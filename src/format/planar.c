/* A stretch of every plane is read into a buffer that stays in the cache, and frames are put
 * together from there. A frame is there when the last of its samples is: of a file that was cut off
 * the last plane decides. */
#include "format/planar.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/read_at.h"
#include "bytes/spool.h"

enum {
    BUFFER_BYTES = 128 * 1024,
    STRETCH_LEAST = 4096,          /* bytes of a plane in one read, */
    BUFFER_MOST = 4 * 1024 * 1024, /* unless all planes together need more than this */
};

/* Frames by number, for one thread. */
struct planes {
    int fd;
    uint64_t begin;  /* of the first plane in the file */
    uint64_t frames; /* of each plane, as the header promises */
    unsigned channels;
    size_t sample_bytes;
    unsigned char *buffer; /* `room` samples of each plane */
    size_t room;
    uint64_t first; /* the frames in the buffer */
    size_t count;
    uint64_t missing; /* where the last read came to its end */
    uint64_t bytes;   /* read from the file */
};

struct planar_source {
    struct source source;
    struct framed_data data;
    struct planes planes;
    uint64_t next; /* the frame that the next read gives */
    bool over;     /* what lies behind the planes has been looked at */
};

struct planar_reader {
    struct frame_reader reader;
    struct planes planes;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* `from` has all but the buffer. Returns 0, or -1 when there is no memory. */
static int planes_open(struct planes *planes, const struct planes *from)
{
    size_t frame_bytes = from->sample_bytes * from->channels;
    size_t room = BUFFER_BYTES / frame_bytes;

    if (room < STRETCH_LEAST / from->sample_bytes)
        room = (size_t)least(STRETCH_LEAST / from->sample_bytes, BUFFER_MOST / frame_bytes);
    if (room == 0)
        room = 1;
    *planes = *from;
    planes->room = room;
    planes->count = 0;
    planes->bytes = 0;
    planes->buffer = malloc(room * frame_bytes);
    return planes->buffer == NULL ? -1 : 0;
}

/* Fills the buffer from this frame on. */
static void fetch(struct planes *planes, uint64_t frame)
{
    size_t size = planes->sample_bytes;

    planes->first = frame;
    planes->count = (size_t)least(planes->room, planes->frames - frame);
    for (unsigned i = 0; planes->count > 0 && i < planes->channels; i++) {
        uint64_t at = planes->begin + (i * planes->frames + frame) * size;
        size_t got =
            read_at(planes->fd, planes->buffer + i * planes->room * size, planes->count * size, at);

        planes->bytes += got;
        planes->missing = at + got;
        planes->count = got / size;
    }
}

/* Samples of one plane into the frames, which are `stride` bytes apart. */
static void spread(unsigned char *to, size_t stride, const unsigned char *from, size_t size,
                   size_t count)
{
#define SPREAD(SIZE)                                                                               \
    case SIZE:                                                                                     \
        for (size_t i = 0; i < count; i++)                                                         \
            memcpy(to + i * stride, from + i * (SIZE), SIZE);                                      \
        break

    switch (size) {
        SPREAD(1);
        SPREAD(2);
        SPREAD(4);
        SPREAD(8);
        SPREAD(16);
    default:
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * stride, from + i * size, size);
    }
#undef SPREAD
}

/* Less than `count` only where the file ends. */
static size_t planes_read(struct planes *planes, uint64_t frame, unsigned char *frames,
                          size_t count)
{
    size_t size = planes->sample_bytes;
    size_t stride = size * planes->channels;
    size_t done = 0;

    while (done < count && frame + done < planes->frames) {
        uint64_t at = frame + done;
        size_t offset;
        size_t now;

        if (at < planes->first || at - planes->first >= planes->count)
            fetch(planes, at);
        if (planes->count == 0)
            break;
        offset = (size_t)(at - planes->first);
        now = (size_t)least(planes->count - offset, count - done);
        for (unsigned i = 0; i < planes->channels; i++)
            spread(frames + done * stride + i * size, stride,
                   planes->buffer + (i * planes->room + offset) * size, size, now);
        done += now;
    }
    return done;
}

/* ---- in order */

/* No more frames came: is that as it should be? */
static int at_end(struct planar_source *planar, struct error *error)
{
    const struct framed_data *data = &planar->data;
    struct input *input = planar->source.input;

    if (input->stopped || planar->over)
        return 0;
    if (planar->next < planar->planes.frames) {
        unsigned char byte;
        size_t got;

        /* What keeps the file from being read, if it is not its end, is told by reading on. */
        if (input_rewind(input, planar->planes.missing, error) != 0 ||
            input_read(input, &byte, 1, &got, error) != 0)
            return -1;
        return framed_ends_early(input, data, planar->next, error);
    }
    planar->over = true;
    if (input_rewind(input, planar->planes.begin + data->bytes, error) != 0)
        return -1;
    return framed_look_behind(input, data, planar->next, error);
}

static int read_in_order(struct source *source, void *frames, size_t room, size_t *got,
                         struct error *error)
{
    struct planar_source *planar = (struct planar_source *)source;
    uint64_t before = planar->planes.bytes;

    *got = planes_read(&planar->planes, planar->next, frames, room);
    planar->next += *got;
    source->input->bytes += planar->planes.bytes - before;
    return *got > 0 ? 0 : at_end(planar, error);
}

static int skip(struct source *source, uint64_t frames, uint64_t *passed, struct error *error)
{
    struct planar_source *planar = (struct planar_source *)source;

    *passed = least(frames, source->format.frames - planar->next);
    planar->next += *passed;
    planar->planes.missing = planar->planes.begin + planar->data.bytes;
    return *passed == frames ? 0 : at_end(planar, error);
}

static bool is_ready(struct source *source, unsigned microseconds)
{
    (void)source;
    (void)microseconds;
    return true;
}

static int go(struct source *source, uint64_t frame, bool doubt, struct error *error)
{
    (void)doubt;
    (void)error;
    ((struct planar_source *)source)->next = frame;
    return 0;
}

static void close_source(struct source *source)
{
    struct planar_source *planar = (struct planar_source *)source;

    free(planar->planes.buffer);
    free(planar);
}

/* ---- at any place */

static size_t read_frames(struct frame_reader *reader, uint64_t frame, void *frames, size_t count)
{
    struct planes *planes = &((struct planar_reader *)reader)->planes;
    size_t got = planes_read(planes, frame, frames, count);

    reader->bytes = planes->bytes;
    return got;
}

static bool is_well(const struct frame_reader *reader)
{
    (void)reader;
    return true;
}

static void close_reader(struct frame_reader *reader)
{
    struct planar_reader *planar = (struct planar_reader *)reader;

    free(planar->planes.buffer);
    free(planar);
}

static int open_reader(struct source *source, struct frame_reader **reader, struct error *error)
{
    static const struct frame_reader_class class = {
        .read = read_frames, .is_well = is_well, .close = close_reader};
    struct planar_reader *new = malloc(sizeof *new);

    if (new == NULL || planes_open(&new->planes, &((struct planar_source *)source)->planes) != 0) {
        free(new);
        return error_system(error, ERROR_FILE, source->input->name, errno);
    }
    new->reader = (struct frame_reader){.class = &class};
    *reader = &new->reader;
    return 0;
}

/* ---- */

static const struct source_class planar_class = {
    .read = read_in_order,
    .skip = skip,
    .reader = open_reader,
    .go = go,
    .ready = is_ready,
    .close = close_source,
};

/* Frames of which all samples are in the file. */
static uint64_t frames_there(const struct planes *planes, uint64_t bytes)
{
    uint64_t of_others = (planes->channels - 1) * planes->frames * planes->sample_bytes;

    return bytes < of_others ? 0
                             : least((bytes - of_others) / planes->sample_bytes, planes->frames);
}

int source_open_planar(struct input *input, const struct framed_data *data, const char *words,
                       struct source **source, struct error *error)
{
    size_t sample_bytes = sample_type_bytes(data->sample);
    struct planar_source *planar;
    struct planes where;

    if (spool_input(input, words, NULL, error) != 0)
        return -1;
    where = (struct planes){
        .fd = input->fd,
        .begin = input_position(input),
        .frames = data->bytes / data->channels / sample_bytes,
        .channels = data->channels,
        .sample_bytes = sample_bytes,
    };
    planar = malloc(sizeof *planar);
    if (planar == NULL || planes_open(&planar->planes, &where) != 0) {
        free(planar);
        return error_system(error, ERROR_FILE, input->name, errno);
    }
    planar->source = (struct source){
        .class = &planar_class,
        .container = data->container,
        .encoding = sample_type_name(data->sample),
        .format =
            {
                .sample = data->sample,
                .channels = data->channels,
                .rate = data->rate,
                .frames = frames_there(&where, input_remaining(input)),
            },
        .input = input,
        .anywhere = true,
        .wide = sample_type_is_wide(data->sample),
    };
    planar->data = *data;
    planar->next = 0;
    planar->over = false;
    *source = &planar->source;
    return 0;
}
