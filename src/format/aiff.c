/* SPDX-License-Identifier: MIT */
/* AIFF and AIFC, of PCM and float: big-endian chunks. COMM has the type and the number of samples,
 * SSND the samples.
 *
 * Programs that write to a pipe leave sizes of 0 (ffmpeg), or 0x7f000000 bytes in whole frames
 * (sox). */
#include <math.h>
#include <string.h>

#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

/* ---- the parser of headers */

enum {
    FORM_START = 12,
    COMMON_AIFF = 18,
    COMMON_AIFC = 22,
    SOUND_START = 8,
    SOX_UNKNOWN = 0x7f000000,
};

/* The 80-bit extended format of the 68881: a sign, an exponent, and 64 bits with an explicit
 * leading 1. */
static double get_extended(const unsigned char *bytes)
{
    int exponent = (int)(number_big16(bytes) & 0x7fff) - 16383;
    double digits = ldexp(number_big32(bytes + 2), 32) + number_big32(bytes + 6);

    return ldexp((bytes[0] & 0x80) != 0 ? -digits : digits, exponent - 63);
}

static bool take_start(struct chunked_header *header, bool *is_aifc)
{
    unsigned char bytes[FORM_START];
    uint32_t size;

    if (!chunked_read(header, bytes, sizeof bytes))
        return false;
    if (memcmp(bytes, "FORM", 4) != 0 || memcmp(bytes + 8, "AIF", 3) != 0 ||
        (bytes[11] != 'F' && bytes[11] != 'C'))
        return chunked_bad(header, "it does not begin like one");
    *is_aifc = bytes[11] == 'C';
    if (*is_aifc)
        header->data.container = "aifc";
    size = number_big32(bytes + 4);
    if (size != 0 && size < SOX_UNKNOWN)
        header->file_end = (uint64_t)size + chunk_start(&chunk_iff);
    return true;
}

/* The sample type for AIFC's name of a compression. False if it is neither PCM nor float. */
static bool take_compression(struct sample_type *sample, const char *name, uint32_t bytes)
{
    static const enum sample_kind integers[] = {SAMPLE_S8, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32};
    static const struct {
        const char *name;
        uint32_t bytes; /* 0 if any number */
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
        sample->kind = compressions[i].kind;
        if (compressions[i].bytes == 0 && bytes >= 1 && bytes <= 4)
            sample->kind = integers[bytes - 1];
        else if (compressions[i].bytes != bytes)
            return false;
        sample->big_endian = bytes > 1 && !compressions[i].little;
        return true;
    }
    return false;
}

static bool take_common(struct chunked_header *header, bool is_aifc)
{
    struct source_format *format = &header->data.format;
    unsigned char bytes[COMMON_AIFC];
    const char *name = is_aifc ? (const char *)bytes + COMMON_AIFF : "NONE";
    uint32_t frames;
    uint32_t width;

    if (header->chunk.size < (is_aifc ? COMMON_AIFC : COMMON_AIFF))
        return chunked_bad(header, "it has a COMM chunk that is too small");
    if (!chunked_contents(header, bytes, COMMON_AIFC))
        return false;
    format->channels = number_big16(bytes);
    format->rate = get_extended(bytes + 8);
    if (format->channels == 0)
        return chunked_bad(header, "it has 0 channels");
    width = (number_big16(bytes + 6) + 7) / 8;
    if (!take_compression(&format->sample, name, width))
        return chunked_foreign(header, "a file of type %s with compression %.4s",
                               header->data.container, name);
    frames = number_big32(bytes + 2);
    header->data_bytes = frames * (uint64_t)source_frame_bytes(format);
    header->has_data_bytes = frames > 0;
    header->has_format = true;
    return true;
}

/* The samples begin at the offset. The sizes in COMM and SSND may disagree; the smaller one
 * counts. */
