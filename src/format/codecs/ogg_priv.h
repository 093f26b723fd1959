/* SPDX-License-Identifier: MIT */
/* Pages of Ogg: which are missing, damaged or cut off, where one stream follows another, and the
 * order of channels. Pure. Decoders silently drop incomplete pages and decode the rest. */
#ifndef GPUENV_FORMAT_CODECS_OGG_PRIV_H
#define GPUENV_FORMAT_CODECS_OGG_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    OGG_START = 27, /* bytes of a page before the table of its segments */
    OGG_SEGMENTS = 255,
    OGG_PAGE_MOST = OGG_START + OGG_SEGMENTS + OGG_SEGMENTS * 255,
};

/* Flags of a page. */
enum { OGG_CONTINUED = 1, OGG_FIRST = 2, OGG_LAST = 4 };

/* Where numbers of a page stand: flags, time, the number of its stream, checksum, segments. */
enum {
    OGG_FLAGS = 5,
    OGG_TIME = 6,
    OGG_SERIAL = 14,
    OGG_NUMBER = 18,
    OGG_SUM = 22,
    OGG_COUNT = 26
};

/* The size of the page that begins with these bytes; more than `size` if more bytes are needed to
 * know it, or to have the whole page; 0 if no page begins here. */
size_t ogg_page_bytes(const unsigned char *bytes, size_t size);

/* The sum of the sizes of these segments. */
size_t ogg_segments_bytes(const unsigned char *sizes, unsigned count);

/* The checksum of a page, with its own four bytes taken as zeros. */
uint32_t ogg_sum(const unsigned char *page, size_t size);

/* Is Opus the first sound of the streams that begin in these bytes? If that cannot be told yet, it
 * is false, and `*wanted` bytes are needed; otherwise 0. */
bool ogg_is_opus(const unsigned char *bytes, size_t size, size_t *wanted);

/* ---- the headers of a stream */

struct ogg_stream {
    uint32_t serial;
    uint32_t next;    /* the number of its next page */
    unsigned headers; /* packets before the sound; 0 if not known */
    unsigned packets; /* packets so far, counted up to headers + 1 */
};

struct ogg_stream ogg_stream_of(const unsigned char *first_page);

/* Counts the packets of headers that end in a page. False if sound follows the headers in their
 * last page, against the rules. */
bool ogg_pass_headers(struct ogg_stream *stream, const unsigned char *page);

/* ---- a walk through all pages */

enum ogg_fault { OGG_WHOLE, OGG_CHECKSUM, OGG_GAP, OGG_NO_PAGE, OGG_CUT };

enum { OGG_STREAMS = 64 }; /* interleaved streams in which gaps are found */

struct ogg_walk {
    uint64_t at; /* offset of the bytes in `page`: a page and perhaps more */
    size_t held;
    size_t page_bytes; /* size of the page that was found last */
    unsigned char page[OGG_PAGE_MOST];

    struct ogg_stream streams[OGG_STREAMS];
    unsigned count; /* streams that have begun */
    unsigned ended;
    bool inside; /* past the first pages */

    enum ogg_fault fault; /* the first fault, at `fault_at` */
    uint64_t fault_at;
    bool lost; /* no page began at `lost_at` */
    uint64_t lost_at;
    bool shared; /* sound stands in the page of the headers, at `shared_at` */
    uint64_t shared_at;
    bool joined;  /* pages between the headers and the first sound are missing */
    bool endless; /* a stream of an earlier link had no end */
    char remark[160];
};

enum ogg_event {
    OGG_MORE, /* all bytes are used, and no page is whole */
    OGG_PAGE, /* `page` has a page of `page_bytes` bytes, until the next call */
    OGG_LINK, /* another link of a chain begins at `at`: call ogg_next_link() */
};

/* Takes bytes from number `*used` on, up to the end of the next whole page. */
enum ogg_event ogg_walk(struct ogg_walk *walk, const unsigned char *bytes, size_t size,
                        size_t *used);
void ogg_next_link(struct ogg_walk *walk);

/* At the end of the input: fails if something is missing or damaged. Then `remark` has the warning
 * about smaller faults, or is empty. `frames` were decoded of the file. */
int ogg_check(struct ogg_walk *walk, const char *name, uint64_t frames, struct error *error);

/* ---- channels */

/* For 3.0 and 5.0 to 7.1, Vorbis and Opus have an order of channels of their own. WAV has the
 * centre behind left and right, and then the bass. */
void ogg_to_wav_order(float *frames, size_t count, unsigned channels);
void ogg_from_wav_order(float *frames, size_t count, unsigned channels);

#endif
