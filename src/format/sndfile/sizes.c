/* SPDX-License-Identifier: MIT */
#include "format/sndfile/whole_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/file_chunk_priv.h"
#include "format/numbers_priv.h"

enum {
    FIRST_BYTES = 36,    /* bytes; a shorter file promises nothing */
    START_BYTES = 128,   /* bytes in which most sizes are found */
    CHUNKS_MOST = 10000, /* chunks; a file with more chunks was made to waste our time */
};

/* Sizes beyond these are placeholders. */
static const uint64_t SIZE_LEAST = 64;
static const uint64_t SIZE_MOST = INT64_MAX / 2;

/* Returns a size of 32 or 64 bits, or 0 for a placeholder. */
static uint64_t stated(const unsigned char *bytes, unsigned count, bool big)
{
    const uint64_t size = number_of_bytes(bytes, count, big);
    const bool known = count == 4 ? !chunk_size_is_placeholder(size) : size < SIZE_MOST;

    return known && size >= SIZE_LEAST ? size : 0;
}

/* A file and its first bytes; zeros follow its end. */
struct size_start {
    const struct slice *file;
    size_t magic; /* bytes that all files of its format begin with */
    size_t size;
    unsigned char bytes[START_BYTES];
};

/* ---- chunks */

/* Goes from chunk to chunk of a file. */
struct sizes_walk {
    const struct chunk_shape *shape;
    const struct slice *file;
    uint64_t at; /* offset of the chunk; at first that of the first chunk */
    unsigned count;
    unsigned char bytes[24]; /* header of the chunk, and its first bytes */
    struct file_chunk chunk;
    bool ended;
};

/* Goes to the next chunk, or to the first one. False if no complete chunk header is left (`ended`),
 * if there are too many chunks, or if the chunk is wrong. */
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
    const bool big = memcmp(start->bytes, "RIFF", 4) != 0;
    const uint64_t size = stated(start->bytes + 4, 4, big);
    const uint64_t bytes = size > 0 ? size + 8 : 0;
    const struct slice promised = {start->file->fd, start->file->base, bytes};
    struct sizes_walk riff = {.shape = big ? &chunk_iff : &chunk_riff, .file = &promised, .at = 12};
    uint64_t end = 0;

    while (walk_chunks(&riff))
        end = riff.at + chunk_start(riff.shape) + riff.chunk.size;
    return (struct promise){.bytes = bytes, .padded = end + 1 == bytes};
}

/* Lets libsndfile get this number in place of the 8 bytes there. */
static void patch_number(struct promise *promise, uint64_t at, uint64_t number)
{
    struct patch *patch = malloc(sizeof *patch + sizeof number);

    promise->patch = patch;
    promise->misread = patch == NULL;
    if (patch == NULL)
        return;
    *patch = (struct patch){.at = at, .size = sizeof number};
    put_little(&(struct builder){.bytes = patch->bytes}, number, sizeof number);
}

/* The first chunk has the numbers of 64 bits: all bytes but the first 8, those of the frames, and
 * how many frames these are. libsndfile believes the second number. ffmpeg leaves it at 0 in a
 * pipe; in a file it adds the byte of padding, which matters where a frame is one byte. */
static struct promise rf64(const struct size_start *start)
{
    enum { DATA_AT = 28 };
    const uint64_t size = stated(start->bytes + 20, 8, false);
    const uint64_t data = number_of_bytes(start->bytes + DATA_AT, 8, false);
    const uint64_t frames = number_of_bytes(start->bytes + 36, 8, false);
    struct promise promise = {.bytes = size > 0 ? size + 8 : 0, .padded = data % 2 != 0};
    struct sizes_walk riff = {.shape = &chunk_riff, .file = start->file, .at = 12};
    uint64_t frame_bytes = 0;

