/* Walks through the command line with getopt_long(), with our own error messages. */
#ifndef GPUENV_CLI_WALK_H
#define GPUENV_CLI_WALK_H

#include "base/error.h"
#include "cli/command.h"

/* Stores each option in `options`, up to one that ends the walk. The operands are
 * left at the end of argv, from `*operands` on. */
int walk_options(const struct command *command, int argc, char **argv, void *options, int *operands,
                 struct error *error);

#endif
