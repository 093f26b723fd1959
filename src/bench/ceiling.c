/* SPDX-License-Identifier: MIT */
/* Uses all CPUs at once, with the widest loads and stores, in parts as long as those of the cpu
 * engine. */
#include "bench/flavour.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/cpus.h"
#include "base/min_max.h"
#include "base/past_cache.h"
#include "base/threads.h"
#include "bench/widest.h"

enum {
    PART = 1 << 15,             /* samples */
    PAST_CACHE_BYTES = 1 << 24, /* results of this size are written past the caches, as the library
                                 * writes its own */
    BLOCK = 2048,               /* floats */
};

struct ceiling {
    const struct bench_task *task;
    size_t windows; /* samples that are copied; those after them are only read */
    bool past_cache;
    struct threads *threads;
    const struct widest *widest;
};

/* Results of reads are stored here, so that compilers cannot drop the reads. Any thread may
 * write. */
static _Atomic uint32_t nowhere;

static void copy(const struct ceiling *ceiling, const float *in, size_t count, float *out)
{
    float pairs[2 * BLOCK];

    if (!ceiling->past_cache) {
        ceiling->widest->copy(in, count, out);
        return;
    }
    for (size_t done = 0; done < count; done += BLOCK) {
        const size_t some = min_u64(count - done, BLOCK);

        ceiling->widest->copy(in + done, some, pairs);
        copy_past_cache(out + 2 * done, pairs, 2 * some * sizeof *pairs);
    }
    copy_past_cache_done();
}

static void run_part(void *context, unsigned index)
{
    const struct ceiling *ceiling = context;
    const struct bench_task *task = ceiling->task;
    const size_t words = value_bytes(task->kind) / sizeof(float); /* words of a sample */
    const size_t begin = (size_t)index * PART;
    const size_t end = min_u64(begin + PART, task->count);
    const size_t copied = min_u64(max_u64(ceiling->windows, begin), end);
    const float *in = task->samples;

    if (copied > begin)
        copy(ceiling, in + begin * words, (copied - begin) * words,
             (float *)task->windows + 2 * begin * words);
    if (end > copied)
        atomic_store_explicit(&nowhere,
                              ceiling->widest->read(in + copied * words, (end - copied) * words),
                              memory_order_relaxed);
}

static int open_ceiling(const struct bench_flavour *flavour, const struct bench_task *task,
                        void **state, struct error *error)
{
    unsigned threads = task->threads > 0 ? task->threads : cpus_available();
    struct ceiling *ceiling = calloc(1, sizeof *ceiling);

    if (ceiling != NULL)
        ceiling->threads = threads_open(threads);
    if (ceiling == NULL || ceiling->threads == NULL) {
        free(ceiling);
        return error_system(error, ERROR_RESOURCE, "the ceiling", ENOMEM);
    }
    ceiling->task = task;
    ceiling->windows = flavour->problem == BENCH_WINDOW ? bench_windows(task) : 0;
    ceiling->past_cache = ceiling->windows >= PAST_CACHE_BYTES / 2 / value_bytes(task->kind);
    ceiling->widest = widest();
    *state = ceiling;
    return 0;
}

static int run(void *state, struct bench_answer *answer, struct error *error)
{
    struct ceiling *ceiling = state;

    (void)answer;
    (void)error;
    threads_run(ceiling->threads, (unsigned)((ceiling->task->count + PART - 1) / PART),
                threads_size(ceiling->threads), run_part, ceiling);
    return 0;
}

static void close_ceiling(void *state)
{
    struct ceiling *ceiling = state;

    threads_close(ceiling->threads);
    free(ceiling);
}

#define CEILING(description)                                                                       \
    .words = "the ceiling: each sample " description ", by all processors", .takes_f64 = true,     \
    .open = open_ceiling, .run = run, .close = close_ceiling

static const struct bench_flavour copy_all = {
    .name = "copy", .problem = BENCH_WINDOW, CEILING("read and written twice")};
static const struct bench_flavour read_all = {
    .name = "read", .problem = BENCH_MAX, CEILING("read")};

const struct bench_flavour *ceiling_of(enum bench_problem problem)
{
    return problem == BENCH_WINDOW ? &copy_all : &read_all;
}
