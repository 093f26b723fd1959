/* SPDX-License-Identifier: MIT */
/* The progress line: frames, bytes, rate, and the remaining time if the size is known. */
#ifndef GPUENV_TOOL_PROGRESS_PRIV_H
#define GPUENV_TOOL_PROGRESS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/settings.h"

struct progress {
    bool shown;            /* the line is shown regularly, not only on SIGUSR1 */
    double from_seconds;   /* the line is not shown before so many seconds */
    double every_seconds;  /* the least interval between two lines */
    uint64_t total_frames; /* UINT64_MAX if unknown */
    size_t frame_bytes;    /* bytes of an input frame */
    const char *engine;
    double started; /* seconds, monotonic clock */
};

/* "0:07", "2:03:04", "12 days". Pure. */
void progress_time(double seconds, char *text, size_t size);

/* From here on SIGUSR1 requests the line, even before a stream runs. */
void progress_listen(void);

/* Decides whether to show the line: by the option, and by whether standard error is a terminal.
 * `mixes`: an output is a terminal, too, on which the line, renewed in place, would mix with it. */
void progress_init(struct progress *progress, enum settings_progress wanted, bool mixes,
                   uint64_t total_frames, size_t frame_bytes, const char *engine);

/* Formats the line for this state, without a newline. Pure. */
void progress_format(const struct progress *progress, double seconds, uint64_t in_frames,
                     char *text, size_t size);

/* Shows the line if it is due, or requested by SIGUSR1. */
void progress_update(struct progress *progress, uint64_t in_frames);

/* Shows another line, if one is due. */
enum { PROGRESS_LINE = 256 };
void progress_tell(struct progress *progress, const char *line);

/* Erases the line. */
void progress_end(struct progress *progress);

#endif
