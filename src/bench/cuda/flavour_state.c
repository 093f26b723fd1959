/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/cuda/flavour_state.h"
#include "cuda/engine_cuda.h"

static const uint64_t GRID_MOST = INT32_MAX; /* blocks, on every device */

int flavour_fail(const struct bench_task *task, cudaError_t result, const char *what,
                 struct error *error)
{
    (void)cudaGetLastError(); /* so that a later call does not report it again */
    return cuda_failure(error, task->device, what, result);
}

size_t flavour_window_bytes(const struct bench_task *task)
{
    return 2 * bench_windows(task) * value_bytes(task->kind);
}

static size_t samples_bytes(const struct bench_task *task)
{
    return task->count * value_bytes(task->kind);
}

/* ---- open and close */

/* Page-locks the memory, and finds its address on the device. */
static cudaError_t register_host(void *memory, size_t bytes, void **on_device, bool *registered)
{
    cudaError_t result = cudaHostRegister(memory, bytes, cudaHostRegisterMapped);

    *registered = result == cudaSuccess;
    return THEN(result, cudaHostGetDevicePointer(on_device, memory, 0));
}

static cudaError_t open_page_locked(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    void *samples = (void *)task->samples; /* only read */
    cudaError_t result =
        register_host(samples, samples_bytes(task), (void **)&state->in, &state->in_registered);

    return THEN(result, register_host(state->results, state->needs.results, &state->out,
                                      &state->out_registered));
}

static cudaError_t take(void **memory, size_t bytes)
{
    return bytes > 0 ? cudaMalloc(memory, bytes) : cudaSuccess;
}

static cudaError_t open_copied(struct flavour_state *state)
{
    const struct flavour_needs *needs = &state->needs;
    cudaError_t result =
        take((void **)&state->in, needs->in > 0 ? needs->in : samples_bytes(state->task));

    return THEN(result, take(&state->out, needs->results));
}

