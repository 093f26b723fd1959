#include "format/sndfile/whole_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/numbers.h"
#include "format/parsers_priv.h"

enum {
    FIRST_BYTES = 36,    /* a file with fewer of them promises nothing */
    START_BYTES = 128,   /* that most sizes are found in */
    CHUNKS_MOST = 10000, /* a file with more of them was made to waste our time */
};

/* Other sizes are placeholders. */
static const uint64_t SIZE_LEAST = 64;
static const uint64_t SIZE_MOST = INT64_MAX / 2;

/* A size of 32 bits, or 0 for a placeholder. */
static uint64_t believed(uint64_t size)
{
    return size < SIZE_LEAST || chunk_size_is_placeholder(size) ? 0 : size;
}

/* A file and its first bytes; zeros follow its end. */
struct size_start {
    const struct slice *file;
    size_t size;
    unsigned char bytes[START_BYTES];
};

/* ---- chunks */

/* Goes from chunk to chunk of a file. */
struct sizes_walk {
    const struct chunk_shape *shape;
    const struct slice *file;
    uint64_t at; /* the offset of the chunk; initially of the first */
    unsigned count;
    unsigned char bytes[24]; /* its header, and its first bytes */
    struct file_chunk chunk;
    bool ended;
};

/* The next chunk, or the first one. False: there is none, because no complete chunk header is left
 * (`ended`), or because of too many chunks, or a wrong one. */
static bool walk_chunks(struct sizes_walk *walk)
{
    unsigned start = chunk_start(walk->shape);

    if (walk->count > 0)
        walk->at += start + walk->chunk.padded;
    if (walk->count++ == CHUNKS_MOST)
        return false;
    memset(walk->bytes, 0, sizeof walk->bytes);
    walk->ended = slice_read(walk->file, walk->at, walk->bytes, sizeof walk->bytes) < start;
    return !walk->ended && chunk_parse(walk->shape, walk->bytes, &walk->chunk);
}

/* RIFF, RIFX and FORM. The last byte may be missing if it pads an odd last chunk and is counted. */
static struct promise chunks(const struct size_start *start)
{
    bool little = memcmp(start->bytes, "RIFF", 4) == 0;
    struct promise promise = {.bytes = believed(number_of_bytes(start->bytes + 4, 4, !little))};
    struct slice promised = *start->file;
    struct sizes_walk riff = {
        .shape = little ? &chunk_riff : &chunk_iff, .file = &promised, .at = 12};
    uint64_t end = 0;

    if (promise.bytes == 0)
        return promise;
    promise.bytes += 8;
    promised.size = promise.bytes;
    while (walk_chunks(&riff))
        end = riff.at + chunk_start(riff.shape) + riff.chunk.size;
    promise.padded = end + 1 == promise.bytes;
    return promise;
}

/* The first chunk has the 64-bit sizes: of all but the first 8 bytes, and of the frames. */
static struct promise rf64(const struct size_start *start)
{
    uint64_t size = number_of_bytes(start->bytes + 20, 8, false);

    if (memcmp(start->bytes + 12, "ds64", 4) != 0 || size < SIZE_LEAST || size >= SIZE_MOST)
        return (struct promise){.bytes = 0};
    return (struct promise){.bytes = size + 8, .padded = start->bytes[28] % 2 != 0};
}

static struct promise w64(const struct size_start *start)
{
    uint64_t size = number_of_bytes(start->bytes + 16, 8, false);

    return (struct promise){.bytes = size >= SIZE_LEAST && size < SIZE_MOST ? size : 0};
}

/* Unknown if the data extend to the end of the file. Bytes after the data that are not a chunk do
 * not belong to the file: some writers add one if the size is odd. */
static struct promise caf_size(const struct size_start *start)
{
    struct sizes_walk caf = {.shape = &chunk_caf, .file = start->file, .at = 8};
    struct promise promise = {.bytes = 0};
    bool has_data = false;

