/* SPDX-License-Identifier: MIT */
/* What the files of this room share: a job and its parts. */
#ifndef GPUENV_JOB_JOB_PRIV_H
#define GPUENV_JOB_JOB_PRIV_H

#include "base/memory_text.h"
#include "format/format.h"
#include "job/job.h"
#include "job/plan_priv.h"
#include "lib/engines.h"

/* Output files. */
enum job_output { OUTPUT_FRAMES, OUTPUT_REPORT, OUTPUT_STATS, OUTPUTS };

struct job {
    const struct settings *settings;
    const struct job_files *task;
    struct job_call *call;
    struct job_shared *shared;
    const struct job_host *host;
    gpuenv_context *own_context;
    struct machine machine; /* the context's, with this job's device */
    struct plan plan;
    struct input input;
    struct output outputs[OUTPUTS]; /* fd is -1 unless it is open */
    struct pipeline pipeline;       /* filled in as its parts are opened */
    struct run_result *result;
    struct memory_text about; /* lines above the statistics of a summary */
    atomic_bool loses_digits;
    struct error damage;   /* damage of the input that the user accepts */
    struct flag end;       /* lent to the host: a signal raises it to end a recording */
    int number;            /* the signal that has ended the recording; 0 if none has */
    struct row_range rows; /* the times of the wanted rows */
    struct source *range;  /* the source that cuts rows by times; NULL if none does */
    bool to_is_date;       /* --to is a date alone */
    bool skip_failed;
    struct error skip_error;
};

/* ---- open.c */

/* Checks everything that does not depend on the input. */
int job_begin(struct job *job, struct source_request *request, struct error *error);

/* Between these two calls, a signal ends the input instead of the program. job_lend_end() returns
 * false if it could not lend the flag. */
bool job_lend_end(struct job *job);
void job_take_back_end(struct job *job);

/* Opens everything, and plans. The caller closes what is open, also after an error. */
int job_open(struct job *job, struct error *error);

/* ---- about.c */

/* What the input is, in lines. If memory runs out, the text has failed. */
void about_input(const struct job *job, struct memory_text *text);

/* Suggests two commands that users run most on an input of this kind. */
void about_suggest(const struct job *job);

/* ---- bounds.c */

/* Finds the wanted range of rows with times. Rows with keys are cut to it by the run. */
int job_cut_rows(struct job *job, struct error *error);

/* Skips the frames, or rows, before the wanted part. An error is reported after the run. */
int job_skip_frames(struct job *job, struct error *error);

/* ---- summary.c: messages */

/* Warns if the type of the input is not certain. */
void summary_warn_of_type(const struct job *job);
void summary_say_table(const struct job *job); /* its header, and what may be wrong */

/* Warns if the output cannot hold the rate. Called before the run: finds out whether lost digits
 * are worth a warning. */
void summary_warn_of_output(struct job *job);

/* Explains why the length of the window is missing: names -o instead, and returns -1, if standard
 * output is a file with the ending of a picture. */
int summary_explain_window(const struct job *job, struct error *error);

/* May the summary go to standard output? */
int summary_check_redirect(const struct job *job, struct error *error);

/* For -v: source, destination, method. */
void summary_say_plan(const struct job *job);

/* Has a table had bad lines, which are an error after its summary? */
bool summary_has_bad_lines(const struct job *job);

/* After the run. `complete`: there was no error. */
void summary_warn(const struct job *job, bool complete);

/* ---- report.c */

/* Writes the report, a JSON object over several lines, to its output, and commits it. `failure` is
 * the error of the job; NULL if there was none. */
int report_write(struct job *job, const struct error *failure, struct error *error);

/* Returns the report as text, to be freed. NULL, with errno set, if memory runs out. */
char *report_format(const struct job *job, const struct error *failure, bool one_line,
                    size_t *size);

/* Says what the report has, as notes for people. The stream must have run. */
void report_say(const struct job *job);

#endif
