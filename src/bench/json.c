#include "base/json.h"
#include "base/cpus.h"
#include "bench/account.h"

static void put_count(FILE *file, const char *name, unsigned long long number)
{
    if (number > 0)
        fprintf(file, ", \"%s\": %llu", name, number);
    else
        fprintf(file, ", \"%s\": null", name);
}

static void put_times(const struct result *result, FILE *file)
{
    static const char *const phases[BENCH_PHASES] = {
        [BENCH_COPY_IN] = "copy_in",
        [BENCH_KERNEL] = "kernel",
        [BENCH_COPY_OUT] = "copy_out",
    };

    fprintf(file, ",\n     \"iterations\": %u, \"setup\": %.9g", result->iterations, result->setup);
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        fprintf(file, ", \"%s\": %.9g", phases[i], result->phase[i]);
    fprintf(file,
            ", \"total\": %.9g, \"total_least\": %.9g, \"total_most\": %.9g,\n"
            "     \"bytes\": %.0f, \"bytes_per_second\": %.9g, \"of_ceiling\": %.6g",
            result->total.median, result->total.least, result->total.most, result->bytes,
            result->bytes / result->total.median, result->of_ceiling);
}

static void put_result(const struct account *account, const struct result *result, FILE *file)
{
    fputs("    {\"flavour\": ", file);
    json_print(file, result->flavour->name);
    fprintf(file, ", \"gpu\": %s", result->flavour->on_gpu ? "true" : "false");
    put_count(file, "samples", result->count);
    put_count(file, "window", account->options->problem == BENCH_WINDOW ? result->width : 0);
    put_count(file, "threads", result->threads);
    put_count(file, "blocks", result->blocks);
    fputs(", \"status\": ", file);
    json_print(file, outcome_words[result->outcome]);
    if (result->outcome == OUTCOME_TIMED) {
        put_times(result, file);
    } else {
        fputs(", \"why\": ", file);
        json_print(file, result->why);
    }
    fputc('}', file);
}

void json_write(const struct account *account, FILE *file)
{
    const struct bench_options *options = account->options;
    bool wide = options->kind != VALUE_F32;

    fprintf(file,
            "{\n  \"program\": \"gpuenv-bench " GPUENV_VERSION "\",\n  \"problem\": \"%s\",\n"
            "  \"data\": \"%s\",\n%s  \"processors\": %u,\n  \"device\": %u,\n  \"without_cuda\": ",
            bench_problem_words[options->problem], data_words[options->data],
            wide ? "  \"type\": \"f64\",\n" : "", cpus_available(), options->device);
    json_print(file, account->without);
    fputs(",\n  \"results\": [\n", file);
    for (size_t i = 0; i < account->count; i++) {
        put_result(account, &account->results[i], file);
        fputs(i + 1 < account->count ? ",\n" : "\n", file);
    }
    fputs("  ]\n}\n", file);
}
