/* SPDX-License-Identifier: MIT */
/* The maxima of many windows at once, over frames that come in blocks: for arrays (lib/times.c) and
 * for rows of a stream (window/time_windows.h). */
#ifndef GPUENV_WINDOW_WINDOW_MAXIMA_H
#define GPUENV_WINDOW_WINDOW_MAXIMA_H

#include <stddef.h>

#include "window/max_queue.h"

enum {
    MAXIMA_BLOCK = 512, /* frames, and windows, at a time */
    MAXIMA_FEW = 8,     /* windows whose first frames are compared at once */
};

/* Windows in order: none begins or ends before the one before it. */
struct maxima_windows {
    size_t count;
    uint64_t first[MAXIMA_BLOCK + MAXIMA_FEW]; /* the elements after the last window are set by
                                                  maxima_windows_close() */
    uint64_t end[MAXIMA_BLOCK];
};

/* Call this when the windows are set. */
static inline void maxima_windows_close(struct maxima_windows *windows)
{
    for (size_t i = 0; i < MAXIMA_FEW; i++)
        windows->first[windows->count + i] = UINT64_MAX;
}

/* Adds up to MAXIMA_BLOCK frames from number `next` on, whose keys are already in the queue's
 * array, and finds the maxima of `count` windows, which the frames complete. Finds the places of
 * these, too, if the queue has places. */
void window_maxima(struct max_queue *shared, uint64_t next, size_t frames,
                   const struct maxima_windows *windows, size_t count, int64_t *maxima,
                   int64_t *places);

#endif
