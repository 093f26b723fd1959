/* SPDX-License-Identifier: MIT */
/* The rows of the windows that have begun and are not written yet, where rows have times. Private
 * to this room. */
#ifndef GPUENV_JOB_WINDOW_ROWS_PRIV_H
#define GPUENV_JOB_WINDOW_ROWS_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "format/sink.h"
#include "window/window.h"

/* All zero is empty. */
struct window_rows {
    struct sink_rows *rows;
    size_t taken;    /* how many of the first rows have been taken */
    ptrdiff_t ended; /* window that ends next; negative if it has been dropped */
    size_t count;
    size_t capacity;
};

/* Adds the rows of `count` frames, the first of which is number `from` of the stream and `skipped`
 * later in the input. Returns -1, with errno set, if memory runs out. */
int window_rows_add(struct window_rows *windows, const struct window *window,
                    const struct moment *moments, size_t count, uint64_t from, uint64_t skipped);

/* Takes the rows of the next `count` windows. They are valid until more are added. */
const struct sink_rows *window_rows_take(struct window_rows *windows, size_t count);

void window_rows_free(struct window_rows *windows);

#endif
