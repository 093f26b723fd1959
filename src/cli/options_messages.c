/* Options: what is told. */
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
    {
        .name = "report",
        .value = "FILE",
        .help = "write an account of the run, as JSON",
        .brief = "write an account of the run as JSON",
        .hint = "report file",
        .offer = OFFER_FILES,
        .set = set_report,
    },
    {
        .name = "progress",
        .brief = "show progress",
        .against = "no-progress",
        .turn = turn_progress,
    },
    {
        .name = "no-progress",
        .place = PLACE_AFTER,
        .brief = "show no progress",
        .against = "progress",
        .turn = turn_no_progress,
    },
    {
        .name = "verbose",
        .letter = 'v',
        .brief = "tell the plan and what became of it",
        .against = "quiet",
        .turn = turn_verbose,
    },
    {
        .name = "quiet",
        .letter = 'q',
        .place = PLACE_BESIDE,
        .brief = "no messages but errors",
        .against = "verbose",
        .turn = turn_quiet,
    },
    {
        .name = "help",
        .letter = 'h',
        .brief = "print help",
        .ends = true,
        .turn = turn_help,
    },
    {
        .name = "version",
        .letter = 'V',
        .place = PLACE_BESIDE,
        .brief = "print the version",
        .ends = true,
        .turn = turn_version,
    },
};

const struct option_section options_messages = {
    .title = "Messages",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};
