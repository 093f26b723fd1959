/* SPDX-License-Identifier: MIT */
/* WAV and its descendants: RIFX with big-endian numbers, RF64 and BW64 with 64-bit sizes in a ds64
 * chunk, and W64 with GUIDs as names and 64-bit sizes that include the chunk header.
 *
 * Programs that write to a pipe do not know the size of the data, and cannot fill it in later. The
 * parser has to distinguish their placeholders from real sizes:
 *
 *     0                      interrupted recorders, RF64 by ffmpeg
 *     0x7fff0000             GStreamer
 *     0x7ffff000             sox, or a little less
 *     0x7fffffff, 0xffffffff others; ffmpeg
 *     0x80000000             arecord
 *     2^63 - 1, 2^64 - 1     W64 by ffmpeg */
#include <string.h>

#include "format/format.h"
#include "format/parsers_priv.h"
#include "format/raw_writer_priv.h"

enum {
    RIFF_START = 12,
    W64_START = 40,
    W64_PADDING = 8,
    W64_CHUNK = 24,    /* bytes of a chunk header, which the size includes */
    DS64_LEAST = 24,   /* bytes without the table, which is not needed here */
    DS64_BYTES = 28,   /* bytes with the length of the table */
    FORMAT_LEAST = 14, /* bytes without the bits per sample, as in the oldest files */
    FORMAT_MOST = 40,
    BLOCK_MOST = 65535, /* bytes of a frame, a field of 16 bits */
};

enum {
    CODEC_PCM = 1,
    CODEC_FLOAT = 3,
    CODEC_EXTENSIBLE = 0xfffe,
};

/* No size means "until the end" to every program. With 0xffffffff, which ffmpeg writes, ffmpeg
 * reads on and sox stops after 4 GiB; with 0x7ffff000, sox's own, sox reads on and ffmpeg stops
 * after 2 GiB; with 0, sox reads nothing. */
#define SIZE_UNKNOWN UINT32_C(0xffffffff)

/* The last 12 bytes of every GUID in a W64 but the first, and of the GUIDs in a
 * WAVE_FORMAT_EXTENSIBLE. */
static const unsigned char w64_tail[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1,
                                           0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};
static const unsigned char format_tail[14] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80,
                                              0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71};

#define W64_RIFF "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0"

/* ---- the parser of headers */

static uint32_t get16(const struct chunked_header *header, const unsigned char *bytes)
{
    return (uint32_t)number_of_bytes(bytes, 2, header->data.chunks->big);
}

static uint32_t get32(const struct chunked_header *header, const unsigned char *bytes)
{
    return (uint32_t)number_of_bytes(bytes, 4, header->data.chunks->big);
}

static bool is_w64(const struct chunked_header *header)
{
    return header->data.chunks == &chunk_w64;
}

/* Reads what follows the first 12 bytes: the rest of a GUID, a size, another GUID. */
static bool take_w64_start(struct chunked_header *header)
{
    unsigned char bytes[W64_START - RIFF_START];
    uint64_t size;

    header->data.container = "w64";
    header->data.chunks = &chunk_w64;
    if (!chunked_read(header, bytes, sizeof bytes))
        return false;
    if (memcmp(bytes, &W64_RIFF[RIFF_START], 4) != 0 || memcmp(bytes + 12, "wave", 4) != 0 ||
        memcmp(bytes + 16, w64_tail, sizeof w64_tail) != 0)
        return chunked_bad(header, "it does not begin like one");
    size = number_of_bytes(bytes + 4, 8, false);
    if (size != 0 && size < CHUNK_HUGE)
        header->file_end = size;
    return true;
}

static bool take_start(struct chunked_header *header, bool *is_rf64)
{
    unsigned char bytes[RIFF_START];
    bool is_rifx;
    uint32_t size;

    if (!chunked_read(header, bytes, sizeof bytes))
        return false;
    if (memcmp(bytes, W64_RIFF, sizeof bytes) == 0)
        return take_w64_start(header);
    *is_rf64 = memcmp(bytes, "RF64", 4) == 0 || memcmp(bytes, "BW64", 4) == 0;
    is_rifx = memcmp(bytes, "RIFX", 4) == 0;
    if ((!*is_rf64 && !is_rifx && memcmp(bytes, "RIFF", 4) != 0) ||
        memcmp(bytes + 8, "WAVE", 4) != 0)
        return chunked_bad(header, "it does not begin like one");
    if (*is_rf64)
        header->data.container = "rf64";
    if (is_rifx)
        header->data.chunks = &chunk_iff;
    size = get32(header, bytes + 4);
    /* These values mean that the size is unknown, or in the ds64 chunk. */
    if (size != 0 && size != 0x7fffffff && size != 0xffffffff)
        header->file_end = (uint64_t)size + 8;
    return true;
}

