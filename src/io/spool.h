/* SPDX-License-Identifier: MIT */
/* Temporary files without a name, in $TMPDIR or /tmp, for data in a pipe that has to be revisited.
 * They vanish with the process, however it ends. For this room and formats. */
#ifndef GPUENV_IO_SPOOL_H
#define GPUENV_IO_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/input.h"
#include "io/output.h"

/* The first bytes of a stream, already consumed by a parser that could not use them. */
struct bytes_taken {
    unsigned char *bytes;
    size_t size;
};

/* `words` for rows and records that are put in order. Errors about these do not advise a plain
 * file, because the input may be one. */
#define SPOOL_ORDER NULL

/* Creates a temporary file. Returns its descriptor, or -1. `name` and `words` ("a FLAC file") are
 * for messages. */
int spool_open(const char *name, const char *words, struct error *error);

/* Sets the error of writing to a temporary file: it names the folder. Returns -1. */
int spool_error(const char *name, const char *words, int number, struct error *error);

/* Copies the whole input into a temporary file, after the bytes `taken` from it (may be NULL). From
 * then on the input reads that file. Does nothing for a plain file. */
int spool_input(struct input *input, const char *words, const struct bytes_taken *taken,
                struct error *error);

/* Writes to a temporary file at an offset. `name` and `words` are for messages. */
int spool_write(int fd, const char *name, const char *words, const void *bytes, size_t size,
                uint64_t at, struct error *error);

/* Copies `size` bytes of a temporary file, from offset `from` on, to the output. */
int spool_copy_out(int fd, uint64_t from, uint64_t size, struct output *output,
                   struct error *error);

/* Opens a temporary file as an output, or empties it if `output` is open. */
int spool_output(struct output *output, const char *name, const char *words, struct error *error);

#endif
