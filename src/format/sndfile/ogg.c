/* SPDX-License-Identifier: MIT */
/* libsndfile loses the sound in the page in which the headers end, which some writers put there
 * against the rules. */
#include "format/sndfile/whole_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/codecs/ogg_priv.h"
#include "format/numbers_priv.h"

/* Reads the page at this offset, or as much of it as there is. Returns its size; 0 if no whole page
 * begins there. */
static size_t read_page(const struct slice *file, uint64_t at, unsigned char bytes[OGG_PAGE_MOST])
{
    size_t got = slice_read(file, at, bytes, OGG_START + OGG_SEGMENTS);
    size_t size = ogg_page_bytes(bytes, got);

    if (size > got)
        got += slice_read(file, at + got, bytes + got, size - got);
    return size > got ? 0 : ogg_page_bytes(bytes, got);
}

/* The number of segments up to the end of a packet, counted from 1. */
static unsigned segments_of(const unsigned char *page, unsigned packets)
{
    unsigned i = 0;

    while (packets > 0)
        packets -= page[OGG_START + i++] < 255;
    return i;
}

/* Puts a page with the header of another one, and these segments. */
static void put_page(struct builder *builder, const unsigned char *header,
                     const unsigned char *sizes, unsigned count, const unsigned char *bytes)
{
    unsigned char *page = builder->bytes + builder->size;
    struct builder sum = {.bytes = page, .size = OGG_SUM};

    builder_put(builder, header, OGG_START);
    page[OGG_COUNT] = (unsigned char)count;
    builder_put(builder, sizes, count);
    builder_put(builder, bytes, ogg_segments_bytes(sizes, count));
    put_little(&sum, ogg_sum(page, (size_t)(builder->bytes + builder->size - page)), 4);
}

/* Gives the first of two neighbouring pages this number of their segments, up to the end of the
 * headers. Together they have as many bytes as before. NULL if the segments do not fit, or if
 * memory runs out. */
static struct patch *share_anew(unsigned char *first, unsigned char *second, unsigned count)
{
    const unsigned all = (unsigned)first[OGG_COUNT] + second[OGG_COUNT];
    unsigned char *both = malloc(2 * (size_t)OGG_PAGE_MOST);
    struct patch *patch = malloc(sizeof *patch + 2 * (size_t)OGG_PAGE_MOST);
    struct builder sizes = {.bytes = both};
    struct builder bytes = {.bytes = both + (size_t)2 * OGG_SEGMENTS};
    struct builder builder = {.bytes = patch == NULL ? NULL : patch->bytes};

    if (both == NULL || patch == NULL || count > OGG_SEGMENTS || all - count > OGG_SEGMENTS) {
        free(both);
        free(patch);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        const unsigned char *page = i == 0 ? first : second;
        const unsigned char *table = page + OGG_START;

        builder_put(&sizes, table, page[OGG_COUNT]);
        builder_put(&bytes, table + page[OGG_COUNT], ogg_segments_bytes(table, page[OGG_COUNT]));
    }
    memset(first + OGG_TIME, 0, sizeof(uint64_t)); /* time 0, as pages of headers have */
    second[OGG_FLAGS] &= (unsigned char)~OGG_CONTINUED;
    put_page(&builder, first, sizes.bytes, count, bytes.bytes);
    put_page(&builder, second, sizes.bytes + count, all - count,
             bytes.bytes + ogg_segments_bytes(sizes.bytes, count));
    patch->size = builder.size;
    free(both);
    return patch;
}

static bool same_stream(const unsigned char *page, const unsigned char *other)
{
    return memcmp(page + OGG_SERIAL, other + OGG_SERIAL, sizeof(uint32_t)) == 0;
}

/* Separates the headers and the sound of a page, which has sound behind this number of segments:
 * the headers go to the page before it, unless that is the first page; else the sound goes to the
 * page after it, which is read to `before`. */
static struct patch *part_headers(const struct slice *file, uint64_t at, unsigned char *before,
                                  size_t size_before, unsigned char *page, size_t size,
                                  unsigned count)
{
    struct patch *patch = NULL;

    if ((before[OGG_FLAGS] & OGG_FIRST) == 0)
        patch = share_anew(before, page, before[OGG_COUNT] + count);
    if (patch != NULL) {
        patch->at = at - size_before;
        return patch;
    }
    if (read_page(file, at + size, before) > 0 && same_stream(page, before))
        patch = share_anew(page, before, count);
    if (patch != NULL)
        patch->at = at;
    return patch;
}

/* Looks for the page in which the headers end, of a file with one stream. */
struct patch *ogg_patch(const struct slice *file)
{
    unsigned char *pages = malloc(2 * (size_t)OGG_PAGE_MOST);
    unsigned char *before = pages;
    unsigned char *page = pages == NULL ? NULL : pages + OGG_PAGE_MOST;
    struct ogg_stream stream = {.headers = 0};
    struct patch *patch = NULL;
    size_t size = pages == NULL ? 0 : read_page(file, 0, before);
    uint64_t at = size;

    if (size > 0) {
        stream = ogg_stream_of(before);
        (void)ogg_pass_headers(&stream, before);
    }
    while (stream.packets < stream.headers) {
        const unsigned passed = stream.packets;
        const size_t size_before = size;

        size = read_page(file, at, page);
        if (size == 0 || !same_stream(page, before))
            break;
        if (!ogg_pass_headers(&stream, page)) {
            patch = part_headers(file, at, before, size_before, page, size,
                                 segments_of(page, stream.headers - passed));
            break;
        }
        at += size;
        before = page;
        page = pages + (page == pages ? OGG_PAGE_MOST : 0);
    }
    free(pages);
    return patch;
}
