/* What a picture shows, and against what. Pure. Private to this room.
 *
 * The columns are a stream of any length as a bounded number of minima and maxima. When they are
 * used up, neighbours are merged in pairs, so a column stands for `span` frames, a power of two.
 * The axes have ends, ticks at round numbers, and words for them. */
#ifndef GPUENV_FORMAT_SVG_PLOT_H
#define GPUENV_FORMAT_SVG_PLOT_H

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

/* ---- axes */

enum { SVG_WORDS = 64 }; /* bytes of a label, and more than one can have */

enum svg_labels {
    LABELS_DECIMAL, /* of the value in units of `unit` */
    LABELS_CLOCK,   /* of seconds: 2:30, or 1:02:30 when the axis is that long */
};

struct svg_axis {
    double low;
    double high;
    double step; /* ticks stand at multiples of it */
    double unit;
    int decimals;
    bool hours;
    enum svg_labels labels;
    char name[SVG_WORDS]; /* of the unit, as it stands behind what is measured; may be empty */
};

/* Levels from `low` to `high`, in about as many steps. What fits -1..1 gets that, as sound does,
 * or 0..1 where no level can be negative; unless it is so soft that nothing would be seen. */
void svg_axis_level(struct svg_axis *axis, double low, double high, bool never_negative,
                    double steps);

/* Time: `length` seconds from `first` on; or frames when there is no rate (`timed` is false). */
void svg_axis_time(struct svg_axis *axis, double first, double length, bool timed, double steps);

/* The number of the first tick and the last one: they stand at number * step. */
long long svg_axis_first(const struct svg_axis *axis);
long long svg_axis_last(const struct svg_axis *axis);

/* How far along the axis, from 0 to 1. */
double svg_axis_place(const struct svg_axis *axis, double value);

/* UTF-8. Each returns its argument. */
const char *svg_axis_label(const struct svg_axis *axis, double value, char text[SVG_WORDS]);
const char *svg_words_duration(double seconds, char text[SVG_WORDS]);
const char *svg_words_number(double number, char text[SVG_WORDS]); /* whole ones in groups of 3 */

#endif
