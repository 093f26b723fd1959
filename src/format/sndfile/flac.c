/* SPDX-License-Identifier: MIT */
/* libsndfile decodes the first stream of a FLAC file, and frames of another rate as if they had the
 * rate of the first one. */
#include "format/sndfile/whole_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/mpeg_priv.h"
#include "format/numbers_priv.h"

enum {
    BUFFER_BYTES = 256 * 1024,
    STREAMINFO = 42,  /* bytes before the second block of metadata, or the first frame */
    HEADER_MOST = 16, /* bytes of a frame's header, with its checksum */
};

/* The number of bytes of the ID3v2 tags that the file begins with. */
static uint64_t id3_tags_end(const struct slice *file)
{
    unsigned char bytes[MPEG_TAG_START];
    uint64_t end = 0;

    while (slice_read(file, end, bytes, sizeof bytes) == sizeof bytes &&
           memcmp(bytes, "ID3", 3) == 0)
        end += mpeg_tag_bytes(bytes);
    return end;
}

bool flac_follows(const struct slice *file, uint64_t read_to)
{
    enum { ALL = 2 * BUFFER_BYTES };
    uint64_t own = id3_tags_end(file); /* where this file begins */
    uint64_t from = read_to > own + BUFFER_BYTES ? read_to - BUFFER_BYTES : own + 1;
    unsigned char *bytes = malloc(ALL);
    size_t got = bytes == NULL ? 0 : slice_read(file, from, bytes, ALL);
    bool found = got > 0 && memmem(bytes, got, "fLaC\0\0\0\x22", 8) != NULL;

    free(bytes);
    return found;
}

/* ---- the headers of frames */

struct frame {
    uint32_t rate; /* 0 for the rate of the file's header */
    uint64_t number;
    uint64_t next; /* the number of the frame after this one */
};

/* Reads a number coded like UTF-8, of up to 36 bits. Returns the bytes that it takes; 0 if there is
 * none. */
static size_t read_number(const unsigned char *bytes, uint64_t *number)
{
    unsigned more = bytes[0] < 0x80 ? 0 : (unsigned)__builtin_clz(~((uint32_t)bytes[0] << 24)) - 1;

    if (bytes[0] == 0xff || (bytes[0] & 0xc0) == 0x80)
        return 0;
    *number = bytes[0] & (more == 0 ? 0x7fU : 0x3fU >> more);
    for (unsigned i = 1; i <= more; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        *number = *number << 6 | (bytes[i] & 0x3f);
    }
    return 1 + more;
}

/* CRC-8 of the polynomial 0x07. */
static unsigned checksum(const unsigned char *bytes, size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = (sum << 1 ^ ((sum & 0x80) != 0 ? 0x07 : 0)) & 0xff;
    }
    return sum;
}

/* Parses HEADER_MOST bytes. False if they are no header. */
static bool parse_frame(const unsigned char *bytes, struct frame *frame)
{
    static const uint32_t rates[] = {0,     88200, 176400, 192000, 8000,  16000,
                                     22050, 24000, 32000,  44100,  48000, 96000};
    const unsigned block = bytes[2] >> 4;
    const unsigned rate = bytes[2] & 15;
    const bool variable = (bytes[1] & 1) != 0;
    uint64_t count = block == 1 ? 192 : block < 6 ? 144U << block : 1U << block;
    size_t at = 4;
    size_t width;

    if (bytes[0] != 0xff || (bytes[1] & 0xfe) != 0xf8 || block == 0 || rate == 15 ||
        bytes[3] >> 4 > 10 || (bytes[3] & 1) != 0)
        return false;
    width = read_number(bytes + at, &frame->number);
    if (width == 0)
        return false;
    at += width;
    if (block == 6 || block == 7) {
        count = number_of_bytes(bytes + at, block - 5, true) + 1;
        at += block - 5;
    }
    if (rate < 12) {
        frame->rate = rates[rate];
    } else {
        static const uint32_t units[] = {1000, 1, 10};
        unsigned size = rate == 12 ? 1 : 2;

        frame->rate = (uint32_t)number_of_bytes(bytes + at, size, true) * units[rate - 12];
        at += size;
    }
    frame->next = frame->number + (variable ? count : 1);
    return checksum(bytes, at) == bytes[at];
}

/* ---- all frames */

struct flac_walk {
    uint32_t rate;   /* rate of the file */
    uint64_t next;   /* number of the file's next frame */
    uint32_t other;  /* rate of a stream that may have begun; 0 if there is none */
    uint64_t after;  /* number of the second frame of this stream */
    uint64_t begins; /* where this stream begins */
};

/* Takes a frame, or what looks like one: only the next one of a stream counts. Returns true if the
 * rate has changed. */
static bool take_frame(struct flac_walk *walk, const struct frame *frame, uint64_t at)
{
    if (frame->rate == 0 || frame->rate == walk->rate) {
        if (frame->number == walk->next)
            walk->next = frame->next;
        return false;
    }
    if (frame->rate == walk->other && frame->number == walk->after)
        return true;
    if (frame->number == 0 || frame->number == walk->next) {
        walk->other = frame->rate;
        walk->after = frame->next;
        walk->begins = at;
    }
    return false;
}

/* Takes the frames that begin in these bytes; HEADER_MOST bytes follow them. */
static bool take_frames(struct flac_walk *walk, const unsigned char *bytes, size_t size,
                        uint64_t from)
{
    const unsigned char *end = bytes + size;

    for (const unsigned char *at = bytes; (at = memchr(at, 0xff, (size_t)(end - at))) != NULL;
         at++) {
        struct frame frame;

        if (parse_frame(at, &frame) && take_frame(walk, &frame, from + (uint64_t)(at - bytes)))
            return true;
    }
    return false;
}

int flac_check(const char *name, const struct slice *file, unsigned rate, uint64_t frames,
               struct error *error)
{
    struct flac_walk walk = {.rate = rate};
    unsigned char *bytes = calloc(1, BUFFER_BYTES + HEADER_MOST);
    uint64_t from = id3_tags_end(file) + STREAMINFO;
    bool changed = false;
    size_t got = bytes == NULL ? 0 : BUFFER_BYTES;

    for (; !changed && got >= BUFFER_BYTES; from += BUFFER_BYTES) {
        got = slice_read(file, from, bytes, BUFFER_BYTES + HEADER_MOST);
        changed = take_frames(&walk, bytes, got < BUFFER_BYTES ? got : BUFFER_BYTES, from);
    }
    free(bytes);
    if (!changed)
        return 0;
    return error_set(error, ERROR_CONVERT, name,
                     "its rate changes from %u to %u Hz at byte %llu: its %llu frames were used as "
                     "if they had one rate",
                     rate, walk.other, (unsigned long long)walk.begins, (unsigned long long)frames);
}
