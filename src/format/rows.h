/* The times of rows on their way to the output frames that stand at them. */
#ifndef GPUENV_FORMAT_ROWS_H
#define GPUENV_FORMAT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "sample/moment.h"

struct row {
    uint64_t frame;  /* of the input */
    uint64_t frames; /* of an interval by the clock */
    struct moment time;
};

/* First in, first out. */
struct row_queue {
    struct row *rows;
    size_t first;
    size_t count;
    size_t room; /* a power of two, or 0 */
};

/* Adds one at the end. Returns -1, with errno set, when out of memory. */
int row_queue_add(struct row_queue *queue, struct row row);

/* One of them, from 0. */
struct row row_queue_at(const struct row_queue *queue, size_t index);

/* Takes the first one; the queue must not be empty. */
struct row row_queue_take(struct row_queue *queue);

void row_queue_free(struct row_queue *queue);

#endif
