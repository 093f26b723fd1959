/* SPDX-License-Identifier: MIT */
/* A device copies directly from and to pinned memory. But pages given to a pipe
 * (io/output_splice.c) must be the process's own, because new pages take their place. Copying
 * from pinned to plain memory costs less than writing pinned memory into a pipe, and less than a
 * copy to plain memory by the driver. */
#include "cuda/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/threads.h"
#include "cuda/failure.h"

static size_t in_bytes(const struct engine_setup *setup)
{
    return setup->chunk_frames * engine_in_bytes(setup);
}

static size_t out_bytes(const struct engine_setup *setup)
{
    return engine_out_most(setup) * engine_out_bytes(setup);
}

/* Places all buffers in `memory`. If there are no pages to give away, the output is written into
 * the pipe from this memory, which is slower. */
static void lay(struct cuda_buffers *buffers, const struct engine_setup *setup,
                unsigned char *memory, struct chunk *chunk)
{
    unsigned char *out = memory + cuda_align(in_bytes(setup));
    const bool is_pinned = buffers->plain == NULL;
    void *pages = setup->gives_pages || !is_pinned ? pages_alloc(out_bytes(setup)) : NULL;

    buffers->landing = is_pinned && pages != NULL ? out : NULL;
    chunk->in = memory;
    chunk->out = pages != NULL ? pages : out;
    chunk->out_is_ours = pages != NULL; /* pinned pages are kept: the device uses them again */
    chunk->engine_data = buffers;
    buffers->in_use = true;
}

/* If no memory can be pinned, attaches plain memory, which is slower. */
int cuda_buffers_attach(struct cuda_buffers *buffers, const struct engine_setup *setup,
                        unsigned device, struct chunk *chunk, struct error *error)
{
    const uint64_t bytes = cuda_align(in_bytes(setup)) + cuda_align(out_bytes(setup));
    void *memory;
    cudaError_t result;

    buffers->block.pinned = true;
    result = cuda_block_fit(&buffers->block, bytes);
    memory = buffers->block.memory;
    if (result == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        memory = buffers->plain = malloc((size_t)bytes);
        if (memory == NULL)
            return error_system(error, ERROR_RESOURCE, "buffers", ENOMEM);
    } else if (result != cudaSuccess) {
        return cuda_failure(error, device, "buffers", result);
    }
    lay(buffers, setup, memory, chunk);
    return 0;
}

void cuda_buffers_detach(const struct engine_setup *setup, struct chunk *chunk)
{
    struct cuda_buffers *buffers = cuda_buffers_of(chunk);

    if (chunk->out_is_ours)
        pages_free(chunk->out, out_bytes(setup));
    free(buffers->plain);
    buffers->plain = NULL;
    buffers->in_use = false;
    chunk->in = NULL;
    chunk->out = NULL;
    chunk->engine_data = NULL;
}

struct landing {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
};

static void land_part(void *context, unsigned index)
{
    const struct landing *landing = context;
    size_t at = index * (size_t)PAGES_HUGE;
    size_t left = landing->bytes - at;

    memcpy(landing->to + at, landing->from + at, left < PAGES_HUGE ? left : PAGES_HUGE);
}

void cuda_buffers_land(const struct chunk *chunk, size_t frame_bytes, struct threads *threads)
{
    struct landing landing = {
        .to = chunk->out,
        .from = cuda_buffers_of(chunk)->landing,
        .bytes = chunk->out_frames * frame_bytes,
    };

    if (landing.from != NULL)
        threads_run(threads, (unsigned)((landing.bytes + PAGES_HUGE - 1) / PAGES_HUGE),
                    threads_size(threads), land_part, &landing);
}
