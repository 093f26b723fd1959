/* SPDX-License-Identifier: MIT */
/* AU: 24 bytes, an annotation, and samples; big-endian when written here. */
#include <string.h>

#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

enum {
    HEADER_BYTES = 24,
    CHANNELS_MOST = 65535,
};

#define SIZE_UNKNOWN UINT32_C(0xffffffff)

/* Samples are described by the number of the encoding. */
enum { CODEC_FIRST = 2, CODEC_LAST = 7 };
static const enum sample_kind codecs[] = {
    [CODEC_FIRST] = SAMPLE_S8, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32, SAMPLE_F32, SAMPLE_F64,
};

/* ---- the parser of headers */

static bool take_header(struct chunked_header *header, const unsigned char bytes[HEADER_BYTES])
{
    /* The magics: Sun's, big-endian, and DEC's, which sox writes for little-endian files. */
    enum { BIG = 2, MAGICS = 4 };
    static const char magics[MAGICS][5] = {".snd", ".sd\0", "dns.", "\0ds."};
    enum { OFFSET = 1, SIZE, CODEC, RATE, CHANNELS, FIELDS };
    struct source_format *format = &header->data.format;
    uint32_t field[FIELDS];
    int magic = 0;

    while (magic < MAGICS && memcmp(bytes, magics[magic], 4) != 0)
        magic++;
    for (size_t j = OFFSET; j < FIELDS; j++)
        field[j] = (uint32_t)number_of_bytes(bytes + 4 * j, 4, magic < BIG);
    if (magic == MAGICS || field[OFFSET] < HEADER_BYTES || field[CHANNELS] < 1 ||
        field[CHANNELS] > CHANNELS_MOST)
        return chunked_bad(header, "its header is inconsistent");
    if (field[CODEC] < CODEC_FIRST || field[CODEC] > CODEC_LAST)
        return chunked_foreign(header, "an AU file of encoding %lu", (unsigned long)field[CODEC]);
    format->sample.kind = codecs[field[CODEC]];
    format->sample.big_endian = magic < BIG && format->sample.kind != SAMPLE_S8;
    format->channels = field[CHANNELS];
    format->rate = field[RATE];
    header->has_format = true;
    /* Nothing can follow the samples, so a size of 0 was not filled in. */
    return chunked_skip(header, field[OFFSET]) &&
           chunked_ready(header, field[SIZE] == 0 || field[SIZE] == SIZE_UNKNOWN ? RAW_UNTIL_END
                                                                                 : field[SIZE]);
}

void au_parse(struct chunked_header *header)
{
    const unsigned char *bytes;
    size_t got;

    header->data = (struct raw_reader_data){.container = "au"};
    if (input_peek(header->input, HEADER_BYTES, &bytes, &got, header->error) != 0)
        return;
    if (got < HEADER_BYTES)
        chunked_bad(header, "it ends inside its header");
    else
        take_header(header, bytes);
}

/* ---- the writer */

enum { REMARK = 8 /* old readers expect one */ };

static void put_au(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    uint64_t frame_bytes = header_frame_bytes(format);
    uint64_t bytes = SIZE_UNKNOWN;
    uint64_t codec = CODEC_FIRST;

    while (codecs[codec] != format->sample.kind)
        codec++;
    if (frames != SINK_FRAMES_UNKNOWN && frames < SIZE_UNKNOWN / frame_bytes)
        bytes = frames * frame_bytes;
    builder_put(builder, ".snd", 4);
    put_big(builder, HEADER_BYTES + REMARK, 4);
    put_big(builder, bytes, 4);
    put_big(builder, codec, 4);
    put_big(builder, header_whole_rate(format), 4);
    put_big(builder, format->channels, 4);
    put_big(builder, 0, REMARK);
}

/* The header is less than 64 KiB, and a multiple of 4 bytes where the rest of the magic is too
 * weak. */
static const struct format_magic magic[] = {
    {.size = 6, .bytes = ".snd\0\0"},
    {.size = 6, .bytes = ".sd\0\0\0"},
    {8, "dns.\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", .words = "a little-endian AU file"},
    {8, "\0ds.\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", .words = "a little-endian AU file"},
    {0},
};

static const struct format_writer writer = {
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .rate_most = UINT32_MAX,
    .streams = true,
    .open = sink_open_header,
    .header = &(const struct header_rules){.put = put_au},
};

const struct format format_au = {
    .names = {"au", "snd"},
    .words = "an AU file",
    .endings = " au snd",
    .magic = magic,
    .open = source_open_chunked,
    .parse = au_parse,
    .writer = &writer,
};
