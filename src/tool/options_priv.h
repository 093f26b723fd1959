/* SPDX-License-Identifier: MIT */
/* The command line as a plain struct. Nothing here reads, writes or opens anything. */
#ifndef GPUENV_TOOL_OPTIONS_PRIV_H
#define GPUENV_TOOL_OPTIONS_PRIV_H

#include <stdbool.h>

#include "base/error.h"
#include "job/settings.h"
#include "tool/command.h"
#include "tool/messages.h"
#include "tool/values.h"

enum options_action {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_VERSION,
};

struct options {
    enum options_action action;
    enum messages_level level;
    bool help_all;
    bool align_given;
    bool of_output;    /* an option is given that says what is written */
    char *const *argv; /* for messages */
    struct settings settings;
    struct settings_timed timed; /* `settings` point to it if a table may have times */
    struct job_files task;       /* its input is the first operand */
    struct many many;            /* with all operands, which point into argv */

    /* The zone of settings.time_zone, which the caller finds. The dialect points to it.
     * options_parse() leaves it as it is: it must stay last. */
    struct zone zone;
};

/* The options, which set the members of a struct options. */
extern const struct option_table options_command;

/* Fills in the struct from argv (which getopt may reorder). A bad command line gives
 * STATUS_USAGE and one line that names the option and the reason. */
int options_parse(struct options *options, int argc, char **argv, struct error *error);

#endif
