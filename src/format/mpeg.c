/* SPDX-License-Identifier: MIT */
/* A header begins with 12 set bits and gives the length of its frame, and so the place of the next
 * header. Samples look like a header once in some thousands of cases; several consistent headers
 * at the right distances are no coincidence. (A slow raw stream that begins like a header is
 * therefore delayed until its first kilobyte.) A periodic signal could imitate even that, but it
 * also repeats the header inside the frame, which is checked. */
#include "format/mpeg_priv.h"

#include <string.h>

#include "format/numbers_priv.h"

enum {
    AUDIO_ENOUGH = 4, /* consecutive headers required */
    AUDIO_CUT = 3,    /* headers required of a stream that is cut off */
    AAC_START = 6,
    AAC_ENOUGH = 3, /* AAC needs fewer: its headers agree in more bits */
};

struct mpeg_frame {
    enum mpeg_kind kind; /* MPEG_NONE, MPEG_AUDIO or MPEG_AAC */
    uint32_t fixed;      /* the header bits that all frames of a stream share */
    size_t bytes;
};

static bool is_aac(const unsigned char *bytes)
{
    return bytes[0] == 0xff && (bytes[1] & 0xf6) == 0xf0;
}

static struct mpeg_frame parse_aac(const unsigned char *bytes)
{
    size_t size = (size_t)(bytes[3] & 3) << 11 | (size_t)bytes[4] << 3 | bytes[5] >> 5;

    /* The rate is defined, and the size has room for the header. */
    if ((bytes[2] >> 2 & 15) > 12 || size < 7)
        return (struct mpeg_frame){.kind = MPEG_NONE};
    return (struct mpeg_frame){
        .kind = MPEG_AAC,
        .fixed = number_big32(bytes) & 0xfffffdc0,
        .bytes = size,
    };
}