static cudaError_t open_device(struct flavour_state *state)
{
    const struct flavour_needs *needs = &state->needs;
    int device = (int)state->task->device;
    int cache = 0;
    cudaError_t result = cudaSetDevice(device);

    THEN(result, cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
    THEN(result, cudaEventCreate(&state->from));
    THEN(result, cudaEventCreate(&state->to));
    THEN(result, needs->road == FLAVOUR_COPIED ? open_copied(state) : open_page_locked(state));
    THEN(result, take(&state->spare, needs->spare));
    state->scratch_bytes = cache > 0 ? 2 * (size_t)cache : 0;
    return THEN(result, take(&state->scratch, state->scratch_bytes));
}

int flavour_open(const struct bench_flavour *flavour, const struct bench_task *task,
                 const struct flavour_needs *needs, void **state_out, struct error *error)
{
    struct flavour_state *state;
    cudaError_t result;

    if (engine_cuda_find(task->device, error) != 0)
        return -1;
    state = calloc(1, sizeof *state + needs->own);
    if (state == NULL)
        return error_system(error, ERROR_RESOURCE, "a flavour", ENOMEM);
    state->flavour = flavour;
    state->task = task;
    state->needs = *needs;
    state->own = state + 1;
    state->windows = flavour->problem == BENCH_WINDOW ? bench_windows(task) : 0;
    state->results = state->windows > 0 ? task->windows : malloc(needs->results);
    result = state->results == NULL ? cudaErrorMemoryAllocation : open_device(state);
    if (result != cudaSuccess) {
        flavour_close(state);
        return flavour_fail(task, result, "set-up", error);
    }
    *state_out = state;
    return 0;
}

/* Frees in reverse order of creation. On a failed device, memory that cannot be freed is left until
 * the process ends. */
void flavour_close(void *closed)
{
    struct flavour_state *state = closed;

    (void)cudaSetDevice((int)state->task->device);
    (void)cudaFree(state->scratch);
    (void)cudaFree(state->spare);
    if (state->needs.road == FLAVOUR_COPIED) {
        (void)cudaFree(state->out);
        (void)cudaFree(state->in);
    }
    if (state->out_registered)
        (void)cudaHostUnregister(state->results);
    if (state->in_registered)
        (void)cudaHostUnregister((void *)state->task->samples);
    if (state->to != NULL)
        (void)cudaEventDestroy(state->to);
    if (state->from != NULL)
        (void)cudaEventDestroy(state->from);
    (void)cudaGetLastError();
    if (state->flavour->problem != BENCH_WINDOW)
        free(state->results);
    free(state);
}

/* ---- phases */

cudaError_t flavour_flush(const struct flavour_state *state)
{
    if (state->scratch_bytes == 0)
        return cudaSuccess;
    return cudaMemsetAsync(state->scratch, 0x5a, state->scratch_bytes, NULL);
}

cudaError_t flavour_phase(struct flavour_state *state, enum bench_phase phase, flavour_work *work,
                          struct bench_answer *answer)
{
    cudaError_t result = phase == BENCH_KERNEL ? flavour_flush(state) : cudaSuccess;
    double *seconds = &answer->seconds[phase];
    float milliseconds = 0;
    const double from = clock_seconds();

    THEN(result, cudaEventRecord(state->from, NULL));
    THEN(result, work(state));
    THEN(result, cudaEventRecord(state->to, NULL));
    THEN(result, cudaEventSynchronize(state->to));
    *seconds = clock_seconds() - from;
    if (result == cudaSuccess && phase == BENCH_KERNEL) {
        result = cudaEventElapsedTime(&milliseconds, state->from, state->to);
        *seconds = (double)milliseconds * 1e-3;
    }
    return result;
}

static cudaError_t copy_in(struct flavour_state *state)
{
    return cudaMemcpyAsync(state->in, state->task->samples, samples_bytes(state->task),
                           cudaMemcpyHostToDevice, NULL);
}

static cudaError_t copy_out(struct flavour_state *state)
{
    return cudaMemcpyAsync(state->results, state->out, state->needs.results, cudaMemcpyDeviceToHost,
                           NULL);
}

int flavour_run(struct flavour_state *state, flavour_work *kernel, struct bench_answer *answer,
                struct error *error)
{
    static const char *const names[BENCH_PHASES] = {"copy in", "kernel", "copy out"};
    flavour_work *const work[BENCH_PHASES] = {copy_in, kernel, copy_out};
    const bool copied = state->needs.road == FLAVOUR_COPIED;
    cudaError_t result = cudaSetDevice((int)state->task->device);
    const char *what = "device";

    for (int i = 0; i < BENCH_PHASES && result == cudaSuccess; i++) {
        if (i == BENCH_KERNEL || copied) {
            what = names[i];
            result = flavour_phase(state, (enum bench_phase)i, work[i], answer);
        }
    }
    return result == cudaSuccess ? 0 : flavour_fail(state->task, result, what, error);
}

/* ---- impossible tasks */

static const char *cannot_threads(const struct bench_task *task)
{
    return task->threads > FLAVOUR_THREADS_MOST ? "a block has 1024 threads at most" : NULL;
}

const char *flavour_cannot_grid(const struct bench_task *task, uint64_t items, unsigned threads)
{
    if (task->blocks != 0)
        return "its blocks follow from the samples";
    if (cannot_threads(task) != NULL)
        return cannot_threads(task);
    return items / threads >= GRID_MOST ? "a grid has 2147483647 blocks at most" : NULL;
}

const char *flavour_cannot_one_block(const struct bench_flavour *flavour,
                                     const struct bench_task *task)
{
    (void)flavour;
    return task->blocks > 1 ? "works in one block" : cannot_threads(task);
}

const char *flavour_cannot_free(const struct bench_flavour *flavour, const struct bench_task *task)
{
    (void)flavour;
    return task->blocks > GRID_MOST ? "a grid has 2147483647 blocks at most" : cannot_threads(task);
}

const char *flavour_cannot_choose(const struct bench_flavour *flavour,
                                  const struct bench_task *task)
{
    (void)flavour;
    return task->threads != 0 || task->blocks != 0 ? "its threads and blocks are its own choice"
                                                   : NULL;
}

const struct bench_flavour *const bench_cuda_families[] = {
    flavours_window, flavours_window_ours, flavours_max, flavours_sum, flavours_library, NULL,
};
