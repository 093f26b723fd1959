#include "format/headers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "format/au_header.h"
#include "format/npy_header.h"

enum {
    AU_REMARK = 8, /* old readers want one */
    DS64_BYTES = 28,
    BLOCK_MOST = 65535,
};

/* There is no size that every program takes for "until the end". With this one, which ffmpeg
 * writes, ffmpeg reads on and sox stops after 4 GiB; with that of sox, 0x7ffff000, sox reads on and
 * ffmpeg stops after 2 GiB; with 0, sox reads nothing. */
#define WAV_SIZE_UNKNOWN UINT32_C(0xffffffff)
#define AU_SIZE_UNKNOWN UINT32_C(0xffffffff)

struct builder {
    unsigned char *bytes;
    size_t size;
};

static void put(struct builder *builder, const void *bytes, size_t size)
{
    memcpy(builder->bytes + builder->size, bytes, size);
    builder->size += size;
}

static void put_little(struct builder *builder, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        builder->bytes[builder->size++] = (unsigned char)(number >> 8 * i);
}

static void put_big(struct builder *builder, uint64_t number, size_t size)
{
    for (size_t i = size; i-- > 0;)
        builder->bytes[builder->size++] = (unsigned char)(number >> 8 * i);
}

static bool is_float(const struct sink_format *format)
{
    return format->sample.kind == SAMPLE_F32 || format->sample.kind == SAMPLE_F64;
}

/* Headers have whole frames a second: the nearest, and not none. */
static uint32_t whole_rate(double rate)
{
    double nearest = round(rate);

    return nearest < 1 ? 1 : nearest > 0xffffffff ? 0xffffffff : (uint32_t)nearest;
}

static size_t frame_bytes(const struct sink_format *format)
{
    return sample_type_bytes(format->sample) * format->channels;
}

/* The contents of a fmt chunk. Integers of more than two channels, or of more than 16 bits, ask for
 * the longer form; the channels of an envelope belong to no loudspeakers. Floats have the short
 * form always, as sox writes it: in the long one sox misses something. */
static void put_format(struct builder *builder, const struct sink_format *format)
{
    static const unsigned char guid_tail[14] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80,
                                                0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71};
    uint64_t bits = 8 * sample_type_bytes(format->sample);
    uint64_t codec = is_float(format) ? 3 : 1;
    uint64_t rate = whole_rate(format->rate);
    uint64_t byte_rate = rate * frame_bytes(format);
    bool is_long = !is_float(format) && (format->channels > 2 || bits > 16);

    put_little(builder, is_long ? 0xfffe : codec, 2);
    put_little(builder, format->channels, 2);
    put_little(builder, rate, 4);
    put_little(builder, byte_rate < 0xffffffff ? byte_rate : 0xffffffff, 4);
    put_little(builder, frame_bytes(format), 2);
    put_little(builder, bits, 2);
    if (is_long) {
        put_little(builder, 22, 2);
        put_little(builder, bits, 2);
        put_little(builder, 0, 4);
        put_little(builder, codec, 2);
        put(builder, guid_tail, sizeof guid_tail);
    } else if (is_float(format)) {
        put_little(builder, 0, 2);
    }
}

/* A RIFF leaves room for a ds64 chunk, so that it can become an RF64 when it has grown. */
static void put_wav(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned char chunk[64];
    struct builder fmt = {.bytes = chunk};
    uint64_t rest;  /* of the header, behind the first 8 bytes */
    uint64_t bytes; /* of the frames */
    bool is_unknown = frames == SINK_FRAMES_UNKNOWN;
    bool is_large;

    put_format(&fmt, format);
    rest = 4 + 8 + DS64_BYTES + 8 + fmt.size + (is_float(format) ? 12 : 0) + 8;
    bytes = is_unknown ? WAV_SIZE_UNKNOWN : frames * frame_bytes(format);
    is_large = format->writer == WRITER_RF64 || (!is_unknown && rest + bytes + 1 > 0xfffffffe);

    put(builder, is_large ? "RF64" : "RIFF", 4);
    put_little(builder, is_large || is_unknown ? 0xffffffff : rest + bytes + bytes % 2, 4);
    put(builder, "WAVE", 4);
    put(builder, is_large ? "ds64" : "JUNK", 4);
    put_little(builder, DS64_BYTES, 4);
    put_little(builder, is_large ? rest + bytes + bytes % 2 : 0, 8);
    put_little(builder, is_large ? bytes : 0, 8);
    put_little(builder, is_large ? frames : 0, 8);
    put_little(builder, 0, 4);
    put(builder, "fmt ", 4);
    put_little(builder, fmt.size, 4);
    put(builder, chunk, fmt.size);
    if (is_float(format)) {
        put(builder, "fact", 4);
        put_little(builder, 4, 4);
        put_little(builder,
                   is_unknown ? WAV_SIZE_UNKNOWN / frame_bytes(format)
                   : is_large ? 0xffffffff
                              : frames,
                   4);
    }
    put(builder, "data", 4);
    put_little(builder, is_large ? 0xffffffff : bytes, 4);
}

