/* SPDX-License-Identifier: MIT */
/* What a stream is: its plan, the part of it to process, and what it works with.
 *
 * Source, engine and sink work at the same time: a reader thread, an engine thread and a writer
 * thread share a ring of chunks. With a single CPU, or little to do, one thread does all three in
 * turn. The calling thread watches.
 *
 * Latency adapts. While the engine is idle, the reader passes on each read at once; while the
 * engine is busy, the reader goes on filling the chunk as long as there is data. A chunk of 64 KiB
 * or more indicates a fast stream, and waits for more for up to half a millisecond. So a slow
 * stream moves read by read, and a fast one in full chunks. */
#ifndef GPUENV_JOB_STREAM_H
#define GPUENV_JOB_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/run_result.h"
#include "format/rows/row_range.h"
#include "format/sink.h"
#include "format/source.h"
#include "format/text/stats.h"
#include "format/text/zone.h"
#include "window/time_windows.h"

/* Progress so far. Written by the stages; the watcher may read it at any time. */
struct pipeline_progress {
    _Atomic uint64_t in_frames;  /* read */
    _Atomic uint64_t out_frames; /* written */
    _Atomic uint64_t chunks;
    _Atomic size_t frame_bytes; /* bytes of an input frame; 0 until the stream begins */
};

/* From one frame up to, but not including, another. */
struct range {
    uint64_t from;
    uint64_t to; /* UINT64_MAX if unbounded */
};

#define RANGE_ALL ((struct range){0, UINT64_MAX})

/* The part of a stream to process, in frames. */
struct extent {
    uint64_t start;       /* the first frame to read */
    uint64_t own;         /* the first frame after the halo */
    struct range windows; /* the ends of the windows that are written */
    struct range blocks;  /* the frames that statistics cover */
};

/* What a stream does. */
struct stream_plan {
    const struct engine_class *engine_class;
    struct engine_setup setup;
    uint64_t frames;      /* length of the stream, or SOURCE_FRAMES_UNKNOWN */
    uint64_t limit;       /* the frame to stop before, or UINT64_MAX */
    uint64_t stats_every; /* frames of a block of statistics, or STATS_ALL; 0 without statistics */
    struct extent extent;
    struct intervals intervals;     /* the rows of each are a frame; period 0 if there are none */
    struct time_window time_window; /* around each row; width 0 if windows count frames */
    struct row_range range;         /* the wanted rows, if they have keys; the source cuts others */
    bool keyed;                     /* rows have keys: those of each are a series */
    bool brief;                     /* the stream is so short that threads do not pay */
};

/* Do rows count by their times, or for their series, not by their numbers? */
static inline bool stream_goes_by_times(const struct stream_plan *plan)
{
    return plan->intervals.period > 0 || plan->time_window.width > 0 || plan->keyed;
}

/* Are there so few frames that one core is done before other threads, or a device, begin? */
static inline bool stream_is_short(const struct engine_setup *setup, uint64_t frames)
{
    return frames < (UINT64_C(1) << 20) / engine_in_bytes(setup);
}

/* A stream: its plan, and what it works with. Const while it runs; the files, the statistics and
 * the progress that it points to have their own state. */
struct pipeline {
    const struct stream_plan *plan;
    /* The plan for a device, which does the stream unless it fails: then the engine of `plan` goes
     * on. May be NULL. */
    const struct stream_plan *device;
    const struct machine *machine;
    struct source *source; /* positioned at the first frame of the plan's extent */
    uint64_t skipped;      /* frames of the input skipped before the first, for messages */
    unsigned beside;       /* streams that the machine's threads work on at the same time */
    struct sink *sink;     /* NULL if no frames are written: then the engine gives none */
    struct stats *stats;   /* statistics of the input frames; may be NULL */
    struct output *stats_output;
    struct pipeline_progress *progress;
    struct error *damage;      /* takes damage of the input; NULL if damage is an error */
    atomic_bool *loses_digits; /* set when a sample is not a float32; may be NULL */

    /* Called in the calling thread about four times a second, and when a signal interrupts its
     * sleep. May be NULL. */
    void (*watch)(const struct pipeline_progress *progress);
};

/* pipeline.c: runs the stream to its end and fills in the result, also after an error. Everything
 * that was complete before an error has been written. */
int pipeline_run(const struct pipeline *pipeline, struct run_result *result, struct error *error);

#endif
