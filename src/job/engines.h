/* Which engine did which frames, and when and why that changed: for the report, and for people. */
#ifndef GPUENV_JOB_ENGINES_H
#define GPUENV_JOB_ENGINES_H

#include "cli/report.h"
#include "stream/pipeline.h"

enum { ENGINES_MOST = DEVICES_MOST + 1, CHANGES_MOST = 3 * DEVICES_MOST };

struct engines {
    struct report_engine engine[ENGINES_MOST];
    size_t engine_count;
    struct report_change change[CHANGES_MOST]; /* in no order of time where devices are several */
    size_t change_count;
    char names[DEVICES_MOST][24];
};

/* The account points into the pipeline. */
void engines_account(struct engines *engines, const struct pipeline *pipeline);

/* A device that failed at work is worth a warning, also where nothing is lost. */
void engines_warn(const struct pipeline *pipeline);

/* By messages_note(): which devices could not be started; and the rest, these included. */
void engines_say_never(const struct pipeline *pipeline);
void engines_say(const struct pipeline *pipeline);

#endif
