/* Where frames come from. A source gives raw frames, as they are in the file: engines turn
 * them into float32. */
#ifndef GPUENV_IO_SOURCE_H
#define GPUENV_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/input.h"
#include "sample/sample_type.h"

#define SOURCE_FRAMES_UNKNOWN UINT64_MAX

struct source_format {
    struct sample_type sample;
    unsigned channels;
    double rate;     /* frames a second; 0: not known */
    uint64_t frames; /* from here to the end; SOURCE_FRAMES_UNKNOWN */
};

struct source;

struct source_class {
    const char *name;

    /* Reads 1 to `room` whole frames and returns as soon as it has one; `*got` is 0 at the
     * end. Fails at the end of a stream that stops inside a frame or before what its
     * header promised, but only when every whole frame before that has been given. */
    int (*read)(struct source *source, void *frames, size_t room, size_t *got, struct error *error);

    /* Passes over frames; `*passed` is less only at the end. */
    int (*skip)(struct source *source, uint64_t frames, uint64_t *passed, struct error *error);

    /* Would a read return at once, or after a wait of at most this long? */
    bool (*ready)(struct source *source, unsigned microseconds);

    void (*close)(struct source *source);
};

struct source {
    const struct source_class *class;
    struct source_format format;
    struct input *input; /* not owned */
};

/* What the user says about an input. */
struct source_request {
    bool automatic; /* recognise a container by its first bytes; else `sample` is right */
    struct sample_type sample;
    unsigned channels;
    double rate; /* 0: not said */
};

/* Picks the class, reads a header if there is one. On success `*source` is to be closed by
 * its class. An input that is recognised but cannot be read is an error that says what it
 * is and what to do. */
int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error);

/* io/raw.c: frames without a header. */
int source_open_raw(struct input *input, const struct source_request *request,
                    struct source **source, struct error *error);

#endif
