#include "format/sndfile/mp3_frames.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/read_at.h"
#include "format/mpeg.h"
#include "format/sndfile/tags.h"

enum {
    BUFFER_BYTES = 64 * 1024,
    START_BYTES = 16,     /* that show what it is that begins there */
    SEARCHED = 64 * 1024, /* behind a frame that is missing, for the next one */
    REST_MOST = 4096,     /* bytes that may be anything */
};

/* A file, of which a part is at hand. */
struct walk {
    int fd;
    uint64_t base;
    uint64_t size;
    uint64_t from; /* of the part */
    size_t held;
    unsigned char bytes[BUFFER_BYTES];
};

/* START_BYTES at this place; behind the end are zeros. */
static const unsigned char *bytes_at(struct walk *walk, uint64_t at)
{
    if (at < walk->from || at + START_BYTES > walk->from + walk->held) {
        uint64_t left = at < walk->size ? walk->size - at : 0;
        size_t count = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;

        memset(walk->bytes, 0, START_BYTES);
        walk->held = read_at(walk->fd, walk->bytes, count, walk->base + at);
        walk->from = at;
        if (walk->held < START_BYTES)
            memset(walk->bytes + walk->held, 0, START_BYTES - walk->held);
    }
    return walk->bytes + (at - walk->from);
}

/* What begins there. Where libsndfile comes to frames of another rate or with other channels, it
 * ends. */
struct place {
    uint64_t bytes; /* of a frame, or of a tag; 0: it is neither */
    uint32_t kind;  /* what all frames of a stream have in common; 0: it is no frame */
};

static struct place place_at(struct walk *walk, uint64_t at)
{
    const unsigned char *bytes = bytes_at(walk, at);
    struct mpeg_frame frame = mpeg_frame(bytes);

    if (frame.kind != MPEG_AUDIO)
        return (struct place){.bytes = tag_bytes(bytes)};
    return (struct place){.bytes = frame.bytes, .kind = frame.fixed | (bytes[3] >> 6 == 3)};
}

/* Does a frame of this kind begin here, and another one behind it, or is that the end? */
static bool goes_on(struct walk *walk, uint64_t at, uint32_t kind)
{
    struct place place = place_at(walk, at);

    if (place.kind != kind)
        return false;
    at += place.bytes;
    return at == walk->size || place_at(walk, at).kind == kind;
}

/* No frame begins at `at`, behind one that began at `before`: is that the end of them? */
static enum mp3_frames look_on(struct walk *walk, uint64_t before, uint64_t at, uint32_t kind)
{
    for (uint64_t i = before + 1; i < at + SEARCHED && i < walk->size; i++) {
        if (goes_on(walk, i, kind))
            return MP3_BROKEN;
    }
    return walk->size - at > REST_MOST ? MP3_JUNK : MP3_WHOLE;
}

enum mp3_frames mp3_frames_check(int fd, uint64_t base, uint64_t size, uint64_t *at)
{
    struct walk walk = {.fd = fd, .base = base};
    uint64_t before = 0; /* where the last frame began */
    uint32_t kind = 0;   /* of the frames so far */

    walk.size = tags_begin(fd, base, size);
    *at = 0;
    while (*at < walk.size) {
        struct place place = place_at(&walk, *at);

        if (place.bytes == 0 && kind != 0)
            return look_on(&walk, before, *at, kind);
        /* A tag may be padded with zeros. */
        if (place.bytes == 0)
            return *at == 0 || *bytes_at(&walk, *at) == 0 ? MP3_WHOLE : MP3_BROKEN;
        if (place.kind != 0) {
            if (kind != 0 && place.kind != kind)
                return MP3_CHANGED;
            if (place.bytes > walk.size - *at)
                return MP3_CUT;
            kind = place.kind;
            before = *at;
        }
        *at += place.bytes;
    }
    return MP3_WHOLE;
}
