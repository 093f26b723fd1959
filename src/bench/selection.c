#include "bench/selection.h"

#include <stdio.h>
#include <string.h>

#include "cli/values.h"
#include "cuda/engine_cuda.h"

static const struct bench_flavour *const *const lists[] = {bench_cpu_flavours, bench_cuda_flavours};
enum { LISTS = sizeof lists / sizeof *lists };

/* Is this name, of `length` characters, a flavour of the problem? */
static bool known(enum bench_problem problem, const char *name, size_t length)
{
    for (size_t list = 0; list < LISTS; list++) {
        for (size_t i = 0; lists[list][i] != NULL; i++) {
            const struct bench_flavour *flavour = lists[list][i];

            if (flavour->problem == problem && strlen(flavour->name) == length &&
                memcmp(flavour->name, name, length) == 0)
                return true;
        }
    }
    return false;
}

static int check_names(const struct bench_options *options, struct error *error)
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

static bool wanted(const struct bench_options *options, const struct bench_flavour *flavour)
{
    if (flavour->problem != options->problem)
        return false;
    if (options->only != NULL)
        return bench_options_names(options->only, flavour->name);
    return !options->sweep || flavour->on_gpu || strcmp(flavour->name, "cpu") == 0;
}

static void look_for_device(struct selection *selection, const struct bench_options *options)
{
    struct error error = {.status = STATUS_FAILED};

    if (engine_cuda_find(options->device, &error) == 0)
        return;

    snprintf(selection->without, sizeof selection->without, "%.*s",
             (int)sizeof selection->without - 1, error.reason);
}

int selection_make(struct selection *selection, const struct bench_options *options,
                   struct error *error)
{
    memset(selection, 0, sizeof *selection);
    if (check_names(options, error) != 0)
        return -1;
    look_for_device(selection, options);
    for (size_t list = 0; list < LISTS; list++) {
        for (size_t i = 0; lists[list][i] != NULL; i++) {
            const struct bench_flavour *flavour = lists[list][i];

            if (!wanted(options, flavour))
                continue;
            if (flavour->on_gpu && selection->without[0] != '\0') {
                if (selection->skipped_count < SELECTION_MOST)
                    selection->skipped[selection->skipped_count++] = flavour;
            } else if (selection->count < SELECTION_MOST) {
                selection->flavours[selection->count++] = flavour;
            }
        }
    }
    return 0;
}
