#include "cli/options.h"

#include <string.h>
#include <strings.h>

#include "cli/options_rows.h"
#include "cli/values.h"
#include "format/sink.h"

/* What may be wrong with a command line. */
struct complaint {
    bool applies;
    const char *option;
    const char *reason;
};

/* Reports the first complaint that applies. */
static int check_complaints(const struct complaint *complaints, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (complaints[i].applies)
            return error_set(error, ERROR_COMMAND, NULL, "%s: %s", complaints[i].option,
                             complaints[i].reason);
    }
    return 0;
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0;
}

/* Do frames go to a single output? */
static bool writes_stream(const struct options *options)
{
    return options->settings.emits.count > 0 && options->many.folder == NULL;
}

/* Text must not get between the frames, nor replace the input or the output. Devices may be
 * shared. */
static int check_text_file(const struct options *options, const struct value *file,
                           struct error *error)
{
    const char *path = file->text;
    const char *output = options->task.output != NULL ? options->task.output : "-";
    bool frames = writes_stream(options);

    if (is_standard_output(path) && frames && is_standard_output(output))
        return values_refuse(error, file, "standard output carries frames only: name a file");
    if (strncmp(path, "/dev/", 5) == 0)
        return 0;
    if (frames && strcmp(path, output) == 0)
        return values_refuse(error, file, "the output has this name too");
    for (size_t i = 0; strcmp(path, "-") != 0 && i < options->many.count; i++) {
        if (strcmp(path, options->many.operands[i]) == 0)
            return values_refuse(error, file, "the input has this name too");
    }
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
    const struct settings *settings = &options->settings;
    const struct complaint complaints[] = {
        {stats.text == NULL && settings->emits.count == 0, "--emit none",
         "leaves nothing to do without --stats FILE"},
        {stats.text == NULL && settings->stats_every.given, "--stats-every", "needs --stats FILE"},
        {stats.text == NULL && settings->stats_format_given, "--stats-format",
         "needs --stats FILE"},
        {stats.text != NULL && settings->shards > 0 && !settings->stats_every.given, "--shard",
         "a record of the whole input has no parts: give --stats-every"},
    };

    if (check_complaints(complaints, sizeof complaints / sizeof *complaints, error) != 0)
        return -1;
    if (stats.text == NULL)
        return 0;
    if (strcmp(stats.text, "-") == 0 && writes_stream(options))
        return values_refuse(error, &stats,
                             "standard output carries frames: name a file, or add --emit none");
    return check_text_file(options, &stats, error);
}

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
    const struct value zoom = {.option = "--zoom", .text = settings->zoom.text};
    const char *beside = settings->window.given ? "-w"
                         : settings->hop.given  ? "--hop"
                         : options->align_given ? "--align"
                                                : NULL;

    if (!settings->zoom.given)
        return 0;
    if (beside != NULL)
        return values_refuse(error, &zoom, "is short for -w, --hop and --align: leave %s out",
                             beside);
    settings->window = settings->zoom;
    settings->hop = settings->zoom;
    settings->align = ALIGN_FORWARD;
    return 0;
}

/* Options about times need --time, and have to fit together. */
static int check_times(const struct options *options, struct error *error)
{
    const struct settings *settings = &options->settings;
    const struct text_dialect *dialect = &settings->dialect;
    const bool timed = dialect->time != NULL;
    const struct complaint complaints[] = {
        {!timed && dialect->time_unit_given, "--time-unit", "needs --time COLUMN"},
        {!timed && dialect->time_format != NULL, "--time-format", "needs --time COLUMN"},
        {!timed && settings->gaps_given, "--gaps", "needs --time COLUMN"},
        {dialect->time_unit_given && dialect->time_format != NULL, "--time-unit",
         "times are numbers, or as --time-format says: leave one out"},
        {timed && settings->shards > 0, "--shard",
         "text with times is read from its beginning: leave --shard out, or --time"},
    };

    return check_complaints(complaints, sizeof complaints / sizeof *complaints, error);
}

/* The clock's intervals, of a zoom and of statistics. */
static int resolve_periods(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;
    struct text_dialect *dialect = &settings->dialect;
    const char *format = dialect->time_format;
    const struct value zoom = {.option = "--zoom", .text = settings->zoom.text};

    if (dialect->time == NULL)
        return 0;
    if (settings_by_clock(settings)) {
        if (settings_period(&settings->zoom, &settings->zoom_period, error) != 0)
            return -1;
        if (format != NULL && settings->zoom_period % time_format_unit(format) != 0)
            return values_refuse(error, &zoom,
                                 "its intervals begin between the times that --time-format has");
    }
    if (settings->stats_every.is_time &&
        settings_period(&settings->stats_every, &settings->stats_period, error) != 0)
        return -1;
    if (!settings->skip_gaps) {
        const int64_t zoom_period = settings->zoom_period;
        const int64_t stats_period = settings->stats_period;

        dialect->gap_period = zoom_period > 0 && (stats_period == 0 || zoom_period < stats_period)
                                  ? zoom_period
                                  : stats_period;
    }
    dialect->by_distance = settings_need_rate(settings) && !(settings->rate > 0);
    return 0;
}

/* Is the output a picture? Only pictures need no window. */
static bool writes_picture(const struct options *options)
{
    /* Names end as their template does. */
    const struct sink_request sink = {
        .type = options->settings.output_type,
        .path = options->many.name != NULL ? options->many.name : options->task.output,
    };

    return options->settings.emits.count > 0 && sink_needs_no_window(&sink);
}

