/* The table of gpuenv-bench's options: its rows, and the setters beside them. */
#ifndef GPUENV_BENCH_BENCH_ROWS_H
#define GPUENV_BENCH_BENCH_ROWS_H

#include "bench/flavour.h"
#include "cli/command.h"

/* The setters take a struct bench_options. */
extern const struct command bench_command;

/* What --reduce calls a problem. */
const char *bench_reduce_word(enum bench_problem problem);

#endif
