/* SPDX-License-Identifier: MIT */
/* Converts interleaved frames to *planes*, the contiguous samples of one channel, and back, a
 * vector of 16 bytes at a time. Values may have any size; those of 3, or of more than 8, bytes go
 * one by one. */
#ifndef GPUENV_CPU_PLANES_H
#define GPUENV_CPU_PLANES_H

#include <stddef.h>

enum { PLANES_GROUP = 4 };

/* Plane p gets the values p, p + stride, p + 2 * stride, ... of `frames`, `count` of them; at most
 * PLANES_GROUP planes. `frames` need not be aligned for vectors. */
void planes_split(size_t value_bytes, const void *frames, size_t stride, unsigned planes,
                  size_t count, void *const plane[]);

/* The reverse of planes_split(), for any number of planes. Other values in `frames` do not
 * change. */
void planes_join(size_t value_bytes, const void *const plane[], unsigned planes, size_t count,
                 void *frames, size_t stride);

#endif