static void put_guid(struct builder *builder, const char *name)
{
    static const unsigned char tail[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1,
                                           0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};

    put(builder, name, 4);
    put(builder, tail, sizeof tail);
}

/* Sizes count the 24 bytes of the chunk's own header, and chunks begin at multiples of 8. */
static void put_w64(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    static const unsigned char riff[16] = {'r',  'i',  'f',  'f',  0x2e, 0x91, 0xcf, 0x11,
                                           0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00};
    unsigned char chunk[64] = {0};
    struct builder fmt = {.bytes = chunk};
    uint64_t bytes = frames * frame_bytes(format);
    size_t padded;

    put_format(&fmt, format);
    padded = (fmt.size + 7) / 8 * 8;
    put(builder, riff, sizeof riff);
    put_little(builder, 40 + 24 + padded + 24 + (bytes + 7) / 8 * 8, 8);
    put_guid(builder, "wave");
    put_guid(builder, "fmt ");
    put_little(builder, 24 + fmt.size, 8);
    put(builder, chunk, padded);
    put_guid(builder, "data");
    put_little(builder, 24 + bytes, 8);
}

static void put_au(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    uint64_t bytes = AU_SIZE_UNKNOWN;

    if (frames != SINK_FRAMES_UNKNOWN && frames < AU_SIZE_UNKNOWN / frame_bytes(format))
        bytes = frames * frame_bytes(format);
    put(builder, ".snd", 4);
    put_big(builder, AU_HEADER_BYTES + AU_REMARK, 4);
    put_big(builder, (uint32_t)bytes, 4);
    put_big(builder, au_header_codec(format->sample.kind), 4);
    put_big(builder, whole_rate(format->rate), 4);
    put_big(builder, format->channels, 4);
    put_little(builder, 0, AU_REMARK);
}

/* Its rate may be any number; a size of -1 says that none is known. */
static void put_caf(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    enum { FLAG_FLOAT = 1, EDIT_COUNT = 4 };
    uint64_t rate_bits;

    memcpy(&rate_bits, &format->rate, sizeof rate_bits);
    put(builder, "caff\0\1\0\0", 8);
    put(builder, "desc", 4);
    put_big(builder, 32, 8);
    put_big(builder, rate_bits, 8);
    put(builder, "lpcm", 4);
    put_big(builder, is_float(format) ? FLAG_FLOAT : 0, 4);
    put_big(builder, frame_bytes(format), 4);
    put_big(builder, 1, 4); /* frame a packet */
    put_big(builder, format->channels, 4);
    put_big(builder, 8 * sample_type_bytes(format->sample), 4);
    put(builder, "data", 4);
    put_big(builder,
            frames == SINK_FRAMES_UNKNOWN ? UINT64_MAX : EDIT_COUNT + frames * frame_bytes(format),
            8);
    put_big(builder, 0, EDIT_COUNT);
}

/* The others count the bytes of a frame in 16 bits. */
static bool is_wide(enum writer writer)
{
    return writer == WRITER_NPY || writer == WRITER_AU || writer == WRITER_CAF;
}

static bool can_stream(enum writer writer)
{
    return writer == WRITER_WAV || writer == WRITER_AU || writer == WRITER_CAF;
}