    if (memcmp(start->bytes + 12, "ds64", 4) != 0)
        return (struct promise){.bytes = 0};
    while (walk_chunks(&riff) && memcmp(riff.bytes, "data", 4) != 0) {
        if (memcmp(riff.bytes, "fmt ", 4) == 0)
            frame_bytes = number_of_bytes(riff.bytes + 20, 2, false);
    }
    if (frame_bytes == 1 && frames % 2 != 0 && data == frames + 1) {
        promise.padded = true;
        patch_number(&promise, DATA_AT, frames);
    } else if (size == 0 && data == 0 && !riff.ended) {
        patch_number(&promise, DATA_AT, start->file->size - riff.at - chunk_start(riff.shape));
    }
    return promise;
}

static struct promise w64(const struct size_start *start)
{
    return (struct promise){.bytes = stated(start->bytes + 16, 8, false), .passed_by = true};
}

/* The size is unknown if the data extend to the end of the file. Bytes after the data that are not
 * a chunk do not belong to the file: some writers add one if the size is odd. */
static struct promise caf_size(const struct size_start *start)
{
    struct sizes_walk caf = {.shape = &chunk_caf, .file = start->file, .at = 8};
    bool has_data = false;

    while (walk_chunks(&caf)) {
        const bool other = memcmp(caf.bytes, "caff\0\1\0\0", 8) == 0 ||
                           (has_data && caf.chunk.size > start->file->size - caf.at);

        if (other || caf.chunk.size >= CHUNK_HUGE)
            return (struct promise){.bytes = other ? caf.at : 0};
        has_data = has_data || memcmp(caf.bytes, "data", 4) == 0;
    }
    return (struct promise){.bytes = caf.ended ? caf.at : 0};
}

/* The file goes to the end of its BODY, whose padding is no frame. */
static struct promise svx(const struct size_start *start)
{
    struct promise promise = {.bytes = chunks(start).bytes, .passed_by = true};
    struct sizes_walk svx = {.shape = &chunk_iff, .file = start->file, .at = 12};

    while (walk_chunks(&svx)) {
        /* Each bit stands for a channel. */
        if (memcmp(svx.bytes, "CHAN\0\0\0\4\0\0\0\6", 12) == 0)
            promise.misread = true;
        if (memcmp(svx.bytes, "BODY", 4) == 0) {
            promise.bytes = stated(svx.bytes + 4, 4, true);
            if (promise.bytes != 0)
                promise.bytes += svx.at + chunk_start(svx.shape);
            break;
        }
    }
    return promise;
}

/* ---- VOC: blocks */

/* Blocks of other types (4: a mark, 5: text, 8: more about the sound) may precede the block of
 * sound, which a byte of zero ends. libsndfile takes other bytes after it for samples. */
static struct promise voc(const struct size_start *start)
{
    enum { BLOCK = 12, OTHERS = 1U << 4 | 1U << 5 | 1U << 8, SOUND = 1, NEW_SOUND = 9 };
    const struct slice *file = start->file;
    uint64_t at = number_of_bytes(start->bytes + 20, 2, false);
    unsigned char block[BLOCK] = {4};
    unsigned char end = 0;
    bool is_law;

    for (unsigned i = 0; i < CHUNKS_MOST && block[0] < NEW_SOUND && OTHERS >> block[0] & 1; i++) {
        if (slice_read(file, at, block, BLOCK) < BLOCK)
            return (struct promise){.bytes = 0};
        at += 4 + number_of_bytes(block + 1, 3, false);
    }
    /* sox counts 8 bytes too few. */
    if (block[0] == NEW_SOUND && (file->size == at + 8 || file->size == at + 9))
        at += 8;
    /* libsndfile's writer counts the byte of zero as a sample of A-law or mu-law. */
    (void)slice_read(file, at, &end, 1);
    is_law = block[0] == NEW_SOUND && (block[10] == 6 || block[10] == 7);
    return (struct promise){
        .bytes = at + 1,
        .padded = true,
        .passed_by = true,
        .misread = (block[0] != SOUND && block[0] != NEW_SOUND) || end != 0 ||
                   (is_law && file->size == at),
    };
}

/* ---- NIST: text */

/* A number in the text of the header: "name -i number", or "name -s1 digit"; 0 if there is none, or
 * if it is above `most`. */
