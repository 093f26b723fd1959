/* AU: 24 bytes, a remark, and samples in big-endian order. */
#include "io/au_header.h"

#include <stdio.h>
#include <string.h>

#include "io/framed.h"
#include "io/source.h"

enum { CHANNELS_MOST = 65535 };

static const struct {
    uint32_t codec;
    enum sample_kind kind;
} codecs[] = {
    {2, SAMPLE_S8},  {3, SAMPLE_S16}, {4, SAMPLE_S24},
    {5, SAMPLE_S32}, {6, SAMPLE_F32}, {7, SAMPLE_F64},
};

enum { CODECS = sizeof codecs / sizeof *codecs };

static uint32_t get32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

enum au_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                struct au_header *header)
{
    uint32_t size = get32(bytes + 8);

    *header = (struct au_header){
        .offset = get32(bytes + 4),
        .codec = get32(bytes + 12),
        .rate = get32(bytes + 16),
        .channels = get32(bytes + 20),
    };
    if (memcmp(bytes, ".snd", 4) != 0 || header->offset < AU_HEADER_BYTES || header->channels < 1 ||
        header->channels > CHANNELS_MOST)
        return AU_IS_BAD;
    /* Nothing can lie behind the samples, so that a size of 0 is one that was not filled in. */
    header->bytes = size == 0 || size == 0xffffffff ? AU_UNTIL_END : size;
    for (int i = 0; i < CODECS; i++) {
        if (codecs[i].codec == header->codec) {
            header->sample = (struct sample_type){
                .kind = codecs[i].kind,
                .big_endian = codecs[i].kind != SAMPLE_S8,
            };
            return AU_IS_FINE;
        }
    }
    return AU_IS_FOREIGN;
}

uint32_t au_header_codec(enum sample_kind kind)
{
    for (int i = 0; i < CODECS; i++) {
        if (codecs[i].kind == kind)
            return codecs[i].codec;
    }
    return 0;
}

static int open_foreign(struct input *input, const struct source_request *request,
                        unsigned char *bytes, uint32_t codec, struct source **source,
                        struct error *error)
{
    const struct bytes_taken taken = {.bytes = bytes, .size = AU_HEADER_BYTES};
    char words[64];

    (void)snprintf(words, sizeof words, "an AU file of encoding %lu", (unsigned long)codec);
    if (input->regular && input_rewind(input, input_position(input) - AU_HEADER_BYTES, error) != 0)
        return -1;
    return source_open_sndfile(input, request, words, input->regular ? NULL : &taken, source,
                               error);
}

int source_open_au(struct input *input, const struct source_request *request,
                   struct source **source, struct error *error)
{
    unsigned char bytes[AU_HEADER_BYTES];
    struct au_header header;
    struct framed_data data;
    enum au_verdict verdict;
    uint64_t passed;
    size_t got;

    if (input_read_all(input, bytes, sizeof bytes, &got, error) != 0)
        return -1;
    verdict = got < sizeof bytes ? AU_IS_BAD : au_header_parse(bytes, &header);
    if (verdict == AU_IS_BAD)
        return error_set(
            error, STATUS_FAILED, "%s: is no au file that can be read: %s", input->name,
            got < sizeof bytes ? "it ends inside its header" : "its header makes no sense");
    if (verdict == AU_IS_FOREIGN)
        return open_foreign(input, request, bytes, header.codec, source, error);
    if (input_skip(input, header.offset - sizeof bytes, &passed, error) != 0)
        return -1;
    if (passed < header.offset - sizeof bytes)
        return error_set(error, STATUS_FAILED, "%s: ends inside its au header", input->name);
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
