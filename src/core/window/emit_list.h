/* SPDX-License-Identifier: MIT */
/* The values that a window can have: the words of --emit. No kernel includes this. */
#ifndef GPUENV_WINDOW_EMIT_LIST_H
#define GPUENV_WINDOW_EMIT_LIST_H

#include <stdbool.h>

#include "base/device_too.h"
#include "window/rules.h"

/* The value written for a window. */
enum emit {
    EMIT_MIN,
    EMIT_MAX,
    EMIT_ABS, /* EMIT_ABS to EMIT_MID: enum combine has their rules */
    EMIT_RANGE,
    EMIT_MID,
    EMIT_MEAN, /* EMIT_MEAN to EMIT_COUNT: only where windows are whole hops, see cpu/tally.h */
    EMIT_RMS,
    EMIT_COUNT,  /* samples that are no NaN */
    EMIT_ARGMIN, /* the frame of the minimum, the first of equals; -1 if the minimum is NaN */
    EMIT_ARGMAX,
    EMIT_STD, /* divides by n - 1; EMIT_STD to EMIT_LAST: only where EMIT_MEAN can be */
    EMIT_FIRST,
    EMIT_LAST,
    EMIT_KINDS,
    EMIT_SUM, /* EMIT_SUM to EMIT_SQUARES: internal, for the means of several channels */
    EMIT_SQUARE,
    EMIT_CENTER, /* the mean of struct deviations; EMIT_SQUARES has its squares */
    EMIT_SQUARES,
};

/* The names, such as "min"; the list ends with NULL. Defined in window.c. */
extern const char *const emit_names[];

struct emit_list {
    unsigned count;
    enum emit item[EMIT_KINDS]; /* no duplicates */
};

static inline bool emit_is_position(enum emit emit)
{
    return emit == EMIT_ARGMIN || emit == EMIT_ARGMAX;
}

/* Is the value one of the window's samples? */
static inline bool emit_is_sample(enum emit emit)
{
    return emit <= EMIT_MAX || emit == EMIT_FIRST || emit == EMIT_LAST;
}

/* Is the value one of the statistics of blocks? */
static inline bool emit_needs_sums(enum emit emit)
{
    return emit >= EMIT_MEAN && !emit_is_position(emit);
}

static inline bool emits_need_sums(const struct emit_list *emits)
{
    for (unsigned i = 0; i < emits->count; i++) {
        if (emit_needs_sums(emits->item[i]))
            return true;
    }
    return false;
}

static inline bool emits_have(const struct emit_list *emits, enum emit emit)
{
    for (unsigned i = 0; i < emits->count; i++) {
        if (emits->item[i] == emit)
            return true;
    }
    return false;
}

static inline bool emits_have_ends(const struct emit_list *emits)
{
    return emits_have(emits, EMIT_FIRST) || emits_have(emits, EMIT_LAST);
}

static inline unsigned emits_positions(const struct emit_list *emits)
{
    return (unsigned)emits_have(emits, EMIT_ARGMIN) + emits_have(emits, EMIT_ARGMAX);
}

/* The rule for a value that is made of both extremes. */
DEVICE_TOO enum combine emit_combine(enum emit emit)
{
    return emit == EMIT_ABS ? COMBINE_ABS : emit == EMIT_RANGE ? COMBINE_RANGE : COMBINE_MID;
}

/* One value from the minimum and the maximum of a window, see rules_combine(). */
DEVICE_TOO float emit_float(enum emit emit, float low, float high)
{
    if (emit >= EMIT_ABS && emit <= EMIT_MID)
        return rules_combine(emit_combine(emit), low, high);
    return emit == EMIT_MAX ? high : low;
}

DEVICE_TOO double emit_double(enum emit emit, double low, double high)
{
    if (emit >= EMIT_ABS && emit <= EMIT_MID)
        return rules_combine64(emit_combine(emit), low, high);
    return emit == EMIT_MAX ? high : low;
}

#endif
