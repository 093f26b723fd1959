/* SPDX-License-Identifier: MIT */
/* What is done with a chunk: read, submit, collect, write. The schedulers decide on threads and
 * order: a thread for each stage, or one for all (stages.c).
 *
 * All frames before a fault are still processed; then the fault is reported. It carries its frame,
 * and of several faults the one at the lowest frame is reported. */
#ifndef GPUENV_JOB_STEPS_PRIV_H
#define GPUENV_JOB_STEPS_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/run_result.h"
#include "format/text/stats.h"
#include "io/read_at.h"
#include "job/stream.h"
#include "job/window_rows_priv.h"

enum { SLOTS_MOST = 16 };

/* A chunk and its text. */
struct slot {
    struct chunk chunk;
    struct moment *moments;      /* times of its rows; NULL if they have none */
    const struct row_key **keys; /* keys of its rows; NULL if they have none */
    struct range tail;           /* the ends of the windows that it computes instead of frames */
    uint64_t from;               /* its first frame */
    bool is_cut;                 /* it ends before an error: a row with a NaN, or a missing one */
    struct shared_read reading;  /* of its frames */
    struct memory_text text;     /* statistics of the blocks that end in it */
};

struct stream_fault {
    bool failed;
    uint64_t frame;
    struct error error;
};

/* Each stage touches only the slots that it has taken, and the fields marked as its own. */
struct steps {
    const struct pipeline *pipeline;
    struct extent extent;     /* the part to process; after pieces, the rest of the pipeline's */
    bool in_turn;             /* one thread does all steps */
    atomic_bool engine_waits; /* the engine waits for a chunk; never if one thread does all */
    struct engine *engine;
    unsigned slot_count;
    struct slot slots[SLOTS_MOST];

    /* the reader's */
    uint64_t frames;   /* read so far */
    struct range tail; /* the ends of the windows past the end that are still to be computed */
    bool input_over;

    /* the engine's */
    struct row_range range; /* the rows with keys that statistics cover */
    uint64_t submitted;     /* the first frame not submitted */
    bool engine_over;       /* nothing more will be submitted */
    bool engine_failed;

    /* the writer's, except last_text: the engine's until it ends, then the writer's */
    bool frames_failed;        /* the output of frames has failed */
    bool text_failed;          /* the output of statistics has failed */
    uint64_t written;          /* the first input frame not written */
    uint64_t ended;            /* the first end of a window not written */
    struct window_rows rows;   /* rows of the frames to be written */
    struct by_times *by_times; /* makes and writes the frames; NULL if the engine makes them */
    struct memory_text last_text;

    /* per stage */
    struct stream_fault faults[STAGES];
    double busy[STAGES]; /* seconds */
};

/* Opens the engine at the start of the extent, and gives the slots their buffers. `brief`: the
 * stream is so short that threads do not pay. */
int steps_open(struct steps *steps, const struct pipeline *pipeline, const struct extent *extent,
               bool brief, struct error *error);
void steps_close(struct steps *steps);

/* Reads the next chunk of the stream, or of the windows past its end. False if there is none. */
bool steps_read(struct steps *steps, struct slot *slot);

/* Starts the work on a chunk. False if the engine fails: then there is nothing to collect. */
bool steps_submit(struct steps *steps, struct slot *slot);

/* Waits for the chunk's results. False if the engine fails. */
bool steps_collect(struct steps *steps, struct slot *slot);

/* After the last chunk: the last block of statistics, also after a fault. */
void steps_finish_engine(struct steps *steps);

/* Writes the frames, then the statistics. False if either fails; the other is still written. */
bool steps_write(struct steps *steps, struct slot *slot);

/* Ends the output, also after a fault: all complete frames are written. */
void steps_finish_output(struct steps *steps);

/* The first fault in the order of the stream; NULL if there is none. */
const struct stream_fault *steps_fault(const struct steps *steps);

/* Has a device failed for which the engine of the stream's plan goes on? */
bool steps_give_up_device(const struct steps *steps);

/* ---- what pieces do, too */

/* Looks at frames before the engine does. How many of these, whose first one is number `first` of
 * the stream, come before a NaN that is an error? If there is one, `error` says so. */
size_t pipeline_look(const struct pipeline *pipeline, const void *frames, size_t count,
                     uint64_t first, struct error *error);

/* Writes records of statistics, and empties the text. */
int pipeline_write_text(const struct pipeline *pipeline, struct memory_text *text,
                        struct error *error);

/* The schedulers. Both return when the stream is done. */
int stages_run(struct steps *steps);
void turns_run(struct steps *steps);

#endif
