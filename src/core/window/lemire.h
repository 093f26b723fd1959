/* SPDX-License-Identifier: MIT */
/* Lemire's streaming maximum-minimum filter (Nordic Journal of Computing 13(4), 2006): the
 * sequential algorithm that all others are checked against. One channel, any width, any kind of
 * values, input cut anywhere.
 *
 * It keeps two monotonic wedges: the samples of the window that can still become its maximum, and
 * those that can still become its minimum. Two comparisons find the wedge that a new sample
 * shortens, and each sample leaves a wedge once. */
#ifndef GPUENV_WINDOW_LEMIRE_H
#define GPUENV_WINDOW_LEMIRE_H

#include <stddef.h>
#include <stdint.h>

#include "sample/sample_type.h"
#include "window/rules.h"

struct lemire;

/* Bytes used by a filter of this width. */
uint64_t lemire_bytes(uint64_t width, enum value_kind kind);

/* Returns NULL, with errno set, when out of memory. */
struct lemire *lemire_open(uint64_t width, enum value_kind kind, enum nan_policy policy);
void lemire_close(struct lemire *lemire);

/* Takes `count` samples and gives the minimum and maximum of the window that ends at each; the
 * first width-1 windows of a stream are cut to the samples that exist. */
void lemire_feed(struct lemire *lemire, const void *samples, size_t count, void *low, void *high);

/* The frames of the last window's minimum and maximum, the first of equals, counted from the first
 * sample. The window must have a number. */
struct lemire_frames {
    uint64_t low;
    uint64_t high;
};
struct lemire_frames lemire_frames(const struct lemire *lemire);

/* Skips `count` windows that end past the last sample. lemire_feed() may not be called after
 * this. */
void lemire_pass(struct lemire *lemire, uint64_t count);

/* Gives the minimum and maximum of the next `count` windows past the last sample. */
void lemire_drain(struct lemire *lemire, size_t count, void *low, void *high);

#endif
