/* The table of gpuenv's options. Each section is a file with its rows and their setters. */
#ifndef GPUENV_CLI_OPTIONS_ROWS_H
#define GPUENV_CLI_OPTIONS_ROWS_H

#include "cli/command.h"
#include "cli/options.h"

/* The fields of these rows. */
#define AT(member) .field = offsetof(struct options, member)
#define GIVEN(member) .given = offsetof(struct options, member)

extern const struct option_section options_window;
extern const struct option_section options_input;
extern const struct option_section options_table;
extern const struct option_section options_output;
extern const struct option_section options_many;
extern const struct option_section options_work;
extern const struct option_section options_messages;

extern const struct command options_command;

#endif
