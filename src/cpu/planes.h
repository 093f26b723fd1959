/* Interleaved frames to *planes*, the contiguous samples of one channel, and back; four samples at
 * a time. */
#ifndef GPUENV_CPU_PLANES_H
#define GPUENV_CPU_PLANES_H

#include <stddef.h>

enum { PLANES_GROUP = 4 };

/* Plane p gets the values frames[i * stride + p], for `count` frames i; at most PLANES_GROUP
 * planes. `frames` need not be aligned for vectors. */
void planes_split(const float *frames, size_t stride, unsigned planes, size_t count,
                  float *const plane[]);

/* The reverse, for any number of planes. Nothing else in `frames` is changed. */
void planes_join(const float *const plane[], unsigned planes, size_t count, float *frames,
                 size_t stride);

#endif
