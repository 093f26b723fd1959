/* Reads a range of every plane into a buffer that stays in the cache, and interleaves frames from
 * there. */
#include "format/planar.h"

#include <stdlib.h>

#include "base/least.h"
#include "bytes/read_at.h"
#include "sample/strided.h"

enum {
    BUFFER_BYTES = 128 * 1024,
    STRETCH_LEAST = 4096,          /* bytes per plane in one read, */
    BUFFER_MOST = 4 * 1024 * 1024, /* unless all planes together exceed this */
};

int planar_open(struct planar *planes)
{
    size_t frame_bytes = planes->sample_bytes * planes->channels;
    size_t least_room = STRETCH_LEAST / planes->sample_bytes;

    planes->room = BUFFER_BYTES / frame_bytes;
    if (planes->room < least_room)
        planes->room = (size_t)least(least_room, BUFFER_MOST / frame_bytes);
    if (planes->room == 0)
        planes->room = 1;
    planes->count = 0;
    planes->bytes = 0;
    planes->buffer = malloc(planes->room * frame_bytes);
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

size_t planar_read(struct planar *planes, uint64_t frame, unsigned char *frames, size_t count)
{
    size_t size = planes->sample_bytes;
    const struct strided buffer = {
        .bytes = size,
        .frame = (ptrdiff_t)size,
        .channel = (ptrdiff_t)(planes->room * size),
    };
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
        strided_gather(&buffer, planes->buffer + offset * size, now, planes->channels,
                       frames + done * size * planes->channels);
        done += now;
    }
    return done;
}
