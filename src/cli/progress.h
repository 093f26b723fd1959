/* The progress line: frames, bytes, rate, time left where the size is known. */
#ifndef GPUENV_CLI_PROGRESS_H
#define GPUENV_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/settings.h"

struct progress {
    bool shown;            /* a line by itself, not just on SIGUSR1 */
    double from_seconds;   /* not before this much time has passed */
    double every_seconds;  /* nor more often than this */
    uint64_t total_frames; /* UINT64_MAX: not known */
    size_t frame_bytes;    /* of the input */
    const char *engine;
    double started; /* seconds, monotonic clock */
};

/* A number for people, with the prefix that suits it: "1.2 GiB", "3.4 Mframe/s". Binary prefixes
 * (1024) or decimal ones (1000). Pure. */
void progress_amount(double amount, bool binary, const char *unit, char *text, size_t size);

/* "0:07", "2:03:04", "12 days". Pure. */
void progress_time(double seconds, char *text, size_t size);

/* From here on SIGUSR1 asks for the line, also before there is a stream. */
void progress_listen(void);

/* Decides by the option, by whether standard error is a terminal, and by -q. */
void progress_init(struct progress *progress, enum settings_progress wanted, bool quiet,
                   uint64_t total_frames, size_t frame_bytes, const char *engine);

/* The line for this state, without a newline. Pure. */
void progress_format(const struct progress *progress, double seconds, uint64_t in_frames,
                     char *text, size_t size);

/* Shows the line if it is time for it, or if a SIGUSR1 has asked for it. */
void progress_update(struct progress *progress, uint64_t in_frames);

/* The same where the line is another one: `format` is asked for it. */
void progress_tell(struct progress *progress,
                   void (*format)(void *context, double seconds, char *text, size_t size),
                   void *context);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
