/* SPDX-License-Identifier: MIT */
#include "bench/bench_options.h"

#include <string.h>

#include "base/list.h"
#include "base/min_max.h"
#include "bench/runner.h"

static const uint64_t SAMPLES_MOST = UINT64_C(1) << 36;
enum {
    THREADS_MOST = 1024,
    BLOCKS_MOST = 1 << 30,
    DEVICE_MOST = 1023,
};

const char *const bench_problem_words[] = {
    [BENCH_WINDOW] = "window",
    [BENCH_MAX] = "max",
    [BENCH_SUM] = "sum",
    [BENCH_PROBLEMS] = NULL,
};

const char *const bench_type_words[] = {[VALUE_F32] = "f32", [VALUE_F64] = "f64", NULL};

const char *const bench_file_options[] = {"--csv", "--json", "--plot"};

/* ---- lists of numbers ---- */

/* So that a step from one number to the next cannot overflow. */
static const uint64_t NUMBER_LIMIT = UINT64_C(1) << 53;

static bool read_number(const char *text, const char *end, uint64_t *number)
{
    return values_number(text, (size_t)(end - text), 0, NUMBER_LIMIT, number);
}

/* "1000..1e6*10" from `dots` on: the last number, and the way to it. */
static bool read_rest(const char *dots, const char *end, uint64_t *last, char *way, uint64_t *step)
{
    const char *sign = dots + 2 + strcspn(dots + 2, "*+,");

    if (sign >= end)
        return read_number(dots + 2, end, last);
    *way = *sign;
    return read_number(dots + 2, sign, last) && read_number(sign + 1, end, step);
}

static int append(struct swept *series, const struct option_value *value, uint64_t number,
                  uint64_t most, struct error *error)
{
    if (number < 1 || number > most)
        return settings_refuse(error, value, "%llu is not from 1 to %llu",
                               (unsigned long long)number, (unsigned long long)most);
    if (series->count == SERIES_MOST)
        return settings_refuse(error, value, "more than %d numbers", SERIES_MOST);
    series->number[series->count++] = number;
    return 0;
}

/* Appends the number or the range of `length` characters, each number from 1 to `most`. */
static int add_item(struct swept *series, const struct option_value *value, const char *item,
                    size_t length, uint64_t most, struct error *error)
{
    const char *end = item + length;
    const char *dots = memmem(item, length, "..", 2);
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t step = 2;
    char way = '*';

    if (!read_number(item, dots != NULL ? dots : end, &first) ||
        (dots != NULL && !read_rest(dots, end, &last, &way, &step)))
        return settings_refuse(error, value,
                               "'%.*s' is no whole number (1000, 1e6, 10M) and no range "
                               "(1000..1e6*10, 100..500+100)",
                               (int)min_u64(length, VALUES_SHOWN), item);
    if (dots == NULL)
        return append(series, value, first, most, error);
    if (last < first || step < (way == '*' ? 2 : 1) || (way == '*' && first == 0))
        return settings_refuse(error, value, "the range '%.*s' does not rise", (int)length, item);
    for (uint64_t number = first; number <= last;) {
        if (append(series, value, number, most, error) != 0)
            return -1;
        if (way == '*' && number > last / step)
            break;
        number = way == '*' ? number * step : number + step;
    }
    return 0;
}

int series_parse(struct swept *series, const struct option_value *value, uint64_t most,
                 struct error *error)
{
    series->count = 0;
    for (const char *rest = value->text; rest != NULL;) {
        const char *item = rest;

        if (add_item(series, value, item, list_item(&rest), most, error) != 0)
            return -1;
    }
    return 0;
}

uint64_t series_largest(const struct swept *series)
{
    uint64_t largest = 0;

    for (size_t i = 0; i < series->count; i++)
        largest = max_u64(largest, series->number[i]);
    return largest;
}

/* ---- what to compare ---- */

static int set_series(void *field, const struct option_value *value, struct error *error)
{
    return series_parse(field, value, SAMPLES_MOST, error);
}

static int set_reduce(void *field, const struct option_value *value, struct error *error)
{
    int place = values_word(value, bench_problem_words + BENCH_MAX, error);

    if (place < 0)
        return -1;
    *(enum bench_problem *)field = (enum bench_problem)(BENCH_MAX + place);
    return 0;
}

static int set_only(void *field, const struct option_value *value, struct error *error)
{
    for (const char *rest = value->text; rest != NULL;) {
        if (list_item(&rest) == 0)
            return settings_refuse(error, value, "a name is missing");
    }
    return values_text(value, NULL, field, error);
}

/* ---- how ---- */

static const char *const sweep_words[] = {"threads=", "blocks=", NULL};

