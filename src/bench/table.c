#include <string.h>

#include "bench/account.h"

const char *account_problem_word(enum bench_problem problem)
{
    static const char *const words[BENCH_PROBLEMS] = {
        [BENCH_WINDOW] = "window",
        [BENCH_MAX] = "max",
        [BENCH_SUM] = "sum",
    };

    return words[problem];
}

void table_head(const struct bench_options *options, char *text, size_t size)
{
    static const char *const words[BENCH_PROBLEMS] = {
        [BENCH_WINDOW] = "running minimum and maximum",
        [BENCH_MAX] = "largest magnitude and its index",
        [BENCH_SUM] = "sum",
    };

    snprintf(text, size, "%s, %s float32; median of %u run%s; milliseconds%s\n",
             words[options->problem], data_words[options->data], options->iterations,
             options->iterations == 1 ? "" : "s",
             options->sweep                     ? ""
             : options->problem == BENCH_WINDOW ? "; of copy: median of pairs"
                                                : "; of read: median of pairs");
}

void table_case(const struct bench_options *options, size_t count, uint64_t width, char *text,
                size_t size)
{
    const struct bench_task task = {.count = count, .width = width};
    double megabytes = runner_bytes(options->problem, &task) * 1e-6;
    int used = 0;

    if (options->problem == BENCH_WINDOW)
        used = snprintf(text, size, "\n%zu samples, window %llu: %.6g MB in and out\n", count,
                        (unsigned long long)width, megabytes);
    else
        used = snprintf(text, size, "\n%zu samples: %.6g MB in\n", count, megabytes);
    if (used < 0 || (size_t)used >= size)
        return;
    if (options->sweep)
        snprintf(text + used, size - (size_t)used, "%-18s%8s%8s%10s%10s%10s%10s%10s%10s\n",
                 "flavour", "threads", "blocks", "copy-in", "kernel", "copy-out", "total", "CPU",
                 "speed-up");
    else
        snprintf(text + used, size - (size_t)used, "%-18s%9s%10s%10s%10s%10s  %-19s%7s%9s\n",
                 "flavour", "set-up", "copy-in", "kernel", "copy-out", "total", "  from - to",
                 "GB/s", options->problem == BENCH_WINDOW ? "of copy" : "of read");
}

/* Milliseconds, or a dash if there is no time. */
static void put_time(char *text, size_t size, double seconds)
{
    if (seconds > 0)
        snprintf(text, size, "%.3f", seconds * 1e3);
    else
        snprintf(text, size, "-");
}

/* A number of threads or blocks. */
static void put_number(char *text, size_t size, unsigned number)
{
    if (number > 0)
        snprintf(text, size, "%u", number);
    else
        snprintf(text, size, "-");
}

static void sweep_row(const struct result *result, const char *threads, const char *blocks,
                      char phases[BENCH_PHASES][24], char *text, size_t size)
{
    snprintf(text, size, "%-18s%8s%8s%10s%10s%10s%10.3f%10.3f%10.3f\n", result->flavour->name,
             threads, blocks, phases[BENCH_COPY_IN], phases[BENCH_KERNEL], phases[BENCH_COPY_OUT],
             result->total.median * 1e3, result->reference * 1e3,
             result->reference / result->total.median);
}

void table_row(const struct bench_options *options, const struct result *result, char *text,
               size_t size)
{
    char phases[BENCH_PHASES][24];
    char setup[24];
    char range[48];
    char threads[16];
    char blocks[16];

    put_number(threads, sizeof threads, result->threads);
    put_number(blocks, sizeof blocks, result->blocks);
    if (result->outcome != OUTCOME_TIMED && options->sweep) {
        snprintf(text, size, "%-18s%8s%8s  %s: %s\n", result->flavour->name, threads, blocks,
                 runner_outcome_word(result->outcome), result->why);
        return;
    }
    if (result->outcome != OUTCOME_TIMED) {
        snprintf(text, size, "%-18s%s: %s\n", result->flavour->name,
                 runner_outcome_word(result->outcome), result->why);
        return;
    }
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        put_time(phases[i], sizeof phases[i], result->phase[i].median);
    if (options->sweep) {
        sweep_row(result, threads, blocks, phases, text, size);
        return;
    }
    put_time(setup, sizeof setup, result->setup);
    snprintf(range, sizeof range, "%9.3f - %.3f", result->total.least * 1e3,
             result->total.most * 1e3);
    snprintf(text, size, "%-18s%9s%10s%10s%10s%10.3f  %-19s%7.2f%9.3f\n", result->flavour->name,
             setup, phases[BENCH_COPY_IN], phases[BENCH_KERNEL], phases[BENCH_COPY_OUT],
             result->total.median * 1e3, range, result->bytes / result->total.median * 1e-9,
             result->of_ceiling);
}
