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

/* What a job asks of the program that runs it: jobs print nothing, and handle no signals. */
struct job_host {
    void (*warning)(const char *format, ...) __attribute__((format(printf, 1, 2)));
    void (*note)(const char *format, ...) __attribute__((format(printf, 1, 2)));
    const char *(*words)(const struct error *error, char words[ERROR_WORDS]);

    /* Shows the progress of a job that runs by itself. `mixes`: an output is a terminal, too;
     * `frames` UINT64_MAX: unknown. */
    void (*begin)(enum settings_progress wanted, bool mixes, uint64_t frames, size_t frame_bytes,
                  const char *engine);
    void (*watch)(const struct pipeline_progress *done);
    void (*end)(void);

    /* Until it is taken back, a signal that asks the program to end raises the flag. Gives that
     * signal, or 0. */
    void (*lend)(struct flag *flag);
    int (*take_back)(struct flag *flag);
};

/* Runs a job by itself. */
int job_run(const struct settings *settings, const struct job_files *task,
            const struct job_host *host, struct error *error);

/* Checks what does not depend on the input; fails as job_run() would. */
int job_check(const struct settings *settings, const struct job_files *task, struct error *error);

/* Warnings that come once in a batch. */
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

/* What a job shares with others, if there are any. */
struct job_shared {
    const struct job_host *host;
    const struct machine *machine;
    unsigned jobs;              /* at the same time */
    const struct output *taken; /* open outputs that they must not write to */
    size_t taken_count;
    struct made *made;         /* the outputs of all jobs; NULL: there are no others */
    sem_t device;              /* limits how many jobs work on devices at a time */
    uint64_t large_bytes;      /* input of all files that are worth a device, as far as known */
    atomic_bool device_failed; /* one that was not requested by name */
    bool tables;               /* records of all jobs have the fields of tables */
    atomic_bool told[TOLD_KINDS];
};

/* Are so many bytes of input worth a device that the user has not named? */
bool job_is_large(uint64_t bytes);

/* A job and what its caller wants of it. */
struct job_call {
    const struct settings *settings;
    const struct job_files *task;
    struct job_shared *shared;
    struct pipeline_progress *progress; /* all zero */

    /* Shows progress, prints its plan, and opens statistics and report itself. Any other leaves an
     * input that is too short for a device to the cores, even if the settings name a device. */
    bool alone;
    struct output *frames; /* for spans of several files, without their header; NULL: the task's */
    struct output *stats;  /* for records, without the header line, if the task has statistics */
    bool reports;          /* a report is wanted */
    bool is_small;         /* the input is too small for a device that `auto` chooses */
    uint64_t turn;         /* which of several devices it takes */

    /* Results: */
    struct run_result result; /* all zero if there was no stream */
    char *report;             /* a line; to be freed; NULL: out of memory */
    size_t report_size;
};

/* May these open outputs, of statistics and reports, replace what has their names? They replace
 * their like only, and nothing at all if the settings say so. */
int job_spare_older(const struct settings *settings, struct output *output, bool stats,
                    struct error *error);

/* Writes the names of the columns of statistics, before the records of all jobs. Tables for people
 * have none. `tables`: as in struct job_shared. */
int job_name_columns(const struct settings *settings, bool tables, struct output *stats,
                     struct error *error);

int job_run_call(struct job_call *call, struct error *error);

/* report.c: the engines that have worked, "cpu and cuda:0". */
void report_name_engines(const struct run_result *result, char *text, size_t size);

#endif
