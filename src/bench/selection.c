/* SPDX-License-Identifier: MIT */
#include "base/list.h"
#include "base/min_max.h"
#include "bench/bench_options.h"

#include <stdio.h>
#include <string.h>

#include "tool/messages.h"
#include "tool/values.h"

const struct bench_flavour *selection_flavour(size_t index)
{
    const struct bench_flavour *on_cpu = bench_flavour_at(bench_cpu_families, &index);

    return on_cpu != NULL ? on_cpu : bench_flavour_at(bench_cuda_families, &index);
}

static bool is_called(const struct bench_flavour *flavour, const char *name, size_t length)
{
    return strlen(flavour->name) == length && memcmp(flavour->name, name, length) == 0;
}

int selection_check(const struct bench_options *options, struct error *error)
{
    const struct option_value only = {.option = "--only", .text = options->only};

    for (const char *rest = options->only; rest != NULL;) {
        const char *name = rest;
        const size_t length = list_item(&rest);
        const struct bench_flavour *flavour;
        size_t i = 0;

        while ((flavour = selection_flavour(i)) != NULL &&
               (flavour->problem != options->problem || !is_called(flavour, name, length)))
            i++;
        if (flavour == NULL)
            return settings_refuse(error, &only,
                                   "this build has no flavour '%.*s' for this problem: see --list",
                                   (int)min_u64(length, VALUES_SHOWN), name);
    }
    return 0;
}

/* Is the flavour of the problem, and among the names of --only, if there are any? */
static bool is_wanted(const struct bench_options *options, const struct bench_flavour *flavour)
{
    bool named = options->only == NULL;

    for (const char *rest = options->only; rest != NULL && !named;) {
        const char *name = rest;

        named = is_called(flavour, name, list_item(&rest));
    }
    return named && flavour->problem == options->problem;
}

bool selection_takes(const struct bench_options *options, const struct bench_flavour *flavour)
{
    return is_wanted(options, flavour) && (options->only != NULL || !options->sweep ||
                                           flavour->on_gpu || strcmp(flavour->name, "cpu") == 0);
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

        if (!is_wanted(options, flavour))
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
