
#include <string.h>

#include "bench/bench_options.h"
#include "bench/runner.h"
#include "cli/values.h"

static const uint64_t SAMPLES_MOST = UINT64_C(1) << 36;
enum {
    THREADS_MOST = 1024,
    BLOCKS_MOST = 1 << 30,
    DEVICE_MOST = 1023,
};

static const char *const reduce_words[] = {"max", "sum", NULL};
static const enum bench_problem reduce_problems[] = {BENCH_MAX, BENCH_SUM};
static const char *const only_asks[] = {
    "--list",
    "--list --reduce max",
    "--list --reduce sum",
    NULL,
};
static const char *const sweep_offers[] = {"threads=", "blocks=", NULL};
static const char *const plot_endings[] = {"svg", "png", NULL};

const char *bench_reduce_word(enum bench_problem problem)
{
    return reduce_words[problem == BENCH_MAX ? 0 : 1];
}

/* A row, with a value or without; after the words whatever else there is to say. */
#define VALUE(label, short_label, value_label, setter, text, in_brief, hint_text, ...)             \
    {                                                                                              \
        .name = (label), .letter = (short_label), .value = (value_label), .set = (setter),         \
        .help = (text), .brief = (in_brief), .hint = (hint_text), __VA_ARGS__                      \
    }
#define SWITCH(label, short_label, turner, text, in_brief, ...)                                    \
    {                                                                                              \
        .name = (label), .letter = (short_label), .turn = (turner), .help = (text),                \
        .brief = (in_brief), __VA_ARGS__                                                           \
    }

/* ---- what is compared ---- */

static int set_samples(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;

    return series_parse(&options->samples, value, 1, SAMPLES_MOST, error);
}

static int set_windows(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;

    return series_parse(&options->windows, value, 1, SAMPLES_MOST, error);
}

static int set_reduce(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
    int place;

    if (values_word(value, reduce_words, &place, error) != 0)
        return -1;
    options->problem = reduce_problems[place];
    return 0;
}

static int set_data(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
    int place;

    if (values_word(value, data_words, &place, error) != 0)
        return -1;
    options->data = (enum data_kind)place;
    return 0;
}

