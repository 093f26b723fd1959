/* libsndfile silently decodes the first stream of an Ogg chain, what is left of a truncated one,
 * and what is left around a damaged page. It loses the sound in the page in which the headers end,
 * which some writers put there against the rules. */
#include "format/sndfile/whole_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/numbers_priv.h"

enum {
    PAGE_START = 27, /* bytes of a page before the table of its segments */
    SEGMENTS_MOST = 255,
    PAGE_MOST = PAGE_START + SEGMENTS_MOST + SEGMENTS_MOST * 255,
    FLAG_CONTINUED = 1,
    FLAG_FIRST = 2,
    FLAG_LAST = 4,
    STREAMS_MOST = 64, /* interleaved ones in which gaps are found */
};

struct ogg_stream {
    uint32_t serial;
    uint32_t next;    /* the number of its next page */
    unsigned headers; /* packets before the sound; 0: not known */
    unsigned packets; /* so far, up to one more than these */
};

struct ogg_walk {
    const char *name;
    unsigned long long frames;      /* decoded */
    unsigned long long at;          /* the offset of the page, */
    unsigned char bytes[PAGE_MOST]; /* which is read as a whole */
    uint32_t table[256];            /* of the checksum */
    struct ogg_stream streams[STREAMS_MOST];
    unsigned count; /* of the streams that have begun */
    unsigned ended;
    bool inside;  /* past the first pages */
    bool patched; /* the library has read the file with ogg_patch() */
    const struct slice *file;
};

/* CRC-32 of the polynomial 0x04c11db7: the highest bit first, and nothing inverted. */
static void make_table(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t sum = i << 24;

        for (int bit = 0; bit < 8; bit++)
            sum = sum << 1 ^ ((sum >> 31) != 0 ? UINT32_C(0x04c11db7) : 0);
        table[i] = sum;
    }
}

enum { TIME_AT = 6, SERIAL_AT = 14, SUM_AT = 22 };

/* The sum counts itself as zeros. */
static uint32_t sum_of(const uint32_t table[256], const unsigned char *page, size_t size)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned char byte = i >= SUM_AT && i < SUM_AT + 4 ? 0 : page[i];

        sum = sum << 8 ^ table[sum >> 24 ^ byte];
    }
    return sum;
}

static size_t segments_bytes(const unsigned char *sizes, unsigned count)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < count; i++)
        bytes += sizes[i];
    return bytes;
}

/* Reads the page at this offset, or as much of it as there is: `*got` bytes. Returns its size; 0:
 * no page begins there. */
static size_t read_page(const struct slice *file, uint64_t at, unsigned char bytes[PAGE_MOST],
                        size_t *got)
{
    size_t size;
    size_t segments;

    *got = slice_read(file, at, bytes, PAGE_START + SEGMENTS_MOST);
    if (*got == 0 || memcmp(bytes, "OggS", *got < 5 ? *got : 5) != 0)
        return 0;
    segments = *got < PAGE_START ? 0 : bytes[26];
    size = PAGE_START + segments;
    if (*got < size)
        return *got + 1;
    size += segments_bytes(bytes + PAGE_START, (unsigned)segments);
    if (size > *got)
        *got += slice_read(file, at + *got, bytes + *got, size - *got);
    return size;
}

/* ---- headers */

/* The packets of headers in front of the sound, by the first page of a stream. */
static unsigned headers_of(const unsigned char *page)
{
    const unsigned char *body = page + PAGE_START + page[26];

    return memcmp(body, "\1vorbis", 7) == 0 ? 3 : memcmp(body, "OpusHead", 8) == 0 ? 2 : 0;
}

/* Counts the packets of headers that end in a page. False: sound follows them in the same page,
 * against the rules; decoders drop it. */
static bool pass_headers(struct ogg_stream *stream, const unsigned char *page)
{
    bool before = stream->packets < stream->headers;

    for (unsigned i = 0; stream->packets <= stream->headers && i < page[26]; i++)
        stream->packets += page[PAGE_START + i] < 255;
    return !before || stream->packets <= stream->headers;
}

/* The number of segments up to the end of a packet, counted from 1. */
static unsigned segments_of(const unsigned char *page, unsigned packets)
{
    unsigned i = 0;

    while (packets > 0)
        packets -= page[PAGE_START + i++] < 255;
    return i;
}

