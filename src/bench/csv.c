/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/csv.h"
#include "bench/account.h"

static void put_field(struct memory_text *text, const char *field)
{
    const size_t length = strlen(field);

    if (memory_text_reserve(text, 2 * length + 2) == 0)
        text->used = (size_t)(csv_quote(text->bytes + text->used, field, length) - text->bytes);
}

/* 0 stands for "none" and gives an empty field. */
static void put_count(struct memory_text *text, unsigned long long number)
{
    if (number > 0)
        memory_text_print(text, "%llu,", number);
    else
        memory_text_put(text, ",");
}

/* Ends a row with the last column, the type of the samples, unless that is float32. */
static void put_end(const struct account *account, const char *end, struct memory_text *text)
{
    if (account->options->kind != VALUE_F32)
        memory_text_print(text, ",%s", end);
    memory_text_put(text, "\n");
}

static void put_row(const struct account *account, const struct result *result,
                    struct memory_text *text)
{
    memory_text_print(text, "%s,%s,%s,", bench_problem_words[account->options->problem],
                      data_words[account->options->data], result->flavour->name);
    put_count(text, result->task.count);
    put_count(text, account->options->problem == BENCH_WINDOW ? result->task.width : 0);
    put_count(text, result->task.threads);
    put_count(text, result->task.blocks);
    memory_text_print(text, "%s,", outcome_words[result->outcome]);
    put_field(text, result->why);
    if (result->outcome != OUTCOME_TIMED) {
        memory_text_put(text, ",,,,,,,,,,,");
        return;
    }
    memory_text_print(text, ",%u,%.9g", result->iterations, result->setup);
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        memory_text_print(text, ",%.9g", result->phase[i]);
    memory_text_print(text, ",%.9g,%.9g,%.9g,%.0f,%.9g,%.6g", result->total.median,
                      result->total.least, result->total.most, result->bytes,
                      result->bytes / result->total.median, result->of_ceiling);
}

/* Counts one operation per sample. */
static double gflops(const struct result *result, double seconds)
{
    return (double)result->task.count / seconds * 1e-9;
}

/* The first twelve columns are those of a published sweep, in its units. Only "Input time" does not
 * name its unit, which is milliseconds, too. */
static void put_sweep_row(const struct account *account, const struct result *result,
                          struct memory_text *text)
{
    double kernel = result->phase[BENCH_KERNEL];

    put_count(text, result->task.count);
    put_count(text, result->task.threads);
    put_count(text, result->task.blocks);
    if (result->outcome == OUTCOME_TIMED)
        memory_text_print(text, "%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,",
                          result->phase[BENCH_COPY_IN] * 1e3, kernel * 1e3,
                          kernel > 0 ? gflops(result, kernel) : 0,
                          result->phase[BENCH_COPY_OUT] * 1e3, result->total.median * 1e3,
                          result->reference * 1e3, gflops(result, result->reference),
                          result->reference / result->total.median, result->distance);
    else
        memory_text_put(text, ",,,,,,,,,");
    memory_text_print(text, "%s,", result->flavour->name);
    put_count(text, account->options->problem == BENCH_WINDOW ? result->task.width : 0);
    memory_text_print(text, "%s,", outcome_words[result->outcome]);
    put_field(text, result->why);
}

void csv_write(const struct account *account, struct memory_text *text)
{
    if (account->options->sweep)
        memory_text_put(
            text, "Size of the vector,Number of threads per block,Number of blocks per grid,"
                  "Input time for GPU,Processing time for GPU (ms),GPU Gflops,"
                  "Output time for GPU (ms),Total time for GPU (ms),Processing time for CPU (ms),"
                  "CPU Gflops,Speed up of GPU,|(h_G - h_C) / h_C|,Flavour,Window,Status,Why");
    else
        memory_text_put(text,
                        "problem,data,flavour,samples,window,threads,blocks,status,why,iterations,"
                        "setup_s,copy_in_s,kernel_s,copy_out_s,total_s,total_least_s,total_most_s,"
                        "bytes,bytes_per_s,of_ceiling");
    put_end(account, account->options->sweep ? "Type" : "type", text);
    for (size_t i = 0; i < account->count; i++) {
        if (account->options->sweep)
            put_sweep_row(account, &account->results[i], text);
        else
            put_row(account, &account->results[i], text);
        put_end(account, bench_type_words[account->options->kind], text);
    }
}
