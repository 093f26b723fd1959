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

/* The files of Sun, and those of DEC, which sox writes when it is asked for little-endian ones;
 * each in the order of its numbers. */
static const struct {
    const char name[5];
    bool big;
} orders[] = {{".snd", true}, {"dns.", false}, {".sd\0", true}, {"\0ds.", false}};

enum { ORDERS = sizeof orders / sizeof *orders };

static uint32_t field(const unsigned char *bytes, unsigned at, bool big)
{
    return (uint32_t)number_of(bytes + at, 4, big);
}

enum au_verdict au_header_parse(const unsigned char bytes[AU_HEADER_BYTES],
                                struct au_header *header)
{
    uint32_t size;
    int order = 0;

    *header = (struct au_header){.offset = 0};
    while (order < ORDERS && memcmp(bytes, orders[order].name, 4) != 0)
        order++;
    if (order == ORDERS)
        return AU_IS_BAD;
    header->offset = field(bytes, 4, orders[order].big);
    header->codec = field(bytes, 12, orders[order].big);
    header->rate = field(bytes, 16, orders[order].big);
    header->channels = field(bytes, 20, orders[order].big);
    if (header->offset < AU_HEADER_BYTES || header->channels < 1 ||
        header->channels > CHANNELS_MOST)
        return AU_IS_BAD;
    size = field(bytes, 8, orders[order].big);
    /* Nothing can lie behind the samples, so that a size of 0 is one that was not filled in. */
    header->bytes = size == 0 || size == 0xffffffff ? AU_UNTIL_END : size;
    for (int i = 0; i < CODECS; i++) {
        if (codecs[i].codec == header->codec) {
            header->sample = (struct sample_type){
                .kind = codecs[i].kind,
                .big_endian = orders[order].big && codecs[i].kind != SAMPLE_S8,
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