static bool take_sound(struct chunked_header *header)
{
    uint64_t frame_bytes = source_frame_bytes(&header->data.format);
    unsigned char bytes[SOUND_START];
    uint32_t offset;
    uint64_t size;

    if (!header->has_format)
        return chunked_foreign(header, "a file of type %s with its COMM chunk after its samples",
                               header->data.container);
    if (!chunked_read(header, bytes, sizeof bytes))
        return false;
    /* A size that was never filled in does not include the offset and block size. */
    size = header->chunk.size < SOUND_START ? 0 : header->chunk.size - SOUND_START;
    offset = number_big32(bytes);
    if (offset > size)
        return chunked_bad(header, "it has an offset past the end of its samples");
    size -= offset;
    if (header->has_data_bytes && header->data_bytes < size)
        size = header->data_bytes;
    if (size > SOX_UNKNOWN - frame_bytes && size <= SOX_UNKNOWN && header->file_end == 0)
        size = RAW_UNTIL_END;
    if (size >= 0xffffffff - frame_bytes)
        size = RAW_UNTIL_END;
    if (!chunked_skip(header, offset))
        return false;
    header->data.padding = size > 0 && size < CHUNK_HUGE ? 0 : 2;
    return size == 0 ? chunked_empty(header) : chunked_ready(header, size);
}

void aiff_parse(struct chunked_header *header)
{
    const unsigned char *start = header->start;
    bool is_aifc = false;
    bool goes_on;

    header->data = (struct raw_reader_data){.container = "aiff", .chunks = &chunk_iff};
    goes_on = take_start(header, &is_aifc);
    while (goes_on && chunked_next(header)) {
        if (memcmp(start, "SSND", 4) == 0)
            goes_on = take_sound(header);
        else if (memcmp(start, "COMM", 4) == 0 && !header->has_format)
            goes_on = take_common(header, is_aifc);
    }
}

/* ---- the writer */

static void put_extended(struct builder *builder, uint32_t number)
{
    uint64_t digits = number;
    unsigned exponent = 16383 + 63;

    for (; digits >> 63 == 0; exponent--)
        digits <<= 1;
    put_big(builder, exponent, 2);
    put_big(builder, digits, 8);
}

/* Floats need an AIFC, which names the sample type. */
static void put_aiff(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned bits = 8 * (unsigned)sample_type_bytes(format->sample);
    uint64_t bytes = frames * header_frame_bytes(format);
    bool is_float = sample_type_has_nan(format->sample);
    size_t common = is_float ? 24 : 18;

    builder_put(builder, "FORM", 4);
    put_big(builder, (is_float ? 16U : 4U) + 8 + common + 16 + bytes + bytes % 2, 4);
    builder_put(builder, is_float ? "AIFC" : "AIFF", 4);
    if (is_float) {
        builder_put(builder, "FVER", 4);
        put_big(builder, 4, 4);
        put_big(builder, 0xa2805140, 4); /* the only version of AIFC */
    }
    builder_put(builder, "COMM", 4);
    put_big(builder, common, 4);
    put_big(builder, format->channels, 2);
    put_big(builder, frames, 4);
    put_big(builder, bits, 2);
    put_extended(builder, header_whole_rate(format));
    if (is_float)
        builder_put(builder, bits == 64 ? "FL64\0\0" : "FL32\0\0", 6);
    builder_put(builder, "SSND", 4);
    put_big(builder, 8 + bytes, 4);
    put_big(builder, 0, 8); /* no offset, no blocks */
}

static const struct format_writer writer = {
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .rate_most = UINT32_MAX,
    .open = sink_open_header,
    .header =
        &(const struct header_rules){
            .put = put_aiff,
            .spools = "aiff",
            .channels_most = 65535,
            .data_most = UINT32_MAX - HEADER_MOST, /* FORM also counts most of the header */
            .even = true,
        },
};

const struct format format_aiff = {
    .names = {"aiff", "aif"},
    .words = "an AIFF file",
    .endings = " aif aiff aifc",
    .magic =
        (const struct format_magic[]){{12, "FORM\0\0\0\0AIFF", .mask = FORMAT_MASK_CHUNK}, {0}},
    .open = source_open_chunked,
    .parse = aiff_parse,
    .writer = &writer,
};

const struct format format_aifc = {
    .names = {"aifc"},
    .words = "an AIFC file",
    .family = "aiff",
    .magic =
        (const struct format_magic[]){{12, "FORM\0\0\0\0AIFC", .mask = FORMAT_MASK_CHUNK}, {0}},
    .open = source_open_chunked,
    .parse = aiff_parse,
};
