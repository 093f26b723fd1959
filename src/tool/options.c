/* SPDX-License-Identifier: MIT */
#include "tool/options_priv.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "format/format.h"
#include "format/text/time_form.h"
#include "sample/sample_type.h"
#include "tool/others_priv.h"

#define FRAMES_ONLY "standard output carries frames only: name a file"

/* ---- what may be wrong ---- */

static bool writes_spans(const struct settings *settings)
{
    const char *type = settings->output_type;

    return type != NULL && (strcmp(type, "spans") == 0 || strcmp(type, "labels") == 0);
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

/* Do the spans of all inputs go to one table on standard output? */
static bool writes_together(const struct options *options)
{
    const char *folder = options->many.folder;

    return folder != NULL && is_standard_output(folder) && writes_spans(&options->settings);
}

/* Do frames go to a single output? */
static bool writes_stream(const struct options *options)
{
    return options->settings.emits.count > 0 &&
           (options->many.folder == NULL || writes_together(options));
}

/* Only pictures and spans need no window. */
static bool writes_picture(const struct options *options)
{
    /* Names end as their template does. */
    const struct sink_request sink = {
        .type = options->settings.output_type,
        .path = options->many.name != NULL ? options->many.name : options->task.output,
    };

    return options->settings.emits.count > 0 && sink_needs_no_window(&sink) &&
           !writes_spans(&options->settings);
}

/* Refuses options without others that they need, and suggests a command. */
static int check_incomplete(const struct options *options, struct error *error)
{
    const struct others_line line = {.command = &options_command, .argv = options->argv};
    const struct settings *settings = &options->settings;
    const struct many *many = &options->many;
    const char *stats = options->task.stats;
    const char *level = settings->rule.text;
    const char *join = settings->join.given ? settings->join.value.text : NULL;
    const bool windowless = !settings->window.given && !settings->zoom.given &&
                            settings->emits.count > 0 && !writes_spans(settings);
    const bool is_table =
        many->count > 0 && format_of_table(many->operands[0], settings->type, false) != NULL;

    if (stats != NULL && many->count == 0 && many->list == NULL && format_is_input(stats, "auto") &&
        (format_of_table(stats, "auto", false) == NULL ||
         (windowless && !writes_picture(options) && access(stats, R_OK) == 0)))
        return others_refuse(&line, "--stats",
                             ": writes to the file you name, and this one is an input",
                             settings->emits.count == 0 ? "@--stats - {}"
                             : settings->window.given   ? "@--emit none --stats - {}"
                                                        : "the summary has them@{}",
                             stats, error);
    if (level != NULL && !writes_spans(settings))
        return others_refuse(&line, "--level", ": needs -T spans, or -T labels",
                             strncasecmp(level, "above:0dB", 9) == 0
                                 ? "@-T spans -w 1 --level above:99.9%"
                                 : "@-T spans --level {}",
                             level, error);
    if (is_table && settings->rate == 0 &&
        settings_intervals(&settings->zoom, &(struct intervals){.months = 0}, error) != 0)
        return -1;
    if (level == NULL && join != NULL && !writes_spans(settings))
        return others_refuse(&line, "--join", ": joins spans, which are above or below a level",
                             is_table ? "@-T spans --level above:25 --join {}"
                                      : "@-T spans --level above:-50dB --join {}",
                             join, error);
    return 0;
}

/* Options that do not fit together. The first one that applies is reported. */
static int check_options(const struct options *options, struct error *error)
{
    static const char length_wanted[] = "needs a time for --zoom or -w, and no -r";
    static const char rows_wanted[] = "rows may be any time apart: give a number of rows";
    static const char stats_wanted[] = "needs --stats FILE";
    static const char spans_wanted[] = "needs -T spans, or -T labels";
    static const char picture_wanted[] = "needs a picture: -T svg";
    static const char many_wanted[] = "needs --out-dir, or several inputs";
    static const char no_frames[] = "there are no frames to write (--emit none)";
    const struct settings *settings = &options->settings;
    const struct text_dialect *dialect = &settings->dialect;
    const struct picture *picture = &settings->picture;
    const struct job_files *task = &options->task;
    const struct many *many = &options->many;
    const bool timed = text_is_timed(dialect);
    const char *of_times = settings_of_times(settings);
    const bool by = dialect->by != NULL;
    const bool late = settings->late.given;
    const bool by_times = settings_by_clock(settings) || settings_by_window(settings);
    const bool later = settings->timed != NULL; /* a table may turn out to have times */
    const bool spans = writes_spans(settings);
    const bool wide = settings->window.given && (settings->window.frames > 1 || !spans);
    const bool cut = settings->align == ALIGN_CAUSAL || settings->align == ALIGN_CENTER;
    const bool is_picture = writes_picture(options);
    const bool is_batch = settings_many(many);
    const bool nameless = many->count == 0 && many->list == NULL;
    const bool frames = settings->emits.count > 0;
    const bool sums = emits_need_sums(&settings->emits);
    const bool positions = emits_positions(&settings->emits) > 0;
    const bool together = writes_together(options);
    const bool placeless = is_batch && frames && many->folder == NULL;
    const struct {
        bool applies;
        const char *option;
        const char *reason;
    } complaints[] = {
        {dialect->thousands != '\0' && dialect->thousands == dialect->decimal, "--thousands",
         "is also the decimal sign: give --decimal . or --decimal ,"},
        {dialect->columns != NULL && dialect->not_columns != NULL, "--not-columns",
         "all columns but these are read: leave --columns out"},
        {!timed && !later && of_times != NULL, of_times,
         "needs a table with times, and -r is for samples without: leave one of the two out"},
        {!by_times && !later && by && (wide || settings->hop.given), "--by", length_wanted},
        {!later && by && settings->rate > 0, "--by", length_wanted},
        {by && settings->summary, "--by",
         "a summary is of all rows: --emit none --stats - has the statistics of each key"},
        {(by || late) && settings->skip.is_time, "--skip", rows_wanted},
        {(by || late) && settings->frames.is_time, "--frames", rows_wanted},
        {settings->skip.given && settings->from.value.text != NULL, "--skip",
         "--from says where to begin: leave one of them out"},
        {settings->frames.given && settings->to.value.text != NULL, "--frames",
         "--to says where to end: leave one of them out"},
        {dialect->time_unit_given && dialect->time_format != NULL, "--time-unit",
         "times are numbers, or as --time-format says: leave one out"},
        {timed && settings->shards > 0, "--shard",
         "text with times is read from its beginning: leave --shard out, or count rows (-w 12)"},

        {nameless && dialect->time != NULL && format_of_table(dialect->time, "auto", false) != NULL,
         "--time", "takes a column, but this is the name of a file"},
        {nameless && dialect->columns != NULL &&
             format_of_table(dialect->columns, "auto", false) != NULL,
         "--columns", "takes columns, but this is the name of a file"},

        {!spans && settings->join.given, "--join", spans_wanted},
        {!spans && settings->least.given, "--least", spans_wanted},
        {!spans && !is_picture && settings->gap.given, "--gap",
         "ends spans and lines of pictures: give -T spans, or -T svg"},
        {settings->gap.given && settings_by_clock(settings), "--gap",
         "intervals without rows are NaN: --gaps says what becomes of them"},
        {spans && settings->rule.text == NULL, "-T",
         "spans need --level above:L or --level below:L"},
        {spans && settings->shards > 0, "--shard",
         "a span may reach from one part into the next: leave --shard out"},
        {spans && settings->emit_given && settings->emits.count > 1, "--emit",
         "spans are of one value: give one of min, max, abs, range, mid, mean, rms, count, std"},
        {sums && !settings->zoom.given && !settings->window.given, "--emit",
         "mean, rms, std, count, first and last need --zoom LEN, or -w LEN and --hop"},
        {positions && settings->device == DEVICE_CUDA, "--device cuda",
         "has no argmin or argmax: leave --device out"},
        {(positions || emits_have_ends(&settings->emits)) && settings->overall, "--overall",
         "has no argmin, argmax, first or last: leave them or --overall out"},
        {spans && cut && settings->hop.given, "--align",
         "spans are of whole windows: leave --align out"},

        {settings->db && settings->counts, "--db", "counts have no full scale: leave --counts out"},
        {settings->db && !frames, "--db", no_frames},
        {!is_picture && picture->width > 0, "--size", picture_wanted},
        {!is_picture && picture->title != NULL, "--title", picture_wanted},
        {!is_picture && picture->scale != PICTURE_USUAL, "--scale", picture_wanted},
        {!is_picture && picture->plain, "--plain", picture_wanted},
        {!picture->plain && picture->width > 0 &&
             (picture->width < PICTURE_LEAST || picture->height < PICTURE_LEAST),
         "--size", "axes and text need 200x200 pixels: --plain leaves them out"},
        {picture->plain && picture->title != NULL, "--title", "--plain is without text"},

        {many->null && many->list == NULL, "-0", "needs --files-from"},
        {!is_batch && many->name != NULL, "--name", many_wanted},
        {!is_batch && many->jobs > 0, "--jobs", many_wanted},
        {!is_batch && many->skip_existing, "--skip-existing", many_wanted},
        {!is_batch && many->fail_fast, "--fail-fast", many_wanted},
        {!is_batch && many->overwrite, "--overwrite", many_wanted},
        {settings->accept_damaged && settings->shards > 0, "--shard",
         "parts of a damaged input may not make a whole: leave --accept-damaged out"},
        {is_batch && settings->shards > 0, "--shard", "is a part of one input: give one FILE"},
        {is_batch && nameless, many->folder != NULL ? "--out-dir" : "--recursive",
         "which files? Name them, or give --files-from"},
        {many->recursive && many->count == 0, "--recursive", "which folders? Name them"},
        {many->folder != NULL && !frames, "--out-dir", no_frames},
        {together && (many->name != NULL || many->skip_existing),
         many->name != NULL ? "--name" : "--skip-existing",
         "one table has all spans (--out-dir -)"},
        {!together && many->folder != NULL && is_standard_output(many->folder), "--out-dir -",
         "is for spans and labels: name a folder, or give one input and leave it out"},
        {placeless && many->count < 2, many->list != NULL ? "--files-from" : "--recursive",
         "needs --out-dir DIR, for the outputs, or --emit none --stats FILE"},

        {!frames && task->output != NULL, "-o",
         "there are no frames to write (--emit none): --stats FILE writes statistics"},
        {!frames && settings->output_type != NULL, "-T", no_frames},
        {!frames && settings->zoom.given && !settings->stats_every.given, "--zoom",
         "there are no frames to write (--emit none): give --stats-every LEN in its place"},
        {!frames && task->stats == NULL, "--emit none",
         "leaves nothing to do without --stats FILE"},
        {task->stats == NULL && settings->stats_every.given, "--stats-every", stats_wanted},
        {task->stats == NULL && settings->stats_format_given, "--stats-format", stats_wanted},
        {task->stats != NULL && settings->shards > 0 && !settings->stats_every.given, "--shard",
         "statistics of the whole input cannot be split: give --stats-every"},
    };

    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
        if (complaints[i].applies)
            return USAGE(error, "%s: %s", complaints[i].option, complaints[i].reason);
    }
    return 0;
}

