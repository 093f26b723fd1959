/* SPDX-License-Identifier: MIT */
/* The results of a session, and their outputs: a table printed row by row, then CSV, JSON and
 * pictures. */
#ifndef GPUENV_BENCH_ACCOUNT_H
#define GPUENV_BENCH_ACCOUNT_H

#include <stddef.h>

#include "base/error.h"
#include "base/memory_text.h"
#include "bench/bench_options.h"
#include "bench/runner.h"

struct account {
    const struct bench_options *options;
    struct result *results; /* in the order of the runs */
    size_t count;
    const char *without; /* why no flavour can run on a CUDA device; NULL if they can */
};

/* Everything that one command line asks for. A wrong result or a failure becomes an error at the
 * end, after all results have been printed. */
int session_run(const struct bench_options *options, struct error *error);

/* ---- table.c: lines for standard output ---- */

void table_head(const struct bench_options *options, struct memory_text *text);

/* Adds the lines above the rows of one number of samples and one window. */
void table_case(const struct bench_options *options, const struct bench_task *task,
                struct memory_text *text);
void table_row(const struct bench_options *options, const struct result *result,
               struct memory_text *text);

/* ---- csv.c, json.c: files ---- */

/* Writes one row per result; for a sweep, the columns of a published sweep come first. Samples of
 * another type than float32 add a last column. */
void csv_write(const struct account *account, struct memory_text *text);
void json_write(const struct account *account, struct memory_text *text);

/* ---- plot.c ---- */

/* Is gnuplot installed? */
int plot_can(const char *path, struct error *error);

/* Draws to the descriptor in the format that the file name implies: SVG or PNG. */
int plot_draw(const struct account *account, const char *path, int fd, struct error *error);

#endif
