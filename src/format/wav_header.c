/* Three families share one shape: a first chunk around everything, then chunks with a name and a
 * size. RIFF has 32-bit sizes; RF64 (and BW64) puts 64-bit ones into a ds64 chunk; W64 has GUIDs
 * for names, and 64-bit sizes that count the chunk's own header.
 *
 * Programs that write to a pipe cannot know the size of the data, and cannot come back to fill it
 * in. What they write instead is what this file has to tell from a promise:
 *     0                      GStreamer, recorders that were cut off, RF64 by ffmpeg
 *     0x7ffff000             sox, or a little less
 *     0x7fffffff, 0xffffffff others; ffmpeg
 *     0x80000000             arecord
 *     2^63 - 1, 2^64 - 1     W64 by ffmpeg */
#include "format/chunked_header.h"

#include <string.h>

#include "format/numbers.h"

enum {
    STATE_W64_START = CHUNKED_STATES,
    STATE_FORMAT,
    STATE_DS64,
};

enum {
    RIFF_START = 12,
    W64_START = 40,
    W64_PADDING = 8,
    W64_CHUNK = 24,    /* bytes in front of what a chunk holds, which its size counts */
    DS64_LEAST = 24,   /* without the table, which is of no use here */
    FORMAT_LEAST = 14, /* without the bits of a sample, as in the oldest files */
    FORMAT_MOST = 40,
};

enum {
    CODEC_PCM = 1,
    CODEC_FLOAT = 3,
    CODEC_EXTENSIBLE = 0xfffe,
};

static const struct chunked_part w64_part = {.state = STATE_W64_START, .most = CHUNKED_MOST};
static const struct chunked_part format_part = {STATE_FORMAT, FORMAT_LEAST, FORMAT_MOST,
                                                "has a fmt chunk that is too small"};
static const struct chunked_part ds64_part = {STATE_DS64, DS64_LEAST, DS64_LEAST,
                                              "has a ds64 chunk that is too small"};

/* The end of every GUID in a W64 but the first, and of those in a WAVE_FORMAT_EXTENSIBLE. */
static const unsigned char w64_tail[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1,
                                           0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};
static const unsigned char w64_riff[16] = {'r',  'i',  'f',  'f',  0x2e, 0x91, 0xcf, 0x11,
                                           0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00};
static const unsigned char format_tail[14] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80,
                                              0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71};

static uint32_t get16(const struct chunked_header *header, const unsigned char *bytes)
{
    return (uint32_t)number_of(bytes, 2, header->shape->big);
}

static uint32_t get32(const struct chunked_header *header, const unsigned char *bytes)
{
    return (uint32_t)number_of(bytes, 4, header->shape->big);
}

/* Only ever in little-endian files. */
static uint64_t get64(const unsigned char *bytes)
{
    return number_of(bytes, 8, false);
}

static bool is_w64(const struct chunked_header *header)
{
    return header->shape == &chunk_w64;
}

static void take_start(struct chunked_header *header, const unsigned char *bytes)
{
    bool is_rf64 = memcmp(bytes, "RF64", 4) == 0 || memcmp(bytes, "BW64", 4) == 0;
    bool is_rifx = memcmp(bytes, "RIFX", 4) == 0;
    uint32_t size;

    if (memcmp(bytes, w64_riff, RIFF_START) == 0) {
        header->container = "w64";
        header->shape = &chunk_w64;
        chunked_want(header, &w64_part, W64_START - RIFF_START, W64_START - RIFF_START);
        return;
    }
    if ((!is_rf64 && !is_rifx && memcmp(bytes, "RIFF", 4) != 0) ||
        memcmp(bytes + 8, "WAVE", 4) != 0) {
        chunked_bad(header, "does not begin like one");
        return;
    }
    header->shape = is_rifx ? &chunk_iff : &chunk_riff;
    header->container = is_rf64 ? "rf64" : "wav";
    size = get32(header, bytes + 4);
    /* These say that the size was not known, or is in the ds64 chunk. */
    if (size != 0 && size != 0x7fffffff && size != 0xffffffff)
        header->file_end = (uint64_t)size + 8;
    chunked_next(header, 0);
}

/* What the first 12 bytes left: the end of a GUID, a size, another GUID. */
static void take_w64_start(struct chunked_header *header, const unsigned char *bytes)
{
    uint64_t size = get64(bytes + 4);

    if (memcmp(bytes, w64_riff + 12, 4) != 0 || memcmp(bytes + 12, "wave", 4) != 0 ||
        memcmp(bytes + 16, w64_tail, sizeof w64_tail) != 0) {
        chunked_bad(header, "does not begin like one");
        return;
    }
    if (size != 0 && size < CHUNK_HUGE)
        header->file_end = size;
    chunked_next(header, 0);
}

static const char *codec_name(uint32_t codec)
{
    static const struct {
        uint32_t codec;
        const char *name;
    } names[] = {
        {0x01, "PCM of an odd width"},
        {0x02, "Microsoft ADPCM"},
        {0x03, "float of an odd width"},
        {0x06, "A-law"},
        {0x07, "mu-law"},
        {0x11, "IMA ADPCM"},
        {0x31, "GSM 6.10"},
        {0x40, "G.721"},
        {0x50, "MPEG"},
        {0x55, "MP3"},
        {0xff, "AAC"},
        {0x161, "WMA"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].codec == codec)
            return names[i].name;
    }
    return "codec";
}

static bool pcm_kind(uint32_t bytes, enum sample_kind *kind)
{
    static const enum sample_kind kinds[] = {SAMPLE_U8, SAMPLE_S16, SAMPLE_S24, SAMPLE_S32};

    if (bytes < 1 || bytes > 4)
        return false;
    *kind = kinds[bytes - 1];
    return true;
}

