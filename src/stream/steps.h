/* What is done with a chunk: read, submit, collect, write. Who does it, and in which order, is for
 * the schedulers: stages.c has a thread for each stage, turns.c has one for all. Private to this
 * room.
 *
 * A fault does not stop what lies before it in the stream: it is told when that is done. It carries
 * the frame where it is, and of several the lowest one is told. */
#ifndef GPUENV_STREAM_STEPS_H
#define GPUENV_STREAM_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "stats/stats.h"
#include "stream/pipeline.h"
#include "stream/ring.h"

enum { SLOTS_MOST = 16 };

/* A chunk, and what belongs to it. */
struct slot {
    struct chunk chunk;
    uint64_t tail;          /* windows past the end that it asks for, instead of frames */
    uint64_t tail_first;    /* the end of the first of them */
    uint64_t from;          /* the frame that it begins with */
    struct stats_text text; /* of the blocks that end in it */
};

struct fault {
    bool failed;
    uint64_t frame;
    struct error error;
};

/* Each stage touches only the slots that it has taken, and what is named as its own here. */
struct steps {
    const struct pipeline *pipeline;
    struct extent extent; /* that they do; behind pieces, the rest of the pipeline's */
    bool in_turn;         /* one thread does all of them */
    struct engine *engine;
    unsigned slot_count;
    struct slot slots[SLOTS_MOST];

    /* the reader's */
    uint64_t frames;    /* up to here they have been read */
    uint64_t counted;   /* and up to here they are counted in the progress */
    uint64_t tail;      /* windows past the end that are still to be asked for */
    uint64_t tail_next; /* the end of the first of them */
    bool input_over;
    bool (*is_hungry)(void *scheduler); /* does the engine wait for a chunk? */
    void *scheduler;

    /* the engine's */
    uint64_t submitted; /* up to this frame */
    bool engine_over;   /* nothing more is to be submitted */

    /* the writer's, but for last_text: the engine's until it ends, then the writer's */
    bool frames_failed; /* their output has */
    bool text_failed;   /* that of the statistics has */
    uint64_t written;   /* up to this frame of the input */
    struct stats_text last_text;

    /* each stage's own */
    struct fault faults[RING_STAGES];
    double busy[RING_STAGES]; /* seconds */
};

/* Opens the engine where the extent starts, and gives the slots their buffers. `brief`: so short
 * that threads cost more than they bring. */
int steps_open(struct steps *steps, const struct pipeline *pipeline, const struct extent *extent,
               bool brief, struct error *error);
void steps_close(struct steps *steps);

/* What the engine says of itself and its buffers. */
void steps_describe(const struct steps *steps, char *text, size_t size);

/* The next chunk of the stream, or of the windows past its end. False when there is none. */
bool steps_read(struct steps *steps, struct slot *slot);

/* Starts the work on a chunk. False when the engine fails: then there is nothing to collect. */
bool steps_submit(struct steps *steps, struct slot *slot);

/* Waits for it. False when the engine fails. */
bool steps_collect(struct steps *steps, struct slot *slot);

/* No more chunks: the last block of statistics, also after a fault. */
void steps_finish_engine(struct steps *steps);

/* Writes the frames, then the statistics. False when either fails. What is still to come of the
 * other is then written all the same. */
bool steps_write(struct steps *steps, struct slot *slot);

/* Ends the output, also after a fault: what was complete is written. */
void steps_finish_output(struct steps *steps);

/* The fault that lies first in the stream; NULL: there is none. */
const struct fault *steps_fault(const struct steps *steps);

/* The schedulers. Both return when all is done. */
int stages_run(struct steps *steps);
void turns_run(struct steps *steps);

#endif
