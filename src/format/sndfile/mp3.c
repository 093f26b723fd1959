/* The frames of MP3 files, and the tags before, between and after them, where libmpg123 is not
 * here. If a byte is missing, libsndfile's decoder continues at a later frame, or gives up; without
 * a header that counts the frames, it stops at an estimate. */
#include "format/sndfile/whole_priv.h"

#include <string.h>

#include "format/mpeg_priv.h"

uint64_t mp3_tags_begin(const struct slice *file)
{
    uint64_t left = file->size;

    while (left >= MPEG_TAG_END) {
        unsigned char bytes[4 * MPEG_TAG_END];
        size_t due = left < sizeof bytes ? (size_t)left : sizeof bytes;
        size_t got = slice_read(file, left - due, bytes, due);
        uint64_t size = got < due ? 0 : mpeg_tag_before(bytes + got, got);

        if (size == 0 || size > left)
            break;
        left -= size;
    }
    return left;
}

/* ---- frames */

enum {
    BUFFER_BYTES = 64 * 1024,
    SEARCHED = 64 * 1024, /* for the next frame after a missing one */
    REST_MOST = 4096,     /* bytes that may be anything */
};

/* A file, and the part of it in memory. */
struct mp3_walk {
    struct slice file;
    uint64_t from; /* of the part */
    size_t held;
    unsigned char bytes[BUFFER_BYTES];
};

/* MPEG_TAG_START bytes at this offset; zeros follow the end. */
static const unsigned char *bytes_at(struct mp3_walk *walk, uint64_t at)
{
    if (at < walk->from || at + MPEG_TAG_START > walk->from + walk->held) {
        walk->held = slice_read(&walk->file, at, walk->bytes, BUFFER_BYTES);
        walk->from = at;
        if (walk->held < MPEG_TAG_START)
            memset(walk->bytes + walk->held, 0, MPEG_TAG_START - walk->held);
    }
    return walk->bytes + (at - walk->from);
}

/* What begins at an offset. libsndfile stops at frames with another rate or other channels. */
struct mp3_place {
    uint64_t bytes; /* of a frame, or of a tag; 0: it is neither */
    uint32_t kind;  /* what all frames of a stream have in common; 0: it is no frame */
    unsigned samples;
};

static struct mp3_place place_at(struct mp3_walk *walk, uint64_t at)
{
    const unsigned char *bytes = bytes_at(walk, at);
    struct mpeg_frame frame = mpeg_frame(bytes);

    if (frame.kind != MPEG_AUDIO)
        return (struct mp3_place){.bytes = mpeg_tag_bytes(bytes)};
    return (struct mp3_place){
        .bytes = frame.bytes, .kind = frame.fixed | (bytes[3] >> 6 == 3), .samples = frame.samples};
}

/* Does a frame of this kind begin here, followed by another one, or by the end? */
static bool goes_on(struct mp3_walk *walk, uint64_t at, uint32_t kind)
{
    struct mp3_place place = place_at(walk, at);

    if (place.kind != kind)
        return false;
    at += place.bytes;
    return at == walk->file.size || place_at(walk, at).kind == kind;
}

static int report_damage(const char *name, unsigned long long at, unsigned long long frames,
                         struct error *error)
{
    return error_set(error, ERROR_DAMAGED, name,
                     "is damaged: no MPEG frame begins at byte %llu: the %llu frames that "
                     "could be decoded were used",
                     at, frames);
}

int mp3_check(const char *name, const struct slice *file, uint64_t frames, bool counted,
              struct error *error)
{
    struct mp3_walk walk = {.file = *file};
    unsigned long long samples = 0;
    unsigned long long used = frames;
    unsigned long long at = 0;
    uint64_t before = 0; /* where the last frame began */
    uint32_t kind = 0;   /* of the frames so far */

    walk.file.size = mp3_tags_begin(file);
    while (at < walk.file.size) {
        struct mp3_place place = place_at(&walk, at);

        /* Is it the end of the frames, or do they go on later? */
        if (place.bytes == 0 && kind != 0) {
            for (uint64_t i = before + 1; i < at + SEARCHED && i < walk.file.size; i++) {
                if (goes_on(&walk, i, kind))
                    return report_damage(name, at, used, error);
            }
            if (walk.file.size - at <= REST_MOST)
                break;
            return error_set(error, ERROR_DAMAGED, name,
                             "%llu bytes that are no MPEG frames follow byte %llu: the %llu frames "
                             "that could be decoded were used",
                             (unsigned long long)file->size - at, at, used);
        }
        /* A tag may be padded with zeros. */
        if (place.bytes == 0)
            return at == 0 || *bytes_at(&walk, at) == 0 ? 0 : report_damage(name, at, used, error);
        if (place.kind != 0) {
            if (kind != 0 && place.kind != kind)
                return error_set(error, ERROR_CONVERT, name,
                                 "its rate or channels change at byte %llu: %llu frames were used",
                                 at, used);
            if (place.bytes > walk.file.size - at)
                return error_set(error, ERROR_DAMAGED, name,
                                 "is cut off: it ends inside the MPEG frame at byte %llu: %llu "
                                 "frames were used",
                                 at, used);
            kind = place.kind;
            samples += place.samples;
            before = at;
        }
        at += place.bytes;
    }
    if (counted || samples <= frames)
        return 0;
    return error_set(error, ERROR_CONVERT, name,
                     "has %llu frames, and libsndfile decodes %llu of them: libmpg123 would decode "
                     "all",
                     samples, used);
}
