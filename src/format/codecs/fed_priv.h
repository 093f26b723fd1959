/* SPDX-License-Identifier: MIT */
/* Sources whose decoder is fed with the bytes of the input as they come: pipes stream, however
 * small their reads are, and decoded frames never wait for later bytes. */
#ifndef GPUENV_FORMAT_CODECS_FED_PRIV_H
#define GPUENV_FORMAT_CODECS_FED_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/source.h"

struct fed_source;

struct fed_class {
    /* Reads the bytes that are there, and passes them to the decoder. */
    int (*feed)(struct fed_source *fed, struct error *error);

    /* Decodes the bytes so far until there are frames, or `over`. `*more`: the decoder needs more
     * bytes. */
    int (*decode)(struct fed_source *fed, bool *more, struct error *error);

    /* After the last frame: fails if the end comes too early, or if something is damaged. */
    int (*at_end)(struct fed_source *fed, struct error *error);
};

/* The beginning of such a source; its `source_class` has fed_read() and fed_ready(). */
struct fed_source {
    struct source source;
    const struct fed_class *class;
    const unsigned char *decoded; /* the next frames, in the decoder's memory */
    size_t left;                  /* bytes of these frames */
    uint64_t frames;              /* frames returned */
    bool ended;                   /* the input has no more bytes */
    bool over;                    /* there are no more frames */
    bool has_failed;              /* fed_ready() has failed, with `failure` */
    struct error failure;
};

int fed_read(struct source *source, void *frames, size_t capacity, size_t *got,
             struct error *error);
bool fed_ready(struct source *source, unsigned microseconds);

/* Decodes until there are frames, or no more of them. */
int fed_decode(struct fed_source *fed, struct error *error);

#endif