/* Refuses a word that is no file, but a word of another program. */
static int check_operand(const struct options *options, const char *word, struct error *error)
{
    const struct others_line line = {&options_command, options->argv, true};
    struct sample_type type;
    const bool is_type = sample_type_parse(word, false, &type);
    const char *ours = others_find(others_table, "operand", is_type ? "raw" : word,
                                   is_type ? strlen("raw") : strlen(word));

    return ours == NULL ? 0
                        : others_refuse(&line, word, ": is taken for an input", ours, word, error);
}

/* Is the second of two operands meant as an output? A picture needs no window. */
static bool is_output(const struct options *options, const char *second)
{
    const struct settings *settings = &options->settings;
    const struct sink_request sink = {.type = settings->output_type, .path = second};

    return options->many.count == 2 && strchr(second, '.') != NULL && access(second, F_OK) != 0 &&
           access(options->many.operands[0], F_OK) == 0 &&
           (settings->window.given || settings->zoom.given || sink_needs_no_window(&sink));
}

/* Frames of a batch need a place and a name. */
static int check_operands(const struct options *options, struct error *error)
{
    const struct others_line line = {&options_command, options->argv, true};
    const struct many *many = &options->many;
    const char *output = options->task.output;
    const bool frames = options->settings.emits.count > 0;
    const struct text_dialect *dialect = &options->settings.dialect;
    const char *list = dialect->columns != NULL ? "columns" : dialect->time != NULL ? "time" : NULL;

    for (size_t i = 0; i < many->count; i++) {
        if ((access(many->operands[i], F_OK) != 0 ||
             (i > 0 && frames && (many->folder == NULL || output != NULL))) &&
            check_operand(options, many->operands[i], error) != 0)
            return -1;
    }
    if (!settings_many(many) || !frames)
        return 0;
    for (size_t i = 0; (many->folder == NULL || output != NULL) && i < many->count; i++) {
        const char *word = many->operands[i];

        if ((list != NULL || options->settings.force) && strpbrk(word, "./-") == NULL &&
            access(word, F_OK) != 0)
            return USAGE(error,
                         list != NULL
                             ? "%.*s: is taken for an input: columns have commas between them, as "
                               "in --%s date,clock"
                             : "%.*s: is taken for an input: -f is --force, and takes no value",
                         VALUES_SHOWN, word, list);
    }
    if (output != NULL && many->folder != NULL)
        return USAGE(error, "-o: names one output, --out-dir a folder for all: leave one out");
    if (output != NULL && many->count == 2)
        return USAGE(
            error, "-o: takes one input, and there are 2 (%.*s, %.*s): several need --out-dir DIR",
            VALUES_SHOWN, many->operands[0], VALUES_SHOWN, many->operands[1]);
    if (output != NULL)
        return USAGE(error, "-o: takes one input: several need --out-dir DIR instead");
    if (many->folder == NULL && is_output(options, many->operands[1]))
        return others_refuse(&line, many->operands[1], ": is taken for an input",
                             "-o FILE is the output@-o {}", many->operands[1], error);
    if (many->folder == NULL)
        return USAGE(error,
                     "%.*s: is a second input, after %.*s: -o FILE is the output, and "
                     "several inputs need --out-dir DIR",
                     VALUES_SHOWN, many->operands[1], VALUES_SHOWN, many->operands[0]);
    for (size_t i = 0; i < many->count; i++) {
        if (strcmp(many->operands[i], "-") == 0)
            return USAGE(error, "-: standard input has no name for its output: use /dev/stdin");
    }
    return 0;
}