    while (walk_chunks(&caf)) {
        if (memcmp(caf.bytes, "caff\0\1\0\0", 8) == 0 ||
            (has_data && caf.chunk.size > start->file->size - caf.at)) {
            caf.ended = true;
            break;
        }
        if (caf.chunk.size >= CHUNK_HUGE)
            break;
        has_data = has_data || memcmp(caf.bytes, "data", 4) == 0;
    }
    if (caf.ended)
        promise.bytes = caf.at;
    return promise;
}

/* Until the end of its BODY, whose padding is no frame. */
static struct promise svx(const struct size_start *start)
{
    struct promise promise = {.bytes = chunks(start).bytes};
    struct sizes_walk svx = {.shape = &chunk_iff, .file = start->file, .at = 12};

    while (walk_chunks(&svx)) {
        /* Each bit is a channel. */
        if (memcmp(svx.bytes, "CHAN\0\0\0\4\0\0\0\6", 12) == 0)
            promise.misread = true;
        if (memcmp(svx.bytes, "BODY", 4) == 0) {
            promise.bytes = believed(svx.chunk.size);
            if (promise.bytes != 0)
                promise.bytes += svx.at + chunk_start(svx.shape);
            break;
        }
    }
    return promise;
}

/* ---- VOC: blocks */

/* The beginning of a block: its type, three bytes of size, and for a block of type 9 a rate, bits,
 * channels and two bytes of the encoding. */
enum { VOC_BLOCK = 12 };

static bool voc_is_law(const unsigned char block[VOC_BLOCK])
{
    return block[0] == 9 && (block[10] == 6 || block[10] == 7) && block[11] == 0;
}

static bool voc_ends(const struct slice *file, uint64_t at)
{
    char bytes[5];

    return at == file->size || at + 1 == file->size ||
           (slice_read(file, at, bytes, sizeof bytes) == sizeof bytes &&
            memcmp(bytes, "\0Crea", sizeof bytes) == 0);
}

/* sox counts 8 bytes too few: the file, or its last block, then ends 8 bytes later. */
static bool voc_lacks_8(const struct slice *file, uint64_t at)
{
    unsigned char bytes[9];

    if (voc_ends(file, at))
        return false;
    return voc_ends(file, at + 8) || (slice_read(file, at, bytes, sizeof bytes) == sizeof bytes &&
                                      bytes[0] > 9 && bytes[8] == 0);
}

/* libsndfile's writer counts the byte that ends the file as a frame of a last block with one
 * channel of A-law or mu-law. */
static bool voc_ends_inside(const struct slice *file, const unsigned char last[VOC_BLOCK],
                            uint64_t end)
{
    unsigned char byte;

    return voc_is_law(last) && last[9] == 1 && slice_read(file, end - 1, &byte, 1) == 1 &&
           byte == 0;
}

/* Block by block, until one of type 0, a single byte. */
static struct promise voc(const struct size_start *start)
{
    const struct slice *file = start->file;
    struct promise promise = {.padded = true};
    unsigned char last[VOC_BLOCK] = {0};
    unsigned char block[VOC_BLOCK];
    unsigned sounds = 0;
    uint64_t at = number_of_bytes(start->bytes + 20, 2, false);

    for (unsigned i = 0; i < CHUNKS_MOST; i++) {
        size_t got = slice_read(file, at, block, sizeof block);

        if ((got == 0 || block[0] > 9) && voc_ends_inside(file, last, at)) {
            promise.bytes = at;
            promise.surplus = 1;
            return promise;
        }
        if (got == 0 || block[0] == 0) {
            promise.bytes = at + 1;
            return promise;
        }
        /* 1 and 9 are sound, 2 is more of it, 3 silence, 6 a part that is repeated. */
        if (block[0] <= 9)
            sounds += (1U << block[0] & 0x24e) != 0;
        promise.misread = sounds > 1;
        if (promise.misread || block[0] > 9 || got < 4)
            return promise;
        at += 4 + number_of_bytes(block + 1, 3, false);
        if (block[0] == 9 && !voc_is_law(block) && voc_lacks_8(file, at))
            at += 8;
        memcpy(last, block, sizeof last);
    }
    return promise;
}

/* ---- NIST: text */

/* A number in the text of the header: "name -i number", or "name -s1 digit". 0: there is none, or
 * it is too large. */
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

