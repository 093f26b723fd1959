/* The queue of the pieces of a run, and their results in order. Private to the workers:
 * pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_QUEUE_H
#define GPUENV_STREAM_PIECES_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/pieces_run.h"

/* The first frame of a piece. */
uint64_t run_first_of(const struct run *run, uint64_t index);

/* A core starts to work. False if there is no piece to take, and there will be none. */
bool run_come(struct run *run);

/* Takes the next piece for which there is a slot: one that is still free, one that a device has
 * given up, or one that a device has not started. Before that, one core sleeps while a device uses
 * its CPU. False if there is none left. */
bool run_take(struct run *run, uint64_t *index);

/* The piece is done; `busy` has the seconds it took. */
void run_hand_over(struct run *run, struct slot *slot, const double busy[RING_STAGES]);

/* Gives the piece up: neither it nor a later one will be done. */
void run_give_up(struct run *run, uint64_t index);

/* Writes the chunk directly if it is next in order, in the piece that is due. `slot` has the
 * output of the piece before it. False if it was not written. */
bool run_write_through(struct run *run, uint64_t index, const struct slot *slot,
                       const struct chunk *chunk);

/* Commits the pieces that are due. Adds the seconds to `*busy`. */
void run_commit_due(struct run *run, double *busy);

bool run_has_forbidden_nan(const struct engine_setup *setup, const struct chunk *chunk);

/* Writes the chunk's output frames at their offsets, if there are any. */
int run_put(struct run *run, struct slot *slot, const struct chunk *chunk, struct error *error);

/* Drops a reference; the last one frees the run. */
void run_drop(struct run *run);

#endif
