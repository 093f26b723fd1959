/* SPDX-License-Identifier: MIT */
#include "format/codecs/ogg_priv.h"

#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "format/numbers_priv.h"

enum { REST_MOST = 4096 }; /* bytes of anything that may follow the pages */

size_t ogg_segments_bytes(const unsigned char *sizes, unsigned count)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < count; i++)
        bytes += sizes[i];
    return bytes;
}

size_t ogg_page_bytes(const unsigned char *bytes, size_t size)
{
    size_t table;

    if (memcmp(bytes, "OggS", size < 5 ? size : 5) != 0) /* with version 0 */
        return 0;
    if (size < OGG_START)
        return OGG_START;
    table = OGG_START + (size_t)bytes[OGG_COUNT];
    return size < table ? table : table + ogg_segments_bytes(bytes + OGG_START, bytes[OGG_COUNT]);
}

/* CRC-32 of the polynomial 0x04c11db7: the highest bit first, and nothing inverted. */
uint32_t ogg_sum(const unsigned char *page, size_t size)
{
    static const uint32_t table[16] = {
        0x00000000, 0x04c11db7, 0x09823b6e, 0x0d4326d9, 0x130476dc, 0x17c56b6b,
        0x1a864db2, 0x1e475005, 0x2608edb8, 0x22c9f00f, 0x2f8ad6d6, 0x2b4bcb61,
        0x350c9b64, 0x31cd86d3, 0x3c8ea00a, 0x384fbdbd,
    };
    uint32_t sum = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned char byte = i >= OGG_SUM && i < OGG_SUM + 4 ? 0 : page[i];

        sum = sum << 4 ^ table[sum >> 28 ^ byte >> 4];
        sum = sum << 4 ^ table[sum >> 28 ^ (byte & 15)];
    }
    return sum;
}

/* ---- headers */

/* Do the contents of a page begin with these letters? */
static bool begins_with(const unsigned char *page, const char *words)
{
    const size_t length = strlen(words);

    return ogg_segments_bytes(page + OGG_START, page[OGG_COUNT]) >= length &&
           memcmp(page + OGG_START + page[OGG_COUNT], words, length) == 0;
}

struct ogg_stream ogg_stream_of(const unsigned char *first_page)
{
    return (struct ogg_stream){
        .serial = (uint32_t)number_of_bytes(first_page + OGG_SERIAL, 4, false),
        .next = (uint32_t)number_of_bytes(first_page + OGG_NUMBER, 4, false),
        .headers = begins_with(first_page, "\1vorbis")   ? 3
                   : begins_with(first_page, "OpusHead") ? 2
                                                         : 0,
    };
}

bool ogg_is_opus(const unsigned char *bytes, size_t size, size_t *wanted)
{
    size_t at = 0;
    size_t page;

    while ((page = ogg_page_bytes(bytes + at, size - at)) > 0) {
        *wanted = at + page;
        if (size - at > OGG_FLAGS && (bytes[at + OGG_FLAGS] & OGG_FIRST) == 0)
            break;
        if (size - at < page)
            return false;
        if (ogg_stream_of(bytes + at).headers > 0) {
            *wanted = 0;
            return begins_with(bytes + at, "OpusHead");
        }
        at += page;
    }
    *wanted = 0;
    return false;
}

bool ogg_pass_headers(struct ogg_stream *stream, const unsigned char *page)
{
    bool before = stream->packets < stream->headers;

    for (unsigned i = 0; stream->packets <= stream->headers && i < page[OGG_COUNT]; i++)
        stream->packets += page[OGG_START + i] < 255;
    return !before || stream->packets <= stream->headers;
}

/* ---- the walk */

static void is_faulty(struct ogg_walk *walk, enum ogg_fault fault, uint64_t at)
{
    if (walk->fault != OGG_WHOLE)
        return;
    walk->fault = fault;
    walk->fault_at = at;
}

/* The stream of the page, which is begun if this is its first page; NULL if there are too many
 * streams. */