static struct promise nist(const struct size_start *start)
{
    struct promise promise = {.bytes = 0};
    char text[4096];
    uint64_t header;
    uint64_t frames;
    uint64_t channels;
    uint64_t bytes;

    text[slice_read(start->file, 0, text, sizeof text - 1)] = '\0';
    header = strtoul(text + 8, NULL, 10);
    frames = nist_number(text, "\nsample_count");
    channels = nist_number(text, "\nchannel_count");
    bytes = nist_number(text, "\nsample_n_bytes");
    /* Compressed ones have fewer bytes than samples. */
    if (header != 0 && header <= UINT32_MAX && frames != 0 && channels <= UINT16_MAX &&
        bytes <= 8 && channels * bytes != 0 && strstr(text, "embedded") == NULL)
        promise.bytes = header + frames * channels * bytes;
    return promise;
}

/* ---- in the first bytes */

static struct promise au_size(const struct size_start *start)
{
    const bool big = start->bytes[0] == '.';
    uint64_t data = believed(number_of_bytes(start->bytes + 8, 4, big));

    return (struct promise){.bytes =
                                data == 0 ? 0 : number_of_bytes(start->bytes + 4, 4, big) + data};
}

/* sox writes PVF and MAT4 by libsndfile. In a pipe the header is then written twice, and the second
 * one would be taken for samples. */
static bool stands_twice(const struct size_start *start, size_t header)
{
    return memmem(start->bytes + 1, start->size - 1, start->bytes, header) != NULL;
}

static struct promise pvf(const struct size_start *start)
{
    enum { PVF_START = 12 };

    return (struct promise){.misread = stands_twice(start, PVF_START)};
}

/* Two matrices: the rate, one number; and the samples, a row a channel. In front of each stand its
 * type, rows, columns, whether it is complex, and the length of its name. The name follows. */
const char mat4_starts[2][MAT4_START + 1] = {
    "\0\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0b\0\0\0samplerate",
    "\0\0\3\xe8\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0bsamplerate",
};

static struct promise mat4(const struct size_start *start)
{
    enum { FIELDS = 20, SECOND = MAT4_START + sizeof(double) };
    static const unsigned char widths[] = {8, 4, 4, 2, 2, 1};
    const unsigned char *fields = start->bytes + SECOND;
    bool big = start->bytes[3] != 0;
    uint64_t kind = number_of_bytes(fields, 4, big) % 100 / 10; /* the digit of tens */
    uint64_t samples = number_of_bytes(fields + 4, 4, big) * number_of_bytes(fields + 8, 4, big);

    if (start->size < SECOND + FIELDS || kind >= sizeof widths || samples > INT64_MAX / 16)
        return (struct promise){.bytes = 0};
    return (struct promise){
        .bytes = SECOND + FIELDS + number_of_bytes(fields + 16, 4, big) + samples * widths[kind],
        .misread = stands_twice(start, MAT4_START),
    };
}

/* A message with numbers of 7 bits a byte, the lowest first; then messages of 127 bytes, each with
 * as many whole samples as 120 bytes hold. libsndfile gives silence for the last one unless it is
 * full: so it gets a full one, and what is too many is dropped. */
static struct promise sds(const struct size_start *start)
{
    enum { HEADER = 21, PACKET = 127, HELD = 120, FRAMES_AT = 10, FIELD = 3 };
    const unsigned char *bytes = start->bytes;
    uint64_t frames = bytes[10] | (uint64_t)bytes[11] << 7 | (uint64_t)bytes[12] << 14;
    struct promise promise = {.bytes = 0};
    uint64_t packets;
    uint64_t full;

    if (bytes[3] != 1 || bytes[20] != 0xf7 || bytes[6] < 8 || bytes[6] > 28)
        return promise;
    promise.misread = bytes[6] % 7 == 0; /* as if each sample had a byte more */
    promise.block = HELD / ((bytes[6] + 6U) / 7);
    packets = (frames + promise.block - 1) / promise.block;
    promise.bytes = HEADER + packets * PACKET;
    full = packets * promise.block;
    promise.surplus = (unsigned)(full - frames);
    promise.patch = malloc(sizeof *promise.patch + FIELD);
    if (full >= 1 << 7 * FIELD || promise.patch == NULL) {
        promise.misread = true;
        return promise;
    }
    *promise.patch = (struct patch){.at = FRAMES_AT, .size = FIELD};
    for (unsigned i = 0; i < FIELD; i++)
        promise.patch->bytes[i] = full >> (7 * i) & 0x7f;
    return promise;
}

