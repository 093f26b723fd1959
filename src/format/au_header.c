#include "format/au_header.h"

#include <stddef.h>
#include <string.h>

#include "format/numbers.h"

enum { CHANNELS_MOST = 65535 };

static const struct {
    uint32_t codec;
    enum sample_kind kind;
} codecs[] = {
    {2, SAMPLE_S8},  {3, SAMPLE_S16}, {4, SAMPLE_S24},
    {5, SAMPLE_S32}, {6, SAMPLE_F32}, {7, SAMPLE_F64},
};

enum { CODECS = sizeof codecs / sizeof *codecs };

enum au_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                struct au_header *header)
{
    uint32_t size = number_big32(bytes + 8);

    *header = (struct au_header){
        .offset = number_big32(bytes + 4),
        .codec = number_big32(bytes + 12),
        .rate = number_big32(bytes + 16),
        .channels = number_big32(bytes + 20),
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
