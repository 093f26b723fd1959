/* SPDX-License-Identifier: MIT */
/* libgpuenv, as users call it: its functions for arrays. For windows `cpu` has the defaults: the
 * best instruction set, and several threads if one is not enough. Flavours named after an
 * instruction set use it in one thread. Statistics are always computed all at once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/arrays.h"
#include "cpu/kernels.h"

struct our_library {
    const struct bench_flavour *flavour;
    const struct bench_task *task;
    gpuenv_context *context;
};

static void library_close(void *state)
{
    struct our_library *library = state;

    gpuenv_close(library->context);
    free(library);
}

static int library_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    const bool several = flavour->problem == BENCH_WINDOW && flavour->method == NULL;
    const gpuenv_options options = {
        .size = sizeof options,
        .threads = task->threads > 0 || several ? task->threads : 1, /* 0 for as many as pay off */
        .isa = flavour->method,
    };
    struct our_library *library = calloc(1, sizeof *library);
    gpuenv_error why;

    if (library == NULL)
        return error_system(error, ERROR_RESOURCE, "the library", errno);
    library->flavour = flavour;
    library->task = task;
    *state = library;
    if (library_result(gpuenv_open(&options, &library->context, &why), &why, error) == 0)
        return 0;
    free(library);
    return -1;
}

static int library_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct our_library *library = state;
    const struct bench_task *task = library->task;
    const gpuenv_spec spec = {.size = sizeof spec, .width = task->width};
    const gpuenv_array in = array_at(task, task->samples, task->count);
    gpuenv_record record = {.size = sizeof record};
    gpuenv_array out[2];
    gpuenv_error why;
    int code;

    if (library->flavour->problem == BENCH_WINDOW) {
        arrays_for_windows(task, task->windows, out);
        code = gpuenv_filter(library->context, &spec, &in, out, &why);
    } else {
        code = gpuenv_stats(library->context, &in, 0, &record, &why);
        answer_from(answer, &record);
    }
    return library_result(code, &why, error);
}

static const char *library_cannot(const struct bench_flavour *flavour,
                                  const struct bench_task *task)
{
    const char *isa = flavour->method;
    const struct cpu_kernels *kernels = cpu_kernels_pick(isa, task->kind);

    if (isa == NULL || (kernels != NULL && strcmp(kernels->name, isa) == 0))
        return NULL;
    return "this processor does not have it";
}

#define LIBRARY(of, label, description, isa)                                                       \
    {                                                                                              \
        .name = (label), .words = (description), .problem = (of), .takes_f64 = true,               \
        .exact = true, .method = (isa), .cannot = library_cannot, .open = library_open,            \
        .run = library_run, .close = library_close                                                 \
    }
#define WINDOWS(label, isa, name)                                                                  \
    LIBRARY(BENCH_WINDOW, label, "our library, " name ", one thread", isa)
#define STATISTICS(of)                                                                             \
    LIBRARY(of, "cpu", "gpuenv --stats: all statistics at once, one thread", NULL)

const struct bench_flavour bench_cpu_library[] = {
    WINDOWS("cpu-scalar", "scalar", "plain C"),
#if defined(__x86_64__)
    WINDOWS("cpu-sse4", "sse4", "SSE4.1"),
    WINDOWS("cpu-avx2", "avx2", "AVX2"),
    WINDOWS("cpu-avx512", "avx512", "AVX-512"),
#elif defined(__aarch64__)
    WINDOWS("cpu-neon", "neon", "NEON"),
#endif
    LIBRARY(BENCH_WINDOW, "cpu", "our library, with as many threads as pay", NULL),
    STATISTICS(BENCH_MAX),
    STATISTICS(BENCH_SUM),
    {.name = NULL},
};

const struct bench_flavour *const bench_cpu_families[] = {bench_cpu_window, bench_cpu_std,
                                                          bench_cpu_sum, bench_cpu_library, NULL};
