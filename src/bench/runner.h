/* SPDX-License-Identifier: MIT */
/* Checks one flavour on one task, then times it. */
#ifndef GPUENV_BENCH_RUNNER_H
#define GPUENV_BENCH_RUNNER_H

#include <stddef.h>

#include "bench/flavour.h"
#include "bench/reference.h"

/* Memory that is read before each timed run, so that no run finds its data in the caches. */
struct caches {
    unsigned char *memory; /* from pages_alloc() */
    size_t size;
};

/* Returns -1, with errno set, when out of memory. */
int caches_open(struct caches *caches);
void caches_empty(const struct caches *caches);

enum outcome {
    OUTCOME_TIMED,
    OUTCOME_WRONG,
    OUTCOME_IMPOSSIBLE, /* the flavour cannot do such a task */
    OUTCOME_SKIPPED,    /* its device or library is not available */
    OUTCOME_FAILED,
    OUTCOMES,
};

enum { RUNNER_ITERATIONS_MOST = 1000 };

/* Statistics of several times. */
struct spread {
    double median; /* for an even number, the mean of the two in the middle */
    double least;
    double most;
};

/* All times are seconds. */
struct result {
    const struct bench_flavour *flavour;
    struct bench_task task; /* all zero if the flavour was skipped for all tasks */
    enum outcome outcome;
    char why[REFERENCE_WHY]; /* the reason, unless it was timed */

    /* What follows is valid only if the flavour was timed. */
    unsigned iterations;
    double setup;
    double phase[BENCH_PHASES]; /* medians */
    struct spread total;        /* wall-clock time of run(); on a device, the sum of its phases */
    double bytes;               /* the least that the task has to move */
    double of_ceiling;          /* the ceiling's time divided by this one's: the median of pairs */
    double reference;           /* seconds of the sequential reference */
    double distance;            /* reference_distance() */
};

/* For tables and files: "timed", "WRONG". */
extern const char *const outcome_words[OUTCOMES];

/* Sorts the times; there is at least one. */
struct spread spread_of(double *times, size_t count);

/* The bytes of all samples, and of two results per window. */
double runner_bytes(enum bench_problem problem, const struct bench_task *task);

/* What is run, how often, and what it is compared with. */
struct trial {
    const struct bench_flavour *flavour;
    const struct bench_task *task;       /* `windows` has room for the guard of bench/reference.h */
    const struct reference *reference;   /* NULL if nothing is checked */
    const struct bench_flavour *ceiling; /* NULL if the flavour is a ceiling itself */
    const struct caches *caches;
    unsigned iterations;
};

/* Opens the flavour, runs it once and checks the result, then times it, alternating with the
 * ceiling; the last of these runs is checked as well. Before each timed run the caches are
 * emptied. */
void runner_run(const struct trial *trial, struct result *result);

#endif
