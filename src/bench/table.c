/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "bench/account.h"

/* Milliseconds, or a dash if there is no time. */
static void put_time(struct memory_text *text, int columns, double seconds)
{
    if (seconds > 0)
        memory_text_print(text, "%*.3f", columns, seconds * 1e3);
    else
        memory_text_print(text, "%*s", columns, "-");
}

/* A number of threads or blocks. */
static void put_number(struct memory_text *text, unsigned number)
{
    if (number > 0)
        memory_text_print(text, "%8u", number);
    else
        memory_text_print(text, "%8s", "-");
}

void table_head(const struct bench_options *options, struct memory_text *text)
{
    static const char *const words[BENCH_PROBLEMS] = {
        [BENCH_WINDOW] = "running minimum and maximum",
        [BENCH_MAX] = "largest magnitude and its index",
        [BENCH_SUM] = "sum",
    };

    memory_text_print(text, "%s, %s float%s; median of %u run%s; milliseconds",
                      words[options->problem], data_words[options->data],
                      bench_type_words[options->kind] + 1, options->iterations,
                      options->iterations == 1 ? "" : "s");
    if (!options->sweep)
        memory_text_print(text, "; of %s: median of pairs", ceiling_of(options->problem)->name);
    memory_text_put(text, "\n");
}

void table_case(const struct bench_options *options, const struct bench_task *task,
                struct memory_text *text)
{
    double megabytes = runner_bytes(options->problem, task) * 1e-6;

    memory_text_print(text, "\n%zu samples", task->count);
    if (options->problem == BENCH_WINDOW)
        memory_text_print(text, ", window %llu", (unsigned long long)task->width);
    memory_text_print(text, ": %.6g MB in%s\n", megabytes,
                      options->problem == BENCH_WINDOW ? " and out" : "");
    if (options->sweep)
        memory_text_print(text, "%-18s%8s%8s%10s%10s%10s%10s%10s%10s\n", "flavour", "threads",
                          "blocks", "copy-in", "kernel", "copy-out", "total", "CPU", "speed-up");
    else
        memory_text_print(text, "%-18s%9s%10s%10s%10s%10s  %-19s%7s  of %s\n", "flavour", "set-up",
                          "copy-in", "kernel", "copy-out", "total", "  from - to", "GB/s",
                          ceiling_of(options->problem)->name);
}

void table_row(const struct bench_options *options, const struct result *result,
               struct memory_text *text)
{
    char range[48];

    memory_text_print(text, "%-18s", result->flavour->name);
    if (options->sweep) {
        put_number(text, result->task.threads);
        put_number(text, result->task.blocks);
    }
    if (result->outcome != OUTCOME_TIMED) {
        memory_text_print(text, "%s%s: %s\n", options->sweep ? "  " : "",
                          outcome_words[result->outcome], result->why);
        return;
    }
    if (!options->sweep)
        put_time(text, 9, result->setup);
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        put_time(text, 10, result->phase[i]);
    memory_text_print(text, "%10.3f", result->total.median * 1e3);
    if (options->sweep) {
        memory_text_print(text, "%10.3f%10.3f\n", result->reference * 1e3,
                          result->reference / result->total.median);
        return;
    }
    snprintf(range, sizeof range, "%9.3f - %.3f", result->total.least * 1e3,
             result->total.most * 1e3);
    memory_text_print(text, "  %-19s%7.2f%9.3f\n", range,
                      result->bytes / result->total.median * 1e-9, result->of_ceiling);
}
