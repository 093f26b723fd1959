/* WAV and what grew out of it: RIFX with big-endian numbers, RF64 and BW64 with sizes of 64 bits,
 * and W64 of another name for everything. One parser reads them all (format/wav_header.c). */
#include <string.h>

#include "format/chunked.h"
#include "format/format.h"
#include "format/header_sink.h"

enum {
    DS64_BYTES = 28,
    BLOCK_MOST = 65535, /* bytes of a frame, told in 16 bits */
};

/* There is no size that every program takes for "until the end". With this one, which ffmpeg
 * writes, ffmpeg reads on and sox stops after 4 GiB; with that of sox, 0x7ffff000, sox reads on and
 * ffmpeg stops after 2 GiB; with 0, sox reads nothing. */
#define SIZE_UNKNOWN UINT32_C(0xffffffff)

static int open_wav(struct input *input, const struct source_request *request, const char *words,
                    struct source **source, struct error *error)
{
    (void)words;
    return source_open_chunked(input, &wav_header, request, source, error);
}

/* ---- what is written */

/* The contents of a fmt chunk. Integers of more than two channels, or of more than 16 bits, ask for
 * the longer form; the channels of an envelope belong to no loudspeakers. Floats have the short
 * form always, as sox writes it: in the long one sox misses something. */
static void put_format(struct builder *builder, const struct sink_format *format)
{
    static const unsigned char guid_tail[14] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80,
                                                0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71};
    uint64_t bits = 8 * sample_type_bytes(format->sample);
    uint64_t frame_bytes = header_frame_bytes(format);
    bool is_float = header_has_float(format);
    uint64_t codec = is_float ? 3 : 1;
    uint64_t rate = header_whole_rate(format);
    uint64_t byte_rate = rate * frame_bytes;
    bool is_long = !is_float && (format->channels > 2 || bits > 16);

    put_little(builder, is_long ? 0xfffe : codec, 2);
    put_little(builder, format->channels, 2);
    put_little(builder, rate, 4);
    put_little(builder, byte_rate < 0xffffffff ? byte_rate : 0xffffffff, 4);
    put_little(builder, frame_bytes, 2);
    put_little(builder, bits, 2);
    if (is_long) {
        put_little(builder, 22, 2);
        put_little(builder, bits, 2);
        put_little(builder, 0, 4);
        put_little(builder, codec, 2);
        put(builder, guid_tail, sizeof guid_tail);
    } else if (is_float) {
        put_little(builder, 0, 2);
    }
}

/* A RIFF leaves room for a ds64 chunk, so that it can become an RF64 when it has grown. */
static void put_riff(struct builder *builder, const struct sink_format *format, uint64_t frames,
                     bool is_large)
{
    unsigned char chunk[64];
    struct builder fmt = {.bytes = chunk};
    uint64_t frame_bytes = header_frame_bytes(format);
    bool is_float = header_has_float(format);
    bool is_unknown = frames == SINK_FRAMES_UNKNOWN;
    uint64_t bytes = is_unknown ? SIZE_UNKNOWN : frames * frame_bytes;
    uint64_t rest; /* of the header, behind the first 8 bytes */

    put_format(&fmt, format);
    rest = 4 + 8 + DS64_BYTES + 8 + fmt.size + (is_float ? 12 : 0) + 8;
    is_large = is_large || (!is_unknown && rest + bytes + 1 > 0xfffffffe);

    put(builder, is_large ? "RF64" : "RIFF", 4);
    put_little(builder, is_large || is_unknown ? 0xffffffff : rest + bytes + bytes % 2, 4);
    put(builder, "WAVE", 4);
    put(builder, is_large ? "ds64" : "JUNK", 4);
    put_little(builder, DS64_BYTES, 4);
    put_little(builder, is_large ? rest + bytes + bytes % 2 : 0, 8);
    put_little(builder, is_large ? bytes : 0, 8);
    put_little(builder, is_large ? frames : 0, 8);
    put_little(builder, 0, 4);
    put(builder, "fmt ", 4);
    put_little(builder, fmt.size, 4);
    put(builder, chunk, fmt.size);
    if (is_float) {
        put(builder, "fact", 4);
        put_little(builder, 4, 4);
        put_little(builder,
                   is_unknown ? SIZE_UNKNOWN / frame_bytes
                   : is_large ? 0xffffffff
                              : frames,
                   4);
    }
    put(builder, "data", 4);
    put_little(builder, is_large ? 0xffffffff : bytes, 4);
}

