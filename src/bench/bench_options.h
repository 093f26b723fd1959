/* SPDX-License-Identifier: MIT */
/* The command line of gpuenv-bench as a plain struct. No input or output happens here. */
#ifndef GPUENV_BENCH_BENCH_OPTIONS_H
#define GPUENV_BENCH_BENCH_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "bench/flavour.h"
#include "tool/command.h"
#include "tool/values.h"

/* ---- data.c: the samples, which depend only on their kind and type */

enum data_kind {
    DATA_RANDOM,   /* uniform in [-0.5, 0.5) */
    DATA_POSITIVE, /* uniform in [0, 1) */
    DATA_SORTED,   /* ascending */
    DATA_FALLING,
    DATA_CONSTANT,
    DATA_ZERO,      /* +0 and -0 at random */
    DATA_TIES,      /* one of seven numbers: the largest occurs many times */
    DATA_SUBNORMAL, /* uniform, and too small for a normal float */
    DATA_KINDS,
};

/* NULL-terminated; the index of a word is its kind. */
extern const char *const data_words[];

void data_fill(enum data_kind data, enum value_kind kind, void *samples, size_t count);

/* ---- lists of numbers */

enum { SERIES_MOST = 64 };

struct swept {
    size_t count;
    uint64_t number[SERIES_MOST];
};

/* Parses the whole value, a comma-separated list of numbers and ranges, each number from 1 to
 * `most`. Earlier contents of the series are dropped. `value` is the option, for messages. */
int series_parse(struct swept *series, const struct option_value *value, uint64_t most,
                 struct error *error);

/* The largest number; 0 if there is none. */
uint64_t series_largest(const struct swept *series);

/* ---- the options */

enum bench_action {
    BENCH_RUN,
    BENCH_LIST,
    BENCH_HELP,
    BENCH_VERSION,
};

/* Files for results. */
enum bench_file {
    BENCH_CSV,
    BENCH_JSON,
    BENCH_PLOT,
    BENCH_FILES,
};

struct bench_options {
    enum bench_action action;
    enum bench_problem problem; /* --reduce */
    struct swept samples;       /* -s */
    struct swept windows;       /* -w; a single 1 for other problems */
    unsigned iterations;        /* -i */
    enum value_kind kind;       /* --type: VALUE_F32 or VALUE_F64 */
    enum data_kind data;
    const char *only; /* comma-separated names; NULL for all flavours */
    bool sweep;
    /* Each has at least one number; 0 stands for the method's default. */
    struct swept threads;
    struct swept blocks;
    unsigned device;
    const char *files[BENCH_FILES]; /* names; NULL unless given, "-" for standard output */
    bool verbose;
};

/* The option table, with setters that take a struct bench_options. */
extern const struct option_table bench_command;

/* The words of --reduce and of files: "window", "max", "sum", and NULL. */
extern const char *const bench_problem_words[];

/* The words of --type, by kind. */
extern const char *const bench_type_words[];

/* The options that name files: "--csv". */
extern const char *const bench_file_options[];

/* Fills in the struct from argv (which getopt may reorder). A bad command line gives STATUS_USAGE
 * and a message that names the option and the reason. */
int bench_options_parse(struct bench_options *options, int argc, char **argv, struct error *error);

/* ---- selection.c: which flavours take part */

/* The flavour with this index among all of this build: first those for the CPU, then those for a
 * device. Returns NULL past the last. */
const struct bench_flavour *selection_flavour(size_t index);

/* Are all names of --only flavours of the problem? An unknown name is a usage error. */
int selection_check(const struct bench_options *options, struct error *error);

/* Does the flavour take part? The flavours of the problem that --only names do, or all of them.
 * With --sweep and no --only, flavours that have blocks do, and `cpu`. */
bool selection_takes(const struct bench_options *options, const struct bench_flavour *flavour);

/* The names of the flavours of all problems, each name once and after a blank. */
void selection_names(char *list, size_t size);

/* Prints the list of flavours. */
int selection_list(const struct bench_options *options, struct error *error);

#endif