static struct ogg_stream *stream_of(struct ogg_walk *walk)
{
    const unsigned char *page = walk->page;
    const uint32_t serial = (uint32_t)number_of_bytes(page + OGG_SERIAL, 4, false);
    unsigned i = 0;

    walk->inside = (page[OGG_FLAGS] & OGG_FIRST) == 0;
    if (!walk->inside && walk->count < OGG_STREAMS)
        walk->streams[walk->count] = ogg_stream_of(page);
    walk->count += !walk->inside;
    while (i < walk->count && i < OGG_STREAMS && walk->streams[i].serial != serial)
        i++;
    return i < walk->count && i < OGG_STREAMS ? &walk->streams[i] : NULL;
}

/* The pages of a stream are numbered. In a recording of a broadcast the first page after the
 * headers has any number. */
static void count_page(struct ogg_walk *walk, struct ogg_stream *stream)
{
    const uint32_t number = (uint32_t)number_of_bytes(walk->page + OGG_NUMBER, 4, false);
    const bool first = stream->headers > 0 && stream->packets == stream->headers;

    if (number != stream->next && first)
        walk->joined = true;
    else if (number != stream->next)
        is_faulty(walk, OGG_GAP, walk->at);
    stream->next = number + 1;
    if (first) {
        stream->packets++;
    } else if (!ogg_pass_headers(stream, walk->page) && !walk->shared) {
        walk->shared = true;
        walk->shared_at = walk->at;
    }
}

/* Takes the page that `page` holds. */
static void take_page(struct ogg_walk *walk)
{
    struct ogg_stream *stream = stream_of(walk);

    if (walk->lost)
        is_faulty(walk, OGG_NO_PAGE, walk->lost_at);
    walk->lost = false;
    walk->ended += (walk->page[OGG_FLAGS] & OGG_LAST) != 0;
    if (stream != NULL)
        count_page(walk, stream);
    else if (walk->count <= OGG_STREAMS)
        is_faulty(walk, OGG_GAP, walk->at);
}

static void drop(struct ogg_walk *walk, size_t size)
{
    walk->at += size;
    walk->held -= size;
    memmove(walk->page, walk->page + size, walk->held);
}

/* No page begins here: goes to the next place where one may. */
static void look_for_page(struct ogg_walk *walk)
{
    size_t at = 1;

    if (!walk->lost)
        walk->lost_at = walk->at;
    walk->lost = true;
    while (at < walk->held && ogg_page_bytes(walk->page + at, walk->held - at) == 0)
        at++;
    drop(walk, at);
}

enum ogg_event ogg_walk(struct ogg_walk *walk, const unsigned char *bytes, size_t size,
                        size_t *used)
{
    drop(walk, walk->page_bytes);
    walk->page_bytes = 0;
    for (;;) {
        const size_t page = ogg_page_bytes(walk->page, walk->held);
        size_t more = (size_t)min_u64(page > walk->held ? page - walk->held : 0, size - *used);

        if (page == 0) {
            look_for_page(walk);
        } else if (page > walk->held) {
            if (more == 0)
                return OGG_MORE;
            memcpy(walk->page + walk->held, bytes + *used, more);
            walk->held += more;
            *used += more;
        } else if (ogg_sum(walk->page, page) != number_of_bytes(walk->page + OGG_SUM, 4, false)) {
            is_faulty(walk, OGG_CHECKSUM, walk->at);
            look_for_page(walk);
        } else if (walk->inside && (walk->page[OGG_FLAGS] & OGG_FIRST) != 0) {
            return OGG_LINK;
        } else {
            take_page(walk);
            walk->page_bytes = page;
            return OGG_PAGE;
        }
    }
}

void ogg_next_link(struct ogg_walk *walk)
{
    walk->endless |= walk->count > walk->ended;
    walk->count = 0;
    walk->ended = 0;
    walk->inside = false;
}

/* ---- the end */

