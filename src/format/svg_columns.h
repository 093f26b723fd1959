/* The columns of a picture: a stream of any length as a bounded number of minima and maxima.
 * When the columns are used up, neighbours are merged in pairs, so a column stands for
 * `span` frames, a power of two. Pure. Private to this room. */
#ifndef GPUENV_FORMAT_SVG_COLUMNS_H
#define GPUENV_FORMAT_SVG_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct svg_column {
    float low; /* NaN, as `high`: none of its frames has a value */
    float high;
};

/* What all frames of a channel come to. */
struct svg_extent {
    float low;        /* the least finite value; more than `high`: there is none */
    float high;       /* the largest finite value */
    uint64_t missing; /* frames without a value */
};

struct svg_columns {
    unsigned channels;
    size_t most;                /* columns; an even number */
    size_t count;               /* in use; the last one may stand for fewer frames */
    uint64_t span;              /* frames a column */
    uint64_t frames;            /* taken in */
    struct svg_column *columns; /* column i of channel c: [c * most + i] */
    struct svg_extent *extents; /* of each channel */
};

/* 0, or -1 when there is no memory. */
int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most);
void svg_columns_close(struct svg_columns *columns);

/* Where in the values of a channel, `values` of them, stand the lower one and the higher one? */
struct svg_pick {
    unsigned values;
    unsigned low;
    unsigned high;
};

/* Takes in `count` frames of channels * pick.values floats. */
void svg_columns_take(struct svg_columns *columns, struct svg_pick pick, const float *frames,
                      size_t count);

/* Merges as many neighbours into one as leave no more than `most`, once all frames are taken
 * in: `span` then is any number. */
void svg_columns_reduce(struct svg_columns *columns, size_t most);

#endif
