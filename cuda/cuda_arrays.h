/* SPDX-License-Identifier: MIT */
/* Filters and statistics of whole arrays on a CUDA device, where they lie. */
#ifndef GPUENV_CUDA_CUDA_ARRAYS_H
#define GPUENV_CUDA_CUDA_ARRAYS_H

#include <stddef.h>

#include "base/error.h"
#include "cpu/record.h"
#include "engine/engine.h"
#include "sample/strided.h"

/* A filter, or statistics. */
struct cuda_call {
    const struct strided *in;
    const struct engine_setup *setup;    /* setup of a filter, with one channel */
    const struct strided *out;           /* results of a filter: an array for each emit */
    const struct stats_records *records; /* NULL for a filter; has the array's frames, channels */
    unsigned device;
    void *stream; /* a cudaStream_t */
};

/* Enqueues the call and returns: nothing is allocated or waited for, and the number of launches
 * does not depend on the arrays.
 *
 * If `work` is NULL, sets `*bytes` to the memory that the call needs on the device, and loads the
 * kernels. Otherwise `*bytes` is the size of `work`, which is aligned to 256 bytes. The current
 * device stays current. */
int cuda_arrays_run(const struct cuda_call *call, void *work, size_t *bytes, struct error *error);

/* Memory on a device, kept between calls. */
struct cuda_room {
    void *memory; /* NULL if there is none */
    size_t bytes;
};

/* Makes the memory at least this large. Growing it waits for the device. */
int cuda_room_grow(struct cuda_room *room, size_t bytes, unsigned device, struct error *error);
void cuda_room_free(struct cuda_room *room, unsigned device);

/* The device that has this memory. */
int cuda_arrays_device(const void *memory, unsigned *device, struct error *error);

/* Makes what is enqueued on `stream` from now on wait for what is on the stream `before` now. The
 * host does not wait. A graph cannot wait for work outside of it: while only `stream` is being
 * captured, nothing is done. While only `before` is, `stream` joins the graph, or with `joins`
 * false nothing is done. */
int cuda_arrays_wait(unsigned device, void *stream, void *before, bool joins, struct error *error);

#endif
