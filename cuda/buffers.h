/* The host memory of a chunk of the cuda engine: its two buffers, and room for its statistics. It
 * is pinned, but for an `out` whose pages the stream wants to give away, which is filled from
 * pinned memory; or nothing is pinned, where there is not enough memory for that. */
#ifndef GPUENV_CUDA_BUFFERS_H
#define GPUENV_CUDA_BUFFERS_H

#include <stdbool.h>

#include "base/crew.h"
#include "base/error.h"
#include "cuda/memory.h"
#include "cuda/stats_parts.h"
#include "engine/engine.h"

struct cuda_buffers {
    struct cuda_block in; /* pinned, these three, or empty */
    struct cuda_block out;
    struct cuda_block parts_memory;
    bool pinned;
    void *landing;     /* pinned memory where its copies arrive; NULL: they arrive in `out` */
    void *plain_parts; /* where they are not pinned */
    struct cuda_parts parts;
    struct cuda_buffers *next; /* spare ones, which belong to no chunk */

    /* From submit to collect. */
    bool small;              /* its copies take no longer than it takes to sleep and wake up */
    const float *out_from;   /* where its windows lie on the device */
    cudaStream_t out_stream; /* which brings them back */
};

/* The chunk's, from attach to detach. */
static inline struct cuda_buffers *cuda_buffers_of(const struct chunk *chunk)
{
    return chunk->engine_data;
}

/* For the current device, `device`. Takes spare buffers where there are some. */
int cuda_buffers_attach(struct cuda_buffers **spares, const struct engine_setup *setup,
                        const struct cuda_parts_plan *plan, unsigned device, struct chunk *chunk,
                        struct error *error);

/* They are spare from now on. Nothing may be under way any more that touches them. */
void cuda_buffers_detach(struct cuda_buffers **spares, const struct engine_setup *setup,
                         struct chunk *chunk);

void cuda_buffers_free(struct cuda_buffers **spares);

/* A chunk has come back: takes its output frames, of so many bytes, from where the copies arrived
 * to `out`. By several threads: one alone is slower than the pipe that they are for. */
void cuda_buffers_land(const struct cuda_buffers *buffers, const struct chunk *chunk,
                       size_t frame_bytes, struct crew *crew);

#endif
