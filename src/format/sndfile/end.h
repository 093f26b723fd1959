/* What libsndfile does not say at the end of a file: whether that was all of it, and all that there
 * is. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_END_H
#define GPUENV_FORMAT_SNDFILE_END_H

#include "base/error.h"
#include "bytes/input.h"
#include "format/sndfile/library.h"

/* Where the file should end, known before its frames are read. */
struct due_end {
    const struct input *input;
    struct slice file;
    struct promise promise;
    const char *next; /* what begins behind that: "a CAF file"; NULL: nothing that is known */
};

struct due_end due_end_of(const struct input *input, const struct slice *file);

/* Fails where bytes are missing that the header promises. */
int end_check_missing(const struct due_end *due, uint64_t frames, struct error *error);

/* The decoder gives no more, after so many frames. Fails where some are missing, or another file
 * follows that was not decoded. */
int end_check(const struct due_end *due, const struct decoder *decoder, uint64_t frames,
              struct error *error);

#endif
