/* What an input is, by its first bytes. Private to this room. */
#ifndef GPUENV_FORMAT_RECOGNISE_H
#define GPUENV_FORMAT_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "bytes/input.h"

/* Who reads it. */
enum reader {
    READER_WAV,
    READER_AIFF,
    READER_CAF,
    READER_AU,
    READER_NPY,
    READER_SNDFILE,
    READER_NONE, /* nobody here: another program has to */
};

struct recognised {
    const char *name;  /* of its family, as after -t; NULL: there is none */
    const char *words; /* for messages: "a FLAC file" */
    enum reader reader;
    unsigned size; /* how many bytes have to be seen */
    const char *bytes;
    const char *mask; /* which of their bits count */
};

/* Looks at the next bytes, at no more than it takes to be sure. `*found` is NULL when they are no
 * container's; so are those of a container that is cut off before they are complete. */
int recognise(struct input *input, const struct recognised **found, struct error *error);

/* The same for bytes that are at hand. `ended`: no others follow. Where it gives NULL and `*more`
 * is not 0, so many bytes would tell. */
const struct recognised *recognise_bytes(const unsigned char *bytes, size_t size, bool ended,
                                         size_t *more);

#endif
