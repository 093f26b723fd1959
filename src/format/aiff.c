/* AIFF and AIFC. PCM and float are read here (the parser of the header is format/aiff_header.c),
 * and libsndfile writes them. */
#include "format/chunked.h"
#include "format/format.h"
#include "format/header_sink.h"
#include "format/sndfile/sndfile.h"

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

static void put_empty(struct builder *builder, const struct sink_format *format)
{
    unsigned bits = 8 * (unsigned)sample_type_bytes(format->sample);
    bool is_float = header_has_float(format);
    size_t common = is_float ? 24 : 18;

    put(builder, "FORM", 4);
    put_big(builder, (is_float ? 16U : 4U) + 8 + common + 16, 4);
    put(builder, is_float ? "AIFC" : "AIFF", 4);
    if (is_float) {
        put(builder, "FVER", 4);
        put_big(builder, 4, 4);
        put_big(builder, 0xa2805140, 4); /* the only version that there is */
    }
    put(builder, "COMM", 4);
    put_big(builder, common, 4);
    put_big(builder, format->channels, 2);
    put_big(builder, 0, 4);
    put_big(builder, bits, 2);
    put_extended(builder, header_whole_rate(format));
    if (is_float)
        put(builder, bits == 64 ? "fl64\0\0" : "fl32\0\0", 6);
    put(builder, "SSND", 4);
    put_big(builder, 8, 4);
    put_big(builder, 0, 8);
}

static const struct format_magic aiff_magic[] = {
    {12, "FORM\0\0\0\0AIFF", FORMAT_MASK_CHUNK, NULL},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .by_libsndfile = true,
    .open = sink_open_sndfile,
    .empty = put_empty,
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
