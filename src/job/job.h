/* SPDX-License-Identifier: MIT */
/* One job: one input to one output, planned from the settings, and run. */
#ifndef GPUENV_JOB_JOB_H
#define GPUENV_JOB_JOB_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/flag.h"
#include "engine/machine.h"
#include "engine/run_result.h"
#include "io/output.h"
#include "job/settings.h"
#include "job/stream.h"

/* What a job asks of the program that runs it: jobs print nothing, and handle no signals. Where the
 * members from begin() on are NULL, it shows no progress, and a signal ends the program. */
struct job_host {
    void (*warning)(const char *format, ...) __attribute__((format(printf, 1, 2)));
    void (*note)(const char *format, ...) __attribute__((format(printf, 1, 2)));
    const char *(*words)(const struct error *error, char words[ERROR_WORDS]);

    /* Shows the progress. `mixes`: an output is a terminal, too. `frames` is UINT64_MAX if
     * unknown. */
    void (*begin)(enum settings_progress wanted, bool mixes, uint64_t frames, size_t frame_bytes,
                  const char *engine);
    void (*watch)(const struct pipeline_progress *done);
    void (*end)(void);

    /* From lend() to take_back(), a signal that asks the program to end raises the flag.
     * take_back() returns that signal, 0 if there was none. */
    void (*lend)(struct flag *flag);
    int (*take_back)(struct flag *flag);
};

/* Runs a job by itself. */
int job_run(const struct settings *settings, const struct job_files *task,
            const struct job_host *host, struct error *error);

/* Checks what does not depend on the input; fails as job_run() would. */
int job_check(const struct settings *settings, const struct job_files *task, struct error *error);

/* Warnings that come once from all jobs. */
enum job_told {
    TOLD_RATE,    /* a rate that a header cannot express */
    TOLD_DIGITS,  /* digits are lost */
    TOLD_LOOKS,   /* a raw file looks like another */
    TOLD_OFFSETS, /* times of a table have several offsets */
    TOLD_LEVEL,   /* a level, or a scale, is beyond full scale */
    TOLD_SCALE,   /* a picture of something quiet */
    TOLD_ENDING,  /* an output's name says no type */
    TOLD_DATE,    /* --to is a date, whose rows are left out */
    TOLD_NAN,     /* one NaN has spoilt an interval */
    TOLD_KINDS,
};

/* What jobs that run at the same time share. */
struct job_shared {
    const struct machine *machine; /* NULL if each job has its own */
    unsigned jobs;
    struct made *made;         /* outputs of the whole batch; NULL if one job runs by itself */
    sem_t device;              /* limits how many jobs work on devices at a time */
    uint64_t large_bytes;      /* input of all files that are worth a device, as far as known */
    atomic_bool device_failed; /* a device that was not requested by name has failed */
    atomic_bool told[TOLD_KINDS];
};

/* The texts of a job whose caller puts those of several inputs together. */
struct job_texts {
    struct output *frames; /* takes spans, without their header; NULL if the task's output does */
    struct output *stats;  /* takes records, without the header line, if the task has statistics */
    bool tables;           /* all records have the fields of tables */
    bool reports;          /* a report is wanted */
    char *report;          /* result: a line, to be freed; NULL if memory ran out */
    size_t report_size;
};

/* Are so many bytes of input worth a device that the user has not named? */
bool job_is_large(uint64_t bytes);

/* A job and what its caller wants of it. */
struct job_call {
    const struct settings *settings;
    const struct job_files *task;
    const struct job_host *host;
    struct job_shared *shared;
    struct pipeline_progress *progress; /* all zero */

    /* Without texts the job opens statistics and report itself, and says what it does. With texts
     * an input that is too short for a device is left to the cores, even if the settings name
     * one. */
    struct job_texts *texts; /* may be NULL */
    bool is_small;           /* the input is too small for a device that `auto` chooses */
    uint64_t turn;           /* picks one of several devices */

    struct run_result result; /* all zero if there was no stream */
};

/* Checks whether an open output, of statistics or a report, may replace the file that has its name:
 * only a file of statistics or a report, and none at all if the settings say so. */
int job_spare_older(const struct settings *settings, struct output *output, bool stats,
                    struct error *error);

/* Writes the names of the columns of statistics, before the records of all jobs. Tables for people
 * have none. `tables`: as in struct job_texts. */
int job_name_columns(const struct settings *settings, bool tables, struct output *stats,
                     struct error *error);

int job_run_call(struct job_call *call, struct error *error);

/* report.c: the engines that have worked, "cpu and cuda:0". */
void report_name_engines(const struct run_result *result, char *text, size_t size);

#endif
