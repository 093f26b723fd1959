#include "bench/account.h"

/* Quotes a text and doubles the quotes in it. */
static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

/* 0 stands for "none" and gives an empty field. */
static void put_count(FILE *file, unsigned long long number)
{
    if (number > 0)
        fprintf(file, "%llu,", number);
    else
        fputc(',', file);
}

/* The last column, which stands for the type of the samples unless it is float32. */
static void put_end(const struct account *account, const char *text, FILE *file)
{
    if (account->options->kind != VALUE_F32)
        fprintf(file, ",%s", text);
    fputc('\n', file);
}

static void put_row(const struct account *account, const struct result *result, FILE *file)
{
    fprintf(file, "%s,%s,%s,", bench_problem_words[account->options->problem],
            data_words[account->options->data], result->flavour->name);
    put_count(file, result->count);
    put_count(file, account->options->problem == BENCH_WINDOW ? result->width : 0);
    put_count(file, result->threads);
    put_count(file, result->blocks);
    fprintf(file, "%s,", outcome_words[result->outcome]);
    put_text(file, result->why);
    if (result->outcome != OUTCOME_TIMED) {
        fputs(",,,,,,,,,,,", file);
        return;
    }
    fprintf(file, ",%u,%.9g", result->iterations, result->setup);
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        fprintf(file, ",%.9g", result->phase[i]);
    fprintf(file, ",%.9g,%.9g,%.9g,%.0f,%.9g,%.6g", result->total.median, result->total.least,
            result->total.most, result->bytes, result->bytes / result->total.median,
            result->of_ceiling);
}

/* Counts one operation per sample. */
static double gflops(const struct result *result, double seconds)
{
    return (double)result->count / seconds * 1e-9;
}

/* The first twelve columns are those of a published sweep, in its units. Only "Input time" does not
 * name its unit, which is milliseconds, too. */
static void put_sweep_row(const struct account *account, const struct result *result, FILE *file)
{
    double kernel = result->phase[BENCH_KERNEL];

    put_count(file, result->count);
    put_count(file, result->threads);
    put_count(file, result->blocks);
    if (result->outcome == OUTCOME_TIMED)
        fprintf(file, "%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,",
                result->phase[BENCH_COPY_IN] * 1e3, kernel * 1e3,
                kernel > 0 ? gflops(result, kernel) : 0, result->phase[BENCH_COPY_OUT] * 1e3,
                result->total.median * 1e3, result->reference * 1e3,
                gflops(result, result->reference), result->reference / result->total.median,
                result->distance);
    else
        fputs(",,,,,,,,,", file);
    fprintf(file, "%s,", result->flavour->name);
    put_count(file, account->options->problem == BENCH_WINDOW ? result->width : 0);
    fprintf(file, "%s,", outcome_words[result->outcome]);
    put_text(file, result->why);
}

void csv_write(const struct account *account, FILE *file)
{
    if (account->options->sweep)
        fputs("Size of the vector,Number of threads per block,Number of blocks per grid,"
              "Input time for GPU,Processing time for GPU (ms),GPU Gflops,"
              "Output time for GPU (ms),Total time for GPU (ms),Processing time for CPU (ms),"
              "CPU Gflops,Speed up of GPU,|(h_G - h_C) / h_C|,Flavour,Window,Status,Why",
              file);
    else
        fputs("problem,data,flavour,samples,window,threads,blocks,status,why,iterations,"
              "setup_s,copy_in_s,kernel_s,copy_out_s,total_s,total_least_s,total_most_s,"
              "bytes,bytes_per_s,of_ceiling",
              file);
    put_end(account, account->options->sweep ? "Type" : "type", file);
    for (size_t i = 0; i < account->count; i++) {
        if (account->options->sweep)
            put_sweep_row(account, &account->results[i], file);
        else
            put_row(account, &account->results[i], file);
        put_end(account, bench_type_words[account->options->kind], file);
    }
}
