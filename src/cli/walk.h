/* The command line, one option after the other: getopt_long() with our words for what is wrong. */
#ifndef GPUENV_CLI_WALK_H
#define GPUENV_CLI_WALK_H

#include <getopt.h>

#include "base/error.h"
#include "cli/values.h"

struct walk {
    int argc;
    char **argv;
    const char *letters; /* as for getopt_long(), beginning with a colon */
    const struct option *known;
    char name[32]; /* of the last option */
};

/* One command line at a time. */
struct walk walk_begin(int argc, char **argv, const char *letters, const struct option *known);

/* What `known` or `letters` have for the next option, and how it was written; 0 when there are only
 * operands left, from argv[optind] on. -1: the command line is wrong. */
int walk_next(struct walk *walk, struct value *value, struct error *error);

#endif
