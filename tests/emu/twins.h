/* SPDX-License-Identifier: MIT */
/* Arrays on a device beside the same arrays in memory, and calls of the library on both. */
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

/* Copies what is in memory now. */
static void refresh_twin(const struct twin *twin, const struct owned *owned)
{
    unsigned char *to =
        (unsigned char *)twin->array.data - ((unsigned char *)owned->array.data - owned->memory);

    must(cudaMemcpy(to, owned->memory, owned->bytes, cudaMemcpyHostToDevice), "copy");
    must(cudaDeviceSynchronize(), "copy"); /* streams that do not block do not wait for it */
}

/* A call of the library, on arrays of a device. */
struct call {
    /* Without any workspace, it says how large one has to be. */
    void (*run)(struct call *call, void *work, size_t *bytes, cudaStream_t stream);
    void (*refill)(struct call *call); /* gives it other samples */
    void (*check)(struct call *call, const char *when);
    void *work; /* of the caller, with this many bytes; NULL: of the context */
    size_t bytes;
};

static void open_work(struct call *call)
{
    call->run(call, NULL, &call->bytes, NULL);
    if (call->bytes > 0) {
        must(cudaMalloc(&call->work, call->bytes), "cudaMalloc");
        must(cudaMemset(call->work, 0x5a, call->bytes), "cudaMemset");
    }
    must(cudaDeviceSynchronize(), "copy"); /* streams that do not block do not wait for it */
}

static void run_in(struct call *call, cudaStream_t stream, const char *when)
{
    size_t bytes = call->bytes;

    call->run(call, call->work, &bytes, stream);
    must(cudaStreamSynchronize(stream), "kernels");
    call->check(call, when);
}

/* The call in a graph, which is replayed twice with other samples. */
static void replay(struct call *call, cudaStream_t stream)
{
    size_t bytes = call->bytes;
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    call->run(call, call->work, &bytes, stream);
    must(cudaStreamEndCapture(stream, &graph), "capture");
    must(cudaGraphInstantiate(&exec, graph, 0), "graph");
    for (int i = 0; i < 2; i++) {
        call->refill(call);
        must(cudaGraphLaunch(exec, stream), "replay");
        must(cudaStreamSynchronize(stream), "replay");
        call->check(call, "replayed");
    }
    must(cudaGraphExecDestroy(exec), "graph");
    must(cudaGraphDestroy(graph), "graph");
}

/* The call twice in the same workspace, whose contents are garbage before; in that of the context;
 * and captured. */
static void try_call(struct call *call, bool captured)
{
    cudaStream_t stream;

    open_work(call);
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    run_in(call, stream, "called");
    run_in(call, stream, "called again");
    call->refill(call);
    call->run(call, NULL, NULL, stream);
    must(cudaStreamSynchronize(stream), "kernels");
    call->check(call, "in the context's workspace");
    if (captured && call->bytes > 0)
        replay(call, stream);
    must(cudaStreamDestroy(stream), "stream");
}

#endif
