#include "format/sndfile/whole_size.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/read_at.h"
#include "format/chunk.h"
#include "format/mpeg.h"
#include "format/numbers.h"
#include "format/sndfile/tags.h"
#include "format/sndfile/told_size.h"

enum {
    FIRST_BYTES = 36,
    CHUNKS_MOST = 10000, /* a file with more of them was made to waste our time */
};

/* Below this a size stands for nothing; the placeholders of streaming writers are at and above the
 * other, and near 2^31 (sox rounds it down). */
static const uint64_t SIZE_LEAST = 64;
static const uint64_t SIZE_MOST = 0xffff0000;

static uint64_t believed(uint64_t size)
{
    bool placeholder =
        size < SIZE_LEAST || size >= SIZE_MOST || (size >= 0x7fff0000 && size <= 0x80000100);

    return placeholder ? 0 : size;
}

/* Where the first bytes say it. */
static uint64_t told_first(const unsigned char *bytes)
{
    uint64_t size = 0;

    if (memcmp(bytes, "RIFF", 4) == 0)
        size = believed(number_of(bytes + 4, 4, false));
    else if (memcmp(bytes, "RIFX", 4) == 0 || memcmp(bytes, "FORM", 4) == 0)
        size = believed(number_big32(bytes + 4));
    else if (memcmp(bytes, ".snd", 4) == 0 && believed(number_big32(bytes + 8)) != 0)
        return (uint64_t)number_big32(bytes + 4) + number_big32(bytes + 8);
    return size == 0 ? 0 : size + 8;
}

/* Of 64 bits, and it counts all of the file. */
static uint64_t w64_size(const unsigned char *bytes)
{
    uint64_t size = number_of(bytes + 16, 8, false);

    return size >= SIZE_LEAST && size < INT64_MAX / 2 ? size : 0;
}

/* Its sizes of 64 bits stand in its first chunk: that of all but the first 8 bytes, and that of the
 * frames. */
static struct whole_size rf64_size(const unsigned char *bytes)
{
    uint64_t size = number_of(bytes + 20, 8, false);

    if (memcmp(bytes + 12, "ds64", 4) != 0 || size < SIZE_LEAST || size >= INT64_MAX / 2)
        return (struct whole_size){.bytes = 0};
    return (struct whole_size){.bytes = size + 8, .padded = bytes[28] % 2 != 0};
}

/* A number in the text of a NIST header: "name -i number", or "name -s1 digit". 0: there is none,
 * or it is too large. */
static uint64_t nist_number(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    unsigned long long value;

    at = at == NULL ? "" : at + strlen(name);
    if (strncmp(at, " -i ", 4) != 0 && strncmp(at, " -s1 ", 5) != 0)
        return 0;
    value = strtoull(strchr(at + 1, ' '), NULL, 10);
    return value < UINT32_MAX ? value : 0;
}

static uint64_t nist_size(int fd, uint64_t base)
{
    char text[4096];
    size_t got = read_at(fd, text, sizeof text - 1, base);
    uint64_t header;
    uint64_t frames;
    uint64_t channels;
    uint64_t bytes;

    text[got] = '\0';
    header = got < 16 ? 0 : strtoul(text + 8, NULL, 10);
    frames = nist_number(text, "\nsample_count");
    channels = nist_number(text, "\nchannel_count");
    bytes = nist_number(text, "\nsample_n_bytes");
    /* Compressed ones have fewer bytes than samples. */
    if (header == 0 || header > UINT32_MAX || frames == 0 || channels > UINT16_MAX || bytes > 8 ||
        channels * bytes == 0 || strstr(text, "embedded") != NULL)
        return 0;
    return header + frames * channels * bytes;
}

static bool voc_ends(int fd, uint64_t base, uint64_t there, uint64_t at)
{
    char bytes[5];

    return at == there || at + 1 == there ||
           (read_at(fd, bytes, sizeof bytes, base + at) == sizeof bytes &&
            memcmp(bytes, "\0Crea", sizeof bytes) == 0);
}

/* sox counts 8 bytes too few: the file ends there, or what ends it stands there, and no block here.
 */
static bool voc_lacks_8(int fd, uint64_t base, uint64_t there, uint64_t at)
{
    unsigned char bytes[9];

    if (voc_ends(fd, base, there, at))
        return false;
    return voc_ends(fd, base, there, at + 8) ||
           (read_at(fd, bytes, sizeof bytes, base + at) == sizeof bytes && bytes[0] > 9 &&
            bytes[8] == 0);
}

