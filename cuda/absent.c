/* SPDX-License-Identifier: MIT */
/* Replaces the CUDA engine in a build without it. */
#include "cuda/cuda_arrays.h"
#include "cuda/engine_cuda.h"

/* NOLINTBEGIN(misc-unused-parameters) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

int engine_cuda_find(unsigned device, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "cuda", "this gpuenv was built without CUDA");
}

unsigned engine_cuda_files(void)
{
    return 0;
}

bool engine_cuda_has_parts(void)
{
    return false;
}

int engine_cuda_count(unsigned *devices, struct error *error)
{
    *devices = 0;
    return engine_cuda_find(0, error);
}

int engine_cuda_version(void)
{
    return 0;
}

static int absent_open(const struct machine *machine, const struct engine_setup *setup,
                       uint64_t start, struct engine **engine, struct error *error)
{
    return engine_cuda_find(machine->device, error);
}

int cuda_arrays_run(const struct cuda_call *call, void *work, size_t *bytes, struct error *error)
{
    return engine_cuda_find(call->device, error);
}

int cuda_room_grow(struct cuda_room *room, size_t bytes, unsigned device, struct error *error)
{
    return engine_cuda_find(device, error);
}

void cuda_room_free(struct cuda_room *room, unsigned device)
{
}

int cuda_arrays_device(const void *memory, unsigned *device, struct error *error)
{
    *device = 0;
    return engine_cuda_find(0, error);
}

int cuda_arrays_wait(unsigned device, void *stream, void *before, bool joins, struct error *error)
{
    return engine_cuda_find(device, error);
}

/* NOLINTEND(misc-unused-parameters) */

/* Callers may only call open(). */
const struct engine_class engine_cuda = {
    .name = "cuda", .chunk_bytes = ENGINE_CHUNK_BYTES, .in_flight = 1, .open = absent_open};
