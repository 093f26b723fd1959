/* SPDX-License-Identifier: MIT */
/* A descriptor to read bytes from: a file, a pipe, a terminal, a device.
 *
 * Reads wait through EINTR and EAGAIN, and return as soon as there is some data. A wait ends early
 * when poll() reports events for `stop_fd`. */
#ifndef GPUENV_IO_INPUT_H
#define GPUENV_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/threads.h"
#include "io/read_at.h"
#include "io/unpack.h"

enum { INPUT_PEEK = 8192 };

#define INPUT_STANDARD "standard input"

struct input {
    const char *name; /* the file's path, or INPUT_STANDARD; messages show it */
    int fd;
    bool owned;         /* close() closes it */
    bool standard;      /* the input is, or was, standard input */
    bool regular;       /* a plain file: never waits, has a size, can seek */
    struct stat status; /* the status at opening */
    int stop_fd;        /* waiting stops when it is readable; may be -1 */
    int end_fd;         /* the user ends the input when it is readable; may be -1 */
    bool enough;        /* the rest is not wanted, so its unpacking may fail */
    bool stopped;       /* stop_fd or end_fd ended a wait; the input itself has not ended */
    unsigned char peeked[INPUT_PEEK];
    size_t peeked_size;
    size_t peeked_used;
    uint64_t bytes; /* bytes given to the reader, or skipped by reading but not by seeking */
    double waited;  /* seconds of waiting for data */
    struct unpacker unpacker;
    struct threads *threads; /* threads that read a plain file; may be NULL */
    unsigned readers;        /* how many threads share a large read; 0 or 1 if they do not */
    bool idle;               /* nothing else needs the threads */
    /* The next large read goes on in it, until the caller ends that; NULL if reads wait. */
    struct shared_read *reading;
};

/* Opens a file, or standard input for NULL or "-". Rejects a directory, and, unless `force`,
 * standard input that is a terminal. */
int input_open(struct input *input, const char *path, bool force, struct error *error);
void input_close(struct input *input);

/* Reads a file whose name has the ending of a compressed one through the program that unpacks it;
 * does nothing for any other input. */
int input_unpack(struct input *input, struct error *error);

/* Has the user ended the input? */
bool input_is_ended(const struct input *input);

/* Lets the threads share large reads, on a machine with many CPUs. */
void input_share(struct input *input, struct threads *threads);

/* Lets all these threads share large reads, because they have nothing else to do. */
void input_share_idle(struct input *input);

/* Looks at the next bytes (at most INPUT_PEEK) without consuming them. Waits until `size` are
 * there or the input ends. Reads no more than that: what remains is for other processes that share
 * the descriptor. `*got` counts all available bytes, also those of an earlier, larger look.
 * `*bytes` points into the input. */
int input_peek(struct input *input, size_t size, const unsigned char **bytes, size_t *got,
               struct error *error);

/* Reads 1 to `size` bytes. `*got` is 0 at the end of the input, or when stopped. */
int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *error);

/* Reads `size` bytes; `*got` is less only at the end of the input, or when stopped. */
int input_read_all(struct input *input, void *buffer, size_t size, size_t *got,
                   struct error *error);

/* True if a read would return data at once, or after a wait of at most `microseconds`. */
bool input_ready(const struct input *input, unsigned microseconds);

/* The number of bytes that a read would return at once; UINT64_MAX if the system does not say. */
uint64_t input_waiting(const struct input *input);

/* Skips `count` bytes, by seeking if possible, otherwise by reading. `*passed` is less only at the
 * end of the input. */
int input_skip(struct input *input, uint64_t count, uint64_t *passed, struct error *error);

/* Bytes from here to the end; UINT64_MAX if unknown. */
uint64_t input_remaining(const struct input *input);

/* The offset of the next byte. Only for a plain file. */
uint64_t input_position(const struct input *input);

/* Moves to the offset `position` of a plain file. */
int input_rewind(struct input *input, uint64_t position, struct error *error);

/* Copies up to `most` of the next bytes without consuming them or waiting: those of a file, or
 * those in a pipe or a socket. For any other input, only bytes that were peeked. `*ended`: the
 * input ends after them. */
size_t input_glimpse(const struct input *input, void *bytes, size_t most, bool *ended);

/* Waits until a pipe has more bytes or its writer is gone, but not longer than `microseconds`. */
void input_wait_for_more(const struct input *input, unsigned microseconds);

/* Private to this room. Enlarges a pipe, only for speed: failures are ignored, and no pipe becomes
 * smaller. */
void pipe_enlarge(int fd);

#endif
