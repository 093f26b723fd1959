/* --help and --version, from the table of options. */
#ifndef GPUENV_CLI_HELP_H
#define GPUENV_CLI_HELP_H

#include "base/error.h"
#include "cli/command.h"

/* The whole text, to be freed. NULL, with errno set, when there is no room for it. */
char *help_text(const struct command *command);

/* Both print to standard output. */
int help_print(const struct command *command, struct error *error);
int help_print_version(const struct command *command, struct error *error);

#endif
