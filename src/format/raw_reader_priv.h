/* SPDX-License-Identifier: MIT */
/* A source for frames that are stored unencoded: all of the input (raw), or a part of it after a
 * header that has been read (wav, au, npy). Reads directly into the caller's buffer. Private to
 * this room. */
#ifndef GPUENV_FORMAT_RAW_READER_PRIV_H
#define GPUENV_FORMAT_RAW_READER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/source.h"
#include "io/input.h"

#define RAW_UNTIL_END UINT64_MAX

struct chunk_shape; /* format/file_chunk_priv.h */

struct raw_reader_data {
    const char *container; /* name of the container */
    /* The format as the header says; the size of the file limits the frames. */
    struct source_format format;
    uint64_t bytes; /* bytes of the frames according to the header, or RAW_UNTIL_END */
    /* Zeros that are not a whole frame may follow, to align the size to a multiple of this; 0 if
     * none may. */
    unsigned padding;
    const struct chunk_shape *chunks; /* shape of chunks after the frames; may be NULL */
    bool planar;  /* the channels are stored one after the other, in a plain file */
    bool bounded; /* the data after the frames have been checked; no warning is needed */
    bool named; /* the user says that the frames are raw: a remark is due if they begin like a file
                 */
};

int source_open_raw_frames(struct input *input, const struct raw_reader_data *data,
                           struct source **source, struct error *error);

#endif
