/* A look at what an input will bring, as far as it is there. Nothing is taken. */
#ifndef GPUENV_BYTES_GLIMPSE_H
#define GPUENV_BYTES_GLIMPSE_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/input.h"

/* The next bytes, `most` at most, without a wait: those of a file, or those that lie in a pipe or a
 * socket; of any other input only those that were peeked. `*ended`: no others follow these. */
size_t input_glimpse(const struct input *input, void *bytes, size_t most, bool *ended);

/* Waits until there are other bytes, or the input ends; no longer than this. */
void glimpse_wait(const struct input *input, unsigned microseconds);

#endif
