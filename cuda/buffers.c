/* Pinned memory is what a device copies from and to by itself. A pipe wants the opposite: pages
 * that are given away (bytes/give.c) must be the process's own, for fresh ones take their places,
 * and to write pinned memory into a pipe costs more than to copy it to plain memory first. */
#include "cuda/buffers.h"

#include <errno.h>
#include <stdlib.h>

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

static cudaError_t pin(void **memory, uint64_t bytes)
{
    return bytes == 0 ? cudaSuccess : cudaHostAlloc(memory, (size_t)bytes, cudaHostAllocDefault);
}

static void free_pinned(const struct engine_setup *setup, struct chunk *chunk,
                        struct cuda_buffers *buffers)
{
    (void)cudaFreeHost(chunk->in);
    if (buffers->out_pinned)
        (void)cudaFreeHost(chunk->out);
    else
        pages_free(chunk->out, (size_t)out_bytes(setup));
    (void)cudaFreeHost(buffers->parts_memory);
    chunk->in = NULL;
    chunk->out = NULL;
    buffers->parts_memory = NULL;
}

static cudaError_t attach_pinned(const struct engine_setup *setup,
                                 const struct cuda_parts_plan *plan, struct chunk *chunk,
                                 struct cuda_buffers *buffers)
{
    void *in = NULL;
    void *out = NULL;
    cudaError_t result = pin(&in, in_bytes(setup));

    buffers->pinned = true;
    buffers->out_pinned = !setup->gives_pages;
    if (result == cudaSuccess && buffers->out_pinned) {
        result = pin(&out, out_bytes(setup));
    } else if (result == cudaSuccess) {
        out = pages_alloc((size_t)out_bytes(setup));
        if (out == NULL)
            result = cudaErrorMemoryAllocation;
    }
    if (result == cudaSuccess)
        result = pin(&buffers->parts_memory, cuda_parts_host_bytes(plan));
    chunk->in = in;
    chunk->out = out;
    chunk->out_is_ours = !buffers->out_pinned; /* the device goes on using pinned pages */
    if (result != cudaSuccess)
        free_pinned(setup, chunk, buffers);
    return result;
}

static int attach_plain(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        struct chunk *chunk, struct cuda_buffers *buffers, struct error *error)
{
    size_t bytes = (size_t)cuda_parts_host_bytes(plan);

    buffers->pinned = false;
    buffers->out_pinned = false;
    if (bytes > 0) {
        buffers->parts_memory = malloc(bytes);
        if (buffers->parts_memory == NULL)
            return error_system(error, "buffers", ENOMEM);
    }
    return engine_attach_plain(setup, chunk, error);
}

/* No memory to pin is no failure: plain memory does, slower. */
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

int cuda_buffers_attach(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        unsigned device, struct chunk *chunk, struct error *error)
{
    struct cuda_buffers *buffers = calloc(1, sizeof *buffers);

    if (buffers == NULL)
        return error_system(error, "buffers", ENOMEM);
    if (attach(setup, plan, device, chunk, buffers, error) != 0) {
        free(buffers->parts_memory);
        free(buffers);
        return -1;
    }
    cuda_parts_lay(plan, &buffers->parts, buffers->parts_memory);
    chunk->engine_data = buffers;
    return 0;
}

void cuda_buffers_detach(const struct engine_setup *setup, struct chunk *chunk)
{
    struct cuda_buffers *buffers = cuda_buffers_of(chunk);

    if (buffers->pinned) {
        free_pinned(setup, chunk, buffers);
    } else {
        free(buffers->parts_memory);
        engine_detach_plain(setup, chunk);
    }
    chunk->engine_data = NULL;
    free(buffers);
}
