/* The queue of the pieces of a run, and what is done with them in order. Private to the workers:
 * pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_QUEUE_H
#define GPUENV_STREAM_PIECES_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/pieces_run.h"

/* The frame that a piece begins with. */
uint64_t run_first_of(const struct run *run, uint64_t index);

/* A core comes to work. False when there is no piece to take, and there will not be one again. */
bool run_come(struct run *run);

/* The next piece, when there is a slot for it: one that nobody has taken, one that a device has
 * given up, or one that it has not begun. One core sleeps first while a device has its CPU. False
 * when there is none left. */
bool run_take(struct run *run, uint64_t *index);

/* The piece is done, after so many seconds of work. */
void run_hand_over(struct run *run, struct slot *slot, const double busy[RING_STAGES]);

/* The piece is given up: neither it nor a later one will be done. */
void run_give_up(struct run *run, uint64_t index);

/* Where the chunk comes next in order, of the piece that is due, it may be written from where it
 * lies. `slot` has what was done of the piece before. False: it was not. */
bool run_write_through(struct run *run, uint64_t index, const struct slot *slot,
                       const struct chunk *chunk);

/* Commits what is due. Adds the seconds to `*busy`. */
void run_commit_due(struct run *run, double *busy);

bool run_has_forbidden_nan(const struct engine_setup *setup, const struct chunk *chunk);

/* Puts the chunk's output frames at their places, if they have any. */
int run_put(struct run *run, struct slot *slot, const struct chunk *chunk, struct error *error);

/* One holder less; the last one frees the run. */
void run_drop(struct run *run);

#endif