/* The beginning of a block of a VOC: its type, three bytes of size, and for a block of type 9 a
 * rate, bits, channels and two bytes of the encoding. */
enum { VOC_BLOCK = 12 };

static bool voc_is_law(const unsigned char block[VOC_BLOCK])
{
    return block[0] == 9 && (block[10] == 6 || block[10] == 7) && block[11] == 0;
}

/* libsndfile's writer counts the byte that ends the file with the frames of a last block of one
 * channel in A-law or mu-law. */
static bool voc_ends_inside(int fd, uint64_t base, const unsigned char last[VOC_BLOCK],
                            uint64_t end)
{
    unsigned char byte;

    return voc_is_law(last) && last[9] == 1 && read_at(fd, &byte, 1, base + end - 1) == 1 &&
           byte == 0;
}

/* Block by block, until one of type 0, which is nothing else. */
static struct whole_size voc_size(int fd, uint64_t base, uint64_t there)
{
    struct whole_size whole = {.padded = true, .passed_by = true};
    unsigned char last[VOC_BLOCK] = {0};
    unsigned char block[VOC_BLOCK];
    unsigned sounds = 0;
    uint64_t at;

    if (read_at(fd, block, 2, base + 20) < 2)
        return whole;
    at = number_of(block, 2, false);
    for (unsigned i = 0; i < CHUNKS_MOST; i++) {
        size_t got = at < there ? read_at(fd, block, sizeof block, base + at) : 0;

        if ((got == 0 || block[0] > 9) && voc_ends_inside(fd, base, last, at)) {
            whole.bytes = at;
            whole.surplus = 1;
            return whole;
        }
        if (got == 0 || block[0] == 0) {
            whole.bytes = at + 1;
            return whole;
        }
        /* 1 and 9 are sound, 2 is more of it, 3 silence, 6 a part that is repeated. */
        if (block[0] <= 9)
            sounds += (1U << block[0] & 0x24e) != 0;
        whole.misread = sounds > 1;
        if (whole.misread || block[0] > 9 || got < 4)
            return whole;
        at += 4 + number_of(block + 1, 3, false);
        if (block[0] == 9 && !voc_is_law(block) && voc_lacks_8(fd, base, there, at))
            at += 8;
        memcpy(last, block, sizeof last);
    }
    return whole;
}

/* Goes from chunk to chunk of a file. */
struct walk {
    const struct chunk_shape *shape;
    int fd;
    uint64_t base;
    uint64_t there;
    uint64_t at; /* of the chunk, from base; at the start, that of the first */
    unsigned count;
    unsigned char bytes[24]; /* that stand in front of the chunk, and its first ones */
    size_t got;
    struct chunk chunk;
};

enum walked {
    WALKED_ON,
    WALKED_TO_END, /* there is no whole chunk any more */
    WALKED_ENOUGH, /* this leads nowhere */
};

/* The next chunk, or the first one. */
static enum walked walk(struct walk *walk)
{
    unsigned start = chunk_start(walk->shape);

    if (walk->count > 0)
        walk->at += start + walk->chunk.padded;
    if (walk->count++ == CHUNKS_MOST)
        return WALKED_ENOUGH;
    memset(walk->bytes, 0, sizeof walk->bytes);
    walk->got = 0;
    if (walk->at < walk->there)
        walk->got = read_at(walk->fd, walk->bytes, sizeof walk->bytes, walk->base + walk->at);
    if (walk->got < start)
        return WALKED_TO_END;
    return chunk_parse(walk->shape, walk->bytes, &walk->chunk) ? WALKED_ON : WALKED_ENOUGH;
}

/* May the last byte of these be left out? It pads the last chunk, where that is odd and the size
 * of the file counts its padding. */
static bool is_padded(const struct chunk_shape *shape, int fd, uint64_t base, uint64_t size)
{
    struct walk riff = {.shape = shape, .fd = fd, .base = base, .there = size, .at = 12};
    uint64_t end = 0;

    while (walk(&riff) == WALKED_ON)
        end = riff.at + chunk_start(shape) + riff.chunk.size;
    return end + 1 == size;
}

/* Of a CAF whose data go on until the end nothing is known. What is no chunk behind the data does
 * not belong to it: some writers add a byte where their size is odd. */
