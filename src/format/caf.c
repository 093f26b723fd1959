/* SPDX-License-Identifier: MIT */
/* CAF: big-endian chunks with 64-bit sizes. desc comes first and describes the samples. A data size
 * of -1 means that the data go on to the end of the file. */
#include <string.h>

#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

#define CAF_MAGIC "caff\0\1\0\0" /* version 1, no flags */

/* ---- the parser of headers */

enum {
    FILE_START = 8,
    DESCRIPTION = 32,
    EDIT_COUNT = 4,
};

enum {
    FLAG_FLOAT = 1,
    FLAG_LITTLE = 2,
};

static bool take_description(struct chunked_header *header)
{
    struct source_format *format = &header->data.format;
    unsigned char bytes[DESCRIPTION];
    uint64_t rate_bits;
    uint32_t flags;
    uint32_t bits;

    if (header->chunk.size < DESCRIPTION)
        return chunked_bad(header, "it has a desc chunk that is too small");
    if (!chunked_contents(header, bytes, DESCRIPTION))
        return false;
    if (memcmp(bytes + 8, "lpcm", 4) != 0)
        return chunked_foreign(header, "a file of type caf with codec %.4s",
                               (const char *)bytes + 8);
    flags = number_big32(bytes + 12);
    format->channels = number_big32(bytes + 24);
    if (format->channels < 1 || format->channels > 65535)
        return chunked_bad(header, "it has 0 or more than 65535 channels");
    /* Samples that do not fill their bytes may be aligned to either end; this is not supported
     * here. */
    bits = number_big32(bytes + 28);
    if (number_big32(bytes + 20) != 1 || flags > (FLAG_FLOAT | FLAG_LITTLE) || bits % 8 != 0 ||
        !chunked_kind(&format->sample.kind, (flags & FLAG_FLOAT) != 0, bits / 8, SAMPLE_S8) ||
        number_big32(bytes + 16) != source_frame_bytes(format))
        return chunked_foreign(header, "a file of type caf with PCM of an unusual layout");
    format->sample.big_endian = (flags & FLAG_LITTLE) == 0 && bits > 8;
    rate_bits = number_of_bytes(bytes, 8, true);
    memcpy(&format->rate, &rate_bits, sizeof rate_bits);
    header->has_format = true;
    return true;
}

static bool take_data(struct chunked_header *header)
{
    unsigned char edit_count[EDIT_COUNT];

    if (!header->has_format)
        return chunked_bad(header, "it has no desc chunk before its data");
    if (!chunked_read(header, edit_count, EDIT_COUNT))
        return false;
    /* libsndfile writes a data size of zero until it closes the file. */
    if (header->chunk.size <= EDIT_COUNT || header->chunk.size >= CHUNK_HUGE)
        return chunked_ready(header, RAW_UNTIL_END);
    return chunked_ready(header, header->chunk.size - EDIT_COUNT);
}

void caf_parse(struct chunked_header *header)
{
    const unsigned char *start = header->start;
    bool goes_on;

    header->data = (struct raw_reader_data){.container = "caf", .chunks = &chunk_caf};
    goes_on = chunked_read(header, header->start, FILE_START);
    if (goes_on && memcmp(start, CAF_MAGIC, FILE_START) != 0)
        goes_on = chunked_bad(header, "it does not begin like one");
    while (goes_on && chunked_next(header)) {
        if (memcmp(start, "data", 4) == 0)
            goes_on = take_data(header);
        else if (header->chunk.size >= CHUNK_HUGE)
            goes_on = chunked_bad(header, "it has a chunk without an end");
        else if (memcmp(start, "desc", 4) == 0 && !header->has_format)
            goes_on = take_description(header);
    }
}

/* ---- the writer */

/* CAF allows any rate; a size of -1 means unknown. */
static void put_caf(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    uint64_t frame_bytes = header_frame_bytes(format);
    uint64_t rate_bits;

    memcpy(&rate_bits, &format->rate, sizeof rate_bits);
    builder_put(builder, CAF_MAGIC, FILE_START);
    builder_put(builder, "desc", 4);
    put_big(builder, 32, 8);
    put_big(builder, rate_bits, 8);
    builder_put(builder, "lpcm", 4);
    put_big(builder, sample_type_has_nan(format->sample) ? FLAG_FLOAT : 0, 4);
    put_big(builder, frame_bytes, 4);
    put_big(builder, 1, 4); /* frames per packet */
    put_big(builder, format->channels, 4);
    put_big(builder, 8 * sample_type_bytes(format->sample), 4);
    builder_put(builder, "data", 4);
    put_big(builder, frames == SINK_FRAMES_UNKNOWN ? UINT64_MAX : EDIT_COUNT + frames * frame_bytes,
            8);
    put_big(builder, 0, EDIT_COUNT);
}

static const struct format_writer writer = {
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .rate_most = SOURCE_RATE_MOST,
    .streams = true,
    .open = sink_open_header,
    .header = &(const struct header_rules){.put = put_caf},
};

const struct format format_caf = {
    .names = {"caf"},
    .words = "a CAF file",
    .endings = " caf",
    .magic = (const struct format_magic[]){{.size = FILE_START, .bytes = CAF_MAGIC}, {0}},
    .open = source_open_chunked,
    .parse = caf_parse,
    .writer = &writer,
};
