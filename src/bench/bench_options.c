#include "bench/bench_options.h"

#include <string.h>

#include "cli/values.h"

/* A file used for two kinds of results would hold only the last one. */
static int check_files(const struct bench_options *options, struct error *error)
{
    for (int later = 1; later < BENCH_FILES; later++) {
        for (int i = 0; i < later; i++) {
            const char *name = options->files[later];

            if (name == NULL || options->files[i] == NULL || strcmp(name, options->files[i]) != 0)
                continue;
            if (strcmp(name, "-") == 0)
                return error_set(error, ERROR_COMMAND, NULL,
                                 "--json -: --csv has standard output already: name a file");
            return error_set(error, ERROR_COMMAND, NULL, "%s %.*s: %s writes this file already",
                             bench_file_options[later], VALUES_SHOWN, name, bench_file_options[i]);
        }
    }
    return 0;
}

/* Checks that need the whole command line. */
static int check_whole(struct bench_options *options, const char *operand, struct error *error)
{
    uint64_t largest = series_largest(&options->samples);
    uint64_t smallest = UINT64_MAX;

    if (operand != NULL)
        return error_set(error, ERROR_COMMAND, NULL, "%.*s: takes no operands", VALUES_SHOWN,
                         operand);
    if (options->problem != BENCH_WINDOW && options->windows.count > 0)
        return error_set(error, ERROR_COMMAND, NULL, "-w: --reduce %s has no window",
                         bench_problem_words[options->problem]);
    if (check_files(options, error) != 0)
        return -1;
    if (options->files[BENCH_PLOT] != NULL && options->sweep)
        return error_set(error, ERROR_COMMAND, NULL, "--plot: there is no picture of a sweep");
    if (options->windows.count == 0)
        options->windows =
            (struct series){.count = 1, .number = {options->problem == BENCH_WINDOW ? 512 : 1}};
    for (size_t i = 0; i < options->windows.count; i++)
        smallest = options->windows.number[i] < smallest ? options->windows.number[i] : smallest;
    if (smallest > largest)
        return error_set(error, ERROR_COMMAND, NULL,
                         "-w %llu: there is no whole window in %llu samples (-s)",
                         (unsigned long long)smallest, (unsigned long long)largest);
    return 0;
}

int bench_options_parse(struct bench_options *options, int argc, char **argv, struct error *error)
{
    int operands;

    *options = (struct bench_options){
        .action = BENCH_RUN,
        .problem = BENCH_WINDOW,
        .samples = {.count = 1, .number = {10000000}},
        .iterations = 5,
        .data = DATA_RANDOM,
        .threads = {.count = 1},
        .blocks = {.count = 1},
    };
    if (command_parse(&bench_command, argc, argv, options, &operands, error) != 0)
        return -1;
    if (options->action == BENCH_HELP || options->action == BENCH_VERSION)
        return 0;
    return check_whole(options, operands < argc ? argv[operands] : NULL, error);
}