/* Numbers of 4 bytes: the version, the byte order, the rate, and how samples are encoded: 1 is 24
 * bits in blocks of 32 bytes a channel. The size is not stated. */
static struct promise paf(const struct size_start *start)
{
    enum { BLOCK_FRAMES = 10 };
    bool big = start->bytes[0] == ' ';

    return (struct promise){
        .block = number_of_bytes(start->bytes + 16, 4, big) == 1 ? BLOCK_FRAMES : 0,
    };
}

/* Big-endian: the number of samples, the time between two, 2 bytes a sample, and 0 for sound. */
uint64_t size_htk(const unsigned char *bytes, size_t size)
{
    enum { HEADER = 12 };

    if (size < HEADER || memcmp(bytes + 8, "\0\2\0", 4) != 0)
        return 0;
    return HEADER + 2 * (uint64_t)number_big32(bytes);
}

/* A name of letters, one or two channels, and from byte 30 on the number of frames, of 2 bytes a
 * channel. */
uint64_t size_mpc2k(const unsigned char *bytes, size_t size)
{
    enum { HEADER = 42, NAME = 2, NAME_LENGTH = 16 };

    if (size < HEADER || memcmp(bytes, "\1\4", 2) != 0 || bytes[21] > 1)
        return 0;
    for (int i = NAME; i < NAME + NAME_LENGTH; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~')
            return 0;
    }
    return HEADER + 2 * (bytes[21] + UINT64_C(1)) * number_of_bytes(bytes + 30, 4, false);
}

static struct promise mpc2k(const struct size_start *start)
{
    return (struct promise){.bytes = size_mpc2k(start->bytes, start->size)};
}

static struct promise ogg_size(const struct size_start *start)
{
    return (struct promise){.patch = ogg_patch(start->file)};
}

/* ---- all of them */

static const struct {
    const char *start; /* the first bytes */
    const char *form;  /* bytes 8 to 11; NULL: any */
    struct promise (*promise)(const struct size_start *start);
    unsigned size; /* of `start` */
    bool passed_by;
} kinds[] = {
    {"RIFF", NULL, chunks, 4, false},
    {"RIFX", NULL, chunks, 4, false},
    {"FORM", "8SVX", svx, 4, true},
    {"FORM", NULL, chunks, 4, false},
    {"RF64", NULL, rf64, 4, false},
    {"riff\x2e\x91\xcf\x11", NULL, w64, 8, true},
    {"caff", NULL, caf_size, 4, false},
    {".snd", NULL, au_size, 4, false},
    {"dns.", NULL, au_size, 4, false},
    {"NIST_1A\n", NULL, nist, 8, true},
    {"Creative", NULL, voc, 8, true},
    {"\xf0\x7e", NULL, sds, 2, true},
    {"\1\4", NULL, mpc2k, 2, true},
    {"OggS", NULL, ogg_size, 4, false},
    {" paf", NULL, paf, 4, false},
    {"fap ", NULL, paf, 4, false},
    {"PVF1\n", NULL, pvf, 5, false},
    {mat4_starts[0], NULL, mat4, MAT4_START, true},
    {mat4_starts[1], NULL, mat4, MAT4_START, true},
};

struct promise promise_of(const struct slice *file)
{
    struct size_start start = {.file = file};

    start.size = slice_read(file, 0, start.bytes, sizeof start.bytes);
    for (size_t i = 0; start.size >= FIRST_BYTES && i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(start.bytes, kinds[i].start, kinds[i].size) == 0 &&
            (kinds[i].form == NULL || memcmp(start.bytes + 8, kinds[i].form, 4) == 0)) {
            struct promise promise = kinds[i].promise(&start);

            promise.passed_by = kinds[i].passed_by;
            return promise;
        }
    }
    return (struct promise){.bytes = 0};
}
