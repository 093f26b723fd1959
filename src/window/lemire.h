/* Lemire's streaming maximum-minimum filter (Nordic Journal of Computing 13(4), 2006): the
 * sequential algorithm that every other one is checked against. One channel, any width, input cut
 * anywhere.
 *
 * It keeps two monotonic wedges: the samples of the window that can still become its maximum, and
 * those that can still become its minimum. Two comparisons find the wedge that a new sample
 * shortens, and each sample leaves a wedge once. */
#ifndef GPUENV_WINDOW_LEMIRE_H
#define GPUENV_WINDOW_LEMIRE_H

#include <stddef.h>
#include <stdint.h>

#include "window/rules.h"

struct lemire;

/* Bytes that a filter of this width takes. */
uint64_t lemire_bytes(uint64_t width);

/* NULL, with errno set, when there is no memory. */
struct lemire *lemire_open(uint64_t width, enum nan_policy policy);
void lemire_close(struct lemire *lemire);

/* Takes in `count` samples and gives the minimum and the maximum of the window that ends at
 * each; the first width-1 windows of a stream are cut to what is there. */
void lemire_feed(struct lemire *lemire, const float *samples, size_t count, float *low,
                 float *high);

/* Passes over `count` windows that end past the last sample. No feeding after this. */
void lemire_pass(struct lemire *lemire, uint64_t count);

/* Gives the minimum and the maximum of the next `count` windows past the last sample. */
void lemire_drain(struct lemire *lemire, size_t count, float *low, float *high);

#endif