static const char *codec_name(uint32_t codec)
{
    static const char *const names[] = {
        [0x01] = "PCM of an odd width",
        [0x02] = "Microsoft ADPCM",
        [0x03] = "float of an odd width",
        [0x06] = "A-law",
        [0x07] = "mu-law",
        [0x11] = "IMA ADPCM",
        [0x31] = "GSM 6.10",
        [0x40] = "G.721",
        [0x50] = "MPEG",
        [0x55] = "MP3",
        [0xff] = "AAC",
        [0x161] = "WMA",
    };

    return codec < sizeof names / sizeof *names && names[codec] != NULL ? names[codec] : "codec";
}

static bool take_format(struct chunked_header *header)
{
    struct source_format *format = &header->data.format;
    unsigned char bytes[FORMAT_MOST] = {0};
    uint32_t codec;
    uint32_t block;
    uint32_t sample_bytes;

    if (header->chunk.size < FORMAT_LEAST)
        return chunked_bad(header, "it has a fmt chunk that is too small");
    if (!chunked_contents(header, bytes, FORMAT_MOST))
        return false;
    codec = get16(header, bytes);
    if (codec == CODEC_EXTENSIBLE && memcmp(bytes + 26, format_tail, sizeof format_tail) == 0)
        codec = get16(header, bytes + 24);
    format->channels = get16(header, bytes + 2);
    if (format->channels == 0)
        return chunked_bad(header, "it has 0 channels");
    /* Samples with an odd number of bits are left-aligned in whole bytes; the block size gives
     * their number, unless it is nonsense. */
    block = get16(header, bytes + 12);
    sample_bytes = (get16(header, bytes + 14) + 7) / 8;
    if (block % format->channels == 0 && block / format->channels > sample_bytes)
        sample_bytes = block / format->channels;
    if ((codec != CODEC_PCM && codec != CODEC_FLOAT) ||
        !chunked_kind(&format->sample.kind, codec == CODEC_FLOAT, sample_bytes, SAMPLE_U8))
        return chunked_foreign(header, "a file of type %s with %s (0x%04x)", header->data.container,
                               codec_name(codec), codec);
    format->sample.big_endian = header->data.chunks->big && sample_bytes > 1;
    format->rate = get32(header, bytes + 4);
    header->has_format = true;
    return true;
}

static bool take_ds64(struct chunked_header *header)
{
    unsigned char bytes[DS64_LEAST];
    uint64_t riff;

    if (header->chunk.size < DS64_LEAST)
        return chunked_bad(header, "it has a ds64 chunk that is too small");
    if (!chunked_contents(header, bytes, DS64_LEAST))
        return false;
    header->data_bytes = number_of_bytes(bytes + 8, 8, false);
    header->data_frames = number_of_bytes(bytes + 16, 8, false);
    header->has_data_bytes = true;
    riff = number_of_bytes(bytes, 8, false);
    if (riff != 0 && riff < CHUNK_HUGE)
        header->file_end = riff + 8;
    return true;
}

/* True if this is the placeholder of an unknown size. Some are values that no file has. Others
 * could be real: they count only if the file ends with the data, and if far fewer bytes are there.
 * `block` is the size of a frame: sox rounds down to whole frames. */
static bool is_placeholder(const struct chunked_header *header, uint64_t size)
{
    uint64_t block = source_frame_bytes(&header->data.format);
    uint64_t there = input_remaining(header->input); /* UINT64_MAX in a pipe */
    bool is_far = there == UINT64_MAX || there < size - size / 16;

    if (size == 0x7fffffff || size == 0xffffffff || size == 0x7ffff000)
        return true;
    if (size > 0x7ffff000 && header->file_end == 0)
        return true;
    return (chunk_size_is_placeholder(size) || chunk_size_is_placeholder(size + block - 1)) &&
           header->position + size + size % 2 >= header->file_end && is_far;
}

/* True if the data size of an RF64 includes the byte of padding, as ffmpeg writes it. Where frames
 * are longer, that byte is no frame. */
static bool has_counted_padding(const struct chunked_header *header)
{
    return header->data_frames % 2 != 0 && header->data_bytes == header->data_frames + 1 &&
           source_frame_bytes(&header->data.format) == 1;
}

