#include "format/sndfile/ogg_pages.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/read_at.h"

enum {
    PAGE_START = 27, /* bytes of a page before the table of its segments */
    SEGMENTS_MOST = 255,
    FLAG_FIRST = 2,
    FLAG_LAST = 4,
};

/* The size of the page that begins with these bytes; 0 when they do not begin one. */
static uint64_t page_size(const unsigned char *bytes, size_t size)
{
    uint64_t sum = PAGE_START;

    if (size < PAGE_START || memcmp(bytes, "OggS", 4) != 0 || bytes[4] != 0 ||
        size < PAGE_START + (size_t)bytes[26])
        return 0;
    sum += bytes[26];
    for (size_t i = 0; i < bytes[26]; i++)
        sum += bytes[PAGE_START + i];
    return sum;
}

enum ogg_pages ogg_pages_check(int fd, uint64_t base)
{
    unsigned begun = 0; /* streams may lie side by side */
    unsigned ended = 0;
    bool inside = false; /* past the first pages */
    uint64_t at = base;

    for (;;) {
        unsigned char bytes[PAGE_START + SEGMENTS_MOST];
        unsigned char last;
        size_t got = read_at(fd, bytes, sizeof bytes, at);
        uint64_t size = page_size(bytes, got);

        if (got == 0)
            return begun > 0 && begun == ended ? OGG_WHOLE : OGG_CUT;
        if (size == 0 || read_at(fd, &last, 1, at + size - 1) == 0)
            return OGG_CUT;
        if ((bytes[5] & FLAG_FIRST) != 0 && inside)
            return OGG_CHAINED;
        inside = (bytes[5] & FLAG_FIRST) == 0;
        begun += (bytes[5] & FLAG_FIRST) != 0;
        ended += (bytes[5] & FLAG_LAST) != 0;
        at += size;
    }
}
