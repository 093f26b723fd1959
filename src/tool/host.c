/* SPDX-License-Identifier: MIT */
#include "tool/host_priv.h"

#include <stdatomic.h>

#include "tool/error_words.h"
#include "tool/messages.h"
#include "tool/progress_priv.h"
#include "tool/signals.h"

/* The progress of the one job that runs by itself. */
static struct progress progress;

static void begin_progress(enum settings_progress wanted, bool mixes, uint64_t frames,
                           size_t frame_bytes, const char *engine)
{
    progress_init(&progress, wanted, mixes, frames, frame_bytes, engine);
}

static void watch(const struct pipeline_progress *done)
{
    progress_update(&progress, atomic_load(&done->in_frames));
}

static void end_progress(void)
{
    progress_end(&progress);
}

#define MESSAGES .warning = messages_warning, .note = messages_note, .words = error_words

const struct job_host tool_host_of_many = {MESSAGES};

const struct job_host tool_host = {
    MESSAGES,
    .begin = begin_progress,
    .watch = watch,
    .end = end_progress,
    .lend = signals_lend,
    .take_back = signals_take_back,
};