static struct mpeg_frame parse_audio(const unsigned char *bytes)
{
    static const unsigned rates[] = {44100, 48000, 32000};
    static const unsigned short kilobits[][15] = {
        {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
    };
    unsigned version = bytes[1] >> 3 & 3; /* 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5 */
    unsigned layer = 4 - (bytes[1] >> 1 & 3);
    unsigned bitrate = bytes[2] >> 4;
    unsigned rate = bytes[2] >> 2 & 3;
    unsigned padding = bytes[2] >> 1 & 1;
    struct mpeg_frame frame = {.kind = MPEG_NONE, .fixed = number_big32(bytes) & 0xfffe0c00};

    /* A header begins with twelve set bits, or eleven in version 2.5, and its last two bits are not
     * 10. */
    if (bytes[0] != 0xff || bytes[1] < 0xe0 || version == 1 || layer == 4 || bitrate == 0 ||
        bitrate == 15 || rate == 3 || (bytes[3] & 3) == 2)
        return frame;
    rate = rates[rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
    bitrate = 1000 * kilobits[version == 3 ? layer - 1 : layer == 1 ? 3 : 4][bitrate];
    frame.kind = MPEG_AUDIO;
    if (layer == 1)
        frame.bytes = 4 * ((size_t)12 * bitrate / rate + padding);
    else if (layer == 3 && version != 3)
        frame.bytes = (size_t)72 * bitrate / rate + padding;
    else
        frame.bytes = (size_t)144 * bitrate / rate + padding;
    return frame;
}

enum mpeg_kind mpeg_recognise(const unsigned char *bytes, size_t size, bool ended, size_t *wanted)
{
    struct mpeg_frame first = {.kind = MPEG_NONE};
    size_t at = 0;

    for (unsigned count = 0;
         count == 0 || count < (first.kind == MPEG_AAC ? AAC_ENOUGH : AUDIO_ENOUGH); count++) {
        struct mpeg_frame next;
        size_t need;

        /* A shorter file must end at the end of a frame, or with a tag. */
        if (ended && count >= 2 &&
            (at == size || (size > at + 3 && memcmp(bytes + at, "TAG", 3) == 0)))
            return first.kind;
        need = at + MPEG_START;
        if (size >= need)
            need = at + (is_aac(bytes + at) ? AAC_START : MPEG_START);
        if (need > MPEG_MOST)
            return MPEG_NONE;
        if (size < need && ended) /* the frame is cut off, or the header was a coincidence */
            return count >= AUDIO_CUT ? first.kind : MPEG_NONE;
        if (size < need) {
            *wanted = need;
            return MPEG_MORE;
        }
        next = is_aac(bytes + at) ? parse_aac(bytes + at) : parse_audio(bytes + at);
        if (next.kind == MPEG_NONE || (count > 0 && next.fixed != first.fixed))
            return MPEG_NONE;
        if (count == 0)
            first = next;
        else if (count == 1 && memmem(bytes + 1, at - 1, bytes, MPEG_START) != NULL)
            return MPEG_NONE;
        at += next.bytes;
    }
    return first.kind;
}

bool mpeg_follows_zeros(const unsigned char *bytes, size_t size)
{
    struct mpeg_frame first = {.kind = MPEG_NONE};
    struct mpeg_frame second = first;
    size_t zeros = 0;

    while (zeros < size && bytes[zeros] == 0)
        zeros++;
    if (zeros > 0 && size - zeros >= 5 && memcmp(bytes + zeros, "ID3", 3) == 0)
        return bytes[zeros + 3] <= 4 && bytes[zeros + 4] == 0; /* the version of ID3v2 */
    if (zeros > 0 && size - zeros >= MPEG_START)
        first = parse_audio(bytes + zeros);
    if (first.kind != MPEG_NONE && size - zeros >= first.bytes + MPEG_START)
        second = parse_audio(bytes + zeros + first.bytes);
    return second.kind != MPEG_NONE && second.fixed == first.fixed;
}

/* Most encoders write Xing or Info after the side information. Fraunhofer's writes VBRI at a fixed
 * offset; its count of bytes is not always that of the whole file. */
struct mpeg_promise mpeg_promise(const unsigned char *bytes, size_t size)
{
    const struct mpeg_frame frame = parse_audio(bytes);
    bool first_version = (bytes[1] >> 3 & 3) == 3;
    bool mono = bytes[3] >> 6 == 3;
    unsigned side = first_version ? (mono ? 17 : 32) : (mono ? 9 : 17);
    const unsigned char *tag = bytes + MPEG_START + side;
    const unsigned char *vbri = bytes + MPEG_START + 32;
    struct mpeg_promise promise = {.bytes = 0};
    uint32_t flags;

    if (bytes[0] != 0xff || bytes[1] < 0xe0 ||
        (frame.kind != MPEG_NONE && frame.bytes + MPEG_START <= size &&
         parse_audio(bytes + frame.bytes).kind == MPEG_NONE))
        return promise;
    if (memcmp(vbri, "VBRI", 4) == 0)
        return (struct mpeg_promise){.frames = number_big32(vbri + 14)};
    if (memcmp(tag, "Xing", 4) != 0 && memcmp(tag, "Info", 4) != 0)
        return promise;
    flags = number_big32(tag + 4);
    tag += 8;
    if ((flags & 1) != 0) {
        promise.frames = number_big32(tag);
        tag += 4;
    }
    if ((flags & 2) != 0)
        promise.bytes = number_big32(tag);
    return promise;
}

/* ---- tags: each kind states its length at its end */

enum {
    ID3V1 = MPEG_TAG_END,
    ID3V1_MORE = 227, /* bytes of an enhanced tag that may precede ID3v1 */
    APE_END = 32,     /* bytes of the footer, and of the header if there is one */
};

/* The size of an ID3v2 without its beginning and its footer: seven bits a byte. */
static uint64_t id3_size(const unsigned char bytes[4])
{
    uint64_t size = 0;

    for (int i = 0; i < 4; i++)
        size = size << 7 | (bytes[i] & 0x7f);
    return size;
}

uint64_t mpeg_tag_bytes(const unsigned char bytes[MPEG_TAG_START])
{
    if (memcmp(bytes, "ID3", 3) == 0)
        return id3_size(bytes + 6) + ((bytes[5] & 0x10) != 0 ? 20 : 10);
    if (memcmp(bytes, "TAG", 3) == 0)
        return ID3V1;
    if (memcmp(bytes, "APETAGEX", 8) == 0)
        return number_of_bytes(bytes + 12, 4, false) + APE_END;
    return 0;
}

/* The size does not count the six digits and the nine bytes after them. */
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

uint64_t mpeg_tag_before(const unsigned char *end, size_t before)
{
    const unsigned char *footer = end - APE_END;

    if (memcmp(end - ID3V1, "TAG", 3) == 0)
        return before >= ID3V1 + ID3V1_MORE && memcmp(end - ID3V1 - ID3V1_MORE, "TAG+", 4) == 0
                   ? ID3V1 + ID3V1_MORE
                   : ID3V1;
    if (memcmp(end - 9, "LYRICS200", 9) == 0)
        return lyrics_size(end - 15);
    if (memcmp(footer, "APETAGEX", 8) == 0)
        /* The size counts the footer, but not a header. */
        return number_of_bytes(footer + 12, 4, false) + (footer[23] >> 7) * (uint64_t)APE_END;
    if (memcmp(end - 10, "3DI", 3) == 0)
        return id3_size(end - 4) + 20;
    return 0;
}