static uint64_t nist_number(const char *text, const char *name, uint64_t most)
{
    const char *at = strstr(text, name);
    uint64_t number;

    at = at == NULL ? "" : at + strlen(name);
    if (strncmp(at, " -i ", 4) != 0 && strncmp(at, " -s1 ", 5) != 0)
        return 0;
    number = strtoull(strchr(at + 1, ' '), NULL, 10);
    return number > most ? 0 : number;
}

static struct promise nist(const struct size_start *start)
{
    char text[4096];
    uint64_t header;
    uint64_t data;

    text[slice_read(start->file, 0, text, sizeof text - 1)] = '\0';
    header = strtoul(text + 8, NULL, 10);
    data = nist_number(text, "\nsample_count", UINT32_MAX - 1) *
           nist_number(text, "\nchannel_count", UINT16_MAX) *
           nist_number(text, "\nsample_n_bytes", 8);
    /* Compressed files have fewer bytes than samples. */
    if (header == 0 || header > UINT32_MAX || data == 0 || strstr(text, "embedded") != NULL)
        return (struct promise){.bytes = 0};
    return (struct promise){.bytes = header + data, .passed_by = true};
}

/* ---- in the first bytes */

static struct promise au_size(const struct size_start *start)
{
    const bool big = start->bytes[0] == '.';
    const uint64_t data = stated(start->bytes + 8, 4, big);
    const uint64_t header = number_of_bytes(start->bytes + 4, 4, big);

    return (struct promise){.bytes = data == 0 ? 0 : header + data};
}

/* sox writes PVF and MAT4 by libsndfile. In a pipe the header is then written twice, and libsndfile
 * would take the second for samples. */
static struct promise not_twice(const struct size_start *start)
{
    return (struct promise){
        .misread = memmem(start->bytes + 1, start->size - 1, start->bytes, start->magic) != NULL};
}

/* A MAT4 with sound is two matrices: the rate, one number; and the samples, a row a channel. In
 * front of each stand its type, rows, columns, whether it is complex, and the length of its name.
 * The name follows. */
const char mat4_starts[2][MAT4_START + 1] = {
    "\0\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0b\0\0\0samplerate",
    "\0\0\3\xe8\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\x0bsamplerate",
};

static struct promise ogg_size(const struct size_start *start)
{
    return (struct promise){.patch = ogg_patch(start->file)};
}

/* ---- all of them */

static const struct {
    const char *start; /* the first bytes */
    const char *form;  /* bytes 8 to 11; NULL for any */
    struct promise (*promise)(const struct size_start *start);
    unsigned size; /* bytes of `start` */
} kinds[] = {
    {"RIFF", NULL, chunks, 4},
    {"RIFX", NULL, chunks, 4},
    {"FORM", "8SVX", svx, 4},
    {"FORM", NULL, chunks, 4},
    {"RF64", NULL, rf64, 4},
    {"riff\x2e\x91\xcf\x11", NULL, w64, 8},
    {"caff", NULL, caf_size, 4},
    {".snd", NULL, au_size, 4},
    {"dns.", NULL, au_size, 4},
    {"NIST_1A\n", NULL, nist, 8},
    {"Creative", NULL, voc, 8},
    {"OggS", NULL, ogg_size, 4},
    {"PVF1\n", NULL, not_twice, 5},
    {mat4_starts[0], NULL, not_twice, MAT4_START},
    {mat4_starts[1], NULL, not_twice, MAT4_START},
};

struct promise promise_of(const struct slice *file)
{
    struct size_start start = {.file = file};

    start.size = slice_read(file, 0, start.bytes, sizeof start.bytes);
    for (size_t i = 0; start.size >= FIRST_BYTES && i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(start.bytes, kinds[i].start, kinds[i].size) == 0 &&
            (kinds[i].form == NULL || memcmp(start.bytes + 8, kinds[i].form, 4) == 0)) {
            start.magic = kinds[i].size;
            return kinds[i].promise(&start);
        }
    }
    return (struct promise){.bytes = 0};
}