/* Puts a page with the header of another one, and these segments. */
static void put_page(struct builder *builder, const unsigned char *header,
                     const unsigned char *sizes, unsigned count, const unsigned char *bytes)
{
    unsigned char *page = builder->bytes + builder->size;
    struct builder sum = {.bytes = page, .size = SUM_AT};
    uint32_t table[256];

    builder_put(builder, header, PAGE_START);
    page[26] = (unsigned char)count;
    builder_put(builder, sizes, count);
    builder_put(builder, bytes, segments_bytes(sizes, count));
    make_table(table);
    put_little(&sum, sum_of(table, page, (size_t)(builder->bytes + builder->size - page)), 4);
}

/* Gives the first of two neighbouring pages this number of their segments, up to the end of the
 * headers. Both have as many bytes as before. NULL: the segments do not fit, or there is no memory.
 */
static struct patch *share_anew(unsigned char *first, unsigned char *second, unsigned count)
{
    const unsigned all = (unsigned)first[26] + second[26];
    unsigned char *both = malloc(2 * (size_t)PAGE_MOST);
    struct patch *patch = malloc(sizeof *patch + 2 * (size_t)PAGE_MOST);
    struct builder sizes = {.bytes = both};
    struct builder bytes = {.bytes = both + (size_t)2 * SEGMENTS_MOST};
    struct builder builder = {.bytes = patch == NULL ? NULL : patch->bytes};

    if (both == NULL || patch == NULL || count > SEGMENTS_MOST || all - count > SEGMENTS_MOST) {
        free(both);
        free(patch);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        const unsigned char *page = i == 0 ? first : second;
        const unsigned char *table = page + PAGE_START;

        builder_put(&sizes, table, page[26]);
        builder_put(&bytes, table + page[26], segments_bytes(table, page[26]));
    }
    memset(first + TIME_AT, 0, sizeof(uint64_t)); /* that of headers */
    second[5] &= (unsigned char)~FLAG_CONTINUED;
    put_page(&builder, first, sizes.bytes, count, bytes.bytes);
    put_page(&builder, second, sizes.bytes + count, all - count,
             bytes.bytes + segments_bytes(sizes.bytes, count));
    patch->size = builder.size;
    free(both);
    return patch;
}

static bool same_stream(const unsigned char *page, const unsigned char *other)
{
    return memcmp(page + SERIAL_AT, other + SERIAL_AT, sizeof(uint32_t)) == 0;
}

/* Parts a page that has sound behind this number of segments: headers go to the page before it,
 * unless that is the first one; or sound goes to the page after it, which is read to `before`. */
static struct patch *part_headers(const struct slice *file, uint64_t at, unsigned char *before,
                                  size_t size_before, unsigned char *page, size_t size,
                                  unsigned count)
{
    struct patch *patch = NULL;
    size_t got;

    if ((before[5] & FLAG_FIRST) == 0)
        patch = share_anew(before, page, before[26] + count);
    if (patch != NULL) {
        patch->at = at - size_before;
        return patch;
    }
    size_before = read_page(file, at + size, before, &got);
    if (size_before > 0 && size_before <= got && same_stream(page, before))
        patch = share_anew(page, before, count);
    if (patch != NULL)
        patch->at = at;
    return patch;
}

/* Looks for the page in which the headers end, of a file with one stream. */
struct patch *ogg_patch(const struct slice *file)
{
    unsigned char *pages = malloc(2 * (size_t)PAGE_MOST);
    unsigned char *before = pages;
    unsigned char *page = pages == NULL ? NULL : pages + PAGE_MOST;
    struct ogg_stream stream = {.headers = 0};
    struct patch *patch = NULL;
    size_t got;
    size_t size = pages == NULL ? 0 : read_page(file, 0, before, &got);
    uint64_t at = size;

    if (size > 0 && size <= got) {
        stream.headers = headers_of(before);
        (void)pass_headers(&stream, before);
    }
    while (stream.packets < stream.headers) {
        const unsigned passed = stream.packets;
        const size_t size_before = size;

        size = read_page(file, at, page, &got);
        if (size == 0 || size > got || !same_stream(page, before))
            break;
        if (!pass_headers(&stream, page)) {
            patch = part_headers(file, at, before, size_before, page, size,
                                 segments_of(page, stream.headers - passed));
            break;
        }
        at += size;
        before = page;
        page = pages + (page == pages ? PAGE_MOST : 0);
    }
    free(pages);
    return patch;
}

/* Sound behind the headers in their page is lost, unless a patch has moved one of them. */
static int check_headers(const struct ogg_walk *walk, struct ogg_stream *stream,
                         struct error *error)
{
    if (pass_headers(stream, walk->bytes) || walk->patched)
        return 0;
    return error_set(error, ERROR_CONVERT, walk->name,
                     "its sound begins in the Ogg page of its headers, at byte %llu: "
                     "libsndfile loses the frames of that page: the other %llu were used",
                     walk->at, walk->frames);
}

