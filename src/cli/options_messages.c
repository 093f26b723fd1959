/* Options: the report, progress, messages. */
#include "cli/options.h"
#include "cli/options_rows.h"
#include "cli/values.h"

static int set_report(void *into, const struct value *value, struct error *error)
{
    struct options *options = into;

    return values_text(value, "a file name", &options->task.report, error);
}

static void turn_progress(void *into)
{
    struct options *options = into;

    options->settings.progress = PROGRESS_ON;
}

static void turn_no_progress(void *into)
{
    struct options *options = into;

    options->settings.progress = PROGRESS_OFF;
}

static void turn_verbose(void *into)
{
    struct options *options = into;

    options->verbose = true;
    options->settings.quiet = false;
}

static void turn_quiet(void *into)
{
    struct options *options = into;

    options->verbose = false;
    options->settings.quiet = true;
}

static void turn_help(void *into)
{
    struct options *options = into;

    options->action = OPTIONS_HELP;
}

static void turn_version(void *into)
{
    struct options *options = into;

    options->action = OPTIONS_VERSION;
}

static const struct option_row rows[] = {
    {"report", "FILE", "write an account of the run, as JSON", .set = set_report},
    {"progress", NULL, "show progress", .turn = turn_progress},
    {"no-progress", NULL, "show no progress", .turn = turn_no_progress},
    {"verbose", NULL, "tell the plan and what became of it", .letter = 'v', .turn = turn_verbose},
    {"quiet", NULL, "no messages but errors", .letter = 'q', .turn = turn_quiet},
    {"help", NULL, "print this text", .letter = 'h', .turn = turn_help, .ends = true},
    {"version", NULL, "print the version", .letter = 'V', .turn = turn_version, .ends = true},
};

const struct option_section options_messages = {
    .title = "Messages",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
