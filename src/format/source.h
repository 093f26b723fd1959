/* Where frames come from. A source gives raw frames, as they are in the file: engines turn
 * them into float32. */
#ifndef GPUENV_FORMAT_SOURCE_H
#define GPUENV_FORMAT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "sample/sample_type.h"

#define SOURCE_FRAMES_UNKNOWN UINT64_MAX

/* A rate is 0, which is unknown, or lies in this range: what is worked out from it stays finite. */
#define SOURCE_RATE_LEAST 1e-9
#define SOURCE_RATE_MOST 1e12
#define SOURCE_RATES "1e-9 to 1e12 Hz"
bool source_rate_is_sane(double rate); /* of one that is known */

struct source_format {
    struct sample_type sample;
    unsigned channels;
    double rate;     /* frames a second; 0: not known */
    uint64_t frames; /* from here to the end; SOURCE_FRAMES_UNKNOWN */
};

struct source;
struct frame_reader;

/* Frames by number. What is out of the ordinary is not told: fewer frames come. */
struct frame_reader_class {
    size_t (*read)(struct frame_reader *reader, uint64_t frame, void *frames, size_t count);

    /* Was all that was read as it should be? */
    bool (*is_well)(const struct frame_reader *reader);
    void (*close)(struct frame_reader *reader);
};

struct frame_reader {
    const struct frame_reader_class *class;
    uint64_t bytes; /* read from the file */
};

struct source_class {
    /* Reads 1 to `room` whole frames and returns as soon as it has one; `*got` is 0 at the
     * end. Fails at the end of a stream that stops inside a frame or before what its
     * header promised, but only when every whole frame before that has been given. */
    int (*read)(struct source *source, void *frames, size_t room, size_t *got, struct error *error);

    /* Passes over frames; `*passed` is less only at the end. */
    int (*skip)(struct source *source, uint64_t frames, uint64_t *passed, struct error *error);

    /* Where frames can be had at any place: another reader of them, for a thread of its own; and
     * go() moves this source to a frame; `doubt`: a reader has found something out of the ordinary.
     * Frames are counted from where the source was opened. */
    int (*reader)(struct source *source, struct frame_reader **reader, struct error *error);
    int (*go)(struct source *source, uint64_t frame, bool doubt, struct error *error);

    /* Would a read return with a frame at once, or after a wait of at most this long? */
    bool (*ready)(struct source *source, unsigned microseconds);

    void (*close)(struct source *source);
};

struct source {
    const struct source_class *class;
    const char *container; /* "raw", "wav", ... */
    const char *encoding;  /* of its samples, in the file: "s16le" */
    struct source_format format;
    struct input *input; /* not owned */
    bool anywhere;       /* its frames can be had at any place */
    uint64_t left_over;  /* of these, frames at the end that only read() knows how to end */
    bool wide;           /* its samples have more bits than a float32 (sample_type_is_wide()) */
    const char *doubt; /* whether it is meant as it is taken, and what to do; NULL: there is none */
};

/* What the user says about an input. */
struct source_request {
    bool automatic;            /* recognise a container by its first bytes; else it is raw, or */
    const char *container;     /* as it was named; NULL: none was */
    struct sample_type sample; /* of raw frames; its `counts` also of a container's */
    unsigned channels;
    bool channels_given;
    double rate;         /* 0: not said */
    const char *columns; /* of text (format/text_parser.h); NULL: all */
};

/* Sets the first three from what is written after -t: auto, a container or a raw type. The latter
 * is `big_endian` where its name does not say. The request points to `type`. */
int source_request_type(struct source_request *request, const char *type, bool big_endian,
                        struct error *error);

/* Picks the class, reads a header if there is one. On success `*source` is to be closed by
 * its class. An input that is recognised but cannot be read is an error that says what it
 * is and what to do; so is a header that says other channels, or another rate, than the user. */
int source_open(struct input *input, const struct source_request *request, struct source **source,
                struct error *error);

#endif
