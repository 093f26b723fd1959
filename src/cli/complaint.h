/* What getopt_long() would have said of a bad command line, in our words. */
#ifndef GPUENV_CLI_COMPLAINT_H
#define GPUENV_CLI_COMPLAINT_H

#include <getopt.h>

#include "base/error.h"

/* `answer` is what getopt_long() has just returned for these options, '?' or ':'. Sets a usage
 * error; returns -1. */
int complaint(int answer, char **argv, const struct option *known, struct error *error);

#endif
