/* What libsndfile does not report at the end of a file: missing frames, and data after the frames.
 * Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_END_H
#define GPUENV_FORMAT_SNDFILE_END_H

#include "base/error.h"
#include "bytes/input.h"
#include "format/sndfile/library.h"

/* Where the file should end. Known before its frames are read. */
struct due_end {
    const struct input *input;
    struct slice file;
    struct promise promise;
    const char *next; /* what begins there: "a CAF file"; NULL: nothing known */
};

struct due_end due_end_of(const struct input *input, const struct slice *file);

/* Fails if bytes that the header promises are missing. */
int end_check_missing(const struct due_end *due, uint64_t frames, struct error *error);

/* At the end of the decoded frames. Fails if some are missing, or if another file follows. */
int end_check(const struct due_end *due, const struct decoder *decoder, uint64_t frames,
              struct error *error);

#endif
