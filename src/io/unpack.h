/* Compressed files by name, read through the system's gzip, bzip2, xz and zstd: a process that
 * writes what it unpacks into a pipe, which becomes the input. */
#ifndef GPUENV_IO_UNPACK_H
#define GPUENV_IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "io/input.h"

/* The program that a path's ending belongs to; NULL: none. */
const char *unpack_program(const char *path);

/* The length of a path without the ending of a compressed file. */
size_t unpack_stem(const char *path);

/* Starts the program for the input, a file whose name has such an ending; does nothing for any
 * other input. */
int unpack_input(struct input *input, struct error *error);

/* True if the program has failed: its error is the cause of every other one. */
bool unpack_has_failed(const struct input *input, struct error *error);

/* Private to this room. At the end of the pipe: waits for the process. One that failed is an error,
 * each time; without a process there is none. */
int unpack_end(struct input *input, struct error *error);

/* Private to this room. Ends the process, if there is one. */
void unpack_stop(struct input *input);

#endif
