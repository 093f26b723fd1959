#include "bench/options.h"

#include <getopt.h>
#include <string.h>

#include "bench/runner.h"
#include "cli/values.h"
#include "cli/walk.h"

/* What getopt_long() returns for options without a letter; beyond every character. */
enum {
    OPTION_REDUCE = 256,
    OPTION_ONLY,
    OPTION_LIST,
    OPTION_SWEEP,
    OPTION_DATA,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_PLOT,
    OPTION_DEVICE,
};

/* The colon makes getopt_long() tell a missing value from an unknown option. */
static const char short_options[] = ":s:w:i:vhV";

static const struct option long_options[] = {
    {"samples", required_argument, NULL, 's'},
    {"window", required_argument, NULL, 'w'},
    {"iterations", required_argument, NULL, 'i'},
    {"reduce", required_argument, NULL, OPTION_REDUCE},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"list", no_argument, NULL, OPTION_LIST},
    {"sweep", required_argument, NULL, OPTION_SWEEP},
    {"data", required_argument, NULL, OPTION_DATA},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"json", required_argument, NULL, OPTION_JSON},
    {"plot", required_argument, NULL, OPTION_PLOT},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const char *const reduce_words[] = {"max", "sum", NULL};
static const enum bench_problem reduce_problems[] = {BENCH_MAX, BENCH_SUM};

static const uint64_t SAMPLES_MOST = UINT64_C(1) << 36;
enum {
    THREADS_MOST = 1024,
    BLOCKS_MOST = 1 << 30,
    DEVICE_MOST = 1023,
};

/* threads=32,64,blocks=4..128: a name holds until the next one. */
static int parse_sweep(const struct value *value, struct bench_options *options,
                       struct error *error)
{
    static const char *const names[] = {"threads=", "blocks="};
    static const uint64_t most[] = {THREADS_MOST, BLOCKS_MOST};
    struct series series[2] = {{0}, {0}};
    const char *text = value->text;
    int which = -1;

