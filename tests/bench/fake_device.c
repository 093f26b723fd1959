/* SPDX-License-Identifier: MIT */
/* A device that there is not, and flavours that pretend to run on it: linked in place of the real
 * ones, they show how gpuenv-bench tells of a device. With FAKE_DEVICE=none there is none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/flavour.h"
#include "cuda/engine_cuda.h"

int engine_cuda_find(unsigned device, struct error *error)
{
    const char *fake = getenv("FAKE_DEVICE");

    (void)device;
    if (fake != NULL && strcmp(fake, "none") == 0)
        return error_set(error, ERROR_DEVICE, "cuda", "no CUDA device on this machine");
    return 0;
}

static int open_task(const struct bench_flavour *flavour, const struct bench_task *task,
                     void **state, struct error *error)
{
    (void)flavour;
    (void)error;
    *state = (void *)(uintptr_t)task;
    return 0;
}

static void close_task(void *state)
{
    (void)state;
}

static const char *cannot(const struct bench_flavour *flavour, const struct bench_task *task)
{
    (void)flavour;
    return task->threads > 64 ? "it takes 64 threads at the most" : NULL;
}

static int run_right(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const float *samples = task->samples;

    (void)error;
    answer->magnitude = 0;
    for (size_t i = task->count; i-- > 0;) {
        if ((double)fabsf(samples[i]) >= answer->magnitude) {
            answer->magnitude = (double)fabsf(samples[i]);
            answer->index = i;
        }
    }
    answer->seconds[BENCH_COPY_IN] = 0.25;
    answer->seconds[BENCH_KERNEL] = 0.5;
    answer->seconds[BENCH_COPY_OUT] = 0.125;
    return 0;
}

static int run_wrong(void *state, struct bench_answer *answer, struct error *error)
{
    run_right(state, answer, error);
    answer->index++;
    return 0;
}

static const struct bench_flavour fakes[] = {
    {
        .name = "right",
        .words = "pretends to be on a device",
        .problem = BENCH_MAX,
        .on_gpu = true,
        .cannot = cannot,
        .open = open_task,
        .run = run_right,
        .close = close_task,
    },
    {
        .name = "wrong",
        .words = "says the index after the right one",
        .problem = BENCH_MAX,
        .on_gpu = true,
        .open = open_task,
        .run = run_wrong,
        .close = close_task,
    },
    {.name = NULL},
};

const struct bench_flavour *const bench_cuda_families[] = {fakes, NULL};
