/* SPDX-License-Identifier: MIT */
/* All statistics of samples in memory, one thread, against a read of the same memory in the same
 * run. Usage: perf_compute_stats [ISA]. Exits with 1 if a bar is missed by more than the noise. */
#include <stdio.h>

#include "bars.h"
#include "base/clock.h"
#include "base/pages.h"
#include "bench/widest.h"
#include "cpu/channel.h"

enum {
    CACHED = 1 << 16, /* samples that fit in the L2 cache */
    LARGE = 1 << 26,  /* in memory */
};

struct work {
    const struct cpu_kernels *kernels;
    const float *samples;
    size_t count;
};

static volatile double nowhere;

static double read_rate(const void *timed)
{
    const struct work *work = timed;
    read_function *read = widest()->read;
    double from = clock_seconds();

    for (size_t done = 0; done < LARGE; done += work->count)
        nowhere = read(work->samples, work->count);
    return (double)LARGE / (clock_seconds() - from);
}

static double stats_rate(const void *timed)
{
    static struct channel_stats channel;
    const struct work *work = timed;
    const struct channel_samples of = {
        .kernels = work->kernels,
        .sums = work->kernels,
        .numbers = VALUE_F32,
        .scale = full_scale_of((struct sample_type){.kind = SAMPLE_F32}, VALUE_F32),
    };
    double from = clock_seconds();

    for (size_t done = 0; done < LARGE; done += work->count) {
        channel_init(&channel, CHANNEL_SUMS);
        channel_add(&channel, &of, work->samples, work->count);
        nowhere = tree_total(&channel.tree).sum;
    }
    return (double)LARGE / (clock_seconds() - from);
}

static void measure(const struct cpu_kernels *kernels, const char *kind, float *samples,
                    size_t count, double bar)
{
    const struct work work = {.kernels = kernels, .samples = samples, .count = count};
    char name[64];

    bars_fill(samples, count, kind);
    snprintf(name, sizeof name, "%s, %s, over a read", kind, count == LARGE ? "memory" : "cache");
    bars_compare(name, stats_rate, &work, read_rate, &work, bar, 1.0, 1);
}

int main(int argc, char **argv)
{
    const struct cpu_kernels *kernels = cpu_kernels_pick(argc > 1 ? argv[1] : NULL, VALUE_F32);
    float *samples = pages_alloc(LARGE * sizeof *samples);
    double bar = argc > 1 ? 0 : 0.8; /* with the best instruction set */

    if (kernels == NULL || samples == NULL) {
        fprintf(stderr, "perf_compute_stats: no such instruction set here, or no memory\n");
        return 1;
    }
    printf("%s kernels; 10^9 samples a second, ratio, its spread, bar, reach\n", kernels->name);
    measure(kernels, "random", samples, LARGE, bar);
    measure(kernels, "sorted", samples, LARGE, 0);
    measure(kernels, "falling", samples, LARGE, 0);
    measure(kernels, "constant", samples, LARGE, bar);
    measure(kernels, "subnormal", samples, LARGE, bar);
    measure(kernels, "nan", samples, LARGE, 0);
    measure(kernels, "random", samples, CACHED, 0);
    pages_free(samples, LARGE * sizeof *samples);
    return bars_end();
}
