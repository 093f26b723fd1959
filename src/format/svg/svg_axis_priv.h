/* SPDX-License-Identifier: MIT */
/* The axes of a picture, and its words. Pure. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_AXIS_H
#define GPUENV_FORMAT_SVG_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory_text.h"
#include "format/text/zone.h"

enum {
    SVG_WORDS = 64, /* bytes of a label, more than any needs */
    SVG_TICKS = 64, /* ticks of an axis */
};

struct svg_tick {
    double place;          /* along the axis, from 0 to 1 */
    char label[SVG_WORDS]; /* UTF-8; perhaps with a second line */
};

struct svg_axis {
    double low;
    double high;
    char name[SVG_WORDS]; /* the unit as written after the quantity; may be empty */
    unsigned count;
    struct svg_tick ticks[SVG_TICKS]; /* at round numbers: 1, 2 or 5 times a power of ten */
};

/* Levels from `low` to `high`, in about as many steps. Unless it is `exact`, the axis has round
 * ends, and a height even if there is only one level. */
void svg_axis_level(struct svg_axis *axis, double low, double high, bool exact, double steps);

/* Time: `length` seconds from `first` on; or frames if there is no rate (`timed` is false). */
void svg_axis_time(struct svg_axis *axis, double first, double length, bool timed, double steps);

/* Times of a clock, from `begin` to `end`: ticks are at round times, and dates at midnight. If they
 * are equal, that time has the only tick. `zoned`: the clock's zone is known, and part of the
 * name. */
void svg_axis_clock(struct svg_axis *axis, const struct local_clock *clock, bool zoned,
                    struct moment begin, struct moment end, double steps);

/* The position along the axis: from 0 to 1, unless it is beyond an end. */
double svg_axis_place(const struct svg_axis *axis, double value);

/* Each writes UTF-8 and returns its argument. */
const char *svg_words_duration(double seconds, char text[SVG_WORDS]);
const char *svg_words_decimal(double value, int decimals, char text[SVG_WORDS]);
const char *svg_words_number(double number, char text[SVG_WORDS]); /* with digits in groups of 3 */

/* Both ends of a range, with equal numbers of decimals: three digits, and as many more as show how
 * far apart the ends are. */
void svg_words_range(double low, double high, char words[2][SVG_WORDS]);

/* Writes a name as character data, at most `most` characters. Invalid UTF-8, and characters that
 * XML forbids or that change the order of others, become U+FFFD; an ellipsis replaces the rest. */
void svg_text_put(struct memory_text *text, const char *name, size_t most);

#endif
