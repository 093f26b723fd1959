/* SPDX-License-Identifier: MIT */
/* The maximum of the rows of a window whose ends only move forward: a queue of two stacks, one
 * behind the other in an array. The newer rows have one maximum, which is updated. When the oldest
 * of them leaves, all rows become the older stack, where the key of each row is replaced by the
 * maximum of the row and of those that follow it there. So each row is looked at twice, and an
 * answer is the greater of two numbers: no branch depends on the order of keys, which processors
 * cannot predict. The minimum is a maximum of complemented keys. */
#ifndef GPUENV_WINDOW_MAX_QUEUE_H
#define GPUENV_WINDOW_MAX_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Rows begin .. split-1 are the older stack, rows split .. end-1 the newer rows. The first elements
 * of the arrays belong to row `begin`. `places` has room for one element more than `keys`: after
 * the places of the older stack comes `split`. */
struct max_queue {
    int64_t *keys;   /* maxima of older rows, keys of newer ones */
    int64_t *places; /* the rows of these maxima, the first of equals; NULL if not wanted */
    uint64_t begin;
    uint64_t split;
    uint64_t end;
    int64_t none;   /* no key is less */
    int64_t newest; /* the maximum of the newer rows, or `none` */
    int64_t place;  /* the row of `newest`, the first of equals */
};

/* Empties the queue; `row` is the next row. The arrays are set already. */
static inline void max_queue_start(struct max_queue *queue, uint64_t row, int64_t none)
{
    queue->begin = queue->split = queue->end = row;
    queue->none = queue->newest = none;
    queue->place = (int64_t)row;
    if (queue->places != NULL)
        queue->places[0] = queue->place;
}

/* Makes the older stack of all rows from `first` on, a newer row or one that is not added yet. */
static inline void max_queue_turn(struct max_queue *queue, uint64_t first)
{
    const uint64_t end = first > queue->end ? first : queue->end;
    int64_t *const keys = queue->keys;
    int64_t *const places = queue->places;
    const uint64_t begin = queue->begin;
    int64_t best = queue->none;

    queue->split = queue->end = end;
    queue->newest = best;
    queue->place = (int64_t)end;
    if (places != NULL)
        places[end - begin] = queue->place;
    for (uint64_t row = end; row-- > first;) {
        const bool better = keys[row - begin] >= best;

        best = better ? keys[row - begin] : best;
        keys[row - begin] = best;
        if (places != NULL)
            places[row - begin] = better ? (int64_t)row : places[row - begin + 1];
    }
}

/* Removes the rows before `first`. */
static inline void max_queue_drop(struct max_queue *queue, uint64_t first)
{
    if (first > queue->split)
        max_queue_turn(queue, first);
}

/* Adds row `end`, whose key is in its place in `keys`. */
static inline void max_queue_add(struct max_queue *queue)
{
    const int64_t key = queue->keys[queue->end - queue->begin];

    if (queue->places != NULL)
        queue->place = key > queue->newest ? (int64_t)queue->end : queue->place;
    queue->newest = key > queue->newest ? key : queue->newest;
    queue->end++;
}

/* The maximum of the rows from `first` on, after max_queue_drop(). There must be at least one. */
static inline int64_t max_queue_answer(const struct max_queue *queue, uint64_t first)
{
    /* Without an older row, this is the key of the first newer one. */
    const int64_t older = queue->keys[first - queue->begin];

    return older > queue->newest ? older : queue->newest;
}

/* The row of the maximum that max_queue_answer() gives, the first of equals. */
static inline int64_t max_queue_place(const struct max_queue *queue, uint64_t first)
{
    const uint64_t older = first - queue->begin;

    return queue->keys[older] >= queue->newest ? queue->places[older] : queue->place;
}

/* Moves the rows from `first` to `end` to the front of the arrays: earlier ones are no longer
 * needed. */
static inline void max_queue_shift(struct max_queue *queue, uint64_t first, uint64_t end)
{
    const uint64_t gone = first - queue->begin;

    memmove(queue->keys, queue->keys + gone, (end - first) * sizeof *queue->keys);
    if (queue->places != NULL)
        memmove(queue->places, queue->places + gone, (end - first + 1) * sizeof *queue->places);
    queue->begin = first;
}

#endif
