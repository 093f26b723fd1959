/* AIFF and AIFC: big-endian chunks; COMM says what the samples are and how many, SSND holds them.
 *
 * A program that writes to a pipe leaves sizes of 0 (ffmpeg), or 0x7f000000 bytes in whole frames
 * (sox). */
#include "format/chunked_header.h"

#include <math.h>
#include <string.h>

#include "format/numbers.h"

enum {
    STATE_COMMON = CHUNKED_STATES,
    STATE_SOUND,
    STATE_OFFSET,
};

enum {
    FORM_START = 12,
    COMMON_AIFF = 18,
    COMMON_AIFC = 22,
    SOUND_START = 8,
    SOX_UNKNOWN = 0x7f000000,
};

static const struct chunked_part common_aiff = {STATE_COMMON, COMMON_AIFF, COMMON_AIFC,
                                                "has a COMM chunk that is too small"};
static const struct chunked_part common_aifc = {STATE_COMMON, COMMON_AIFC, COMMON_AIFC,
                                                "has a COMM chunk that is too small"};
static const struct chunked_part sound_part = {.state = STATE_SOUND, .most = SOUND_START};

static bool is_aifc(const struct chunked_header *header)
{
    return header->container[3] == 'c';
}

/* The 80-bit number of the 68881: a sign, an exponent, and 64 bits that begin with a 1. */
static double get_extended(const unsigned char *bytes)
{
    int exponent = (int)(number_big16(bytes) & 0x7fff) - 16383;
    double digits = ldexp(number_big32(bytes + 2), 32) + number_big32(bytes + 6);

    return ldexp((bytes[0] & 0x80) != 0 ? -digits : digits, exponent - 63);
}

static void take_start(struct chunked_header *header, const unsigned char *bytes)
{
    uint32_t size = number_big32(bytes + 4);

    if (memcmp(bytes, "FORM", 4) != 0 || memcmp(bytes + 8, "AIF", 3) != 0 ||
        (bytes[11] != 'F' && bytes[11] != 'C')) {
        chunked_bad(header, "does not begin like one");
        return;
    }
    header->container = bytes[11] == 'C' ? "aifc" : "aiff";
    if (size != 0 && size < SOX_UNKNOWN)
        header->file_end = (uint64_t)size + chunk_start(&chunk_iff);
    chunked_next(header, 0);
}

/* How samples of so many bytes are told in an AIFC. False: they are not PCM or float. */
static bool take_compression(struct chunked_header *header, const unsigned char *name,
                             uint32_t bytes)
{
    static const enum sample_kind integers[] = {SAMPLE_S8, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32};
    static const struct {
        const char *name;
        uint32_t bytes; /* 0: any number */
        enum sample_kind kind;
        bool little;
    } compressions[] = {
        {"NONE", 0, SAMPLE_S8, false},  {"twos", 0, SAMPLE_S8, false},
        {"sowt", 0, SAMPLE_S8, true},   {"raw ", 1, SAMPLE_U8, false},
        {"in24", 3, SAMPLE_S24, false}, {"in32", 4, SAMPLE_S32, false},
        {"42ni", 3, SAMPLE_S24, true},  {"23ni", 4, SAMPLE_S32, true},
        {"fl32", 4, SAMPLE_F32, false}, {"FL32", 4, SAMPLE_F32, false},
        {"fl64", 8, SAMPLE_F64, false}, {"FL64", 8, SAMPLE_F64, false},
    };

    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++) {
        if (memcmp(compressions[i].name, name, 4) != 0)
            continue;
        header->sample.kind = compressions[i].kind;
        if (compressions[i].bytes == 0 && bytes >= 1 && bytes <= 4)
            header->sample.kind = integers[bytes - 1];
        else if (compressions[i].bytes != bytes)
            return false;
        header->sample.big_endian = bytes > 1 && !compressions[i].little;
        return true;
    }
    return false;
}

static void take_common(struct chunked_header *header, const unsigned char *bytes)
{
    const unsigned char *name = header->size >= COMMON_AIFC ? bytes + 18 : bytes;
    uint32_t frames = number_big32(bytes + 2);
    uint32_t width = (number_big16(bytes + 6) + 7) / 8;

    header->channels = number_big16(bytes);
    header->rate = get_extended(bytes + 8);
    if (header->channels == 0) {
        chunked_bad(header, "has 0 channels");
        return;
    }
    if (!is_aifc(header))
        name = (const unsigned char *)"NONE";
    if (!take_compression(header, name, width)) {
        chunked_foreign(header, "compression %.4s", (const char *)name);
        return;
    }
    header->data_bytes = (uint64_t)frames * header->channels * width;
    header->has_data_bytes = frames > 0;
    header->has_format = true;
    chunked_next(header, header->rest);
}

static void start_samples(struct chunked_header *header)
{
    bool is_known = header->data_bytes > 0 && header->data_bytes < CHUNK_HUGE;

    header->padding = is_known ? 0 : 2;
    if (header->data_bytes == 0)
        chunked_empty(header);
    else
        chunked_ready(header, header->data_bytes);
}

/* Behind the offset that is told here come the samples. The two that say how many there are may
 * not agree: none is more than the other allows. */
static void take_sound(struct chunked_header *header, const unsigned char *bytes)
{
    uint64_t frame_bytes = sample_type_bytes(header->sample) * header->channels;
    uint64_t size = header->rest - number_big32(bytes);

    if (number_big32(bytes) > header->rest) {
        chunked_bad(header, "has samples that begin behind their end");
        return;
    }
    if (header->has_data_bytes && header->data_bytes < size)
        size = header->data_bytes;
    if (size > SOX_UNKNOWN - frame_bytes && size <= SOX_UNKNOWN && header->file_end == 0)
        size = CHUNKED_UNTIL_END;
    if (size >= 0xffffffff - frame_bytes)
        size = CHUNKED_UNTIL_END;
    header->data_bytes = size;
    header->has_data_bytes = true;
    if (number_big32(bytes) == 0)
        start_samples(header);
    else
        chunked_skip_to(header, STATE_OFFSET, number_big32(bytes));
}

static void take_chunk(struct chunked_header *header, const unsigned char *bytes)
{
    struct chunk chunk;

    (void)chunk_parse(header->shape, bytes, &chunk);
    if (memcmp(bytes, "SSND", 4) == 0 && !header->has_format) {
        chunked_foreign(header, "its COMM chunk behind its samples");
    } else if (memcmp(bytes, "SSND", 4) == 0) {
        /* A size that was never filled in does not count what certainly is there. */
        if (chunk.size < SOUND_START)
            chunk.size = SOUND_START;
        chunked_want(header, &sound_part, SOUND_START, chunk.size);
    } else if (memcmp(bytes, "COMM", 4) == 0 && !header->has_format) {
        chunked_want(header, is_aifc(header) ? &common_aifc : &common_aiff, chunk.size,
                     chunk.padded);
    } else {
        chunked_next(header, chunk.padded);
    }
}

static void take(struct chunked_header *header, const unsigned char *bytes)
{
    switch (header->state) {
    case CHUNKED_START:
        take_start(header, bytes);
        break;
    case STATE_COMMON:
        take_common(header, bytes);
        break;
    case STATE_SOUND:
        take_sound(header, bytes);
        break;
    case STATE_OFFSET:
        start_samples(header);
        break;
    default:
        take_chunk(header, bytes);
        break;
    }
}

const struct chunked_class aiff_header = {
    .container = "aiff",
    .first = FORM_START,
    .shape = &chunk_iff,
    .take = take,
};
