/* Watches over the devices of a run: which pieces they have, whose CPU, and when they retire or are
 * given up. Private to the workers: pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_WATCH_H
#define GPUENV_STREAM_PIECES_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/pieces_run.h"

/* ---- with the lock held */

/* Is there a piece to take, or may one come back from a device? */
bool run_has_more(const struct run *run);

bool devices_give_back(struct run *run, uint64_t *index); /* a piece that is left of a device */
bool devices_share(struct run *run, uint64_t *index);     /* one that it has not begun */

/* Lends the CPU of the calling core to a device that needs one, and sleeps meanwhile. */
void devices_lend(struct run *run);

/* Sleeps until something changes in the run, or a device is found to hang. */
void devices_wait_for_change(struct run *run);

/* A device that has not raised the rate in time is to retire. */
void devices_check(struct run *run);

void device_end_work(struct device *device, enum device_state state);

/* ---- without it */

/* Waits until all have left. */
void devices_wait(struct run *run);

/* From here on none of them touches the stream. Their accounts are copied. */
void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST]);

#endif
