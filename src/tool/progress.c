/* SPDX-License-Identifier: MIT */
#include "tool/progress_priv.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size_words.h"
#include "tool/messages.h"

/* Set by SIGUSR1, which any thread may get: hence atomic, not just a sig_atomic_t. */
static atomic_bool asked;

static void on_usr1(int number)
{
    (void)number;
    atomic_store(&asked, true);
}

void progress_listen(void)
{
    struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    /* If this fails, the signal kills the program by default; nothing else is affected. */
    (void)sigaction(SIGUSR1, &action, NULL);
}

void progress_init(struct progress *progress, enum settings_progress wanted, bool mixes,
                   uint64_t total_frames, size_t frame_bytes, const char *engine)
{
    bool terminal = isatty(STDERR_FILENO) == 1;

    *progress = (struct progress){
        .shown = wanted == PROGRESS_ON || (wanted == PROGRESS_AUTO && terminal && !mixes),
        .from_seconds = wanted == PROGRESS_ON ? 0 : 1,
        .every_seconds = terminal ? 0 : 1, /* lines that cannot be updated in place accumulate */
        .total_frames = total_frames,
        .frame_bytes = frame_bytes,
        .engine = engine,
        .started = clock_seconds(),
    };
}

void progress_time(double seconds, char *text, size_t size)
{
    unsigned long whole = 0;

    if (seconds >= 2 * 86400.0) {
        snprintf(text, size, "%.0f days", seconds / 86400);
        return;
    }
    whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, size, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%lu:%02lu", whole / 60, whole % 60);
}

/* ", 45%" and ", 0:32 left", or the elapsed time ", 0:32" if the end is unknown. */
static void format_rest(const struct progress *progress, double seconds, uint64_t in_frames,
                        char *part, char *rest, size_t size)
{
    double done = (double)in_frames;
    double total = (double)progress->total_frames;
    char time[48];

    part[0] = '\0';
    rest[0] = '\0';
    if (progress->total_frames == UINT64_MAX) {
        progress_time(seconds, time, sizeof time);
        snprintf(rest, size, ", %s so far", time);
        return;
    }
    if (progress->total_frames == 0)
        return;
    if (in_frames >= progress->total_frames)
        done = total;
    /* 100% is shown only at the end. */
    snprintf(part, size, ", %u%%", (unsigned)(done / total * 100));
    if (done > 0 && seconds > 0) {
        progress_time((total - done) * (seconds / done), time, sizeof time);
        snprintf(rest, size, ", %s left", time);
    }
}

void progress_format(const struct progress *progress, double seconds, uint64_t in_frames,
                     char *text, size_t size)
{
    double frames = (double)in_frames;
    char count[48];
    char bytes[48];
    char rate[48];
    char part[64];
    char rest[64];

    size_amount(frames, false, in_frames == 1 ? "frame" : "frames", count, sizeof count);
    size_amount(frames * (double)progress->frame_bytes, true, "B", bytes, sizeof bytes);
    size_amount(seconds > 0 ? frames / seconds : 0, false, "frame/s", rate, sizeof rate);
    format_rest(progress, seconds > 0 ? seconds : 0, in_frames, part, rest, sizeof part);
    /* At most 80 columns, with the engine last: it may be cut off. */
    snprintf(text, size, "%s (%s)%s, %s%s, %s", count, bytes, part, rate, rest, progress->engine);
}

static double seconds_of(const struct progress *progress)
{
    return clock_seconds() - progress->started;
}

void progress_tell(struct progress *progress, const char *line)
{
    double seconds = seconds_of(progress);

    if (atomic_exchange(&asked, false))
        messages_answer(line);
    if (progress->shown && seconds >= progress->from_seconds) {
        messages_status(line);
        progress->from_seconds = seconds + progress->every_seconds;
    }
}

void progress_update(struct progress *progress, uint64_t in_frames)
{
    char line[PROGRESS_LINE];

    progress_format(progress, seconds_of(progress), in_frames, line, sizeof line);
    progress_tell(progress, line);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        messages_status("");
    progress->shown = false;
}
