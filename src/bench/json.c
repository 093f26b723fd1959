/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/cpus.h"
#include "bench/account.h"
#include "lib/gpuenv.h"

static void put_count(struct memory_text *text, const char *name, unsigned long long number)
{
    if (number > 0)
        memory_text_print(text, ", \"%s\": %llu", name, number);
    else
        memory_text_print(text, ", \"%s\": null", name);
}

static void put_times(const struct result *result, struct memory_text *text)
{
    static const char *const phases[BENCH_PHASES] = {
        [BENCH_COPY_IN] = "copy_in",
        [BENCH_KERNEL] = "kernel",
        [BENCH_COPY_OUT] = "copy_out",
    };

    memory_text_print(text, ",\n     \"iterations\": %u, \"setup\": %.9g", result->iterations,
                      result->setup);
    for (unsigned i = 0; i < BENCH_PHASES; i++)
        memory_text_print(text, ", \"%s\": %.9g", phases[i], result->phase[i]);
    memory_text_print(text,
                      ", \"total\": %.9g, \"total_least\": %.9g, \"total_most\": %.9g,\n"
                      "     \"bytes\": %.0f, \"bytes_per_second\": %.9g, \"of_ceiling\": %.6g",
                      result->total.median, result->total.least, result->total.most, result->bytes,
                      result->bytes / result->total.median, result->of_ceiling);
}

static void put_result(const struct account *account, const struct result *result,
                       struct memory_text *text)
{
    memory_text_put(text, "    {\"flavour\": ");
    json_put(text, result->flavour->name);
    memory_text_print(text, ", \"gpu\": %s", result->flavour->on_gpu ? "true" : "false");
    put_count(text, "samples", result->task.count);
    put_count(text, "window", account->options->problem == BENCH_WINDOW ? result->task.width : 0);
    put_count(text, "threads", result->task.threads);
    put_count(text, "blocks", result->task.blocks);
    memory_text_put(text, ", \"status\": ");
    json_put(text, outcome_words[result->outcome]);
    if (result->outcome == OUTCOME_TIMED) {
        put_times(result, text);
    } else {
        memory_text_put(text, ", \"why\": ");
        json_put(text, result->why);
    }
    memory_text_put(text, "}");
}

void json_write(const struct account *account, struct memory_text *text)
{
    const struct bench_options *options = account->options;
    bool wide = options->kind != VALUE_F32;

    memory_text_print(
        text,
        "{\n  \"program\": \"gpuenv-bench %s\",\n  \"problem\": \"%s\",\n"
        "  \"data\": \"%s\",\n%s  \"processors\": %u,\n  \"device\": %u,\n  \"without_cuda\": ",
        gpuenv_version(), bench_problem_words[options->problem], data_words[options->data],
        wide ? "  \"type\": \"f64\",\n" : "", cpus_available(), options->device);
    json_put(text, account->without);
    memory_text_put(text, ",\n  \"results\": [\n");
    for (size_t i = 0; i < account->count; i++) {
        put_result(account, &account->results[i], text);
        memory_text_put(text, i + 1 < account->count ? ",\n" : "\n");
    }
    memory_text_put(text, "  ]\n}\n");
}