/* Text must not get between the frames, nor replace the input or the output. Devices may be
 * shared. */
static int check_text(const struct options *options, const struct option_value *file,
                      struct error *error)
{
    const char *path = file->text;
    const char *output = options->task.output != NULL ? options->task.output : "-";
    const bool frames = writes_stream(options);

    if (path == NULL)
        return 0;
    if (is_standard_output(path) && frames && is_standard_output(output))
        return settings_refuse(error, file, FRAMES_ONLY);
    if (strncmp(path, "/dev/", 5) == 0)
        return 0;
    if (frames && strcmp(path, output) == 0)
        return settings_refuse(error, file, "the output has this name too");
    for (size_t i = 0; strcmp(path, "-") != 0 && i < options->many.count; i++) {
        if (strcmp(path, options->many.operands[i]) == 0)
            return settings_refuse(error, file, "the input has this name too");
    }
    return 0;
}

static int check_texts(const struct options *options, struct error *error)
{
    const struct others_line line = {.command = &options_command, .argv = options->argv};
    const struct option_value stats = {.option = "--stats", .text = options->task.stats};
    const struct option_value report = {.option = "--report", .text = options->task.report};

    if (stats.text != NULL && strcmp(stats.text, "-") == 0 && writes_stream(options))
        return others_refuse(&line, "--stats -", ": standard output carries frames",
                             "name a file, or for statistics alone@--emit none --stats {}",
                             stats.text, error);
    if (check_text(options, &stats, error) != 0)
        return -1;
    if (report.text != NULL && strcmp(report.text, "-") == 0)
        return settings_refuse(error, &report, FRAMES_ONLY);
    if (report.text != NULL && stats.text != NULL && strcmp(report.text, stats.text) == 0 &&
        strncmp(report.text, "/dev/", 5) != 0)
        return settings_refuse(error, &report, "--stats has this name too");
    return check_text(options, &report, error);
}

