/* SPDX-License-Identifier: MIT */
/* Is a file complete? libsndfile decodes whatever bytes there are, and does not compare them with
 * the header, the pages or the frames. These functions check plain files. Private to this
 * folder. */
#ifndef GPUENV_FORMAT_SNDFILE_WHOLE_PRIV_H
#define GPUENV_FORMAT_SNDFILE_WHOLE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/read_at.h"

/* ---- the size that the header promises (sizes.c) */

/* Bytes that libsndfile gets instead of those at this offset, so that it does not lose frames. */
struct patch {
    uint64_t at;
    size_t size;
    unsigned char bytes[];
};

struct promise {
    uint64_t bytes;      /* 0 if not stated, or a placeholder for an unknown size */
    bool padded;         /* the last byte is padding, and may be missing */
    bool passed_by;      /* libsndfile reads the bytes that follow as samples, too */
    struct patch *patch; /* to be freed; may be NULL */
    /* libsndfile would silently return wrong frames: there are several blocks of sound, the
     * channels are stored one after the other, or the header is repeated. */
    bool misread;
};

struct promise promise_of(const struct slice *file);

/* The beginning of a MAT4 with sound, little-endian and big-endian. */
enum { MAT4_START = 31 };
extern const char mat4_starts[2][MAT4_START + 1];

/* ---- pages and frames (ogg.c, flac.c) */

enum { TAG_MOST = 4096 }; /* bytes of anything that may follow the frames */

/* For an Ogg file whose sound begins in the page in which its headers end: libsndfile would lose
 * the frames of this page. NULL for other files, or if memory runs out. */
struct patch *ogg_patch(const struct slice *file);

/* Does another FLAC file begin near the end of what the decoder has read? */
bool flac_follows(const struct slice *file, uint64_t read_to);

/* Walks through the frames of a FLAC file, and fails if a frame has another rate. */
int flac_check(const char *name, const struct slice *file, unsigned rate, uint64_t frames,
               struct error *error);

#endif
