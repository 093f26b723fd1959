/* A bounded ring of slots that pass three stages in order: the reader fills a slot, the engine
 * works on it, the writer empties it, and it returns to the reader. This is the only mutex and
 * condition of the stream; the contents of a slot belong to the stage that has taken it.
 *
 * A stage takes the next slot that the stage before has passed on. It may take several before it
 * passes on the first (an engine with chunks in flight), but takes and passes in order. */
#ifndef GPUENV_JOB_RING_PRIV_H
#define GPUENV_JOB_RING_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/run_result.h"

struct ring;

/* NULL if memory or descriptors run out, with errno set. */
struct ring *ring_open(unsigned slots);
void ring_close(struct ring *ring);

/* Waits for the stage's next slot and takes it. Returns its index, or -1 if there will be none:
 * the stage before has ended and all its slots were taken, or the ring was stopped. */
int ring_take(struct ring *ring, enum stage stage);

/* True if there is a slot to take without waiting. */
bool ring_can_take(struct ring *ring, enum stage stage);

/* Passes the oldest slot that the stage holds on to the next stage. */
void ring_pass(struct ring *ring, enum stage stage);

/* The stage will pass on no more slots, and the stages before it stop: their next ring_take()
 * returns -1, and, if the reader still works, ring_stop_fd() becomes ready. The stages after it
 * still get the slots that were passed on. */
void ring_end(struct ring *ring, enum stage stage);

/* True if the next stage is idle: then passing on a little now is better than more later. */
bool ring_is_hungry(struct ring *ring, enum stage stage);

/* Becomes ready, for any events that poll() asks for, when the reader should stop waiting for
 * input. */
int ring_stop_fd(const struct ring *ring);

/* Seconds that the stage has spent waiting in ring_take(). Thread-safe. */
double ring_waited(struct ring *ring, enum stage stage);

#endif
