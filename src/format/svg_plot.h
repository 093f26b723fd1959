/* The data of a picture, and its axes. Pure. Private to this room.
 *
 * The columns represent a stream of any length by a bounded number of minima and maxima. When they
 * are used up, neighbours are merged in pairs, so a column stands for `span` frames, a power of
 * two. The axes have ends, ticks at round numbers, and labels. */
#ifndef GPUENV_FORMAT_SVG_PLOT_H
#define GPUENV_FORMAT_SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"

struct svg_column {
    double low; /* NaN, like `high`: none of its frames has a value */
    double high;
};

/* The range of all frames of a channel. */
struct svg_extent {
    double low;       /* the smallest finite value; greater than `high`: none */
    double high;      /* the largest finite value */
    uint64_t missing; /* frames without a value */
};

struct svg_columns {
    unsigned channels;
    size_t most;                /* columns; an even number */
    size_t count;               /* in use; the last one may be partial */
    uint64_t span;              /* frames per column */
    uint64_t frames;            /* frames so far */
    struct svg_column *columns; /* column i of channel c: [c * most + i] */
    struct svg_extent *extents; /* of each channel */
};

/* Returns 0, or -1 if memory runs out. */
int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most);
void svg_columns_close(struct svg_columns *columns);

/* The positions of the lower and the higher one among the `values` of a channel. */
struct svg_pick {
    unsigned values;
    unsigned low;
    unsigned high;
};

/* Adds `count` frames of channels * pick.values values: float32 or float64. */
void svg_columns_take(struct svg_columns *columns, struct svg_pick pick, enum value_kind kind,
                      const void *frames, size_t count);

/* After the last frame: merges neighbours so that at most `most` columns are left; `span` then is
 * any number. */
void svg_columns_reduce(struct svg_columns *columns, size_t most);

/* ---- axes */

enum { SVG_WORDS = 64 }; /* bytes of a label, more than any needs */

struct svg_axis {
    double low;
    double high;
    double step; /* ticks are at multiples of this */
    double unit;
    int decimals;
    bool clock; /* labels of seconds are 2:30; otherwise they are values in units of `unit` */
    bool hours; /* they are 1:02:30, because the axis is that long */
    char name[SVG_WORDS]; /* the unit as written after the quantity; may be empty */
};

/* Levels from `low` to `high`, in about as many steps. If it is not to be exact, the axis has round
 * ends, and a height also if there is but one level. */
void svg_axis_level(struct svg_axis *axis, double low, double high, bool exact, double steps);

/* Time: `length` seconds from `first` on; or frames if there is no rate (`timed` is false). */
void svg_axis_time(struct svg_axis *axis, double first, double length, bool timed, double steps);

/* The numbers of the first and the last tick: they are at number * step. */
long long svg_axis_first(const struct svg_axis *axis);
long long svg_axis_last(const struct svg_axis *axis);

/* The position along the axis: from 0 to 1, unless it is beyond an end. */
double svg_axis_place(const struct svg_axis *axis, double value);

/* UTF-8. All return their argument. */
const char *svg_axis_label(const struct svg_axis *axis, double value, char text[SVG_WORDS]);
const char *svg_words_duration(double seconds, char text[SVG_WORDS]);
const char *svg_words_number(double number, char text[SVG_WORDS]); /* digits in groups of 3 */

#endif