/* threads=32,64,blocks=4..128: a name applies until the next one. */
static int set_sweep(void *into, const struct option_value *value, struct error *error)
{
    struct bench_options *options = into;
    static const uint64_t most[] = {THREADS_MOST, BLOCKS_MOST};
    struct swept series[2] = {{0}, {0}};
    int which = -1;

    for (const char *rest = value->text; rest != NULL;) {
        const char *text = rest;
        const size_t name = strcspn(text, "=") + 1;

        if (values_find(sweep_words, text, name) >= 0) {
            which = values_find(sweep_words, text, name);
            text += name;
        }
        if (which < 0)
            return settings_refuse(
                error, value, "begins with threads= or blocks=, as in threads=32..1024,blocks=4");
        rest = text;
        if (add_item(&series[which], value, text, list_item(&rest), most[which], error) != 0)
            return -1;
    }
    options->sweep = true;
    options->threads = series[0].count > 0 ? series[0] : (struct swept){.count = 1};
    options->blocks = series[1].count > 0 ? series[1] : (struct swept){.count = 1};
    return 0;
}

/* ---- results ---- */

static const char *const plot_words[] = {".svg", ".png", NULL};

static int set_plot(void *field, const struct option_value *value, struct error *error)
{
    size_t length = strlen(value->text);

    if (length < 5 || values_find(plot_words, value->text + length - 4, 4) < 0)
        return settings_refuse(error, value, "name a file that ends in .svg or .png");
    return values_text(value, NULL, field, error);
}

/* ---- all options ---- */

#define AT(member) .field = offsetof(struct bench_options, member)

static const struct option_row rows[] = {
    {.help = "What is compared"},
    {"samples", "LIST", "how many samples (10000000)", .set = set_series, AT(samples),
     .letter = 's'},
    {"window", "LIST", "the lengths of the window (512)", .set = set_series, AT(windows),
     .letter = 'w'},
    {"reduce", "PROBLEM",
     "max (largest magnitude and its index) or sum of all samples, instead of windows",
     .set = set_reduce, AT(problem), .words = bench_problem_words + BENCH_MAX},
    {"type", "TYPE", "of the samples: f32 (default), f64", OPTION_WORD, AT(kind),
     .words = bench_type_words},
    {"data", "KIND", "random (default), positive, sorted, falling, constant, zero, ties, subnormal",
     OPTION_WORD, AT(data), .words = data_words},
    {"only", "NAMES", "these flavours only: lemire,cpu", .set = set_only, AT(only),
     .list = selection_names},
    {"list", NULL, "print the flavours with a description, and exit", OPTION_CHOICE, AT(action),
     .choice = BENCH_LIST},

    {.help = "How"},
    {"iterations", "N", "timed runs of each (5)", OPTION_NUMBER, AT(iterations), .least = 1,
     .most = RUNNER_ITERATIONS_MOST, .letter = 'i'},
    {"sweep", "WHAT", "every pair of threads and blocks: threads=32..1024,blocks=4,16,64",
     .set = set_sweep, .words = sweep_words},
    {"device", "N", "the number of the CUDA device (0)", OPTION_NUMBER, AT(device),
     .most = DEVICE_MOST},

    {.help = "Results (a table is printed to standard output)"},
    {"csv", "FILE", "as comma-separated values; - instead of the table", OPTION_TEXT,
     AT(files[BENCH_CSV]), .what = "a file name"},
    {"json", "FILE", "as JSON; - instead of the table", OPTION_TEXT, AT(files[BENCH_JSON]),
     .what = "a file name"},
    {"plot", "FILE", "a picture, .svg or .png, by gnuplot", .set = set_plot, AT(files[BENCH_PLOT]),
     .words = plot_words},
    {"verbose", NULL, "report each step", OPTION_ON, AT(verbose), .letter = 'v'},
    {"help", NULL, "print this text", OPTION_CHOICE, AT(action), .choice = BENCH_HELP,
     .letter = 'h', .ends = true},
    {"version", NULL, "print the version", OPTION_CHOICE, AT(action), .choice = BENCH_VERSION,
     .letter = 'V', .ends = true},
};
_Static_assert(sizeof rows / sizeof *rows <= COMMAND_ROWS_MOST, "raise COMMAND_ROWS_MOST");

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

const struct option_table bench_command = {
    .program = "gpuenv-bench",
    .usage = usage,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .notes = notes,
};

/* ---- the whole command line ---- */

/* Checks that need the whole command line. */
static int check_whole(struct bench_options *options, const char *operand, struct error *error)
{
    uint64_t largest = series_largest(&options->samples);
    uint64_t smallest = UINT64_MAX;

    if (operand != NULL)
        return USAGE(error, "%.*s: takes no operands", VALUES_SHOWN, operand);
    if (options->problem != BENCH_WINDOW && options->windows.count > 0)
        return USAGE(error, "-w: --reduce %s has no window", bench_problem_words[options->problem]);
    if (options->files[BENCH_PLOT] != NULL && options->sweep)
        return USAGE(error, "--plot: there is no picture of a sweep");
    if (options->windows.count == 0)
        options->windows =
            (struct swept){.count = 1, .number = {options->problem == BENCH_WINDOW ? 512 : 1}};
    for (size_t i = 0; i < options->windows.count; i++)
        smallest = min_u64(smallest, options->windows.number[i]);
    if (smallest > largest)
        return USAGE(error, "-w %llu: there is no whole window in %llu samples (-s)",
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
