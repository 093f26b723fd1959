/* A bounded ring of slots that go round three stages, in order: the reader fills a slot, the
 * engine works on it, the writer empties it, and the reader has it again. This is the only
 * mutex and condition of the stream; everything in a slot belongs to the stage that has taken it.
 *
 * A stage takes the next slot that the stage before has passed on; it may take several
 * before it passes on the first (an engine with chunks in flight), but takes and passes in order.
 */
#ifndef GPUENV_STREAM_RING_H
#define GPUENV_STREAM_RING_H

#include <stdbool.h>
#include <stdint.h>

enum ring_stage { RING_READER, RING_ENGINE, RING_WRITER, RING_STAGES };

struct ring;

/* NULL when there is no memory or no descriptor left, with errno set. */
struct ring *ring_open(unsigned slots);
void ring_close(struct ring *ring);

/* Waits for the stage's next slot and takes it. Returns its index, or -1 when there will be
 * none: the stage before has ended and all it passed on was taken, or the ring was stopped. */
int ring_take(struct ring *ring, enum ring_stage stage);

/* Is there a slot to take without waiting? */
bool ring_can_take(struct ring *ring, enum ring_stage stage);

/* Passes the oldest slot that the stage holds on to the next stage. */
void ring_pass(struct ring *ring, enum ring_stage stage);

/* The stage will pass on no more. */
void ring_end(struct ring *ring, enum ring_stage stage);

/* Is the next stage waiting for something to do? (Then it is better to pass on a little now
 * than more later.) */
bool ring_is_hungry(struct ring *ring, enum ring_stage stage);

/* The stages before this one stop, because it has failed: their next ring_take() returns -1, and
 * poll() has events for ring_stop_fd() if the reader is among them. The stages after it still get
 * what was passed on. */
void ring_stop(struct ring *ring, enum ring_stage stage);

/* poll() has events for it, whichever are asked for, when the reader should stop waiting for input.
 */
int ring_stop_fd(const struct ring *ring);

/* Seconds that the stage has spent waiting in ring_take(). Any thread may ask. */
double ring_waited(struct ring *ring, enum ring_stage stage);

#endif
