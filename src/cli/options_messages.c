/* Options: the report, progress, messages. */
#include "cli/options_rows.h"

static const struct option_row rows[] = {
    {"report", "FILE", "write an account of the run, as JSON", OPTION_TEXT, AT(task.report),
     .what = "a file name"},
    {"progress", NULL, "show progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_ON},
    {"no-progress", NULL, "show no progress", OPTION_CHOICE, AT(settings.progress),
     .choice = PROGRESS_OFF},
    {"verbose", NULL, "tell the plan and what became of it", OPTION_CHOICE, AT(level),
     .choice = MESSAGES_VERBOSE, .letter = 'v'},
    {"quiet", NULL, "no messages but errors", OPTION_CHOICE, AT(level), .choice = MESSAGES_QUIET,
     .letter = 'q'},
    {"help", NULL, "print this text", OPTION_CHOICE, AT(action), .choice = OPTIONS_HELP,
     .letter = 'h', .ends = true},
    {"version", NULL, "print the version", OPTION_CHOICE, AT(action), .choice = OPTIONS_VERSION,
     .letter = 'V', .ends = true},
};

const struct option_section options_messages = OPTION_SECTION("Messages", rows);
