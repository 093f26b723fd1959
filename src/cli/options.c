#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/values.h"
#include "cli/walk.h"

/* What getopt_long() returns for options without a letter; beyond every character. */
enum {
    OPTION_ALIGN = 256,
    OPTION_EDGE,
    OPTION_HOP,
    OPTION_EMIT,
    OPTION_NAN,
    OPTION_COUNTS,
    OPTION_SKIP,
    OPTION_FRAMES,
    OPTION_DEVICE,
    OPTION_THREADS,
    OPTION_ISA,
    OPTION_CHUNK,
    OPTION_ALGORITHM,
    OPTION_STATS,
    OPTION_STATS_EVERY,
    OPTION_STATS_FORMAT,
    OPTION_REPORT,
    OPTION_PROGRESS,
    OPTION_NO_PROGRESS,
};

/* The colon makes getopt_long() tell a missing value from an unknown option. */
static const char short_options[] = ":w:t:c:r:LBo:T:fvqhV";

static const struct option long_options[] = {
    {"window", required_argument, NULL, 'w'},
    {"align", required_argument, NULL, OPTION_ALIGN},
    {"edge", required_argument, NULL, OPTION_EDGE},
    {"hop", required_argument, NULL, OPTION_HOP},
    {"emit", required_argument, NULL, OPTION_EMIT},
    {"nan", required_argument, NULL, OPTION_NAN},
    {"type", required_argument, NULL, 't'},
    {"channels", required_argument, NULL, 'c'},
    {"rate", required_argument, NULL, 'r'},
    {"little-endian", no_argument, NULL, 'L'},
    {"big-endian", no_argument, NULL, 'B'},
    {"counts", no_argument, NULL, OPTION_COUNTS},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"output", required_argument, NULL, 'o'},
    {"output-type", required_argument, NULL, 'T'},
    {"force", no_argument, NULL, 'f'},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"chunk", required_argument, NULL, OPTION_CHUNK},
    {"algorithm", required_argument, NULL, OPTION_ALGORITHM},
    {"stats", required_argument, NULL, OPTION_STATS},
    {"stats-every", required_argument, NULL, OPTION_STATS_EVERY},
    {"stats-format", required_argument, NULL, OPTION_STATS_FORMAT},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"progress", no_argument, NULL, OPTION_PROGRESS},
    {"no-progress", no_argument, NULL, OPTION_NO_PROGRESS},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* The place of a word in its list is its number in the enumeration. */
static const char *const align_words[] = {
    [ALIGN_VALID] = "valid",
    [ALIGN_CAUSAL] = "causal",
    [ALIGN_CENTER] = "center",
    NULL,
};
static const char *const edge_words[] = {[EDGE_SHRINK] = "shrink", [EDGE_NAN] = "nan", NULL};
static const char *const nan_words[] = {
    [NAN_PROPAGATE] = "propagate",
    [NAN_OMIT] = "omit",
    [NAN_ERROR] = "error",
    NULL,
};
static const char *const emit_words[] = {
    [EMIT_MIN] = "min",     [EMIT_MAX] = "max", [EMIT_ABS] = "abs",
    [EMIT_RANGE] = "range", [EMIT_MID] = "mid", [EMIT_KINDS] = NULL,
};
static const char *const isa_words[] = {"scalar", "sse4", "avx2", "avx512", "neon", NULL};
static const char *const stats_words[] = {
    [STATS_JSONL] = "jsonl",
    [STATS_TSV] = "tsv",
    NULL,
};
static const char *const algorithm_words[] = {"engine", "lemire", NULL};

enum {
    CHANNELS_MOST = 65535,
    THREADS_MOST = 1024,
    CHUNK_MOST = 1 << 30, /* so that a chunk's bytes can be counted without a care */
    DEVICE_MOST = 1023,
};

/* -w and --hop: nothing is 0 frames long. `what` is "a window". */
static int parse_positive_length(const struct value *value, const char *what, struct span *span,
                                 struct error *error)
{
    if (values_length(value, span, error) != 0)
        return -1;
    if (!span->is_time && span->frames == 0)
        return values_refuse(error, value, "%s has 1 frame or more", what);
    return 0;
}

