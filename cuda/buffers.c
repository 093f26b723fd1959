#include "cuda/buffers.h"

#include <errno.h>
#include <stdlib.h>

static cudaError_t pin(void **memory, uint64_t bytes)
{
    return bytes == 0 ? cudaSuccess : cudaHostAlloc(memory, (size_t)bytes, cudaHostAllocDefault);
}

static void free_pinned(struct chunk *chunk, struct cuda_buffers *buffers)
{
    (void)cudaFreeHost(chunk->in);
    (void)cudaFreeHost(chunk->out);
    (void)cudaFreeHost(buffers->parts_memory);
    chunk->in = NULL;
    chunk->out = NULL;
    buffers->parts_memory = NULL;
}

static bool attach_pinned(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                          struct chunk *chunk, struct cuda_buffers *buffers)
{
    void *in = NULL;
    void *out = NULL;
    cudaError_t result = pin(&in, (uint64_t)setup->chunk_frames * engine_in_bytes(setup));

    if (result == cudaSuccess)
        result = pin(&out, (uint64_t)engine_out_most(setup) * engine_out_bytes(setup));
    if (result == cudaSuccess)
        result = pin(&buffers->parts_memory, cuda_parts_host_bytes(plan));
    chunk->in = in;
    chunk->out = out;
    chunk->out_is_ours = false; /* the device goes on using these pages */
    buffers->pinned = result == cudaSuccess;
    if (!buffers->pinned) {
        free_pinned(chunk, buffers);
        (void)cudaGetLastError();
    }
    return buffers->pinned;
}

static int attach_plain(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        struct chunk *chunk, struct cuda_buffers *buffers, struct error *error)
{
    size_t bytes = (size_t)cuda_parts_host_bytes(plan);

    if (bytes > 0) {
        buffers->parts_memory = malloc(bytes);
        if (buffers->parts_memory == NULL)
            return error_system(error, "buffers", ENOMEM);
    }
    return engine_attach_plain(setup, chunk, error);
}

int cuda_buffers_attach(const struct engine_setup *setup, const struct cuda_parts_plan *plan,
                        struct chunk *chunk, struct error *error)
{
    struct cuda_buffers *buffers = calloc(1, sizeof *buffers);

    if (buffers == NULL)
        return error_system(error, "buffers", ENOMEM);
    if (!attach_pinned(setup, plan, chunk, buffers) &&
        attach_plain(setup, plan, chunk, buffers, error) != 0) {
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
        free_pinned(chunk, buffers);
    } else {
        free(buffers->parts_memory);
        engine_detach_plain(setup, chunk);
    }
    chunk->engine_data = NULL;
    free(buffers);
}
