/* The axes of a picture: ends, ticks at round numbers, and their words. Pure. Private to this
 * room. */
#ifndef GPUENV_FORMAT_SVG_AXIS_H
#define GPUENV_FORMAT_SVG_AXIS_H

#include <stdbool.h>
#include <stddef.h>

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