    for (;;) {
        size_t length;

        for (int i = 0; i < 2; i++) {
            if (strncmp(text, names[i], strlen(names[i])) == 0) {
                which = i;
                text += strlen(names[i]);
                break;
            }
        }
        if (which < 0)
            return values_refuse(
                error, value, "begins with threads= or blocks=, as in threads=32..1024,blocks=4");
        length = strcspn(text, ",");
        if (series_add(&series[which], value, text, length, 1, most[which], error) != 0)
            return -1;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    options->sweep = true;
    options->threads = series[0].count > 0 ? series[0] : (struct series){.count = 1};
    options->blocks = series[1].count > 0 ? series[1] : (struct series){.count = 1};
    return 0;
}

static int parse_plot(const struct value *value, struct bench_options *options, struct error *error)
{
    size_t length = strlen(value->text);

    if (length < 5 || (strcmp(value->text + length - 4, ".svg") != 0 &&
                       strcmp(value->text + length - 4, ".png") != 0))
        return values_refuse(error, value, "name a file that ends in .svg or .png");
    options->plot = value->text;
    return 0;
}

static int parse_only(const struct value *value, struct bench_options *options, struct error *error)
{
    const char *text = value->text;

    for (;;) {
        size_t length = strcspn(text, ",");

        if (length == 0)
            return values_refuse(error, value, "a name is missing");
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    options->only = value->text;
    return 0;
}

/* --csv, --device, ...: all but what is measured. */
static int take_other_option(struct bench_options *options, int option, const struct value *value,
                             struct error *error)
{
    uint64_t number = 0;

    switch (option) {
    case OPTION_CSV:
        return values_text(value, "a file name", &options->csv, error);
    case OPTION_JSON:
        return values_text(value, "a file name", &options->json, error);
    case OPTION_PLOT:
        return parse_plot(value, options, error);
    case OPTION_DEVICE:
        if (values_whole(value, 0, DEVICE_MOST, &number, error) != 0)
            return -1;
        options->device = (unsigned)number;
        return 0;
    default:
        return error_set(error, STATUS_USAGE, "%s: unknown option", value->option);
    }
}

static int take_option(struct bench_options *options, int option, const struct value *value,
                       struct error *error)
{
    uint64_t number = 0;
    int place = 0;

    switch (option) {
    case 's':
        return series_parse(&options->samples, value, 1, SAMPLES_MOST, error);
    case 'w':
        return series_parse(&options->windows, value, 1, SAMPLES_MOST, error);
    case 'i':
        if (values_whole(value, 1, RUNNER_ITERATIONS_MOST, &number, error) != 0)
            return -1;
        options->iterations = (unsigned)number;
        return 0;
    case OPTION_REDUCE:
        if (values_word(value, reduce_words, &place, error) != 0)
            return -1;
        options->problem = reduce_problems[place];
        return 0;
    case OPTION_DATA:
        if (values_word(value, data_words, &place, error) != 0)
            return -1;
        options->data = (enum data_kind)place;
        return 0;
    case OPTION_ONLY:
        return parse_only(value, options, error);
    case OPTION_SWEEP:
        return parse_sweep(value, options, error);
    default:
        return take_other_option(options, option, value, error);
    }
}

/* Options without a value. Returns false when it is none of them. */
static bool take_switch(struct bench_options *options, int option)
{
    switch (option) {
    case OPTION_LIST:
        options->action = BENCH_LIST;
        return true;
    case 'v':
        options->verbose = true;
        return true;
    case 'h':
        options->action = BENCH_HELP;
        return true;
    case 'V':
        options->action = BENCH_VERSION;
        return true;
    default:
        return false;
    }
}

static uint64_t smallest(const struct series *series)
{
    uint64_t number = series->number[0];

    for (size_t i = 1; i < series->count; i++)
        number = series->number[i] < number ? series->number[i] : number;
    return number;
}

/* One file for two kinds of results would hold the last one only. */
static int check_files(const struct bench_options *options, struct error *error)
{
    const char *csv = options->csv != NULL ? options->csv : "";
    const char *json = options->json != NULL ? options->json : "";
    const char *plot = options->plot != NULL ? options->plot : "";

    if (strcmp(csv, "-") == 0 && strcmp(json, "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "--json -: --csv has standard output already: name a file");
    if (*json != '\0' && strcmp(csv, json) == 0)
        return error_set(error, STATUS_USAGE, "--json %.*s: --csv writes this file already",
                         VALUES_SHOWN, json);
    if (*plot != '\0' && (strcmp(csv, plot) == 0 || strcmp(json, plot) == 0))
        return error_set(error, STATUS_USAGE, "--plot %.*s: --%s writes this file already",
                         VALUES_SHOWN, plot, strcmp(csv, plot) == 0 ? "csv" : "json");
    return 0;
}

/* What can only be said when all of the command line is known. */
static int check_whole(struct bench_options *options, int argc, char **argv, struct error *error)
{
    if (optind < argc)
        return error_set(error, STATUS_USAGE, "%.*s: takes no operands", VALUES_SHOWN,
                         argv[optind]);
    if (options->problem != BENCH_WINDOW && options->windows.count > 0)
        return error_set(error, STATUS_USAGE, "-w: --reduce %s has no window",
                         reduce_words[options->problem == BENCH_MAX ? 0 : 1]);
    if (check_files(options, error) != 0)
        return -1;
    if (options->plot != NULL && options->sweep)
        return error_set(error, STATUS_USAGE, "--plot: there is no picture of a sweep");
    if (options->windows.count == 0)
        options->windows =
            (struct series){.count = 1, .number = {options->problem == BENCH_WINDOW ? 512 : 1}};
    if (smallest(&options->windows) > series_largest(&options->samples))
        return error_set(error, STATUS_USAGE,
                         "-w %llu: there is no whole window in %llu samples (-s)",
                         (unsigned long long)smallest(&options->windows),
                         (unsigned long long)series_largest(&options->samples));
    return 0;
}

int bench_options_parse(struct bench_options *options, int argc, char **argv, struct error *error)
{
    struct walk walk = walk_begin(argc, argv, short_options, long_options);
    struct value value;
    int option;

    *options = (struct bench_options){
        .action = BENCH_RUN,
        .problem = BENCH_WINDOW,
        .samples = {.count = 1, .number = {10000000}},
        .iterations = 5,
        .data = DATA_RANDOM,
        .threads = {.count = 1},
        .blocks = {.count = 1},
    };
    while ((option = walk_next(&walk, &value, error)) > 0) {
        if (!take_switch(options, option)) {
            if (take_option(options, option, &value, error) != 0)
                return -1;
        } else if (options->action == BENCH_HELP || options->action == BENCH_VERSION) {
            return 0;
        }
    }
    if (option < 0)
        return -1;
    return check_whole(options, argc, argv, error);
}

bool bench_options_names(const char *list, const char *name)
{
    size_t wanted = strlen(name);

    for (;;) {
        size_t length = strcspn(list, ",");

        if (length == wanted && memcmp(list, name, length) == 0)
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
    }
}