/* Checks the bytes behind the last page. A few bytes behind the end of all streams may be tags. */
static int check_rest(struct ogg_walk *walk, const char *name, uint64_t frames, struct error *error)
{
    const unsigned long long rest = walk->at + walk->held - walk->lost_at;

    if (walk->count == 0 || walk->count > walk->ended || walk->held > 4) {
        is_faulty(walk, OGG_NO_PAGE, walk->lost_at);
        return 0;
    }
    if (rest > REST_MOST)
        return error_set(error, ERROR_CONVERT, name,
                         "%llu bytes that are not Ogg pages follow byte %llu, after %llu frames, "
                         "and were not used",
                         rest, (unsigned long long)walk->lost_at, (unsigned long long)frames);
    (void)snprintf(walk->remark, sizeof walk->remark,
                   "%llu bytes after the last Ogg page were not used", rest);
    return 0;
}

int ogg_check(struct ogg_walk *walk, const char *name, uint64_t frames, struct error *error)
{
    static const char *const words[] = {
        [OGG_CHECKSUM] = "is damaged: the Ogg page at byte %llu has a wrong checksum: the %llu "
                         "frames that could be decoded were used",
        [OGG_GAP] = "has gaps: Ogg pages are missing before byte %llu: the %llu frames that are "
                    "there were used",
        [OGG_NO_PAGE] = "is damaged: no Ogg page begins at byte %llu: the %llu frames that could "
                        "be decoded were used",
        [OGG_CUT] = "is cut off: it ends inside the Ogg page at byte %llu: its %llu whole frames "
                    "were used",
    };

    const bool endless = walk->endless || walk->count > walk->ended;

    drop(walk, walk->page_bytes);
    walk->page_bytes = 0;
    if (walk->count == 0 && !walk->lost)
        is_faulty(walk, OGG_NO_PAGE, walk->at);
    if (walk->lost && check_rest(walk, name, frames, error) != 0)
        return -1;
    if (!walk->lost && walk->held > 0 && ogg_page_bytes(walk->page, walk->held) > walk->held)
        is_faulty(walk, OGG_CUT, walk->at);
    if (walk->fault != OGG_WHOLE)
        return error_set(error, ERROR_DAMAGED, name, words[walk->fault],
                         (unsigned long long)walk->fault_at, (unsigned long long)frames);
    if (walk->lost)
        return 0;
    if (walk->joined || endless)
        (void)snprintf(
            walk->remark, sizeof walk->remark, "its Ogg stream %s%s%s: all of its pages were used",
            walk->joined ? "was joined in the middle" : "", walk->joined && endless ? ", and " : "",
            endless ? "has no end, like a recording that was stopped" : "");
    return 0;
}

/* ---- channels */

/* For each channel in WAV's order, its place in that of Vorbis. */
static const unsigned char *places_of(unsigned channels)
{
    static const unsigned char places[][8] = {
        [3] = {0, 2, 1},
        [5] = {0, 2, 1, 3, 4},
        [6] = {0, 2, 1, 5, 3, 4},
        [7] = {0, 2, 1, 6, 5, 3, 4},
        [8] = {0, 2, 1, 7, 5, 6, 3, 4},
    };

    return channels < sizeof places / sizeof *places && places[channels][1] != 0 ? places[channels]
                                                                                 : NULL;
}

/* `back` changes from WAV's order to that of Vorbis. */
static void change_order(float *frames, size_t count, unsigned channels, bool back)
{
    const unsigned char *places = places_of(channels);

    for (float *frame = frames; places != NULL && frame < frames + count * channels;
         frame += channels) {
        float from[8];

        memcpy(from, frame, channels * sizeof *from);
        for (unsigned i = 0; i < channels; i++)
            frame[back ? places[i] : i] = from[back ? i : places[i]];
    }
}

void ogg_to_wav_order(float *frames, size_t count, unsigned channels)
{
    change_order(frames, count, channels, false);
}

void ogg_from_wav_order(float *frames, size_t count, unsigned channels)
{
    change_order(frames, count, channels, true);
}
