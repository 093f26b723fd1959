/* Temporary files without a name, in $TMPDIR or /tmp, for what needs to go back and forth in a
 * pipe. They are gone when the process is, however it ends. For this room and formats. */
#ifndef GPUENV_BYTES_SPOOL_H
#define GPUENV_BYTES_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "bytes/output.h"

/* The first bytes of a stream, where somebody has read them who cannot use them. */
struct bytes_taken {
    unsigned char *bytes;
    size_t size;
};

/* Returns a descriptor, or -1. `name` and `words` ("a FLAC file") say for what, in messages. */
int spool_open(const char *name, const char *words, struct error *error);

/* Copies all of the input into such a file, after what was `taken` from it (or NULL); the input
 * then is that file. A plain file stays what it is. */
int spool_input(struct input *input, const char *words, const struct bytes_taken *taken,
                struct error *error);

/* Writes to such a file at a place of it. `name` is for messages. */
int spool_write(int fd, const char *name, const void *bytes, size_t size, uint64_t at,
                struct error *error);

/* Writes all of such a file to the output. */
int spool_copy_out(int fd, struct output *output, struct error *error);

#endif
