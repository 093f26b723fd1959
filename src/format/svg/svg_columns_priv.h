/* SPDX-License-Identifier: MIT */
/* The data of a picture, and the path that draws them. Private to this folder.
 *
 * The columns represent a stream of any length by a bounded number of minima and maxima. When they
 * are used up, neighbours are merged in pairs, so a column stands for `span` frames, a power of
 * two. Where frames have times, a column is a time instead, of `span` nanoseconds. */
#ifndef GPUENV_FORMAT_SVG_COLUMNS_H
#define GPUENV_FORMAT_SVG_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory_text.h"
#include "format/svg/svg_axis_priv.h"
#include "sample/moment.h"
#include "sample/sample_type.h"

struct svg_column {
    /* NaN, like `high`, if none of its frames has a value; above `high` if there are no frames. */
    double low;
    double high;
    /* The sum of squares of the frames with a value, and the number of these frames; both only if
     * wanted. */
    double squares;
    uint64_t count;
};

/* The range of all frames of a channel. */
struct svg_extent {
    double low;       /* the smallest finite value; greater than `high` if there is none */
    double high;      /* the largest finite value */
    uint64_t missing; /* frames without a value */
    uint64_t frames;  /* all frames; known at the end */
};

/* The positions of the lower and the higher value among the `values` of a channel. */
struct svg_pick {
    unsigned values;
    unsigned low;
    unsigned high;
    enum value_kind kind; /* float32 or float64 */
    bool squares;         /* columns have their RMS, too, because a frame is one sample */
    bool has_rms;         /* one of the values, number `rms`, is the RMS of its frame */
    unsigned rms;
};

struct svg_columns {
    unsigned channels;
    struct svg_pick pick;
    size_t most;                /* columns that there is room for; an even number */
    size_t count;               /* columns in use; the last one may be partial */
    uint64_t span;              /* frames per column, or nanoseconds */
    uint64_t frames;            /* frames so far */
    uint64_t before;            /* frames in columns before those of this part */
    struct moment begin;        /* time of the first frame, where frames have times */
    struct moment end;          /* time of the last frame */
    struct svg_column *columns; /* column i of channel c: [c * most + i] */
    struct svg_extent *extents; /* one for each channel */
};

/* Returns 0, or -1 if memory runs out. Close it in either case. */
int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most,
                     struct svg_pick pick);
void svg_columns_close(struct svg_columns *columns);

/* Adds `count` frames of channels * pick.values values. */
void svg_columns_take(struct svg_columns *columns, const void *frames, size_t count);

/* Prepares for `frames` frames: columns have their final span from the beginning. */
void svg_columns_reserve(struct svg_columns *columns, uint64_t frames);

/* Columns for `count` frames from number `frame` on, which svg_columns_join() adds to those before
 * them. */
int svg_columns_open_part(struct svg_columns *part, const struct svg_columns *columns,
                          uint64_t frame, uint64_t count);
void svg_columns_join(struct svg_columns *columns, const struct svg_columns *part);

/* Adds a frame at the time `begin`, which is not before those of the frames so far, or a frame that
 * lasts from `begin` to `end`, and is in all columns between them. `gap`: the line of the picture
 * breaks before the frame, if there is a column between it and the last frame. */
void svg_columns_take_at(struct svg_columns *columns, const void *frame, struct moment begin,
                         struct moment end, bool gap);

/* Adds the frames of a series with times, in the channels from number `channel` on. The columns of
 * the series must not be longer than those of `columns`, nor begin earlier. */
void svg_columns_add_series(struct svg_columns *columns, const struct svg_columns *series,
                            unsigned channel);

/* After the last frame: merges neighbours so that at most `most` columns are left; `span` then is
 * any number. */
void svg_columns_reduce(struct svg_columns *columns, size_t most);

/* After the last frame: turns levels into decibels, which keep the order of their magnitudes.
 * `rms`: columns reach down to their RMS. */
void svg_columns_decibels(struct svg_columns *columns, bool rms);

/* The columns of a channel become as low and as high as their RMS, around 0; if they are in
 * decibels and reach down to it, they reach from there to the bottom. */
void svg_columns_to_rms(struct svg_columns *columns, unsigned channel, bool decibels);

/* The envelope of a channel as a path. Coordinates are integers in a unit well below a pixel, so
 * that they take few bytes. */
struct svg_path {
    double unit; /* unit in pixels */
    long column; /* width of a column in units; even, so that its middle is an integer */
    long width;
    long height;
    double over;  /* how far beyond the axis levels are drawn, as a part of its length */
    size_t reach; /* columns with frames are connected up to this distance */
    bool steps;   /* columns are level, not points on a line */
};

/* Plans the coordinates in a panel of width x height pixels, which has room for `shown` columns. */
void svg_path_plan(struct svg_path *path, double shown, bool fine, double width, double height);

/* Writes the data of the path: along the maxima of a channel's columns to the right, and back along
 * the minima. A gap, where there is no value, ends a piece of it. */
void svg_path_put(struct memory_text *text, const struct svg_path *path,
                  const struct svg_axis *level, const struct svg_columns *columns,
                  unsigned channel);

#endif