static bool float_kind(uint32_t bytes, enum sample_kind *kind)
{
    if (bytes != 4 && bytes != 8)
        return false;
    *kind = bytes == 4 ? SAMPLE_F32 : SAMPLE_F64;
    return true;
}

static void take_format(struct chunked_header *header, const unsigned char *bytes)
{
    uint32_t codec = get16(header, bytes);
    uint32_t channels = get16(header, bytes + 2);
    uint32_t block = get16(header, bytes + 12);
    uint32_t bits = header->size >= 16 ? get16(header, bytes + 14) : 0;
    uint32_t sample_bytes;
    enum sample_kind kind;

    header->rate = get32(header, bytes + 4);
    if (codec == CODEC_EXTENSIBLE && header->size >= FORMAT_MOST &&
        memcmp(bytes + 26, format_tail, sizeof format_tail) == 0)
        codec = get16(header, bytes + 24);
    if (channels == 0) {
        chunked_bad(header, "has 0 channels");
        return;
    }
    /* Samples of an odd number of bits lie at the top of whole bytes; how many, the block says,
     * unless it is nonsense. */
    sample_bytes = (bits + 7) / 8;
    if (block % channels == 0 && block / channels > sample_bytes)
        sample_bytes = block / channels;
    if ((codec != CODEC_PCM || !pcm_kind(sample_bytes, &kind)) &&
        (codec != CODEC_FLOAT || !float_kind(sample_bytes, &kind))) {
        chunked_foreign(header, "%s (0x%04x)", codec_name(codec), codec);
        return;
    }
    header->sample = (struct sample_type){
        .kind = kind,
        .big_endian = header->shape->big && sample_bytes > 1,
    };
    header->channels = channels;
    header->has_format = true;
    chunked_next(header, header->rest);
}

static void take_ds64(struct chunked_header *header, const unsigned char *bytes)
{
    uint64_t riff = get64(bytes);

    header->data_bytes = get64(bytes + 8);
    header->has_data_bytes = true;
    if (riff != 0 && riff < CHUNK_HUGE)
        header->file_end = riff + 8;
    chunked_next(header, header->rest);
}

/* Is this the size of data whose end was not known? `block` is the size of a frame: sox rounds to
 * whole ones. What might as well be the true size counts only if nothing is to follow. */
static bool is_placeholder(const struct chunked_header *header, uint64_t size)
{
    uint64_t block = sample_type_bytes(header->sample) * header->channels;
    bool ends_file = header->position + size + size % 2 == header->file_end;

    if (size == 0x7fffffff || size == 0xffffffff || size == 0x7ffff000)
        return true;
    if (size > 0x7ffff000 && header->file_end == 0)
        return true;
    return ends_file && (size == 0x80000000 || (size < 0x7ffff000 && size + block > 0x7ffff000));
}

/* The size of the data is known, or it says that it is not, or it has to be found out. */
static void start_data(struct chunked_header *header, uint64_t size)
{
    if (!header->has_format) {
        chunked_bad(header, "has no fmt chunk before its data");
        return;
    }
    if (size == 0xffffffff && header->has_data_bytes)
        size = header->data_bytes;
    else if (!is_w64(header) && is_placeholder(header, size))
        size = CHUNKED_UNTIL_END;
    /* ffmpeg counts the padding of a W64 and of an RF64 as data. */
    header->padding = 2;
    if (is_w64(header))
        header->padding = W64_PADDING;
    else if (header->container[0] == 'w' && size > 0 && size < CHUNK_HUGE)
        header->padding = 0;
    if (size == 0)
        chunked_empty(header);
    else
        chunked_ready(header, size < CHUNK_HUGE ? size : CHUNKED_UNTIL_END);
}

/* Does the chunk have this name? W64 puts the same twelve bytes behind all of them. */
static bool is_named(const struct chunked_header *header, const unsigned char *bytes,
                     const char *name)
{
    return memcmp(bytes, name, 4) == 0 &&
           (!is_w64(header) || memcmp(bytes + 4, w64_tail, sizeof w64_tail) == 0);
}

/* Sizes of data in a header that was never filled in; sox leaves the second one in a pipe. */
static bool is_w64_placeholder(uint64_t size)
{
    return size == 0 || size == W64_CHUNK - 1;
}

static void take_chunk(struct chunked_header *header, const unsigned char *bytes)
{
    struct chunk chunk = {.size = 0};
    bool sane = chunk_parse(header->shape, bytes, &chunk);

    if (!sane && (memcmp(bytes, "data", 4) != 0 || !is_w64_placeholder(get64(bytes + 16)))) {
        chunked_bad(header, "has a chunk that is smaller than what stands in front of it");
    } else if (is_named(header, bytes, "data")) {
        start_data(header, chunk.size);
    } else if (is_named(header, bytes, "fmt ") && !header->has_format) {
        chunked_want(header, &format_part, chunk.size, chunk.padded);
    } else if (memcmp(bytes, "ds64", 4) == 0 && strcmp(header->container, "rf64") == 0) {
        chunked_want(header, &ds64_part, chunk.size, chunk.padded);
    } else {
        chunked_next(header, chunk.padded);
    }
}

static void take(struct chunked_header *header, const unsigned char *bytes)
{
    switch (header->state) {
    case CHUNKED_START:
        take_start(header, bytes);
        break;
    case STATE_W64_START:
        take_w64_start(header, bytes);
        break;
    case STATE_FORMAT:
        take_format(header, bytes);
        break;
    case STATE_DS64:
        take_ds64(header, bytes);
        break;
    default:
        take_chunk(header, bytes);
        break;
    }
}

const struct chunked_class wav_header = {
    .container = "wav",
    .first = RIFF_START,
    .shape = &chunk_riff,
    .take = take,
};
