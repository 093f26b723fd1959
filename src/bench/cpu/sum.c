/* SPDX-License-Identifier: MIT */
/* Three textbook sums on the CPU. */
#include "bench/flavour.h"

static int add_float(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const float *samples = task->samples;
    float sum = 0;

    for (size_t i = 0; i < task->count; i++)
        sum += samples[i];
    (void)error;
    answer->sum = (double)sum;
    return 0;
}

static int add_double(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    double sum = 0;

    for (size_t i = 0; i < task->count; i++)
        sum += bench_value(task->kind, task->samples, i);
    (void)error;
    answer->sum = sum;
    return 0;
}

/* Adds neighbours, then neighbours among these sums, and so on, down to one. It works like a binary
 * counter: an occupied level holds the left neighbour of the next sum; a sum without a right
 * neighbour moves up unchanged. */
static int add_pairwise(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const float *samples = task->samples;
    float level[64] = {0};
    float total = 0;

    for (size_t i = 0; i < task->count; i++) {
        float sum = samples[i];
        unsigned at = 0;

        for (size_t taken = i; (taken & 1) != 0; taken >>= 1)
            sum = level[at++] + sum;
        level[at] = sum;
    }
    for (unsigned at = 0; at < 64; at++) {
        if ((task->count >> at & 1) != 0)
            total = level[at] + total;
    }
    (void)error;
    answer->sum = (double)total;
    return 0;
}

#define SUM(label, description, how, wide)                                                         \
    {                                                                                              \
        .name = (label), .words = (description), .problem = BENCH_SUM, .run = (how),               \
        .exact = (wide), .takes_f64 = (wide)                                                       \
    }

const struct bench_flavour bench_cpu_sum[] = {
    SUM("float", "one after the other, in float", add_float, false),
    SUM("double", "one after the other, in double", add_double, true),
    SUM("pairwise", "by pairs, in float", add_pairwise, false),
    {.name = NULL},
};
