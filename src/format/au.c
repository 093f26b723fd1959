/* AU: 24 bytes, a remark, and samples, in big-endian order when it is written here. The parser of
 * its header is format/au_header.c. */
#include <stdio.h>

#include "bytes/spool.h"
#include "format/au_header.h"
#include "format/format.h"
#include "format/framed.h"
#include "format/header_sink.h"
#include "format/sndfile/sndfile.h"

enum { REMARK = 8 /* old readers want one */ };

#define SIZE_UNKNOWN UINT32_C(0xffffffff)

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

static int open_au(struct input *input, const struct source_request *request, const char *words,
                   struct source **source, struct error *error)
{
    unsigned char bytes[AU_HEADER_BYTES];
    struct au_header header;
    struct framed_data data;
    enum au_verdict verdict;
    uint64_t passed;
    size_t got;

    (void)words;
    if (input_read_all(input, bytes, sizeof bytes, &got, error) != 0)
        return -1;
    verdict = got < sizeof bytes ? AU_IS_BAD : au_header_parse(bytes, &header);
    if (verdict == AU_IS_BAD)
        return error_set(error, ERROR_FILE, input->name, "is no au file that can be read: %s",
                         got < sizeof bytes ? "it ends inside its header"
                                            : "its header makes no sense");
    if (verdict == AU_IS_FOREIGN)
        return open_foreign(input, request, bytes, header.codec, source, error);
    if (input_skip(input, header.offset - sizeof bytes, &passed, error) != 0)
        return -1;
    if (passed < header.offset - sizeof bytes)
        return error_set(error, ERROR_FILE, input->name, "ends inside its au header");
    data = (struct framed_data){
        .container = "au",
        .sample = header.sample,
        .channels = header.channels,
        .rate = header.rate,
        .bytes = header.bytes == AU_UNTIL_END ? FRAMED_UNTIL_END : header.bytes,
    };
    data.sample.counts = request->sample.counts;
    return source_open_framed(input, &data, source, error);
}

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

/* a header of less than 64 KiB, and where it has to be told from samples, of a multiple of 4 bytes
 */
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