/* ---- what follows from what was given ---- */

/* The ending of the file of statistics says their format, unless an option does. */
static void resolve_stats_format(struct options *options)
{
    static const struct {
        const char *ending;
        enum stats_format format;
    } endings[] = {{".tsv", STATS_TSV}, {".txt", STATS_TSV}, {".csv", STATS_CSV}};
    const char *dot = options->task.stats == NULL ? NULL : strrchr(options->task.stats, '.');

    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++) {
        if (!options->settings.stats_format_given && strcasecmp(dot, endings[i].ending) == 0)
            options->settings.stats_format = endings[i].format;
    }
}

/* --zoom is a window, a hop and an alignment in one. */
static int resolve_zoom(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;
    const char *beside = settings->window.given ? "-w"
                         : settings->hop.given  ? "--hop"
                         : options->align_given ? "--align"
                                                : NULL;

    if (!settings->zoom.given)
        return 0;
    if (beside != NULL)
        return settings_refuse(error, &settings->zoom.value,
                               "is short for -w, --hop and --align: leave %s out", beside);
    settings->window = settings->zoom;
    settings->hop = settings->zoom;
    settings->align = ALIGN_FORWARD;
    return 0;
}

/* Windows of time have a row each, and look back unless the user says otherwise. */
static int resolve_windows(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;
    const enum window_align align = settings->align;
    const struct option_value given = {.option = "--align", .text = window_aligns[align]};
    int64_t period;

    if (!settings_by_window(settings))
        return 0;
    if (settings_period(&settings->window, &settings->window_period, error) != 0)
        return -1;
    if (settings->hop.is_time && settings_period(&settings->hop, &period, error) == 0 &&
        period == settings->window_period)
        return settings_refuse(error, &settings->hop.value,
                               "is as long as the window: use --zoom %s for intervals of the clock",
                               settings->hop.value.text);
    if (settings->hop.given)
        return settings_refuse(
            error, &settings->hop.value,
            "a window of time is written for every row: leave --hop out, or use --zoom");
    if (options->align_given && (align == ALIGN_VALID || align == ALIGN_FORWARD))
        return settings_refuse(error, &given, "windows of time are causal or center");
    if (options->align_given && align == ALIGN_CENTER && writes_spans(settings))
        return settings_refuse(error, &given, "spans are of whole windows: leave it out");
    if (!options->align_given)
        settings->align = ALIGN_CAUSAL;
    return 0;
}