/* Spans need a level, and one value that it is compared with. */
static int check_spans(struct options *options, struct error *error)
{
    struct settings *settings = &options->settings;
    const char *type = settings->output_type;
    const bool spans = type != NULL && strcmp(type, "spans") == 0;
    const bool cut = settings->align == ALIGN_CAUSAL || settings->align == ALIGN_CENTER;
    const struct complaint complaints[] = {
        {!spans && settings->rule.given, "--level", "needs -T spans"},
        {!spans && settings->join.given, "--join", "needs -T spans"},
        {spans && !settings->rule.given, "-T spans", "needs --level above:L or --level below:L"},
        {spans && settings->shards > 0, "--shard",
         "spans can go on from part to part: leave --shard out"},
        {spans && settings->emit_given && settings->emits.count > 1, "--emit",
         "spans are of one value: give one of min, max, abs, range, mid"},
        {spans && cut && settings->hop.given, "--align",
         "spans are of whole windows: leave --align out"},
    };

    if (check_complaints(complaints, sizeof complaints / sizeof *complaints, error) != 0)
        return -1;
    if (!spans)
        return 0;
    if (!settings->emit_given)
        settings->emits = (struct emit_list){.count = 1, .item = {EMIT_ABS}};
    /* Cut windows do not count; all others are the same for every alignment. */
    settings->align = ALIGN_VALID;
    return 0;
}

/* For several inputs, or a folder for their outputs. */
static int check_batch(const struct options *options, struct error *error)
{
    const struct many *many = &options->many;
    const bool frames = options->settings.emits.count > 0;
    const bool placeless = frames && many->folder == NULL;
    const struct complaint complaints[] = {
        {options->settings.shards > 0, "--shard", "is a part of one input: give one FILE"},
        {many->count == 0 && many->list == NULL, many->folder != NULL ? "--out-dir" : "--recursive",
         "which files? Name them, or give --files-from"},
        {many->recursive && many->count == 0, "--recursive", "which folders? Name them"},
        {many->folder != NULL && !frames, "--out-dir",
         "there are no frames to write (--emit none)"},
        {frames && options->task.output != NULL, "-o",
         "is one output, and there may be several inputs: use --out-dir DIR"},
        {placeless && many->count < 2, many->list != NULL ? "--files-from" : "--recursive",
         "needs --out-dir DIR, for the outputs"},
    };

    if (check_complaints(complaints, sizeof complaints / sizeof *complaints, error) != 0)
        return -1;
    if (placeless)
        return error_set(error, ERROR_COMMAND, NULL,
                         "%.*s: more than one input needs --out-dir DIR: %.*s came before it",
                         VALUES_SHOWN, many->operands[1], VALUES_SHOWN, many->operands[0]);
    for (size_t i = 0; frames && i < many->count; i++) {
        if (strcmp(many->operands[i], "-") == 0)
            return error_set(error, ERROR_COMMAND, NULL,
                             "-: standard input has no name to make an output's name of: use "
                             "/dev/stdin");
    }
    return 0;
}

/* Checks that need the whole command line. */
static int check_whole(const struct options *options, struct error *error)
{
    static const char picture_wanted[] = "needs a picture: -T svg";
    static const char many_wanted[] = "needs --out-dir, or several inputs";
    static const char no_frames[] = "there are no frames to write (--emit none)";
    const struct settings *settings = &options->settings;
    const struct picture *picture = &settings->picture;
    const struct many *many = &options->many;
    const bool is_picture = writes_picture(options);
    const bool is_single = !settings_many(many);
    const bool is_frameless = settings->emits.count == 0;
    const struct complaint complaints[] = {
        {!is_picture && picture->width > 0, "--size", picture_wanted},
        {!is_picture && picture->title != NULL, "--title", picture_wanted},
        {!is_picture && picture->scale != PICTURE_USUAL, "--scale", picture_wanted},
        {!is_frameless && !settings->window.given && !is_picture, "-w",
         "the length of the window is missing: give frames or a time, for example -w 512 or -w "
         "10ms"},
        {many->null && many->list == NULL, "-0", "needs --files-from"},
        {is_single && many->name != NULL, "--name", many_wanted},
        {is_single && many->jobs > 0, "--jobs", many_wanted},
        {is_single && many->skip_existing, "--skip-existing", many_wanted},
        {is_single && many->fail_fast, "--fail-fast", many_wanted},
        {is_single && many->overwrite, "--overwrite", many_wanted},
    };
    const struct complaint of_outputs[] = {
        {is_frameless && options->task.output != NULL, "-o", no_frames},
        {is_frameless && settings->output_type != NULL, "-T", no_frames},
    };

    if (check_complaints(complaints, sizeof complaints / sizeof *complaints, error) != 0 ||
        (!is_single && check_batch(options, error) != 0) ||
        check_complaints(of_outputs, sizeof of_outputs / sizeof *of_outputs, error) != 0 ||
        check_stats(options, error) != 0)
        return -1;
    return check_report(options, error);
}

static void set_defaults(struct options *options)
{
    *options = (struct options){.action = OPTIONS_RUN, .level = MESSAGES_NORMAL};
    options->settings = (struct settings){
        .type = "auto",
        .channels = 1,
        .dialect = {.decimal = '.', .header = TEXT_HEADER_AUTO},
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
    if (command_parse(&options_command, argc, argv, options, &operands, error) != 0)
        return -1;
    if (options->action != OPTIONS_RUN)
        return 0;
    options->many.operands = argv + operands;
    options->many.count = operands < argc ? (size_t)(argc - operands) : 0;
    if (options->many.count > 0)
        options->task.input = options->many.operands[0];
    resolve_stats_format(options);
    if (resolve_zoom(options, error) != 0 || check_times(options, error) != 0 ||
        resolve_periods(options, error) != 0 || check_spans(options, error) != 0)
        return -1;
    return check_whole(options, error);
}
