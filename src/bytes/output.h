/* A descriptor to write bytes to, and the promise that a named file appears whole or not at
 * all: it is written beside its place and renamed by output_commit(). Devices and pipes with a name
 * (/dev/null, /dev/fd/3, a FIFO) are written directly. */
#ifndef GPUENV_BYTES_OUTPUT_H
#define GPUENV_BYTES_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "bytes/input.h"
#include "bytes/made.h"

struct output {
    const char *name; /* as it stands in messages */
    int fd;
    bool owned;
    bool pipe;
    bool copies;     /* giving pages away did not work: they are copied */
    bool patchable;  /* output_patch() works */
    uint64_t base;   /* where in the file our first byte lies, if patchable */
    char *path;      /* where the file will appear; NULL when written directly */
    char *temporary; /* where it is until then; NULL: it has no name yet, or none is wanted */
    bool nameless;   /* it is a file without a name */
    bool keeps;      /* a file that has the name when it appears is left alone */
    bool hidden;     /* until it is whole only its owner may read it; then it gets `mode` */
    mode_t mode;
    struct made *made; /* whose files it may not replace, and which it joins; or NULL */
    uint64_t bytes;    /* written so far */

    /* For output by several threads: */
    bool discards;      /* a device that takes all and keeps nothing */
    uint64_t reserved;  /* bytes of the file */
    unsigned char *map; /* of as many; NULL: there is none */
};

/* Standard output for NULL or "-". A terminal is refused unless `force`; so is the file
 * that `input` (may be NULL) reads from. */
int output_open(struct output *output, const char *path, bool force, const struct input *input,
                struct error *error);

/* An output that is open is not to take the place of a file that is there: an error if there is
 * one, now or when it is committed. What is written directly takes no file's place. */
int output_keep(struct output *output, struct error *error);

/* Refuses a named pipe that is to be read and written by one run: opening its one end would wait
 * for the other for ever. To be called before either is opened; NULL or "-" is standard input or
 * output. */
int output_check_loop(const char *path, const char *input, struct error *error);

/* Would the two be written into one another? (Both open.) Devices do not count. */
bool output_same_place(const struct output *a, const struct output *b);

/* Writes all of it, through short writes, EINTR and EAGAIN. A reader that has left
 * gives an error that is `quiet`. */
int output_write(struct output *output, const void *bytes, size_t size, struct error *error);

/* The same for memory that will not be read again before it is written anew: its pages may go
 * to a pipe as they are, without a copy. The memory then reads as zeros. */
int output_give(struct output *output, void *bytes, size_t size, struct error *error);

/* Writes over bytes that were written before: those from `at` on, 0 being our first. Only where the
 * output is `patchable`. */
int output_patch(struct output *output, uint64_t at, const void *bytes, size_t size,
                 struct error *error);

/* If another file has the name, this one gets the name with ".part" behind it. `*aside` says
 * whether it does. */
int output_step_aside(struct output *output, bool *aside, struct error *error);

/* Can bytes be written at any place, by several threads at once? A file that is ours can, for
 * nobody sees it before it is whole, and so can /dev/null. */
bool output_places(const struct output *output);

/* Before that: about `size` bytes will be written in all, by so many threads. */
void output_reserve(struct output *output, uint64_t size, unsigned threads);
int output_write_at(struct output *output, uint64_t at, const void *bytes, size_t size,
                    struct error *error);

/* All bytes up to this place have been written: output_write() goes on there. */
int output_go_on(struct output *output, uint64_t at, struct error *error);

/* Private to this room: ends the mapping; the error of a write. Returns -1. */
void output_unmap(struct output *output);
int output_write_error(const struct output *output, int number, struct error *error);

/* The output is complete: any late error shows here, and the file gets its name. */
int output_commit(struct output *output, struct error *error);

/* Closes, and removes what was not committed. */
void output_close(struct output *output);

#endif
