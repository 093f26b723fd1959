/* SPDX-License-Identifier: MIT */
/* Sources whose decoder is fed with the bytes of the input as they come: pipes stream, whatever
 * their reads, and frames that are there never wait for others. */
#ifndef GPUENV_FORMAT_CODECS_FED_PRIV_H
#define GPUENV_FORMAT_CODECS_FED_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/source.h"

struct fed_source;

struct fed_class {
    /* Reads what is there, and passes it on. */
    int (*feed)(struct fed_source *fed, struct error *error);

    /* Decodes what it was fed until there are frames, or `over`. `*more`: it needs more bytes. */
    int (*decode)(struct fed_source *fed, bool *more, struct error *error);

    /* After the last frame: fails if the end comes too early, or if something is damaged. */
    int (*at_end)(struct fed_source *fed, struct error *error);
};

/* The beginning of such a source, whose `source_class` has the two functions below. */
struct fed_source {
    struct source source;
    const struct fed_class *class;
    const unsigned char *decoded; /* the next frames; the decoder's memory */
    size_t left;                  /* bytes of them */
    uint64_t frames;              /* returned */
    bool ended;                   /* the input has no more bytes */
    bool over;                    /* there are no more frames */
    bool has_failed;              /* in fed_ready() */
    struct error failure;
};

int fed_read(struct source *source, void *frames, size_t capacity, size_t *got,
             struct error *error);
bool fed_ready(struct source *source, unsigned microseconds);

/* Decodes until there are frames, or no more of them. */
int fed_decode(struct fed_source *fed, struct error *error);

#endif
