/* The frames of MP3 files, and the tags before, between and after them. If a byte is missing,
 * libsndfile's decoder continues at a later frame, or gives up. */
#include "format/sndfile/whole.h"

#include <string.h>

#include "format/mpeg.h"
#include "format/numbers.h"

/* ---- tags: each kind states its length at its end */

enum {
    END = 128, /* bytes that show a tag: all of ID3v1, else the last ones */
    ID3V1 = 128,
    ID3V1_MORE = 227, /* may precede it */
    APE_END = 32,     /* and as many at its beginning */
};

/* Of ID3v2: seven bits a byte, without its beginning and its footer. */
static uint64_t id3_size(const unsigned char bytes[4])
{
    uint64_t size = 0;

    for (int i = 0; i < 4; i++)
        size = size << 7 | (bytes[i] & 0x7f);
    return size;
}

uint64_t mp3_tag_bytes(const unsigned char bytes[MP3_TAG_START])
{
    if (memcmp(bytes, "ID3", 3) == 0)
        return id3_size(bytes + 6) + ((bytes[5] & 0x10) != 0 ? 20 : 10);
    if (memcmp(bytes, "TAG", 3) == 0)
        return ID3V1;
    if (memcmp(bytes, "APETAGEX", 8) == 0)
        return number_of(bytes + 12, 4, false) + APE_END;
    return 0;
}

/* The six digits and the nine bytes after them are not counted. */
static uint64_t lyrics_size(const unsigned char *digits)
{
    uint64_t size = 0;

    for (int i = 0; i < 6; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 0;
        size = 10 * size + digits[i] - '0';
    }
    return size + 6 + 9;
}

/* The size of the tag that ends with these bytes; 0: it is none. */
static uint64_t tag_size(const unsigned char *bytes)
{
    const unsigned char *footer = bytes + END - APE_END;

    if (memcmp(bytes, "TAG", 3) == 0)
        return ID3V1;
    if (memcmp(bytes + END - 9, "LYRICS200", 9) == 0)
        return lyrics_size(bytes + END - 15);
    if (memcmp(footer, "APETAGEX", 8) == 0)
        /* The size counts the footer, and not the header that may be there. */
        return number_of(footer + 12, 4, false) + (footer[23] >> 7) * (uint64_t)APE_END;
    if (memcmp(bytes + END - 10, "3DI", 3) == 0)
        return id3_size(bytes + END - 4) + 20;
    return 0;
}

uint64_t mp3_tags_begin(const struct slice *file)
{
    uint64_t left = file->size;

    while (left >= END) {
        unsigned char bytes[END];
        size_t got = slice_read(file, left - END, bytes, sizeof bytes);
        uint64_t size = got < sizeof bytes ? 0 : tag_size(bytes);

        if (size == 0 || size > left)
            break;
        left -= size;
        if (left >= ID3V1_MORE && slice_read(file, left - ID3V1_MORE, bytes, 4) == 4 &&
            memcmp(bytes, "TAG+", 4) == 0)
            left -= ID3V1_MORE;
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
struct walk {
    struct slice file;
    uint64_t from; /* of the part */
    size_t held;
    unsigned char bytes[BUFFER_BYTES];
};

/* MP3_TAG_START bytes at this offset; zeros follow the end. */
static const unsigned char *bytes_at(struct walk *walk, uint64_t at)
{
    if (at < walk->from || at + MP3_TAG_START > walk->from + walk->held) {
        walk->held = slice_read(&walk->file, at, walk->bytes, BUFFER_BYTES);
        walk->from = at;
        if (walk->held < MP3_TAG_START)
            memset(walk->bytes + walk->held, 0, MP3_TAG_START - walk->held);
    }
    return walk->bytes + (at - walk->from);
}

/* What begins at an offset. libsndfile stops at frames with another rate or other channels. */
struct place {
    uint64_t bytes; /* of a frame, or of a tag; 0: it is neither */
    uint32_t kind;  /* what all frames of a stream have in common; 0: it is no frame */
};

static struct place place_at(struct walk *walk, uint64_t at)
{
    const unsigned char *bytes = bytes_at(walk, at);
    struct mpeg_frame frame = mpeg_frame(bytes);

    if (frame.kind != MPEG_AUDIO)
        return (struct place){.bytes = mp3_tag_bytes(bytes)};
    return (struct place){.bytes = frame.bytes, .kind = frame.fixed | (bytes[3] >> 6 == 3)};
}

/* Does a frame of this kind begin here, followed by another one, or by the end? */
static bool goes_on(struct walk *walk, uint64_t at, uint32_t kind)
{
    struct place place = place_at(walk, at);

    if (place.kind != kind)
        return false;
    at += place.bytes;
    return at == walk->file.size || place_at(walk, at).kind == kind;
}

static int report_damage(const char *name, unsigned long long at, unsigned long long frames,
                         struct error *error)
{
    return error_set(error, ERROR_FILE, name,
                     "is damaged: no MPEG frame begins at byte %llu: the %llu frames that "
                     "could be decoded were used",
                     at, frames);
}

int mp3_check(const char *name, const struct slice *file, uint64_t frames, struct error *error)
{
    struct walk walk = {.file = *file};
    unsigned long long used = frames;
    unsigned long long at = 0;
    uint64_t before = 0; /* where the last frame began */
    uint32_t kind = 0;   /* of the frames so far */

    walk.file.size = mp3_tags_begin(file);
    while (at < walk.file.size) {
        struct place place = place_at(&walk, at);

        /* Is it the end of the frames, or do they go on later? */
        if (place.bytes == 0 && kind != 0) {
            for (uint64_t i = before + 1; i < at + SEARCHED && i < walk.file.size; i++) {
                if (goes_on(&walk, i, kind))
                    return report_damage(name, at, used, error);
            }
            if (walk.file.size - at <= REST_MOST)
                return 0;
            return error_set(error, ERROR_FILE, name,
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
                return error_set(error, ERROR_FILE, name,
                                 "is cut off: it ends inside the MPEG frame at byte %llu: %llu "
                                 "frames were used",
                                 at, used);
            kind = place.kind;
            before = at;
        }
        at += place.bytes;
    }
    return 0;
}