static int check_page(struct ogg_walk *walk, size_t size, struct error *error)
{
    const uint32_t serial = (uint32_t)number_of_bytes(walk->bytes + 14, 4, false);
    const uint32_t number = (uint32_t)number_of_bytes(walk->bytes + 18, 4, false);
    const bool first = (walk->bytes[5] & FLAG_FIRST) != 0;
    unsigned i = 0;

    if (sum_of(walk->table, walk->bytes, size) != number_of_bytes(walk->bytes + SUM_AT, 4, false))
        return error_set(error, ERROR_DAMAGED, walk->name,
                         "is damaged: the Ogg page at byte %llu has a wrong checksum: the %llu "
                         "frames that could be decoded were used",
                         walk->at, walk->frames);
    if (first && walk->inside)
        return error_set(error, ERROR_CONVERT, walk->name,
                         "another Ogg stream follows the first, after %llu frames: only the "
                         "first was used",
                         walk->frames);
    if (first && walk->count < STREAMS_MOST) {
        walk->streams[walk->count].serial = serial;
        walk->streams[walk->count].next = number;
        walk->streams[walk->count].headers = headers_of(walk->bytes);
    }
    walk->count += first;
    walk->inside = !first;
    walk->ended += (walk->bytes[5] & FLAG_LAST) != 0;
    while (i < walk->count && i < STREAMS_MOST && walk->streams[i].serial != serial)
        i++;
    if (i == STREAMS_MOST && walk->count > STREAMS_MOST)
        return 0;
    /* The pages of each stream are numbered. */
    if (i < walk->count && number == walk->streams[i].next++)
        return check_headers(walk, &walk->streams[i], error);
    return error_set(error, ERROR_DAMAGED, walk->name,
                     "has gaps: Ogg pages are missing before byte %llu: the %llu frames "
                     "that are there were used",
                     walk->at, walk->frames);
}

/* True if another page begins behind the bytes at `walk.at`, which begin none. */
static bool page_follows(struct ogg_walk *walk)
{
    static const char start[] = "OggS";
    uint64_t at = walk->at;
    size_t got = PAGE_MOST;

    for (; got == PAGE_MOST; at += got - sizeof start) {
        got = slice_read(walk->file, at, walk->bytes, PAGE_MOST);
        if (memmem(walk->bytes, got, start, sizeof start) != NULL)
            return true;
    }
    return false;
}

/* At the bytes behind the last page. A few behind the end of all streams may be tags. */
static int check_rest(struct ogg_walk *walk, struct ending *ending, struct error *error)
{
    unsigned long long rest = walk->file->size - walk->at;

    if (walk->count == 0 || walk->count > walk->ended || page_follows(walk))
        return error_set(error, ERROR_DAMAGED, walk->name,
                         "is damaged: no Ogg page begins at byte %llu: the %llu frames that could "
                         "be decoded were used",
                         walk->at, walk->frames);
    if (rest > TAG_MOST)
        return error_set(error, ERROR_CONVERT, walk->name,
                         "%llu bytes that are no Ogg pages follow byte %llu, after %llu frames, "
                         "and were not used",
                         rest, walk->at, walk->frames);
    (void)snprintf(ending->remark, sizeof ending->remark,
                   "%llu bytes behind the last Ogg page were not used", rest);
    return 0;
}

int ogg_check(const char *name, const struct slice *file, bool patched, uint64_t frames,
              struct ending *ending, struct error *error)
{
    struct ogg_walk walk = {.name = name, .frames = frames, .patched = patched, .file = file};

    make_table(walk.table);
    while (walk.at < file->size || walk.count == 0) {
        size_t got;
        size_t size = read_page(file, walk.at, walk.bytes, &got);

        if (size == 0)
            return check_rest(&walk, ending, error);
        if (size > got)
            return error_set(error, ERROR_DAMAGED, name,
                             "is cut off: it ends inside the Ogg page at byte %llu: its %llu whole "
                             "frames were used",
                             walk.at, walk.frames);
        if (check_page(&walk, size, error) != 0)
            return -1;
        walk.at += size;
    }
    if (walk.count > walk.ended)
        (void)snprintf(ending->remark, sizeof ending->remark,
                       "its Ogg stream has no end, as one that was stopped while it was recorded: "
                       "all of its pages were used");
    return 0;
}