static void put_wav(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    put_riff(builder, format, frames, false);
}

static void put_rf64(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    put_riff(builder, format, frames, true);
}

static void put_guid(struct builder *builder, const char *name)
{
    static const unsigned char tail[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1,
                                           0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};

    put(builder, name, 4);
    put(builder, tail, sizeof tail);
}

#define W64_RIFF "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0"

/* Sizes count the 24 bytes of the chunk's own header, and chunks begin at multiples of 8. Nothing
 * follows the last one, so that it needs no padding: ffmpeg would take that for frames. */
static void put_w64(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned char chunk[64] = {0};
    struct builder fmt = {.bytes = chunk};
    uint64_t bytes = frames * header_frame_bytes(format);
    size_t padded;

    put_format(&fmt, format);
    padded = (fmt.size + 7) / 8 * 8;
    put(builder, W64_RIFF, 16);
    put_little(builder, 40 + 24 + padded + 24 + bytes, 8);
    put_guid(builder, "wave");
    put_guid(builder, "fmt ");
    put_little(builder, 24 + fmt.size, 8);
    put(builder, chunk, padded);
    put_guid(builder, "data");
    put_little(builder, 24 + bytes, 8);
}

/* ---- the rows */

#define KINDS " f32 f64 u8 s16 s24 s32"

static const struct format_magic wav_magic[] = {
    {12, "RIFF\0\0\0\0WAVE", FORMAT_MASK_CHUNK, NULL},
    {12, "RIFX\0\0\0\0WAVE", FORMAT_MASK_CHUNK, "a big-endian WAV file"},
    {0},
};

/* An RF64 where it has to be. */
static const struct format_writer wav_writer = {
    .usual = SAMPLE_F32,
    .kinds = KINDS,
    .streams = true,
    .open = sink_open_header,
    .header = put_wav,
    .frame_most = BLOCK_MOST,
    .align = 2,
};

const struct format format_wav = {
    .names = {"wav"},
    .words = "a WAV file",
    .endings = " wav wave",
    .magic = wav_magic,
    .open = open_wav,
    .writer = &wav_writer,
};

static const struct format_magic rf64_magic[] = {
    {12, "RF64\0\0\0\0WAVE", FORMAT_MASK_CHUNK, NULL},
    {0},
};

static const struct format_writer rf64_writer = {
    .usual = SAMPLE_F32,
    .kinds = KINDS,
    .open = sink_open_header,
    .header = put_rf64,
    .frame_most = BLOCK_MOST,
    .align = 2,
};

const struct format format_rf64 = {
    .names = {"rf64"},
    .words = "an RF64 file",
    .family = "wav",
    .endings = " rf64",
    .magic = rf64_magic,
    .open = open_wav,
    .writer = &rf64_writer,
};

static const struct format_magic bw64_magic[] = {
    {12, "BW64\0\0\0\0WAVE", FORMAT_MASK_CHUNK, NULL},
    {0},
};

const struct format format_bw64 = {
    .names = {"bw64"},
    .words = "a BW64 file",
    .family = "wav",
    .magic = bw64_magic,
    .open = open_wav,
};

/* the GUID of its first chunk */
static const struct format_magic w64_magic[] = {
    {16, W64_RIFF, FORMAT_MASK_ALL, NULL},
    {0},
};

static const struct format_writer w64_writer = {
    .usual = SAMPLE_F32,
    .kinds = KINDS,
    .open = sink_open_header,
    .header = put_w64,
    .frame_most = BLOCK_MOST,
};

const struct format format_w64 = {
    .names = {"w64"},
    .words = "a W64 file",
    .endings = " w64",
    .magic = w64_magic,
    .open = open_wav,
    .writer = &w64_writer,
};
