#include "bench/selection.h"

#include <stdio.h>
#include <string.h>

#include "cli/values.h"
#include "cuda/engine_cuda.h"

const struct bench_flavour *selection_flavour(size_t index)
{
    size_t on_cpu = 0;

    while (bench_flavour_at(bench_cpu_families, on_cpu) != NULL)
        on_cpu++;
    return index < on_cpu ? bench_flavour_at(bench_cpu_families, index)
                          : bench_flavour_at(bench_cuda_families, index - on_cpu);
}

/* Is `name`, of `length` characters, a flavour of the problem? */
static bool known(enum bench_problem problem, const char *name, size_t length)
{
    const struct bench_flavour *flavour;

    for (size_t i = 0; (flavour = selection_flavour(i)) != NULL; i++) {
        if (flavour->problem == problem && strlen(flavour->name) == length &&
            memcmp(flavour->name, name, length) == 0)
            return true;
    }
    return false;
}

int selection_check(const struct bench_options *options, struct error *error)
{
    const struct value only = {.option = "--only", .text = options->only};
    const char *text = options->only;

    while (text != NULL) {
        size_t length = strcspn(text, ",");

        if (!known(options->problem, text, length))
            return values_refuse(error, &only,
                                 "this build has no flavour '%.*s' for this problem: see --list",
                                 (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), text);
        text = text[length] == '\0' ? NULL : text + length + 1;
    }
    return 0;
}

bool selection_takes(const struct bench_options *options, const struct bench_flavour *flavour)
{
    if (flavour->problem != options->problem)
        return false;
    if (options->only != NULL)
        return bench_options_names(options->only, flavour->name);
    return !options->sweep || flavour->on_gpu || strcmp(flavour->name, "cpu") == 0;
}

void selection_obstacle(const struct bench_options *options, char *why, size_t size)
{
    struct error error = {.status = STATUS_FAILED};

    why[0] = '\0';
    if (engine_cuda_find(options->device, &error) != 0)
        snprintf(why, size, "%.*s", (int)size - 1, error.reason);
}