static uint64_t caf_size(int fd, uint64_t base, uint64_t there)
{
    struct walk caf = {.shape = &chunk_caf, .fd = fd, .base = base, .there = there, .at = 8};
    enum walked walked;
    bool has_data = false;

    while ((walked = walk(&caf)) == WALKED_ON) {
        if (memcmp(caf.bytes, "caff\0\1\0\0", 8) == 0)
            return caf.at;
        if (has_data && caf.chunk.size > there - caf.at)
            return caf.at;
        if (caf.chunk.size >= CHUNK_HUGE)
            return 0;
        has_data = has_data || memcmp(caf.bytes, "data", 4) == 0;
    }
    return walked == WALKED_TO_END ? caf.at : 0;
}

/* Until the end of its BODY, whose padding is no frame. */
static struct whole_size svx_size(int fd, uint64_t base, uint64_t there)
{
    struct whole_size whole = {.passed_by = true};
    struct walk svx = {.shape = &chunk_iff, .fd = fd, .base = base, .there = there, .at = 12};

    while (walk(&svx) == WALKED_ON) {
        /* Each bit is a channel. */
        if (memcmp(svx.bytes, "CHAN\0\0\0\4\0\0\0\6", 12) == 0)
            whole.misread = true;
        if (memcmp(svx.bytes, "BODY", 4) == 0) {
            if (believed(svx.chunk.size) != 0)
                whole.bytes = svx.at + chunk_start(svx.shape) + svx.chunk.size;
            return whole;
        }
    }
    return whole;
}

static struct whole_size mp3_size(int fd, uint64_t base)
{
    struct whole_size whole = {.bytes = 0};
    unsigned char bytes[MPEG_TAG_MOST];
    struct mpeg_promise promise;
    uint64_t tag;

    if (read_at(fd, bytes, sizeof bytes, base) < sizeof bytes)
        return whole;
    tag = tag_bytes(bytes);
    if (tag > 0 && read_at(fd, bytes, sizeof bytes, base + tag) < sizeof bytes)
        return whole;
    promise = mpeg_promise(bytes);
    whole.counted = promise.frames != 0;
    whole.loose = promise.bytes != 0;
    whole.bytes = promise.bytes == 0 ? 0 : tag + promise.bytes;
    return whole;
}

/* sox writes a PVF and a MAT4 by libsndfile. In a pipe the header then stands there twice, and the
 * second one would be taken for samples. */
static struct whole_size told_at(int fd, uint64_t base)
{
    enum { PVF_START = 12 };
    unsigned char bytes[2 * TOLD_BYTES];
    size_t got = read_at(fd, bytes, sizeof bytes, base);
    uint64_t mat4 = told_mat4(bytes, got);
    struct whole_size whole = {.bytes = told_sds(bytes, got)};
    size_t start = mat4 != 0 ? MAT4_START : memcmp(bytes, "PVF1\n", 5) == 0 ? PVF_START : 0;

    if (whole.bytes == 0)
        whole.bytes = mat4 != 0 ? mat4 : told_mpc2k(bytes, got);
    whole.passed_by = whole.bytes != 0;
    whole.misread = start > 0 && memmem(bytes + 1, got - 1, bytes, start) != NULL;
    return whole;
}

struct whole_size whole_size(int fd, uint64_t base, uint64_t there)
{
    unsigned char bytes[FIRST_BYTES];
    struct whole_size whole = {.bytes = 0};

    if (read_at(fd, bytes, sizeof bytes, base) < sizeof bytes)
        return whole;
    whole = told_at(fd, base);
    if (whole.bytes != 0 || whole.misread)
        return whole;
    if (memcmp(bytes, "Creative", 8) == 0)
        return voc_size(fd, base, there);
    if (memcmp(bytes, "FORM", 4) == 0 && memcmp(bytes + 8, "8SVX", 4) == 0)
        return svx_size(fd, base, there);
    if (memcmp(bytes, "NIST_1A\n", 8) == 0) {
        whole.passed_by = true;
        whole.bytes = nist_size(fd, base);
    } else if (memcmp(bytes, "riff\x2e\x91\xcf\x11", 8) == 0) {
        whole.passed_by = true;
        whole.bytes = w64_size(bytes);
    } else if (memcmp(bytes, "caff", 4) == 0) {
        whole.bytes = caf_size(fd, base, there);
    } else if (memcmp(bytes, "RF64", 4) == 0) {
        whole = rf64_size(bytes);
    } else {
        whole.bytes = told_first(bytes);
        if (whole.bytes > 0 && memcmp(bytes, ".snd", 4) != 0)
            whole.padded = is_padded(memcmp(bytes, "RIFF", 4) == 0 ? &chunk_riff : &chunk_iff, fd,
                                     base, whole.bytes);
    }
    return whole.bytes == 0 ? mp3_size(fd, base) : whole;
}
