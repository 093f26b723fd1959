/* A device copies directly from and to pinned memory. But pages given to a pipe (bytes/give.c) must
 * be the process's own, because new pages take their place. Copying from pinned to plain memory
 * costs less than writing pinned memory into a pipe, and less than a copy to plain memory by the
 * driver. */
#include "cuda/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "cuda/failure.h"

static uint64_t in_bytes(const struct engine_setup *setup)
{
    return (uint64_t)setup->chunk_frames * engine_in_bytes(setup);
}

static uint64_t out_bytes(const struct engine_setup *setup)
{
    return (uint64_t)engine_out_most(setup) * engine_out_bytes(setup);
}

static void free_pinned(struct cuda_buffers *buffers)
{
    cuda_block_free(&buffers->in);
    cuda_block_free(&buffers->out);
    cuda_block_free(&buffers->parts_memory);
}

/* If there is no memory for these pages, the pinned ones are written into the pipe, which is
 * slower. */
static void attach_pages(const struct engine_setup *setup, struct chunk *chunk,
                         struct cuda_buffers *buffers)
{
    void *pages = pages_alloc((size_t)out_bytes(setup));

    if (pages == NULL)
        return;
    buffers->landing = buffers->out.memory;
    chunk->out = pages;
    chunk->out_is_ours = true;
}

static cudaError_t attach_pinned(const struct engine_setup *setup,
                                 const struct cuda_parts_plan *plan, struct chunk *chunk,
                                 struct cuda_buffers *buffers)
{
    cudaError_t result = cuda_block_fit(&buffers->in, in_bytes(setup));

    if (result == cudaSuccess)
        result = cuda_block_fit(&buffers->out, out_bytes(setup));
    if (result == cudaSuccess)
        result = cuda_block_fit(&buffers->parts_memory, cuda_parts_host_bytes(plan));
    if (result != cudaSuccess) {
        free_pinned(buffers);
        return result;
    }
    buffers->pinned = true;
    buffers->landing = NULL;
    chunk->in = buffers->in.memory;
    chunk->out = buffers->out.memory;
    chunk->out_is_ours = false; /* the device goes on using pinned pages */
    if (setup->gives_pages)
        attach_pages(setup, chunk, buffers);
    return cudaSuccess;
}

static int attach_plain(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        struct chunk *chunk, struct cuda_buffers *buffers, struct error *error)
{
    size_t bytes = (size_t)cuda_parts_host_bytes(plan);

    buffers->pinned = false;
    buffers->landing = NULL;
    if (bytes > 0) {
        buffers->plain_parts = malloc(bytes);
        if (buffers->plain_parts == NULL)
            return error_system(error, ERROR_RESOURCE, "buffers", ENOMEM);
    }
    return engine_attach_plain(setup, chunk, error);
}

/* If no memory can be pinned, plain memory is used, which is slower. */
static int attach(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                  unsigned device, struct chunk *chunk, struct cuda_buffers *buffers,
                  struct error *error)
{
    cudaError_t result = attach_pinned(setup, plan, chunk, buffers);

    if (result == cudaSuccess)
        return 0;
    (void)cudaGetLastError();
    if (result != cudaErrorMemoryAllocation)
        return cuda_failure(error, device, "buffers", result);
    return attach_plain(setup, plan, chunk, buffers, error);
}

/* A spare set of buffers, or a new one with empty blocks. NULL when out of memory. */
static struct cuda_buffers *take(struct cuda_buffers **spares)
{
    struct cuda_buffers *buffers = *spares;

    if (buffers == NULL) {
        buffers = calloc(1, sizeof *buffers);
        if (buffers != NULL)
            buffers->in.pinned = buffers->out.pinned = buffers->parts_memory.pinned = true;
        return buffers;
    }
    *spares = buffers->next;
    *buffers = (struct cuda_buffers){
        .in = buffers->in, .out = buffers->out, .parts_memory = buffers->parts_memory};
    return buffers;
}

int cuda_buffers_attach(struct cuda_buffers **spares, const struct engine_setup *setup,
                        const struct cuda_parts_plan *plan, unsigned device, struct chunk *chunk,
                        struct error *error)
{
    struct cuda_buffers *buffers = take(spares);

    if (buffers == NULL)
        return error_system(error, ERROR_RESOURCE, "buffers", ENOMEM);
    if (attach(setup, plan, device, chunk, buffers, error) != 0) {
        free(buffers->plain_parts);
        free(buffers);
        return -1;
    }
    cuda_parts_lay(plan, &buffers->parts,
                   buffers->pinned ? buffers->parts_memory.memory : buffers->plain_parts);
    chunk->engine_data = buffers;
    return 0;
}

void cuda_buffers_detach(struct cuda_buffers **spares, const struct engine_setup *setup,
                         struct chunk *chunk)
{
    struct cuda_buffers *buffers = cuda_buffers_of(chunk);

    if (!buffers->pinned)
        engine_detach_plain(setup, chunk);
    else if (buffers->landing != NULL)
        pages_free(chunk->out, (size_t)out_bytes(setup));
    free(buffers->plain_parts);
    chunk->in = NULL;
    chunk->out = NULL;
    chunk->engine_data = NULL;
    buffers->next = *spares;
    *spares = buffers;
}

void cuda_buffers_free(struct cuda_buffers **spares)
{
    while (*spares != NULL) {
        struct cuda_buffers *buffers = *spares;

        *spares = buffers->next;
        free_pinned(buffers);
        free(buffers);
    }
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

void cuda_buffers_land(const struct cuda_buffers *buffers, const struct chunk *chunk,
                       size_t frame_bytes, struct crew *crew)
{
    struct landing landing = {
        .to = (unsigned char *)chunk->out,
        .from = buffers->landing,
        .bytes = chunk->out_frames * frame_bytes,
    };

    if (buffers->landing != NULL)
        crew_run(crew, (unsigned)((landing.bytes + PAGES_HUGE - 1) / PAGES_HUGE), land_part,
                 &landing);
}