/* Rejects a list of samples and silences, which no other program reads. */
static bool take_list(struct chunked_header *header)
{
    unsigned char bytes[4] = {0};

    if (!chunked_contents(header, bytes, sizeof bytes))
        return false;
    return memcmp(bytes, "wavl", 4) != 0 ||
           chunked_bad(header, "its samples are in a list of chunks (wavl)");
}

/* Takes the data size, which is known, declared unknown, or a value to be checked. */
static bool take_data(struct chunked_header *header, uint64_t size, bool is_rf64)
{
    if (!header->has_format)
        return chunked_bad(header, "it has no fmt chunk before its data");
    if (size == 0xffffffff && header->has_data_bytes)
        size = header->data_bytes - (has_counted_padding(header) ? 1 : 0);
    else if (!is_w64(header) && is_placeholder(header, size))
        size = RAW_UNTIL_END;
    /* ffmpeg counts the padding of W64 and RF64 as data. */
    header->data.padding = 2;
    if (is_w64(header))
        header->data.padding = W64_PADDING;
    else if (!is_rf64 && size > 0 && size < CHUNK_HUGE)
        header->data.padding = 0;
    if (size == 0)
        return chunked_empty(header);
    return chunked_ready(header, size < CHUNK_HUGE ? size : RAW_UNTIL_END);
}

/* True if the chunk has this name. In W64, twelve fixed bytes follow each name. */
static bool is_named(const struct chunked_header *header, const unsigned char *bytes,
                     const char *name)
{
    return memcmp(bytes, name, 4) == 0 &&
           (!is_w64(header) || memcmp(bytes + 4, w64_tail, sizeof w64_tail) == 0);
}

void wav_parse(struct chunked_header *header)
{
    const unsigned char *start = header->start;
    bool is_rf64 = false;
    bool goes_on;

    header->data = (struct raw_reader_data){.container = "wav", .chunks = &chunk_riff};
    goes_on = take_start(header, &is_rf64);
    while (goes_on && chunked_next(header)) {
        /* Data sizes of a W64 that was never filled in; sox writes the second one to a pipe. */
        bool is_unfilled = !header->sane && memcmp(start, "data", 4) == 0 &&
                           (number_of_bytes(start + 16, 8, false) == 0 ||
                            number_of_bytes(start + 16, 8, false) == W64_CHUNK - 1);

        if (!header->sane && !is_unfilled)
            goes_on = chunked_bad(header, "it has a chunk that is smaller than its own header");
        else if (is_named(header, start, "data"))
            goes_on = take_data(header, header->chunk.size, is_rf64);
        else if (is_named(header, start, "fmt ") && !header->has_format)
            goes_on = take_format(header);
        else if (is_rf64 && memcmp(start, "ds64", 4) == 0)
            goes_on = take_ds64(header);
        else if (is_named(header, start, "LIST"))
            goes_on = take_list(header);
    }
}

/* ---- the writer */

extern const struct format format_rf64;

/* The contents of a fmt chunk. Integers with more than two channels, or more than 16 bits, need
 * the long form; the channels of an envelope have no loudspeaker positions. Floats always have the
 * short form, as sox writes it: sox complains about the long one. */
static void put_format(struct builder *builder, const struct sink_format *format)
{
    uint64_t bits = 8 * sample_type_bytes(format->sample);
    uint64_t frame_bytes = header_frame_bytes(format);
    bool is_float = sample_type_has_nan(format->sample);
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
        builder_put(builder, format_tail, sizeof format_tail);
    } else if (is_float) {
        put_little(builder, 0, 2);
    }
}

/* A RIFF reserves room for a ds64 chunk, so that it can become an RF64 if it grows. */
static void put_riff(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned char chunk[64];
    struct builder fmt = {.bytes = chunk};
    uint64_t frame_bytes = header_frame_bytes(format);
    bool is_float = sample_type_has_nan(format->sample);
    bool is_unknown = frames == SINK_FRAMES_UNKNOWN;
    uint64_t bytes = is_unknown ? SIZE_UNKNOWN : frames * frame_bytes;
    uint64_t rest; /* bytes of the header after the first 8 */
    bool is_large;

    put_format(&fmt, format);
    rest = 4 + 8 + DS64_BYTES + 8 + fmt.size + (is_float ? 12 : 0) + 8;
    is_large = format->format == &format_rf64 || (!is_unknown && rest + bytes + 1 > 0xfffffffe);

    builder_put(builder, is_large ? "RF64" : "RIFF", 4);
    put_little(builder, is_large || is_unknown ? 0xffffffff : rest + bytes + bytes % 2, 4);
    builder_put(builder, "WAVE", 4);
    builder_put(builder, is_large ? "ds64" : "JUNK", 4);
    put_little(builder, DS64_BYTES, 4);
    put_little(builder, is_large ? rest + bytes + bytes % 2 : 0, 8);
    put_little(builder, is_large ? bytes : 0, 8);
    put_little(builder, is_large ? frames : 0, 8);
    put_little(builder, 0, 4);
    builder_put(builder, "fmt ", 4);
    put_little(builder, fmt.size, 4);
    builder_put(builder, chunk, fmt.size);
    if (is_float) {
        builder_put(builder, "fact", 4);
        put_little(builder, 4, 4);
        put_little(builder,
                   is_unknown ? SIZE_UNKNOWN / frame_bytes
                   : is_large ? 0xffffffff
                              : frames,
                   4);
    }
    builder_put(builder, "data", 4);
    put_little(builder, is_large ? 0xffffffff : bytes, 4);
}

