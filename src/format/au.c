/* AU: 24 bytes, an annotation, and samples; big-endian when written here. */
#include <stdio.h>
#include <string.h>

#include "bytes/spool.h"
#include "format/format.h"
#include "format/framed.h"
#include "format/header_sink.h"
#include "format/parsers.h"
#include "format/sndfile/sndfile.h"

/* ---- the parser of headers */

enum { CHANNELS_MOST = 65535 };

#define SIZE_UNKNOWN UINT32_C(0xffffffff)

static const struct {
    uint32_t codec;
    enum sample_kind kind;
} codecs[] = {
    {2, SAMPLE_S8},  {3, SAMPLE_S16}, {4, SAMPLE_S24},
    {5, SAMPLE_S32}, {6, SAMPLE_F32}, {7, SAMPLE_F64},
};

enum { CODECS = sizeof codecs / sizeof *codecs };

/* The magic of Sun's files, and of DEC's, which sox writes for little-endian ones, with the byte
 * order of the header. */
static const struct {
    const char name[5];
    bool big;
} orders[] = {{".snd", true}, {"dns.", false}, {".sd\0", true}, {"\0ds.", false}};

enum { ORDERS = sizeof orders / sizeof *orders };

static uint32_t field(const unsigned char *bytes, unsigned at, bool big)
{
    return (uint32_t)number_of(bytes + at, 4, big);
}

enum header_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                    struct au_header *header)
{
    uint32_t size;
    int order = 0;
    bool big;

    *header = (struct au_header){.data.container = "au"};
    while (order < ORDERS && memcmp(bytes, orders[order].name, 4) != 0)
        order++;
    if (order == ORDERS)
        return HEADER_BAD;
    big = orders[order].big;
    header->offset = field(bytes, 4, big);
    header->codec = field(bytes, 12, big);
    header->data.rate = field(bytes, 16, big);
    header->data.channels = field(bytes, 20, big);
    if (header->offset < AU_HEADER_BYTES || header->data.channels < 1 ||
        header->data.channels > CHANNELS_MOST)
        return HEADER_BAD;
    size = field(bytes, 8, big);
    /* Nothing can follow the samples, so a size of 0 was not filled in. */
    header->data.bytes = size == 0 || size == SIZE_UNKNOWN ? FRAMED_UNTIL_END : size;
    for (int i = 0; i < CODECS; i++) {
        if (codecs[i].codec == header->codec) {
            header->data.sample.kind = codecs[i].kind;
            header->data.sample.big_endian = big && codecs[i].kind != SAMPLE_S8;
            return HEADER_READY;
        }
    }
    return HEADER_FOREIGN;
}

uint32_t au_header_codec(enum sample_kind kind)
{
    for (int i = 0; i < CODECS; i++) {
        if (codecs[i].kind == kind)
            return codecs[i].codec;
    }
    return 0;
}

/* ---- the reader */

static int open_foreign(struct input *input, const struct source_request *request,
                        unsigned char *bytes, uint32_t codec, struct source **source,
                        struct error *error)
{
    const struct bytes_taken taken = {.bytes = bytes, .size = AU_HEADER_BYTES};
    char words[64];

    (void)snprintf(words, sizeof words, "an AU file of encoding %lu", (unsigned long)codec);
    if (input->regular && input_rewind(input, input_position(input) - AU_HEADER_BYTES, error) != 0)
        return -1;
    return source_open_sndfile_after(input, request, words, input->regular ? NULL : &taken, source,
                                     error);
}

static int open_au(struct input *input, const struct source_request *request,
                   const struct recognised *found, struct source **source, struct error *error)
{
    unsigned char bytes[AU_HEADER_BYTES];
    struct au_header header;
    enum header_verdict verdict;
    uint64_t passed;
    size_t got;

    (void)found;
    if (input_read_all(input, bytes, sizeof bytes, &got, error) != 0)
        return -1;
    verdict = got < sizeof bytes ? HEADER_BAD : au_header_parse(bytes, &header);
    if (verdict == HEADER_BAD)
        return error_set(error, ERROR_FILE, input->name, "is not a readable au file: %s",
                         got < sizeof bytes ? "it ends inside its header"
                                            : "its header makes no sense");
    if (verdict == HEADER_FOREIGN)
        return open_foreign(input, request, bytes, header.codec, source, error);
    if (input_skip(input, header.offset - sizeof bytes, &passed, error) != 0)
        return -1;
    if (passed < header.offset - sizeof bytes)
        return error_set(error, ERROR_FILE, input->name, "ends inside its au header");
    header.data.sample.counts = request->sample.counts;
    return source_open_framed(input, &header.data, source, error);
}

/* ---- the writer */

enum { REMARK = 8 /* old readers expect one */ };

static void put_au(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    uint64_t frame_bytes = header_frame_bytes(format);
    uint64_t bytes = SIZE_UNKNOWN;

    if (frames != SINK_FRAMES_UNKNOWN && frames < SIZE_UNKNOWN / frame_bytes)
        bytes = frames * frame_bytes;
    put(builder, ".snd", 4);
    put_big(builder, AU_HEADER_BYTES + REMARK, 4);
    put_big(builder, bytes, 4);
    put_big(builder, au_header_codec(format->sample.kind), 4);
    put_big(builder, header_whole_rate(format), 4);
    put_big(builder, format->channels, 4);
    put_big(builder, 0, REMARK);
}

/* The header is less than 64 KiB, and a multiple of 4 bytes where the rest of the magic is too
 * weak. */
static const struct format_magic magic[] = {
    {6, ".snd\0\0", FORMAT_MASK_ALL, NULL},
    {6, ".sd\0\0\0", FORMAT_MASK_ALL, NULL},
    {8, "dns.\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", "a little-endian AU file"},
    {8, "\0ds.\0\0\0\0", "\xff\xff\xff\xff\3\0\xff\xff", "a little-endian AU file"},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_F32,
    .kinds = " f32 f64 s8 s16 s24 s32",
    .big_endian = true,
    .streams = true,
    .open = sink_open_header,
    .header = put_au,
};

const struct format format_au = {
    .names = {"au", "snd"},
    .words = "an AU file",
    .endings = " au snd",
    .magic = magic,
    .open = open_au,
    .writer = &writer,
};
