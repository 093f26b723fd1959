/* Arrays on a device beside the same arrays in memory, for calls of the library on both. */
#ifndef GPUENV_TESTS_EMU_TWINS_H
#define GPUENV_TESTS_EMU_TWINS_H

#include "amount.h"
#include "arrays.h"
#include "calls.h"

#include "emu.h"

static gpuenv_context *context;

/* The same array on the device, with the contents of memory. */
struct twin {
    unsigned char *memory;
    gpuenv_array array;
};

static void open_twin(struct twin *twin, const struct owned *owned, size_t skew)
{
    must(cudaMalloc((void **)&twin->memory, owned->bytes + skew + 1), "cudaMalloc");
    twin->array = owned->array;
    twin->array.data = twin->memory + skew + ((unsigned char *)owned->array.data - owned->memory);
    must(cudaMemcpy(twin->memory + skew, owned->memory, owned->bytes, cudaMemcpyHostToDevice),
         "copy");
}

static int random_type(void)
{
    int type;

    do
        type =
            random_below(2) == 0 ? GPUENV_F32 + (int)random_below(2) : types[random_below(TYPES)];
    while (type == GPUENV_S64 || type == GPUENV_U64);
    return type;
}

/* Copies what is in memory now. */
static void refresh_twin(const struct twin *twin, const struct owned *owned)
{
    unsigned char *to =
        (unsigned char *)twin->array.data - ((unsigned char *)owned->array.data - owned->memory);

    must(cudaMemcpy(to, owned->memory, owned->bytes, cudaMemcpyHostToDevice), "copy");
    must(cudaDeviceSynchronize(), "copy"); /* streams that do not block do not wait for it */
}

/* What `enqueue` puts into a stream, captured into a graph, which is replayed twice. `before` and
 * `after` each replay. */
static void replay(void *test, cudaStream_t stream,
                   void (*enqueue)(void *test, cudaStream_t stream), void (*before)(void *test),
                   void (*after)(void *test, const char *when))
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    enqueue(test, stream);
    must(cudaStreamEndCapture(stream, &graph), "capture");
    must(cudaGraphInstantiate(&exec, graph, 0), "graph");
    for (int i = 0; i < 2; i++) {
        before(test);
        must(cudaGraphLaunch(exec, stream), "replay");
        must(cudaStreamSynchronize(stream), "replay");
        after(test, "replayed");
    }
    must(cudaGraphExecDestroy(exec), "graph");
    must(cudaGraphDestroy(graph), "graph");
}

#endif
