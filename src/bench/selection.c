#include "base/list.h"
#include "bench/bench_options.h"

#include <stdio.h>
#include <string.h>

#include "tool/messages.h"
#include "tool/values.h"

const struct bench_flavour *selection_flavour(size_t index)
{
    size_t on_cpu = 0;

    while (bench_flavour_at(bench_cpu_families, on_cpu) != NULL)
        on_cpu++;
    return index < on_cpu ? bench_flavour_at(bench_cpu_families, index)
                          : bench_flavour_at(bench_cuda_families, index - on_cpu);
}

/* Is `name`, of `length` characters, a flavour of the problem? */
static bool is_known(enum bench_problem problem, const char *name, size_t length)
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
    const struct option_value only = {.option = "--only", .text = options->only};

    for (const char *rest = options->only; rest != NULL;) {
        const char *name = rest;
        size_t length = list_item(&rest);

        if (!is_known(options->problem, name, length))
            return settings_refuse(error, &only,
                                   "this build has no flavour '%.*s' for this problem: see --list",
                                   (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), name);
    }
    return 0;
}

/* Does --only name the flavour? Without --only, any. */
static bool is_named(const struct bench_options *options, const struct bench_flavour *flavour)
{
    size_t wanted = strlen(flavour->name);

    for (const char *rest = options->only; rest != NULL;) {
        const char *name = rest;

        if (list_item(&rest) == wanted && memcmp(name, flavour->name, wanted) == 0)
            return true;
    }
    return options->only == NULL;
}

bool selection_takes(const struct bench_options *options, const struct bench_flavour *flavour)
{
    if (flavour->problem != options->problem || !is_named(options, flavour))
        return false;
    return options->only != NULL || !options->sweep || flavour->on_gpu ||
           strcmp(flavour->name, "cpu") == 0;
}

void selection_names(char *list, size_t size)
{
    const struct bench_flavour *flavour;

    list[0] = '\0';
    for (size_t i = 0; (flavour = selection_flavour(i)) != NULL; i++) {
        size_t first = 0;

        while (strcmp(selection_flavour(first)->name, flavour->name) != 0)
            first++;
        if (first == i) {
            values_append(list, size, " ");
            values_append(list, size, flavour->name);
        }
    }
}

int selection_list(const struct bench_options *options, struct error *error)
{
    static const double sample;
    const struct bench_task task = {
        .kind = options->kind, .samples = &sample, .count = 1, .width = 1};
    const struct bench_flavour *flavour;

    for (size_t i = 0; (flavour = selection_flavour(i)) != NULL; i++) {
        const char *obstacle = NULL;
        char text[1024];

        if (flavour->problem != options->problem || !is_named(options, flavour))
            continue;
        /* Flavours for a device may query it. */
        if (!flavour->on_gpu)
            obstacle = bench_obstacle(flavour, &task);
        snprintf(text, sizeof text, "%-18s%-5s%s%s%s%s\n", flavour->name,
                 flavour->on_gpu ? "CUDA" : "CPU", flavour->words, obstacle != NULL ? " (" : "",
                 obstacle != NULL ? obstacle : "", obstacle != NULL ? ")" : "");
        if (messages_print(text, error) != 0)
            return -1;
    }
    return 0;
}
