/* FLAC, by libsndfile. */
#include "format/format.h"
#include "format/header_sink.h"
#include "format/sndfile/sndfile.h"

/* The last block of metadata is the first. */
static void put_empty(struct builder *builder, const struct sink_format *format)
{
    static const unsigned char md5_of_nothing[16] = {0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00,
                                                     0xb2, 0x04, 0xe9, 0x80, 0x09, 0x98,
                                                     0xec, 0xf8, 0x42, 0x7e};
    uint64_t bits = 8 * sample_type_bytes(format->sample);

    put(builder, "fLaC", 4);
    put_big(builder, 0x80000022, 4);
    put_big(builder, 4096, 2); /* frames a block, at least and at most */
    put_big(builder, 4096, 2);
    put_big(builder, 0, 6);
    put_big(builder,
            (uint64_t)header_whole_rate(format) << 44 | (format->channels - 1ULL) << 41 |
                (bits - 1) << 36,
            8);
    put(builder, md5_of_nothing, sizeof md5_of_nothing);
}

/* the block STREAMINFO, which may be marked as the last one, of 34 bytes */
static const struct format_magic magic[] = {
    {8, "fLaC\0\0\0\x22", "\xff\xff\xff\xff\x7f\xff\xff\xff", NULL},
    {0},
};

static const struct format_writer writer = {
    .usual = SAMPLE_S24,
    .kinds = " s8 s16 s24",
    .rate_most = 655350,
    .streams = true,
    .by_libsndfile = true,
    .open = sink_open_sndfile,
    .empty = put_empty,
};

const struct format format_flac = {
    .names = {"flac"},
    .words = "a FLAC file",
    .endings = " flac",
    .by_ending = true,
    .magic = magic,
    .open = source_open_sndfile,
    .writer = &writer,
};
