/* libsndfile silently decodes the first stream of an Ogg chain, what is left of a truncated one,
 * and what is left around a damaged page. */
#include "format/sndfile/whole.h"

#include <stdio.h>
#include <string.h>

#include "format/numbers.h"

enum {
    PAGE_START = 27, /* bytes of a page before the table of its segments */
    SEGMENTS_MOST = 255,
    PAGE_MOST = PAGE_START + SEGMENTS_MOST + SEGMENTS_MOST * 255,
    FLAG_FIRST = 2,
    FLAG_LAST = 4,
    STREAMS_MOST = 64, /* interleaved ones in which gaps are found */
};

struct walk {
    const char *name;
    unsigned long long frames;      /* decoded */
    unsigned long long at;          /* the offset of the page, */
    unsigned char bytes[PAGE_MOST]; /* which is read as a whole */
    uint32_t table[256];            /* of the checksum */
    struct {
        uint32_t serial;
        uint32_t next; /* the number of its next page */
    } streams[STREAMS_MOST];
    unsigned count; /* of the streams that have begun */
    unsigned ended;
    bool inside; /* past the first pages */
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

/* The sum counts itself as zeros. */
static bool is_sound(const struct walk *walk, size_t size)
{
    enum { SUM = 22 };
    uint32_t sum = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned char byte = i >= SUM && i < SUM + 4 ? 0 : walk->bytes[i];

        sum = sum << 8 ^ walk->table[sum >> 24 ^ byte];
    }
    return sum == number_of(walk->bytes + SUM, 4, false);
}

static int check_page(struct walk *walk, size_t size, struct error *error)
{
    const uint32_t serial = (uint32_t)number_of(walk->bytes + 14, 4, false);
    const uint32_t number = (uint32_t)number_of(walk->bytes + 18, 4, false);
    const bool first = (walk->bytes[5] & FLAG_FIRST) != 0;
    unsigned i = 0;

    if (!is_sound(walk, size))
        return error_set(error, ERROR_FILE, walk->name,
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
        return 0;
    return error_set(error, ERROR_FILE, walk->name,
                     "has gaps: Ogg pages are missing before byte %llu: the %llu frames "
                     "that are there were used",
                     walk->at, walk->frames);
}

/* True if another page begins behind the bytes at `walk.at`, which begin none. */
static bool page_follows(struct walk *walk, const struct slice *file)
{
    static const char start[] = "OggS";
    uint64_t at = walk->at;
    size_t got = PAGE_MOST;

    for (; got == PAGE_MOST; at += got - sizeof start) {
        got = slice_read(file, at, walk->bytes, PAGE_MOST);
        if (memmem(walk->bytes, got, start, sizeof start) != NULL)
            return true;
    }
    return false;
}

/* At the bytes behind the last page. A few behind the end of all streams may be tags. */
static int check_rest(struct walk *walk, const struct slice *file, struct ending *ending,
                      struct error *error)
{
    unsigned long long rest = file->size - walk->at;

    if (walk->count == 0 || walk->count > walk->ended || page_follows(walk, file))
        return error_set(error, ERROR_FILE, walk->name,
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

int ogg_check(const char *name, const struct slice *file, uint64_t frames, struct ending *ending,
              struct error *error)
{
    struct walk walk = {.name = name, .frames = frames};

    make_table(walk.table);
    while (walk.at < file->size || walk.count == 0) {
        size_t got = slice_read(file, walk.at, walk.bytes, PAGE_START + SEGMENTS_MOST);
        size_t segments = got < PAGE_START ? 0 : walk.bytes[26];
        size_t size = PAGE_START + segments;
        bool is_there = got >= size; /* its table of segments */

        if (memcmp(walk.bytes, "OggS", got < 5 ? got : 5) != 0)
            return check_rest(&walk, file, ending, error);
        for (size_t i = 0; is_there && i < segments; i++)
            size += walk.bytes[PAGE_START + i];
        if (is_there && size > got)
            got += slice_read(file, walk.at + got, walk.bytes + got, size - got);
        if (size > got)
            return error_set(error, ERROR_FILE, name,
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
