/* A descriptor to read bytes from: a file, a pipe, a terminal, a device.
 *
 * Reads are patient: they wait through EINTR and EAGAIN, and return what is there as soon as
 * something is there. A wait is ended early when poll() has events for `stop_fd`. */
#ifndef GPUENV_BYTES_INPUT_H
#define GPUENV_BYTES_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/crew.h"
#include "base/error.h"
#include "bytes/packets.h"

enum { INPUT_PEEK = 8192 };

#define INPUT_STANDARD "standard input"

struct input {
    const char *name; /* as it stands in messages: the file, or INPUT_STANDARD */
    int fd;
    bool owned;         /* close() closes it */
    bool standard;      /* it is, or was, standard input */
    bool regular;       /* a plain file: never waits, has a size, can seek */
    struct stat status; /* as it was when opened */
    int stop_fd;        /* readable: stop waiting; -1: there is none */
    bool stopped;       /* a wait was ended by stop_fd: this is no end of the input */
    bool packets;       /* a pipe that has brought packets */
    unsigned char peeked[INPUT_PEEK + PACKET_MOST];
    size_t peeked_size;
    size_t peeked_used;
    uint64_t bytes;    /* given to the reader or read over so far; not what was seeked over */
    double waited;     /* seconds, for data to come */
    struct crew *crew; /* shares out large reads of a plain file; NULL: nobody does */
    bool narrow;       /* it has turned out that one is best */
    struct wide_reader *wide;
};

/* Opens a file, or takes standard input for NULL or "-". A directory is refused, and so is
 * standard input when it is a terminal, unless `force`. */
int input_open(struct input *input, const char *path, bool force, struct error *error);
void input_close(struct input *input);

/* Looks at the next bytes (at most INPUT_PEEK) without taking them; waits until `size` are
 * there or the input ends. No more than that is read, but for the rest of a packet: what we leave
 * is for whoever shares the descriptor. `*got` counts all that are there, also beyond `size`.
 * `*bytes` points into the input. */
int input_peek(struct input *input, size_t size, const unsigned char **bytes, size_t *got,
               struct error *error);

/* Reads 1 to `size` bytes. `*got` is 0 at the end of the input, or when stopped. */
int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *error);

/* Reads `size` bytes; `*got` is less only at the end of the input, or when stopped. */
int input_read_all(struct input *input, void *buffer, size_t size, size_t *got,
                   struct error *error);

/* Would a read return with data at once, or after a wait of at most this long? */
bool input_ready(const struct input *input, unsigned microseconds);

/* How many bytes a read would give at once; UINT64_MAX where the system does not say. */
uint64_t input_waiting(const struct input *input);

/* Passes over `count` bytes: by seeking where that is possible, else by reading. `*passed` is
 * less only at the end of the input. */
int input_skip(struct input *input, uint64_t count, uint64_t *passed, struct error *error);

/* Bytes from here to the end; UINT64_MAX where that is not known. */
uint64_t input_remaining(const struct input *input);

/* Where in the file the next byte lies. Only for a plain file. */
uint64_t input_position(const struct input *input);

/* Goes to that place: the next byte that is read is the one that lies there. */
int input_rewind(struct input *input, uint64_t position, struct error *error);

#endif
