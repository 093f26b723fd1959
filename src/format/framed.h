/* A source for frames that lie in the input as they are: all of it (raw), or so many bytes of it
 * after a header that has been read (wav, au, npy). Nothing lies between the input and the
 * caller's buffer. Private to this room. */
#ifndef GPUENV_FORMAT_FRAMED_H
#define GPUENV_FORMAT_FRAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "format/chunk.h"
#include "format/source.h"

#define FRAMED_UNTIL_END UINT64_MAX

struct framed_data {
    const char *container; /* its name */
    struct sample_type sample;
    unsigned channels;
    double rate;    /* 0: not known */
    uint64_t bytes; /* of the frames, as the header promises; FRAMED_UNTIL_END */
    /* Zeros that do not make up a frame may stand at the end, to make the number of bytes a
     * multiple of this. 0: they may not. */
    unsigned padding;
    const struct chunk_shape *chunks; /* that may stand behind the frames; NULL: none may */
    bool planar;  /* the channels lie one behind the other; the input is a plain file */
    bool bounded; /* what lies behind them has been looked at, and is nothing to be told about */
};

static inline size_t framed_frame_bytes(const struct framed_data *data)
{
    return sample_type_bytes(data->sample) * data->channels;
}

int source_open_framed(struct input *input, const struct framed_data *data, struct source **source,
                       struct error *error);

#endif
