/* libsndfile silently decodes the first stream of an Ogg chain, what is left of a truncated one,
 * and what is left around a damaged page. */
#include "format/sndfile/whole.h"

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

/* A page is read into `bytes` as a whole. */
struct walk {
    uint32_t table[256]; /* of the checksum */
    struct {
        uint32_t serial;
        uint32_t next; /* the number of its next page */
    } streams[STREAMS_MOST];
    unsigned count; /* of the streams that have begun */
    unsigned ended;
    bool inside; /* past the first pages */
    unsigned char bytes[PAGE_MOST];
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

static enum fault check_page(struct walk *walk, size_t size)
{
    const uint32_t serial = (uint32_t)number_of(walk->bytes + 14, 4, false);
    const uint32_t number = (uint32_t)number_of(walk->bytes + 18, 4, false);
    const bool first = (walk->bytes[5] & FLAG_FIRST) != 0;
    unsigned i = 0;

    if (!is_sound(walk, size))
        return OGG_DAMAGED;
    if (first && walk->inside)
        return OGG_CHAINED;
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
        return FAULT_NONE;
    /* The pages of each stream are numbered. */
    return i < walk->count && number == walk->streams[i].next++ ? FAULT_NONE : OGG_GAP;
}

enum fault ogg_check(const struct slice *file, uint64_t *at)
{
    struct walk walk = {.count = 0};
    enum fault found = FAULT_NONE;

    *at = 0;
    make_table(walk.table);
    while (found == FAULT_NONE) {
        size_t start = PAGE_START + SEGMENTS_MOST;
        size_t got = slice_read(file, *at, walk.bytes, start);
        size_t segments = got < PAGE_START ? 0 : walk.bytes[26];
        size_t size = PAGE_START + segments;

        if (got == 0)
            return walk.count > 0 && walk.count == walk.ended ? FAULT_NONE : OGG_CUT;
        if (got < size || memcmp(walk.bytes, "OggS\0", 5) != 0)
            return OGG_CUT;
        for (size_t i = 0; i < segments; i++)
            size += walk.bytes[PAGE_START + i];
        if (size > got)
            got += slice_read(file, *at + got, walk.bytes + got, size - got);
        if (size > got)
            return OGG_CUT;
        found = check_page(&walk, size);
        if (found == FAULT_NONE)
            *at += size;
    }
    return found;
}
