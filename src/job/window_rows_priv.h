/* SPDX-License-Identifier: MIT */
/* The rows of the windows that have begun and are not written yet, where rows have times. Private
 * to this room. */
#ifndef GPUENV_JOB_WINDOW_ROWS_PRIV_H
#define GPUENV_JOB_WINDOW_ROWS_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "format/sink.h"
#include "window/window.h"

/* All zero: none. */
struct window_rows {
    struct sink_rows *rows;
    size_t taken;    /* of these; the others follow them */
    ptrdiff_t ended; /* the first of which the last row has not come; less than 0: it is gone */
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
