/* The host memory of a chunk of the cuda engine: its two buffers, and room for its statistics. All
 * of it is pinned, or none of it where there is not enough memory to pin. */
#ifndef GPUENV_CUDA_BUFFERS_H
#define GPUENV_CUDA_BUFFERS_H

#include <stdbool.h>

#include "base/error.h"
#include "cuda/stats_parts.h"
#include "engine/engine.h"

struct cuda_buffers {
    bool pinned;
    void *parts_memory;
    struct cuda_parts parts;
};

/* The chunk's, from attach to detach. */
static inline struct cuda_buffers *cuda_buffers_of(const struct chunk *chunk)
{
    return chunk->engine_data;
}

int cuda_buffers_attach(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        struct chunk *chunk, struct error *error);

/* Nothing may be under way any more that touches them. */
void cuda_buffers_detach(const struct engine_setup *setup, struct chunk *chunk);

#endif
