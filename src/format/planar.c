/* Reads a range of every plane into a buffer that stays in the cache, and interleaves frames from
 * there. */
#include "format/planar.h"

#include <stdlib.h>
#include <string.h>

#include "base/least.h"
#include "bytes/read_at.h"

enum {
    BUFFER_BYTES = 128 * 1024,
    STRETCH_LEAST = 4096,          /* bytes per plane in one read, */
    BUFFER_MOST = 4 * 1024 * 1024, /* unless all planes together exceed this */
};

int planar_open(struct planar *planes, const struct framed_data *data, int fd, uint64_t begin)
{
    size_t sample_bytes = sample_type_bytes(data->sample);
    size_t frame_bytes = framed_frame_bytes(data);
    size_t room = BUFFER_BYTES / frame_bytes;

    if (room < STRETCH_LEAST / sample_bytes)
        room = (size_t)least(STRETCH_LEAST / sample_bytes, BUFFER_MOST / frame_bytes);
    if (room == 0)
        room = 1;
    *planes = (struct planar){
        .fd = fd,
        .begin = begin,
        .frames = data->bytes / frame_bytes,
        .channels = data->channels,
        .sample_bytes = sample_bytes,
        .buffer = malloc(room * frame_bytes),
        .room = room,
    };
    return planes->buffer == NULL ? -1 : 0;
}

void planar_close(struct planar *planes)
{
    free(planes->buffer);
}

uint64_t planar_there(const struct planar *planes, uint64_t bytes)
{
    uint64_t of_others = (planes->channels - 1) * planes->frames * planes->sample_bytes;

    return bytes < of_others ? 0
                             : least((bytes - of_others) / planes->sample_bytes, planes->frames);
}

/* Fills the buffer from this frame on. */
static void fetch(struct planar *planes, uint64_t frame)
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

/* Copies samples of one plane into the frames, `stride` bytes apart. */
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

size_t planar_read(struct planar *planes, uint64_t frame, unsigned char *frames, size_t count)
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