/* Resolves the intervals of the clock, for --zoom and for statistics. */
static int resolve_intervals(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;
    struct text_dialect *dialect = &settings->dialect;
    const char *format = dialect->time_format;
    struct intervals *by_clock = &settings->zoom_by_clock;

    if (!text_is_timed(dialect))
        return 0;
    if (settings_check_table(settings, error) != 0)
        return -1;
    if (settings->late_all)
        dialect->late = INT64_MAX;
    else if (settings->late.given && settings_period(&settings->late, &dialect->late, error) != 0)
        return -1;
    if (settings->time_zone != NULL)
        dialect->zone = &options->zone;
    if (settings_intervals(&settings->zoom, by_clock, error) != 0 ||
        settings_intervals(&settings->stats_every, &settings->stats_by_clock, error) != 0)
        return -1;
    if (format != NULL && by_clock->months == 0 && by_clock->period % time_format_unit(format) != 0)
        return settings_refuse(error, &settings->zoom.value,
                               "its intervals begin at times that --time-format cannot write");
    dialect->sorts = !settings->late.given && dialect->by == NULL &&
                     (settings_by_clock(settings) || settings_by_window(settings) ||
                      settings->stats_every.is_time);
    by_clock->skip_empty = settings->skip_gaps;
    settings->stats_by_clock.skip_empty = settings->skip_gaps;
    if (!settings->skip_gaps) {
        const int64_t zoom_period = by_clock->period;
        const int64_t stats_period = settings->stats_by_clock.period;

        dialect->gap_period = zoom_period > 0 && (stats_period == 0 || zoom_period < stats_period)
                                  ? zoom_period
                                  : stats_period;
    }
    dialect->by_distance = settings_need_rate(settings) != NULL && !(settings->rate > 0);
    return 0;
}

/* Asks for a summary where files are named and no option says what to write. Bad lines are then
 * passed over, and are an error at the end. A second name that is no file was meant as an output.
 */
