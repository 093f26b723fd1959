/* SPDX-License-Identifier: MIT */
/* The values that a window can have: the words of --emit. No kernel includes this. */
#ifndef GPUENV_WINDOW_EMIT_LIST_H
#define GPUENV_WINDOW_EMIT_LIST_H

#include <stdbool.h>

#include "base/device_too.h"
#include "window/rules.h"

/* What a value is made of; smaller numbers are rules of enum combine, for both extremes. */
enum emit_of {
    EMIT_OF_EXTREME = 16,
    EMIT_OF_POSITION, /* the frame of an extreme, the first of equals; -1 if the extreme is NaN */
    EMIT_OF_SUMS,     /* only where windows are whole hops, see cpu/tally.h */
    EMIT_OF_END,      /* only where EMIT_OF_SUMS can be */
};

/* The values that are written for windows: name, word of --emit, what it is made of. The numbers
 * are those of gpuenv.h, so a new row is the last. */
/* clang-format off */
#define EMITS(row)                                                        \
    row(MIN, "min", EMIT_OF_EXTREME)                                      \
    row(MAX, "max", EMIT_OF_EXTREME)                                      \
    row(ABS, "abs", COMBINE_ABS)                                          \
    row(RANGE, "range", COMBINE_RANGE)                                    \
    row(MID, "mid", COMBINE_MID)                                          \
    row(MEAN, "mean", EMIT_OF_SUMS)                                       \
    row(RMS, "rms", EMIT_OF_SUMS)                                         \
    row(COUNT, "count", EMIT_OF_SUMS)     /* samples that are no NaN */   \
    row(ARGMIN, "argmin", EMIT_OF_POSITION)                               \
    row(ARGMAX, "argmax", EMIT_OF_POSITION)                               \
    row(STD, "std", EMIT_OF_SUMS)         /* divides by n - 1 */          \
    row(FIRST, "first", EMIT_OF_END)                                      \
    row(LAST, "last", EMIT_OF_END)
/* clang-format on */

#define EMIT_CONSTANT(name, word, made) EMIT_##name,
enum emit {
    EMITS(EMIT_CONSTANT) EMIT_KINDS,
    EMIT_SUM, /* EMIT_SUM to EMIT_SQUARES: internal, for the means of several channels */
    EMIT_SQUARE,
    EMIT_CENTER, /* the mean of struct deviations; EMIT_SQUARES has its squares */
    EMIT_SQUARES,
};

/* Is the value made of both extremes, and by which rule? window.c asserts that the rows say so. */
#define EMIT_IS_BOTH(emit) ((emit) >= EMIT_ABS && (emit) <= EMIT_MID)
#define EMIT_COMBINE(emit)                                                                         \
    ((emit) == EMIT_ABS ? COMBINE_ABS : (emit) == EMIT_RANGE ? COMBINE_RANGE : COMBINE_MID)

/* The words; the list ends with NULL. Defined in window.c. */
extern const char *const emit_names[];

struct emit_list {
    unsigned count;
    enum emit item[EMIT_KINDS]; /* no duplicates */
};

static inline unsigned emit_made(enum emit emit)
{
#define EMIT_MADE(name, word, made) made,
    static const unsigned char made[] = {EMITS(EMIT_MADE)};

    return emit < EMIT_KINDS ? made[emit] : (unsigned)EMIT_OF_SUMS;
}

static inline bool emit_is_position(enum emit emit)
{
    return emit_made(emit) == EMIT_OF_POSITION;
}

/* Is the value made of one extreme, or of both? */
static inline bool emit_is_of_extremes(enum emit emit)
{
    return emit_made(emit) <= EMIT_OF_EXTREME;
}

/* Is the value one of the window's samples? */
static inline bool emit_is_sample(enum emit emit)
{
    return emit_made(emit) == EMIT_OF_EXTREME || emit_made(emit) == EMIT_OF_END;
}

/* Is the value one of the statistics of blocks? */
static inline bool emit_needs_sums(enum emit emit)
{
    return emit_made(emit) >= EMIT_OF_SUMS;
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

/* One value from the minimum and the maximum of a window, see rules_combine(). */
DEVICE_TOO float emit_float(enum emit emit, float low, float high)
{
    if (EMIT_IS_BOTH(emit))
        return rules_combine(EMIT_COMBINE(emit), low, high);
    return emit == EMIT_MAX ? high : low;
}

DEVICE_TOO double emit_double(enum emit emit, double low, double high)
{
    if (EMIT_IS_BOTH(emit))
        return rules_combine64(EMIT_COMBINE(emit), low, high);
    return emit == EMIT_MAX ? high : low;
}

#endif
