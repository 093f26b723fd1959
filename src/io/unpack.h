/* SPDX-License-Identifier: MIT */
/* Compressed files by name, read through the system's gzip, bzip2, xz and zstd: a process that
 * reads the open file and writes what it unpacks into a pipe. */
#ifndef GPUENV_IO_UNPACK_H
#define GPUENV_IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "io/program.h"

/* The process that unpacks a file. */
struct unpacker {
    const char *name;       /* the file's name */
    struct program program; /* the program that unpacks; without a name if none was started */
    int pipe;               /* the pipe that the program writes to; the input closes it */
    struct stat file;       /* the compressed file */
    bool any;               /* the program has written something */
    bool failed;
    bool warned;        /* all is unpacked, but something is odd */
    struct error error; /* why the program has failed, or what is odd */
};

/* The program that unpacks files with this path's ending; NULL if there is none. */
const char *unpack_program(const char *path);

/* The length of a path without the ending of a compressed file. */
size_t unpack_stem(const char *path);

/* True if the program has failed: its error is the cause of every other one. If the input ends, or
 * is wrong, before the program has ended, the rest of a plain file is unpacked first, because
 * damage shows at its end: a checksum. */
bool unpack_has_failed(struct unpacker *unpacker, struct error *error);

/* Private to this room, like unpack_end(). Starts the program, which reads `*fd`; from then on
 * `*fd` is its output. Does nothing for a file whose name has no ending of a compressed one. */
int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error);

/* Waits for the process at the end of the pipe. Each call returns the error if the process has
 * failed; none if there was no process. */
int unpack_end(struct unpacker *unpacker, struct error *error);

#endif