static void resolve_summary(struct options *options)
{
    struct settings *settings = &options->settings;

    if (options->of_output || (options->many.count == 0 && options->many.list == NULL) ||
        options->task.stats != NULL || settings->stats_every.given ||
        (options->many.count == 2 && access(options->many.operands[1], F_OK) != 0))
        return;
    settings->summary = true;
    settings->dialect.any_order = true;
    settings->emits = (struct emit_list){.count = 0};
    options->task.stats = "-";
    if (!settings->stats_format_given)
        settings->stats_format = STATS_TABLE;
    /* Words are counted while rows are parsed; these options would leave some parsed rows out. */
    settings->dialect.counts_words =
        settings->stats_format == STATS_TABLE && !settings->skip.given && !settings->frames.given &&
        settings->from.value.text == NULL && settings->to.value.text == NULL;
    settings->bad_lines_at_end = settings->dialect.bad_lines == TEXT_BAD_ERROR;
    if (settings->bad_lines_at_end)
        settings->dialect.bad_lines = TEXT_BAD_SKIP;
}

/* Checks and resolves what depends on whether rows have times. */
static int resolve(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;

    if (check_options(options, error) != 0 || check_operands(options, error) != 0 ||
        check_texts(options, error) != 0 || resolve_windows(options, error) != 0 ||
        resolve_intervals(options, error) != 0)
        return -1;
    /* Spans are found by one value. Cut windows do not count; the others are equal for every
     * alignment. */
    if (writes_spans(settings))
        settings->align = ALIGN_VALID;
    if (writes_spans(settings) && !settings->emit_given)
        settings->emits = (struct emit_list){.count = 1, .item = {EMIT_ABS}};
    /* In a picture a window stands at its middle. */
    if (writes_picture(options) && settings->window.given && !settings->zoom.given &&
        !options->align_given)
        settings->align = ALIGN_CENTER;
    return 0;
}

/* Are times asked for, or used where a table has some? */
static enum text_time_search wanted_times(const struct options *options)
{
    const struct settings *settings = &options->settings;

    if (settings->dialect.time != NULL || settings->rate > 0)
        return TEXT_TIMES_NONE;
    if (settings_need_rate(settings) != NULL || settings_of_times(settings) != NULL)
        return TEXT_TIMES_FOUND;
    return settings->summary || writes_picture(options) || writes_spans(settings)
               ? TEXT_TIMES_FORWARD
               : TEXT_TIMES_NONE;
}

/* The settings for a table whose times are found once it is open. */
static void resolve_timed(struct options *options)
{
    const struct settings given = options->settings;
    const enum text_time_search times = wanted_times(options);
    struct settings_timed *timed = &options->timed;

    if (times == TEXT_TIMES_NONE)
        return;
    options->settings.dialect.times = times;
    timed->refused = resolve(options, &timed->error) != 0;
    timed->settings = options->settings;
    options->settings = given;
    if (times == TEXT_TIMES_FOUND || !timed->refused)
        options->settings.timed = timed;
}

static void set_defaults(struct options *options)
{
    memset(options, 0, offsetof(struct options, zone)); /* pages of the zone stay untouched */
    options->level = MESSAGES_NORMAL;
    options->settings = (struct settings){
        .type = "auto",
        .channels = 1,
        .dialect = {.header = TEXT_HEADER_AUTO},
        .align = ALIGN_VALID,
        .edge = EDGE_SHRINK,
        .emits = {.count = 2, .item = {EMIT_MIN, EMIT_MAX}},
        .nan = NAN_PROPAGATE,
        .device = DEVICE_AUTO,
        .progress = PROGRESS_AUTO,
    };
}

int options_parse(struct options *options, int argc, char **argv, struct error *error)
{
    int operands;

    set_defaults(options);
    options->argv = argv;
    if (command_parse(&options_command, argc, argv, options, &operands, error) != 0)
        return -1;
    options->help_all = operands < argc && strcmp(argv[operands], "all") == 0;
    if (options->action != OPTIONS_RUN)
        return 0;
    options->many.operands = argv + operands;
    options->many.count = operands < argc ? (size_t)(argc - operands) : 0;
    options->task.input = options->many.count > 0 ? argv[operands] : NULL;
    resolve_summary(options);
    resolve_stats_format(options);
    if (resolve_zoom(options, error) != 0 || check_incomplete(options, error) != 0)
        return -1;
    options->many.together = writes_together(options);
    resolve_timed(options);
    return resolve(options, error);
}
