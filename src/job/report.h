/* The report of a run: JSON for --report, text for -v. */
#ifndef GPUENV_JOB_REPORT_H
#define GPUENV_JOB_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/run_result.h"

struct job;

/* Writes a JSON object, over several lines, to the output of the report, and commits it. `failure`
 * is the error of the job; NULL: none. */
int report_write(struct job *job, const struct error *failure, struct error *error);

/* Returns the report's JSON object as text, to be freed. NULL, with errno set, if memory runs out.
 */
char *report_format(const struct job *job, const struct error *failure, bool one_line,
                    size_t *size);

/* Says what the report has, as notes for people. The stream must have run. */
void report_say(const struct job *job);

/* "reader", "engine" or "writer": the stage that the others waited for. */
const char *report_bottleneck(const struct run_result *result);

/* "cpu and cuda:0" */
void report_name_engines(const struct run_result *result, char *text, size_t size);

/* Warns of a device that `auto` has chosen and that failed: the cores did its pieces. */
void report_warn_device(const struct job *job);

#endif
