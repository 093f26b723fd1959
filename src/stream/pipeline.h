/* Source, engine and sink at work at the same time: a reader thread, an engine thread and a
 * writer thread over one ring of chunks; or in turn in one thread, where there is only one CPU, or
 * little to do. The calling thread watches.
 *
 * Latency adapts by itself. The reader passes on what a read gave as soon as the engine has
 * nothing else to do; while the engine is busy, it goes on filling the chunk as long as data
 * is there. A chunk of 64 KiB or more shows a fast stream, and waits for more for up to half a
 * millisecond. So a slow stream moves read by read, and a fast one in full chunks. */
#ifndef GPUENV_STREAM_PIPELINE_H
#define GPUENV_STREAM_PIPELINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/run_account.h"
#include "format/sink.h"
#include "format/source.h"
#include "stats/stats.h"
#include "stream/devices.h"

/* What has been done so far. Written by the stages, read by the watcher at any time. */
struct pipeline_progress {
    _Atomic uint64_t in_frames;  /* read */
    _Atomic uint64_t out_frames; /* written */
    _Atomic uint64_t chunks;
};

/* From one frame up to, but not including, another. */
struct range {
    uint64_t from;
    uint64_t to; /* UINT64_MAX: there is no end */
};

#define RANGE_ALL ((struct range){0, UINT64_MAX})

/* The part of a stream that is done, in frames. */
struct extent {
    uint64_t start;       /* the first frame that is read, */
    uint64_t own;         /* and the first that is not only halo */
    struct range windows; /* the ends of those that are written */
    struct range blocks;  /* the frames that statistics see */
};

/* What is to be done. Const while it runs; the files, the statistics and the progress that it
 * points to have states of their own. */
struct pipeline {
    const struct machine *machine;
    struct source *source; /* it stands at the first frame of `extent` */
    uint64_t frames;       /* in the stream, as far as is known; SOURCE_FRAMES_UNKNOWN */
    uint64_t limit;        /* the frame to stop before; UINT64_MAX: none */
    uint64_t skipped;      /* frames of the input before the first, for messages */
    const struct engine_class *engine_class;
    struct engine_setup setup;
    struct extent extent;
    unsigned beside;     /* streams that the threads of the machine work on at the same time */
    bool brief;          /* so short that threads cost more than they bring */
    struct sink *sink;   /* NULL: no frames are written; then the engine gives none */
    struct stats *stats; /* see what the engine has seen; NULL: none are wanted */
    struct stats_setup stats_setup;
    struct output *stats_output;
    struct device_request devices;
    struct pipeline_progress *progress;

    /* Called from the calling thread about every `watch_seconds`, and when a signal has
     * interrupted its sleep. NULL: never. */
    void (*watch)(void *context, const struct pipeline_progress *progress);
    void *watch_context;
    double watch_seconds;
};

/* Runs the stream to its end, and fills in the account, also after an error. Everything that was
 * complete before an error has been written. */
int pipeline_run(const struct pipeline *pipeline, struct account *account, struct error *error);

#endif