size_t headers_build(const struct sink_format *format, uint64_t frames,
                     unsigned char bytes[HEADERS_MOST], const char **why)
{
    const struct npy_header array = {
        .sample = format->sample,
        .frames = frames,
        .channels = format->channels,
    };
    struct builder builder = {.bytes = bytes};
    bool is_unknown = frames == SINK_FRAMES_UNKNOWN;

    *why = "it would have more channels than the container can hold";
    if (!is_wide(format->writer) && frame_bytes(format) > BLOCK_MOST)
        return 0;
    *why = "the container begins with its length, which is not known before the end of a stream: "
           "write to a file, or use wav, au, caf or raw frames";
    if (is_unknown && !can_stream(format->writer))
        return 0;
    *why = "it would be larger than any file";
    if (!is_unknown && frames > (uint64_t)INT64_MAX / 2 / frame_bytes(format))
        return 0;
    switch (format->writer) {
    case WRITER_WAV:
    case WRITER_RF64:
        put_wav(&builder, format, frames);
        break;
    case WRITER_W64:
        put_w64(&builder, format, frames);
        break;
    case WRITER_AU:
        put_au(&builder, format, frames);
        break;
    case WRITER_CAF:
        put_caf(&builder, format, frames);
        break;
    case WRITER_NPY:
        npy_header_format(&array, bytes);
        builder.size = NPY_WRITTEN;
        break;
    case WRITER_RAW:
    case WRITER_SNDFILE:
        break;
    }
    return builder.size;
}

size_t headers_padding(const struct sink_format *format, uint64_t frames)
{
    uint64_t bytes = frames * frame_bytes(format);

    switch (format->writer) {
    case WRITER_WAV:
    case WRITER_RF64:
        return bytes % 2;
    case WRITER_W64:
        return (8 - bytes % 8) % 8;
    default:
        return 0;
    }
}

/* The 80-bit number of the 68881: an exponent, and 64 bits that begin with a 1. */
static void put_extended(struct builder *builder, uint32_t number)
{
    uint64_t digits = number;
    unsigned exponent = 16383 + 63;

    for (; digits >> 63 == 0; exponent--)
        digits <<= 1;
    put_big(builder, exponent, 2);
    put_big(builder, digits, 8);
}

static void put_empty_aiff(struct builder *builder, const struct sink_format *format)
{
    unsigned bits = 8 * (unsigned)sample_type_bytes(format->sample);
    size_t common = is_float(format) ? 24 : 18;

    put(builder, "FORM", 4);
    put_big(builder, (is_float(format) ? 16U : 4U) + 8 + common + 16, 4);
    put(builder, is_float(format) ? "AIFC" : "AIFF", 4);
    if (is_float(format)) {
        put(builder, "FVER", 4);
        put_big(builder, 4, 4);
        put_big(builder, 0xa2805140, 4); /* the only version that there is */
    }
    put(builder, "COMM", 4);
    put_big(builder, common, 4);
    put_big(builder, format->channels, 2);
    put_big(builder, 0, 4);
    put_big(builder, bits, 2);
    put_extended(builder, whole_rate(format->rate));
    if (is_float(format))
        put(builder, bits == 64 ? "fl64\0\0" : "fl32\0\0", 6);
    put(builder, "SSND", 4);
    put_big(builder, 8, 4);
    put_big(builder, 0, 8);
}

/* The last block of metadata is the first. */
static void put_empty_flac(struct builder *builder, const struct sink_format *format)
{
    static const unsigned char md5_of_nothing[16] = {0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00,
                                                     0xb2, 0x04, 0xe9, 0x80, 0x09, 0x98,
                                                     0xec, 0xf8, 0x42, 0x7e};
    uint64_t bits = 8 * sample_type_bytes(format->sample);

    put(builder, "fLaC", 4);
    put_big(builder, 0x80000022, 4);
    put_big(builder, 4096, 2); /* frames a block, at least and at most */
    put_big(builder, 4096, 2);
    put_big(builder, 0, 6);
    put_big(builder,
            (uint64_t)whole_rate(format->rate) << 44 | (format->channels - 1ULL) << 41 |
                (bits - 1) << 36,
            8);
    put(builder, md5_of_nothing, sizeof md5_of_nothing);
}

size_t headers_empty(const struct sink_format *format, unsigned char bytes[HEADERS_MOST])
{
    struct builder builder = {.bytes = bytes};

    if (strcmp(format->container, "aiff") == 0)
        put_empty_aiff(&builder, format);
    else if (strcmp(format->container, "flac") == 0)
        put_empty_flac(&builder, format);
    return builder.size;
}
