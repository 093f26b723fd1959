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
#include "format/sink.h"
#include "format/source.h"
#include "stats/stats.h"
#include "stream/devices.h"
#include "stream/ring.h"

struct recall;

/* What has been done so far. Written by the stages, read by the watcher at any time. */
struct pipeline_progress {
    _Atomic uint64_t in_frames;  /* read */
    _Atomic uint64_t out_frames; /* written */
    _Atomic uint64_t chunks;
};

/* How the work is cut; worked out from the pipeline. */
struct pieces_plan {
    unsigned workers; /* cores, or devices alone; 0: pieces do not pay here, or cannot be: `why` */
    bool placed;      /* frames are put at their places; else they are written in order */
    uint64_t begin;   /* the frames of the stream that pieces do, */
    uint64_t end;     /* up to, but not including, this one */
    uint64_t piece;   /* frames, about */
    size_t block;     /* frames that a worker has at hand */
    uint64_t outputs; /* frames that will be written in all, about */
    size_t out_bytes; /* of a piece that waits for its turn */
    unsigned slots;   /* for pieces that are taken, and not yet committed */
    const char *why;
};

/* From one frame up to, but not including, another. */
struct range {
    uint64_t from;
    uint64_t to; /* UINT64_MAX: there is no end */
};

#define RANGE_ALL ((struct range){0, UINT64_MAX})

struct pipeline {
    const struct machine *machine;
    struct source *source;
    uint64_t frames;  /* in the stream, as far as is known; SOURCE_FRAMES_UNKNOWN */
    uint64_t limit;   /* the frame to stop before; UINT64_MAX: none */
    uint64_t skipped; /* frames of the input before the first, for messages */
    const struct engine_class *engine_class;
    struct engine_setup setup;
    uint64_t start;       /* the frame where the source stands */
    struct range windows; /* the ends of those that are written */
    struct range blocks;  /* the frames that statistics see */
    uint64_t counted;     /* up to this frame, frames are counted in the progress already */
    unsigned beside;      /* streams that the threads of the machine work on at the same time */
    bool brief;           /* so short that threads cost more than they bring */
    struct sink *sink;    /* NULL: no frames are written; then the engine gives none */
    struct stats *stats;  /* see what the engine has seen; NULL: none are wanted */
    struct stats_setup stats_setup;
    struct output *stats_output;
    struct device_request devices;

    /* Of a source that goes in order only, while a device may yet have a part in it (pause.h). */
    struct recall *recall;
    struct device_outlook outlook; /* when it paused */

    /* Called from the calling thread about every `watch_seconds`, and when a signal has
     * interrupted its sleep. NULL: never. */
    void (*watch)(void *context, const struct pipeline_progress *progress);
    void *watch_context;
    double watch_seconds;

    struct pipeline_progress progress;

    double began; /* by the clock */

    /* Set when it has run. */
    struct pieces_plan pieces;
    struct device_account device_accounts[DEVICES_MOST]; /* of those that are wanted */
    bool in_turn;                                        /* one thread did all stages */
    char engine_words[80];                               /* what the engine says of itself */
    double seconds;                                      /* from start to end */
    double busy[RING_STAGES];                            /* of these, at work */
};

/* Runs the stream to its end. Everything that was complete before an error has been written. */
int pipeline_run(struct pipeline *pipeline, struct error *error);

#endif
