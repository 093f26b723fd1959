/* AIFF and AIFC, of PCM and float. The parser of the header is format/aiff_header.c. */
#include "format/chunked.h"
#include "format/format.h"
#include "format/header_sink.h"

static int open_aiff(struct input *input, const struct source_request *request, const char *words,
                     struct source **source, struct error *error)
{
    (void)words;
    return source_open_chunked(input, &aiff_header, request, source, error);
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

/* Floats ask for an AIFC, which says how its samples are told. */
static void put_aiff(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned bits = 8 * (unsigned)sample_type_bytes(format->sample);
    uint64_t bytes = frames * header_frame_bytes(format);
    bool is_float = header_has_float(format);
    size_t common = is_float ? 24 : 18;

    put(builder, "FORM", 4);
    put_big(builder, (is_float ? 16U : 4U) + 8 + common + 16 + bytes + bytes % 2, 4);
    put(builder, is_float ? "AIFC" : "AIFF", 4);
    if (is_float) {
        put(builder, "FVER", 4);
        put_big(builder, 4, 4);
        put_big(builder, 0xa2805140, 4); /* the only version that there is */
    }
    put(builder, "COMM", 4);
    put_big(builder, common, 4);
    put_big(builder, format->channels, 2);
    put_big(builder, frames, 4);
    put_big(builder, bits, 2);
    put_extended(builder, header_whole_rate(format));
    if (is_float)
        put(builder, bits == 64 ? "FL64\0\0" : "FL32\0\0", 6);
    put(builder, "SSND", 4);
    put_big(builder, 8 + bytes, 4);
    put_big(builder, 0, 8); /* no offset, no blocks */
}

static const struct format_magic aiff_magic[] = {
    {12, "FORM\0\0\0\0AIFF", FORMAT_MASK_CHUNK, NULL},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .spools = true,
    .open = sink_open_header,
    .header = put_aiff,
    .channels_most = 65535,
    .data_most = UINT32_MAX - HEADER_MOST, /* FORM counts most of the header, too */
    .align = 2,
};

const struct format format_aiff = {
    .names = {"aiff", "aif"},
    .words = "an AIFF file",
    .endings = " aif aiff aifc",
    .magic = aiff_magic,
    .open = open_aiff,
    .writer = &writer,
};

static const struct format_magic aifc_magic[] = {
    {12, "FORM\0\0\0\0AIFC", FORMAT_MASK_CHUNK, NULL},
    {0},
};

const struct format format_aifc = {
    .names = {"aifc"},
    .words = "an AIFC file",
    .family = "aiff",
    .magic = aifc_magic,
    .open = open_aiff,
};