static int parse_emits(const struct value *value, struct emit_list *emits, struct error *error)
{
    const char *text = value->text;
    struct emit_list list = {0};
    char known[64];

    if (strcmp(text, "none") == 0) {
        *emits = list;
        return 0;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        int place = values_find(emit_words, text, length);

        if (length == 0)
            return values_refuse(error, value, "a name is missing");
        if (place < 0) {
            values_join(emit_words, known, sizeof known);
            if (strncmp(text, "none", length) == 0 && length == 4)
                return values_refuse(error, value, "none stands alone");
            return values_refuse(error, value, "unknown name '%.*s': use %s, or none",
                                 (int)(length < VALUES_SHOWN ? length : VALUES_SHOWN), text, known);
        }
        for (unsigned i = 0; i < list.count; i++) {
            if (list.item[i] == (enum emit)place)
                return values_refuse(error, value, "%s is named twice", emit_words[place]);
        }
        list.item[list.count++] = (enum emit)place;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    *emits = list;
    return 0;
}

static int parse_device(const struct value *value, struct options *options, struct error *error)
{
    const char *text = value->text;
    struct value number = {.option = value->option, .text = text};
    uint64_t index = 0;

    if (strcmp(text, "auto") == 0) {
        options->settings.device = DEVICE_AUTO;
    } else if (strcmp(text, "cpu") == 0) {
        options->settings.device = DEVICE_CPU;
    } else if (strcmp(text, "cuda") == 0) {
        options->settings.device = DEVICE_CUDA;
    } else if (strncmp(text, "cuda:", 5) == 0) {
        number.text = text + 5;
        if (values_whole(&number, 0, DEVICE_MOST, &index, error) != 0)
            return values_refuse(error, value, "after cuda: comes a number from 0 to %d",
                                 DEVICE_MOST);
        options->settings.device = DEVICE_CUDA;
    } else {
        return values_refuse(error, value, "unknown value: use one of auto, cpu, cuda, cuda:N");
    }
    options->settings.device_index = (unsigned)index;
    return 0;
}

/* --isa, --threads, ...: who does the work. */
static int take_engine_option(struct options *options, int option, const struct value *value,
                              struct error *error)
{
    uint64_t number = 0;
    int place = 0;

    switch (option) {
    case OPTION_DEVICE:
        return parse_device(value, options, error);
    case OPTION_THREADS:
        if (values_whole(value, 1, THREADS_MOST, &number, error) != 0)
            return -1;
        options->settings.threads = (unsigned)number;
        return 0;
    case OPTION_ISA:
        if (values_word(value, isa_words, &place, error) != 0)
            return -1;
        options->settings.isa = isa_words[place];
        return 0;
    case OPTION_CHUNK:
        if (values_whole(value, 1, CHUNK_MOST, &number, error) != 0)
            return -1;
        options->settings.chunk = (size_t)number;
        return 0;
    case OPTION_ALGORITHM:
        if (values_word(value, algorithm_words, &place, error) != 0)
            return -1;
        options->settings.lemire = place == 1;
        return 0;
    default:
        return error_set(error, STATUS_USAGE, "%s: unknown option", value->option);
    }
}

/* -t, -c, -o, ...: where frames come from and go to. */
static int take_stream_option(struct options *options, int option, const struct value *value,
                              struct error *error)
{
    uint64_t number = 0;
    int place = 0;

    switch (option) {
    case 't':
        return values_text(value, "a type", &options->settings.type, error);
    case 'c':
        if (values_whole(value, 1, CHANNELS_MOST, &number, error) != 0)
            return -1;
        options->settings.channels = (unsigned)number;
        options->settings.channels_given = true;
        return 0;
    case 'r':
        return values_rate(value, &options->settings.rate, error);
    case OPTION_SKIP:
        return values_length(value, &options->settings.skip, error);
    case OPTION_FRAMES:
        return values_length(value, &options->settings.frames, error);
    case 'o':
        options->task.output = value->text;
        return 0;
    case OPTION_STATS:
        return values_text(value, "a file name", &options->task.stats, error);
    case OPTION_STATS_EVERY:
        return parse_positive_length(value, "a block", &options->settings.stats_every, error);
    case OPTION_STATS_FORMAT:
        if (values_word(value, stats_words, &place, error) != 0)
            return -1;
        options->settings.stats_format = (enum stats_format)place;
        options->settings.stats_format_given = true;
        return 0;
    case 'T':
        return values_text(value, "a type", &options->settings.output_type, error);
    case OPTION_REPORT:
        return values_text(value, "a file name", &options->task.report, error);
    default:
        return take_engine_option(options, option, value, error);
    }
}

/* -w, --hop, ...: what is computed. */
static int take_window_option(struct options *options, int option, const struct value *value,
                              struct error *error)
{
    int place = 0;

    switch (option) {
    case 'w':
        return parse_positive_length(value, "a window", &options->settings.window, error);
    case OPTION_HOP:
        return parse_positive_length(value, "a hop", &options->settings.hop, error);
    case OPTION_ALIGN:
        if (values_word(value, align_words, &place, error) != 0)
            return -1;
        options->settings.align = (enum window_align)place;
        return 0;
    case OPTION_EDGE:
        if (values_word(value, edge_words, &place, error) != 0)
            return -1;
        options->settings.edge = (enum window_edge)place;
        return 0;
    case OPTION_EMIT:
        return parse_emits(value, &options->settings.emits, error);
    case OPTION_NAN:
        if (values_word(value, nan_words, &place, error) != 0)
            return -1;
        options->settings.nan = (enum nan_policy)place;
        return 0;
    default:
        return take_stream_option(options, option, value, error);
    }
}

/* Options without a value. Returns false when it is none of them. */
static bool take_switch(struct options *options, int option)
{
    switch (option) {
    case 'L':
    case 'B':
        options->settings.big_endian = option == 'B';
        return true;
    case OPTION_COUNTS:
        options->settings.counts = true;
        return true;
    case 'f':
        options->settings.force = true;
        return true;
    case OPTION_PROGRESS:
        options->settings.progress = PROGRESS_ON;
        return true;
    case OPTION_NO_PROGRESS:
        options->settings.progress = PROGRESS_OFF;
        return true;
    case 'v':
    case 'q':
        options->verbose = option == 'v';
        options->settings.quiet = option == 'q';
        return true;
    case 'h':
        options->action = OPTIONS_HELP;
        return true;
    case 'V':
        options->action = OPTIONS_VERSION;
        return true;
    default:
        return false;
    }
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

/* Text must not land in the frames, nor replace the files that it is about. Devices may be the
 * same. */
static int check_text_file(const struct options *options, const struct value *file,
                           struct error *error)
{
    const char *path = file->text;
    const char *output = options->task.output != NULL ? options->task.output : "-";
    bool frames = options->settings.emits.count > 0;

    if (is_standard_output(path) && frames && is_standard_output(output))
        return values_refuse(error, file, "standard output carries frames only: name a file");
    if (strncmp(path, "/dev/", 5) == 0)
        return 0;
    if (frames && strcmp(path, output) == 0)
        return values_refuse(error, file, "the output has this name too");
    if (options->task.input != NULL && strcmp(path, options->task.input) == 0 &&
        strcmp(path, "-") != 0)
        return values_refuse(error, file, "the input has this name too");
    return 0;
}

static int check_report(const struct options *options, struct error *error)
{
    const struct value report = {.option = "--report", .text = options->task.report};

    if (options->task.report == NULL)
        return 0;
    if (strcmp(report.text, "-") == 0)
        return values_refuse(error, &report, "standard output carries frames only: name a file");
    if (options->task.stats != NULL && strcmp(report.text, options->task.stats) == 0 &&
        strncmp(report.text, "/dev/", 5) != 0)
        return values_refuse(error, &report, "--stats has this name too");
    return check_text_file(options, &report, error);
}

/* Without --stats there is nothing to set, and without frames nothing else to do. */
static int check_stats(const struct options *options, struct error *error)
{
    const struct value stats = {.option = "--stats", .text = options->task.stats};

    if (options->task.stats == NULL && options->settings.emits.count == 0)
        return error_set(error, STATUS_USAGE,
                         "--emit none: leaves nothing to do without --stats FILE");
    if (options->task.stats == NULL &&
        (options->settings.stats_every.given || options->settings.stats_format_given))
        return error_set(error, STATUS_USAGE, "%s: needs --stats FILE",
                         options->settings.stats_every.given ? "--stats-every" : "--stats-format");
    if (options->task.stats == NULL)
        return 0;
    if (strcmp(stats.text, "-") == 0 && options->settings.emits.count > 0)
        return values_refuse(error, &stats,
                             "standard output carries frames: name a file, or add --emit none");
    return check_text_file(options, &stats, error);
}

/* With --emit none. */
static int check_no_frames(const struct options *options, struct error *error)
{
    if (options->task.output != NULL || options->settings.output_type != NULL)
        return error_set(error, STATUS_USAGE, "%s: there are no frames to write (--emit none)",
                         options->task.output != NULL ? "-o" : "-T");
    return 0;
}

/* What can only be said when all of the command line is known. */
static int check_whole(const struct options *options, struct error *error)
{
    if (options->settings.emits.count > 0 && !options->settings.window.given)
        return error_set(error, STATUS_USAGE,
                         "-w: the length of the window is missing: give frames or a time, for "
                         "example -w 512 or -w 10ms");
    if (options->input_count > 1)
        return error_set(error, STATUS_USAGE, "%.*s: one input at a time, and %.*s came before it",
                         VALUES_SHOWN, options->inputs[1], VALUES_SHOWN, options->inputs[0]);
    if (options->settings.emits.count == 0 && check_no_frames(options, error) != 0)
        return -1;
    if (check_stats(options, error) != 0)
        return -1;
    return check_report(options, error);
}

static void set_defaults(struct options *options)
{
    *options = (struct options){
        .action = OPTIONS_RUN,
        .settings =
            {
                .type = "auto",
                .channels = 1,
                .align = ALIGN_VALID,
                .edge = EDGE_SHRINK,
                .emits = {.count = 2, .item = {EMIT_MIN, EMIT_MAX}},
                .nan = NAN_PROPAGATE,
                .device = DEVICE_AUTO,
                .progress = PROGRESS_AUTO,
            },
    };
}

int options_parse(struct options *options, int argc, char **argv, struct error *error)
{
    struct walk walk = walk_begin(argc, argv, short_options, long_options);
    struct value value;
    int option;

    set_defaults(options);
    while ((option = walk_next(&walk, &value, error)) > 0) {
        if (!take_switch(options, option)) {
            if (take_window_option(options, option, &value, error) != 0)
                return -1;
        } else if (options->action != OPTIONS_RUN) {
            return 0;
        }
    }
    if (option < 0)
        return -1;
    options->inputs = argv + optind;
    options->input_count = optind < argc ? (size_t)(argc - optind) : 0;
    if (options->input_count > 0)
        options->task.input = options->inputs[0];
    return check_whole(options, error);
}
