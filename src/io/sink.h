/* Where frames go. */
#ifndef GPUENV_IO_SINK_H
#define GPUENV_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "io/output.h"
#include "sample/sample_type.h"

struct sink_format {
    struct sample_type sample;
    unsigned channels;
    double rate; /* 0: not known */
};

struct sink;

struct sink_class {
    const char *name;

    /* Writes `count` frames of float32. With `gift` the memory at `frames` is private to us and
     * will be written anew before it is read: a sink may give its pages away. */
    int (*write)(struct sink *sink, float *frames, size_t count, bool gift, struct error *error);

    /* No more frames: what is still held back is written. The output is not yet committed. */
    int (*finish)(struct sink *sink, struct error *error);

    void (*close)(struct sink *sink);
};

struct sink {
    const struct sink_class *class;
    struct sink_format format;
    struct output *output; /* not owned */
    struct sample_losses losses;
};

/* io/raw.c: frames without a header. */
int sink_open_raw(struct output *output, const struct sink_format *format, struct sink **sink,
                  struct error *error);

#endif
