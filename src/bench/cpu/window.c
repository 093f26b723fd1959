/* The running minimum and maximum on the CPU: Lemire's sequential filter, the usual baseline of
 * published comparisons; the algorithm of van Herk, Gil and Werman; and libgpuenv. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "bench/flavour.h"
#include "bench/reference.h"
#include "cpu/kernels.h"
#include "lib/gpuenv.h"

/* ---- Lemire (2006), window/lemire, over whole arrays. Careful C, with integer keys for the order
 * of samples; `gpuenv --algorithm lemire` runs the same code. A filter serves one stream, so
 * allocating it is part of each run. ---- */

static int lemire_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;

    (void)answer;
    return reference_windows(task, task->windows,
                             bench_place(task->kind, task->windows, bench_windows(task)), error);
}

/* ---- van Herk (1992), Gil and Werman (1993), one sample at a time. The samples are divided into
 * blocks of one window's width; every window is then a suffix of one block and a prefix of the
 * next. ---- */

struct vanherk {
    const struct bench_task *task;
    void *low;  /* from each sample of a block to the block's end */
    void *high; /* in the same memory */
};

#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define vanherk_value float
#define VANHERK(name) name##_f32
#include "bench/cpu/vanherk_tmpl.h"
#define vanherk_value double
#define VANHERK(name) name##_f64
#include "bench/cpu/vanherk_tmpl.h"

static size_t vanherk_bytes(const struct bench_task *task)
{
    return 2 * (size_t)task->width * value_bytes(task->kind);
}

static void vanherk_close(void *state)
{
    struct vanherk *filter = state;

    pages_free(filter->low, vanherk_bytes(filter->task));
    free(filter);
}

static int vanherk_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    struct vanherk *filter = calloc(1, sizeof *filter);

    if (filter != NULL)
        filter->low = pages_alloc(vanherk_bytes(task));
    if (filter == NULL || filter->low == NULL) {
        free(filter);
        return error_system(error, ERROR_RESOURCE, flavour->name, ENOMEM);
    }
    filter->task = task;
    filter->high = bench_place(task->kind, filter->low, (size_t)task->width);
    *state = filter;
    return 0;
}

static int vanherk_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct vanherk *filter = state;

    (void)answer;
    (void)error;
    (filter->task->kind == VALUE_F32 ? run_f32 : run_f64)(filter);
    return 0;
}

/* ---- Our library's call for arrays. `cpu` has its defaults: the best instruction set, and several
 * threads if one is not enough. Flavours named after an instruction set use that one, in one
 * thread. ---- */

struct our_library {
    const struct bench_task *task;
    gpuenv_context *context;
};

static void library_close(void *state)
{
    struct our_library *library = state;

    gpuenv_close(library->context);
    free(library);
}

static gpuenv_array array_of(const struct bench_task *task, void *data, size_t frames)
{
    const bool f32 = task->kind == VALUE_F32;

    return (gpuenv_array){
        .size = sizeof(gpuenv_array),
        .data = data,
        .type = f32 ? GPUENV_F32 : GPUENV_F64,
        .rows = 1,
        .frames = frames,
        .channels = 1,
        .frame = f32 ? sizeof(float) : sizeof(double),
    };
}

static int library_open(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    const char *isa = flavour->method;
    const gpuenv_options options = {
        .size = sizeof options,
        .threads = task->threads > 0 ? task->threads : isa != NULL, /* 0: as many as pay off */
        .isa = isa,
    };
    struct our_library *library = calloc(1, sizeof *library);
    gpuenv_error why;

    if (library == NULL)
        return error_system(error, ERROR_RESOURCE, "the library", errno);
    library->task = task;
    if (gpuenv_open(&options, &library->context, &why) == GPUENV_OK) {
        *state = library;
        return 0;
    }
    free(library);
    return error_set(error, ERROR_RESOURCE, "the library", "%s", why.text);
}

static int library_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct our_library *library = state;
    const struct bench_task *task = library->task;
    const size_t windows = bench_windows(task);
    const gpuenv_spec spec = {.size = sizeof spec, .width = task->width};
    const gpuenv_array in = array_of(task, bench_place(task->kind, task->samples, 0), task->count);
    const gpuenv_array out[] = {
        array_of(task, task->windows, windows),
        array_of(task, bench_place(task->kind, task->windows, windows), windows),
    };
    gpuenv_error why;

    (void)answer;
    if (gpuenv_filter(library->context, &spec, &in, out, &why) == GPUENV_OK)
        return 0;
    return error_set(error, ERROR_RESOURCE, "the library", "%s: %s", why.subject, why.text);
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

#define WINDOW(label, description, ...)                                                            \
    {                                                                                              \
        .name = (label), .words = (description), .problem = BENCH_WINDOW, .takes_f64 = true,       \
        __VA_ARGS__                                                                                \
    }
/* `isa` NULL: the best. */
#define LIBRARY(label, description, isa)                                                           \
    WINDOW(label, description, .exact = true, .method = (isa), .cannot = library_cannot,           \
           .open = library_open, .run = library_run, .close = library_close)

const struct bench_flavour bench_cpu_window[] = {
    WINDOW("lemire", "Lemire's sequential filter (2006), the reference", .exact = true,
           .run = lemire_run),
    WINDOW("vanherk", "van Herk, Gil and Werman: two passes over blocks of a width, scalar",
           .open = vanherk_open, .run = vanherk_run, .close = vanherk_close),
    LIBRARY("cpu-scalar", "our library, plain C, one thread", "scalar"),
#if defined(__x86_64__)
    LIBRARY("cpu-sse4", "our library, SSE4.1, one thread", "sse4"),
    LIBRARY("cpu-avx2", "our library, AVX2, one thread", "avx2"),
    LIBRARY("cpu-avx512", "our library, AVX-512, one thread", "avx512"),
#elif defined(__aarch64__)
    LIBRARY("cpu-neon", "our library, NEON, one thread", "neon"),
#endif
    LIBRARY("cpu", "our library, with as many threads as pay", NULL),
    {.name = NULL},
};

const struct bench_flavour *const bench_cpu_families[] = {bench_cpu_window, bench_cpu_reduce, NULL};
