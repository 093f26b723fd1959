/* A look at the next bytes of an input, as far as they are available. Nothing is consumed. */
#ifndef GPUENV_BYTES_GLIMPSE_H
#define GPUENV_BYTES_GLIMPSE_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/input.h"

/* Copies up to `most` of the next bytes without waiting: those of a file, or those in a pipe or a
 * socket. For any other input, only bytes that were peeked. `*ended`: the input ends after them. */
size_t input_glimpse(const struct input *input, void *bytes, size_t most, bool *ended);

/* Waits until there are more bytes or the input ends, for at most so many microseconds. */
void glimpse_wait(const struct input *input, unsigned microseconds);

#endif
