/* Compressed files by name, read through the system's gzip, bzip2, xz and zstd: a process that
 * writes what it unpacks into a pipe. */
#ifndef GPUENV_IO_UNPACK_H
#define GPUENV_IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"

/* The process that unpacks a file. */
struct unpacker {
    const char *program; /* NULL: there is none */
    const char *name;    /* of the file */
    pid_t process;       /* 0: it has ended */
    int words;           /* what it writes to standard error */
    struct stat file;    /* the compressed file */
    bool any;            /* it has written something */
    bool failed;
    struct error error; /* why */
};

/* The program that a path's ending belongs to; NULL: none. */
const char *unpack_program(const char *path);

/* The length of a path without the ending of a compressed file. */
size_t unpack_stem(const char *path);

/* True if the program has failed: its error is the cause of every other one. */
bool unpack_has_failed(const struct unpacker *unpacker, struct error *error);

/* Private to this room, as those below: starts the program, whose output `*fd` reads from then on,
 * in the place of the file. Does nothing for a file whose name has no such ending. */
int unpack_begin(struct unpacker *unpacker, const char *name, int *fd, struct error *error);

/* At the end of the pipe: waits for the process. One that failed is an error, each time; without a
 * process there is none. */
int unpack_end(struct unpacker *unpacker, struct error *error);

/* Ends the process, if there is one. */
void unpack_stop(struct unpacker *unpacker);

#endif
