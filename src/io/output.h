/* SPDX-License-Identifier: MIT */
/* A descriptor to write bytes to, and the promise that a named file appears whole or not at
 * all: it is written beside its place and renamed by output_commit(). Devices and pipes with a name
 * (/dev/null, /dev/fd/3, a FIFO) are written directly. */
#ifndef GPUENV_IO_OUTPUT_H
#define GPUENV_IO_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/seen.h"
#include "io/input.h"

struct output;

/* The outputs of one run. Two with different names can be the same file: by a symbolic link, or on
 * a file system that ignores case. */
struct made {
    const struct output *open; /* outputs that all jobs write to; they may be closed */
    size_t open_count;
    pthread_mutex_t replacing; /* held while an output checks a file and replaces it */
    struct seen files;         /* files that are complete; the set must be freed */
};

#define MADE_OF(outputs, count)                                                                    \
    {                                                                                              \
        .open = (outputs), .open_count = (count), .replacing = PTHREAD_MUTEX_INITIALIZER,          \
        .files = SEEN_NONE                                                                         \
    }

/* True if this run has made the file, and it has not changed since. Thread-safe. */
bool made_has(struct made *made, const struct stat *status);

struct output {
    const char *name; /* the name in messages */
    int fd;
    bool owned;
    bool pipe;
    bool copies;     /* pages cannot be given away here */
    bool patchable;  /* output_patch() works */
    uint64_t base;   /* the offset of our first byte in the file, if patchable */
    char *path;      /* the final name of the file; NULL if it is written directly */
    char *temporary; /* its name until it is complete; NULL if it has none (O_TMPFILE) */
    bool keeps;      /* never replaces a file */
    bool undoable;   /* output_commit() keeps an older file until output_close() */
    bool has_older;  /* `temporary` is the name of the older file that is kept */
    bool hidden;     /* only the owner may read the file until it is complete and gets `mode` */
    mode_t mode;
    struct made *made; /* outputs of this run, never replaced; joined at the commit; may be NULL */
    uint64_t bytes;    /* bytes written so far */
    bool failed;       /* a write has failed, perhaps after some of its bytes */

    /* These are for output by several threads. */
    uint64_t reserved;  /* the file's size after output_reserve() */
    unsigned char *map; /* a mapping of the file up to `reserved`; may be NULL */
    bool past_cache;    /* copies into `map` go past the caches */
};

/* Standard output for NULL or "-". Refuses a terminal unless `force`, and the file that `input`
 * (may be NULL) reads from. */
int output_open(struct output *output, const char *path, bool force, const struct input *input,
                struct error *error);

/* Makes an open output never replace a file: an error if there is one, now or when it is committed.
 * No effect on what is written directly. */
int output_keep(struct output *output, struct error *error);

/* The first bytes of the file that an open output is going to replace; none if there is no such
 * file, or if it is empty. */
int output_read_older(const struct output *output, char *bytes, size_t capacity, size_t *size,
                      struct error *error);

/* Refuses a named pipe that one run would both read and write: opening one end would wait for the
 * other forever. Call it before either is opened. NULL or "-" stands for standard input or
 * output. */
int output_check_loop(const char *path, const char *input, struct error *error);

/* The status of the folder that has this path's file. Returns -1, with errno set. */
int output_folder(const char *path, struct stat *status);

/* Are two open outputs the same file or pipe? Devices do not count. */
bool output_same_place(const struct output *a, const struct output *b);

/* Makes an open output one of a run: it is an error if it is already among the open ones. It never
 * replaces a file of the run, and joins these files when it is committed. */
int output_join(struct output *output, struct made *made, struct error *error);

/* Writes everything, through short writes, EINTR and EAGAIN. If the reader has gone, the error is
 * `quiet`. */
int output_write(struct output *output, const void *bytes, size_t size, struct error *error);

/* Like output_write(), for memory that the caller fills again before reading it: the pages may go
 * into a pipe without a copy. The memory then reads as zeros. */
int output_give(struct output *output, void *bytes, size_t size, struct error *error);

/* Overwrites bytes from `at` on, counted from our first. Only if the output is `patchable`. */
int output_patch(struct output *output, uint64_t at, const void *bytes, size_t size,
                 struct error *error);

/* If another file has the name, this one gets the name with ".part" appended, and `*aside` is
 * set. */
int output_step_aside(struct output *output, bool *aside, struct error *error);

/* Can several threads write at any offset? True only for files that appear when they are complete,
 * and for /dev/null. */
bool output_places(const struct output *output);

/* Call this before output_write_at(): `threads` threads will write about `size` bytes. */
void output_reserve(struct output *output, uint64_t size, unsigned threads);
int output_write_at(struct output *output, uint64_t at, const void *bytes, size_t size,
                    struct error *error);

/* All bytes before this offset have been written: output_write() continues there. */
int output_go_on(struct output *output, uint64_t at, struct error *error);

/* Private to this room. The first removes the mapping; the second sets the error of a write and
 * returns -1. */
void output_unmap(struct output *output);
int output_write_error(const struct output *output, int number, struct error *error);

/* The output is complete: reports late errors, and gives the file its name. */
int output_commit(struct output *output, struct error *error);

/* Undoes output_commit(), as far as the file system can: an older file of an `undoable` output
 * comes back, a new one goes. No effect on what is written directly. */
void output_take_back(struct output *output);

/* Closes the output, and removes a file that was not committed. */
void output_close(struct output *output);

#endif