static void put_guid(struct builder *builder, const char *name)
{
    builder_put(builder, name, 4);
    builder_put(builder, w64_tail, sizeof w64_tail);
}

/* Sizes include the 24 bytes of the chunk header, and chunks begin at multiples of 8. The last one
 * is not padded: ffmpeg would take padding for frames. */
static void put_w64(struct builder *builder, const struct sink_format *format, uint64_t frames)
{
    unsigned char chunk[64] = {0};
    struct builder fmt = {.bytes = chunk};
    uint64_t bytes = frames * header_frame_bytes(format);
    size_t padded;

    put_format(&fmt, format);
    padded = (fmt.size + 7) / 8 * 8;
    builder_put(builder, W64_RIFF, 16);
    put_little(builder, 40 + 24 + padded + 24 + bytes, 8);
    put_guid(builder, "wave");
    put_guid(builder, "fmt ");
    put_little(builder, 24 + fmt.size, 8);
    builder_put(builder, chunk, padded);
    put_guid(builder, "data");
    put_little(builder, 24 + bytes, 8);
}

/* ---- the rows */

#define KINDS " f32 f64 u8 s16 s24 s32"

static const struct format_magic wav_magic[] = {
    {12, "RIFF\0\0\0\0WAVE", .mask = FORMAT_MASK_CHUNK},
    {12, "RIFX\0\0\0\0WAVE", FORMAT_MASK_CHUNK, .words = "a big-endian WAV file"},
    {0},
};

/* Becomes an RF64 if needed. */
static const struct header_rules riff_rules = {
    .put = put_riff,
    .frame_most = BLOCK_MOST,
    .even = true,
};

static const struct format_writer wav_writer = {
    .kinds = KINDS,
    .rate_most = UINT32_MAX,
    .streams = true,
    .open = sink_open_header,
    .header = &riff_rules,
};

const struct format format_wav = {
    .names = {"wav"},
    .words = "a WAV file",
    .endings = " wav wave",
    .magic = wav_magic,
    .open = source_open_chunked,
    .parse = wav_parse,
    .writer = &wav_writer,
};

static const struct format_writer rf64_writer = {
    .kinds = KINDS,
    .rate_most = UINT32_MAX,
    .open = sink_open_header,
    .header = &riff_rules,
};

const struct format format_rf64 = {
    .names = {"rf64"},
    .words = "an RF64 file",
    .family = "wav",
    .endings = " rf64",
    .magic =
        (const struct format_magic[]){{12, "RF64\0\0\0\0WAVE", .mask = FORMAT_MASK_CHUNK}, {0}},
    .open = source_open_chunked,
    .parse = wav_parse,
    .writer = &rf64_writer,
};

const struct format format_bw64 = {
    .names = {"bw64"},
    .words = "a BW64 file",
    .family = "wav",
    .magic =
        (const struct format_magic[]){{12, "BW64\0\0\0\0WAVE", .mask = FORMAT_MASK_CHUNK}, {0}},
    .open = source_open_chunked,
    .parse = wav_parse,
};

static const struct format_writer w64_writer = {
    .kinds = KINDS,
    .rate_most = UINT32_MAX,
    .open = sink_open_header,
    .header = &(const struct header_rules){.put = put_w64, .frame_most = BLOCK_MOST},
};

const struct format format_w64 = {
    .names = {"w64"},
    .words = "a W64 file",
    .endings = " w64",
    /* the GUID of its first chunk */
    .magic = (const struct format_magic[]){{.size = 16, .bytes = W64_RIFF}, {0}},
    .open = source_open_chunked,
    .parse = wav_parse,
    .writer = &w64_writer,
};
