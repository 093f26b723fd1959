/* Is a file all there? libsndfile believes in the bytes that are there, whatever the header, the
 * pages or the frames say. These look for themselves, in plain files, and know nothing of
 * libsndfile. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_WHOLE_H
#define GPUENV_FORMAT_SNDFILE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes/read_at.h"

/* ---- the size that the header promises (sizes.c) */

struct promise {
    uint64_t bytes; /* 0: it does not say, or has a number that stands for an unknown size */
    bool loose;     /* tags may follow, and be counted or not */
    bool counted;   /* its header says how many frames there are, too, which libsndfile hands on */
    bool padded;    /* its last byte may be left out, for it is no sample */
    bool passed_by; /* libsndfile takes what follows for samples, too */
    unsigned surplus; /* frames that libsndfile gives at the end, and that are none */
    /* libsndfile would give something else than its frames, without a word: there is sound behind
     * the first block of it, the channels lie one behind the other, or the header stands there
     * twice. */
    bool misread;
};

/* Goes from chunk to chunk where it has to. */
struct promise promise_of(const struct slice *file);

/* HTK and MPC 2000 have hardly any first bytes, but say how many bytes the file has. 0: it does
 * not begin like one, or more than `size` bytes are needed to tell. Pure. */
uint64_t size_htk(const unsigned char *bytes, size_t size);
uint64_t size_mpc2k(const unsigned char *bytes, size_t size);

/* The beginning of a MAT4 with sound, little-endian and big-endian. */
enum { MAT4_START = 31 };
extern const char mat4_starts[2][MAT4_START + 1];

/* ---- pages and frames (ogg.c, mp3.c) */

enum fault {
    FAULT_NONE,
    OGG_CUT,     /* the last page is missing, or something else stands where a page has to */
    OGG_DAMAGED, /* the checksum of a page is wrong */
    OGG_GAP,     /* pages are missing */
    OGG_CHAINED, /* another stream follows the first */
    MP3_CUT,     /* it ends inside a frame */
    MP3_BROKEN,  /* a frame is damaged: the next one is not where it should be */
    MP3_CHANGED, /* a frame has another rate, other channels or another layer than the first */
    MP3_JUNK,    /* more follows than tags, and no frames */
};

/* Reads all pages. `*at` is the byte of the page that shows the fault. */
enum fault ogg_check(const struct slice *file, uint64_t *at);

/* Goes from frame to frame, past tags. `*at` is the byte where a frame is missing. None is found in
 * what does not begin with a frame that says its size. */
enum fault mp3_check(const struct slice *file, uint64_t *at);

/* How many bytes lie in front of the tags at the end: ID3v1, Lyrics3, APE, and ID3v2 with a footer.
 */
uint64_t mp3_tags_begin(const struct slice *file);

/* The size of the tag that begins with these bytes, of ID3v2, ID3v1 or APE; 0: none does. */
enum { MP3_TAG_START = 16 };
uint64_t mp3_tag_bytes(const unsigned char bytes[MP3_TAG_START]);

#endif
