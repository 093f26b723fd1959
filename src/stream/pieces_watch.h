/* Watches the devices of a run: shares out their pieces, lends them CPUs, retires slow ones and
 * gives up those that hang. Private to the workers: pieces_run.h. */
#ifndef GPUENV_STREAM_PIECES_WATCH_H
#define GPUENV_STREAM_PIECES_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/pieces_run.h"

/* ---- with the lock held */

/* True if there is a piece to take, or a device may return one. */
bool run_has_more(const struct run *run);

bool devices_give_back(struct run *run, uint64_t *index); /* one that has left */
bool devices_share(struct run *run, uint64_t *index); /* takes one that a device has not started */

/* Lends the CPU of the calling core to a device that needs one, and sleeps meanwhile. */
void devices_lend(struct run *run);

/* Sleeps until something changes in the run, or a device counts as hung. */
void devices_wait_for_change(struct run *run);

/* Retires a device that has not raised the rate in time. */
void devices_check(struct run *run);

void device_end_work(struct device *device, enum device_state state);

/* ---- without the lock */

/* Waits until all devices have left. */
void devices_wait(struct run *run);

/* From here on no device touches the stream. Copies their accounts. */
void devices_leave(struct run *run, struct device_account accounts[DEVICES_MOST]);

#endif
