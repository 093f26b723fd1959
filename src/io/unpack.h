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
    const char *name;       /* of the file */
    struct program program; /* without a name: there is none */
    int pipe;               /* what it writes; the input closes it */
    struct stat file;       /* the compressed file */
    bool any;               /* it has written something */
    bool failed;
    bool warned;        /* all is unpacked, but something is odd */
    struct error error; /* why it has failed, or what is odd */
};

/* The program that a path's ending belongs to; NULL: none. */
const char *unpack_program(const char *path);

/* The length of a path without the ending of a compressed file. */
size_t unpack_stem(const char *path);

/* True if the program has failed: its error is the cause of every other one. If the input is over,
 * or is wrong, before the program has ended, the rest of a plain file is unpacked first, because
 * damage shows at its end: a checksum. */
bool unpack_has_failed(struct unpacker *unpacker, struct error *error);

/* Private to this room, as those below: starts the program, which reads `*fd`; from then on `*fd`
 * is its output. Does nothing for a file whose name has no such ending. */
int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error);

/* At the end of the pipe: waits for the process. One that failed is an error, each time; without a
 * process there is none. */
int unpack_end(struct unpacker *unpacker, struct error *error);

#endif