static int set_only(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
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

static void turn_list(void *into)
{
    struct bench_options *options = into;

    options->action = BENCH_LIST;
}

static const struct option_row compared_rows[] = {
    VALUE("samples", 's', "LIST", set_samples, "how many float32 samples (10000000)",
          "how many samples", "numbers", .example = "1e6,1e7 1000..1e6*10"),
    VALUE("window", 'w', "LIST", set_windows, "the lengths of the window (512)",
          "the lengths of the window", "numbers", .example = "100,512 100..500+100"),
    VALUE("reduce", 0, "PROBLEM", set_reduce,
          "max (largest magnitude and its index) or sum of all "
          "samples, instead of windows",
          "another problem than windows", "problem", .offer = OFFER_WORDS, .words = reduce_words),
    VALUE("data", 0, "KIND", set_data,
          "random (default), positive, sorted, falling, constant, "
          "zero, ties, subnormal",
          "what the samples are", "kind", .offer = OFFER_WORDS, .words = data_words),
    VALUE("only", 0, "NAMES", set_only, "these flavours only: lemire,cpu", "these flavours only",
          "flavours", .offer = OFFER_PRINTED, .words = only_asks),
    SWITCH("list", 0, turn_list, "print the flavours and what they are, and end",
           "print the flavours", .place = PLACE_LINE),
};

static const struct option_section compared = {
    .title = "What is compared",
    .rows = compared_rows,
    .count = sizeof compared_rows / sizeof compared_rows[0],
};

/* ---- how ---- */

static int set_iterations(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
    uint64_t number;

    if (values_whole(value, 1, RUNNER_ITERATIONS_MOST, &number, error) != 0)
        return -1;
    options->iterations = (unsigned)number;
    return 0;
}

/* threads=32,64,blocks=4..128: a name holds until the next one. */
static int set_sweep(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
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

static int set_device(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
    uint64_t number;

    if (values_whole(value, 0, DEVICE_MOST, &number, error) != 0)
        return -1;
    options->device = (unsigned)number;
    return 0;
}

static const struct option_row how_rows[] = {
    VALUE("iterations", 'i', "N", set_iterations, "timed runs of each (5)",
          "timed runs of each flavour", "runs", .offer = OFFER_NOTHING),
    VALUE("sweep", 0, "WHAT", set_sweep,
          "every pair of threads and blocks: "
          "threads=32..1024,blocks=4,16,64",
          "every pair of threads and blocks", "sweep", .example = "threads=32..1024,blocks=4,16",
          .offer = OFFER_WORDS, .words = sweep_offers),
    VALUE("device", 0, "N", set_device, "the number of the CUDA device (0)",
          "the number of the CUDA device", "number", .offer = OFFER_NOTHING),
};

static const struct option_section how = {
    .title = "How",
    .rows = how_rows,
    .count = sizeof how_rows / sizeof how_rows[0],
};

/* ---- results ---- */

static int set_csv(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;

    return values_text(value, "a file name", &options->csv, error);
}

static int set_json(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;

    return values_text(value, "a file name", &options->json, error);
}

static int set_plot(void *into, const struct value *value, struct error *error)
{
    struct bench_options *options = into;
    size_t length = strlen(value->text);

    if (length < 5 || (strcmp(value->text + length - 4, ".svg") != 0 &&
                       strcmp(value->text + length - 4, ".png") != 0))
        return values_refuse(error, value, "name a file that ends in .svg or .png");
    options->plot = value->text;
    return 0;
}

static void turn_verbose(void *into)
{
    struct bench_options *options = into;

    options->verbose = true;
}

static void turn_help(void *into)
{
    struct bench_options *options = into;

    options->action = BENCH_HELP;
}

static void turn_version(void *into)
{
    struct bench_options *options = into;

    options->action = BENCH_VERSION;
}

static const struct option_row result_rows[] = {
    VALUE("csv", 0, "FILE", set_csv, "as comma-separated values; - instead of the table",
          "write comma-separated values", "CSV file", .offer = OFFER_FILES),
    VALUE("json", 0, "FILE", set_json, "as JSON; - instead of the table", "write JSON", "JSON file",
          .offer = OFFER_FILES),
    VALUE("plot", 0, "FILE", set_plot, "a picture, .svg or .png, by gnuplot", "draw a picture",
          "picture", .offer = OFFER_FILES, .words = plot_endings),
    SWITCH("verbose", 'v', turn_verbose, "tell what is done", "tell what is done",
           .place = PLACE_LINE),
    SWITCH("help", 'h', turn_help, NULL, "print help", .ends = true),
    SWITCH("version", 'V', turn_version, NULL, "print the version", .place = PLACE_BESIDE,
           .ends = true),
};

static const struct option_section results = {
    .title = "Results (a table is printed to standard output)",
    .rows = result_rows,
    .count = sizeof result_rows / sizeof result_rows[0],
};

/* ---- the whole ---- */

static const struct option_section *const sections[] = {&compared, &how, &results, NULL};

/* 79 columns. The manual has the rules. */
static const char usage[] =
    "Usage: gpuenv-bench [OPTION]...\n"
    "Compares ways to compute the running minimum and maximum: those of gpuenv, and\n"
    "those that were published before it. Every one is checked before it is timed.\n"
    "\n"
    "LIST is numbers with commas (1000,1e6,10M) and ranges: 1000..1e6*10 (times 10),\n"
    "100..500+100 (100 more), 1..64 (times 2).\n";

static const char notes[] =
    "Exit status: 0 all is right, 1 wrong usage, 2 a wrong result or a failure.\n"
    "\n"
    "Examples:\n"
    "  gpuenv-bench -s 10000000 -w 100,500,800,1000\n"
    "  gpuenv-bench -s 1e4..1e7*10 -w 100,1000 --plot times.svg\n"
    "  gpuenv-bench --reduce max --only vecmax --sweep threads=32..1024,blocks=4..64\n"
    "What each number means: man gpuenv-bench\n";

const struct command bench_command = {
    .program = "gpuenv-bench",
    .usage = usage,
    .sections = sections,
    .notes = notes,
};
