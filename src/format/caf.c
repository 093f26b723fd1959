/* CAF. The parser of its header is format/caf_header.c. */
#include <string.h>

#include "format/chunked.h"
#include "format/format.h"
#include "format/header_sink.h"

static int open_caf(struct input *input, const struct source_request *request, const char *words,
                    struct source **source, struct error *error)
{
    (void)words;
    return source_open_chunked(input, &caf_header, request, source, error);
}

/* Its rate may be any number; a size of -1 says that none is known. */
static void put_caf(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    enum { FLAG_FLOAT = 1, EDIT_COUNT = 4 };
    uint64_t frame_bytes = header_frame_bytes(format);
    uint64_t rate_bits;

    memcpy(&rate_bits, &format->rate, sizeof rate_bits);
    put(builder, "caff\0\1\0\0", 8);
    put(builder, "desc", 4);
    put_big(builder, 32, 8);
    put_big(builder, rate_bits, 8);
    put(builder, "lpcm", 4);
    put_big(builder, header_has_float(format) ? FLAG_FLOAT : 0, 4);
    put_big(builder, frame_bytes, 4);
    put_big(builder, 1, 4); /* frame a packet */
    put_big(builder, format->channels, 4);
    put_big(builder, 8 * sample_type_bytes(format->sample), 4);
    put(builder, "data", 4);
    put_big(builder, frames == SINK_FRAMES_UNKNOWN ? UINT64_MAX : EDIT_COUNT + frames * frame_bytes,
            8);
    put_big(builder, 0, EDIT_COUNT);
}

/* version 1, no flags */
static const struct format_magic magic[] = {
    {8, "caff\0\1\0\0", FORMAT_MASK_ALL, NULL},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .any_rate = true,
    .streams = true,
    .open = sink_open_header,
    .header = put_caf,
};

const struct format format_caf = {
    .names = {"caf"},
    .words = "a CAF file",
    .endings = " caf",
    .magic = magic,
    .open = open_caf,
    .writer = &writer,
};
