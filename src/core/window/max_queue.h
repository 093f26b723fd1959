/* The maximum of the rows of a window whose ends only move forward: a queue of two stacks. The
 * newer rows have one maximum, which is updated. When the oldest of them leaves, all rows become
 * the older stack, which has the maximum of each row and of those that follow it there. So each row
 * is looked at twice, and an answer is the greater of two numbers: no branch depends on the order
 * of keys, which processors cannot predict. The minimum is a maximum of complemented keys. */
#ifndef GPUENV_WINDOW_MAX_QUEUE_H
#define GPUENV_WINDOW_MAX_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct max_queue {
    int64_t *keys;     /* of the newer rows: split .. end-1 */
    int64_t *maxima;   /* of the older rows: begin .. split-1, then `none` */
    int64_t *places;   /* the rows of these maxima, the first of equals, then `split`; NULL: not
                          wanted */
    uint64_t capacity; /* of each of the arrays: rows, and one more */
    uint64_t begin;
    uint64_t split;
    uint64_t end;
    int64_t none;   /* the answer without a row: no key is less */
    int64_t newest; /* the maximum of the newer rows, */
    int64_t place;  /* and its row */
};

/* An empty queue before this row. It has its arrays. */
static inline void max_queue_start(struct max_queue *queue, uint64_t row, int64_t none)
{
    queue->begin = queue->split = queue->end = row;
    queue->place = (int64_t)row;
    queue->none = queue->newest = queue->maxima[0] = none;
    if (queue->places != NULL)
        queue->places[0] = queue->place;
}

/* Makes the older stack of all rows from `first` on, which is a newer one, or is still to come. */
static inline void max_queue_turn(struct max_queue *queue, uint64_t first)
{
    int64_t *const keys = queue->keys;
    int64_t best = queue->none;
    uint64_t split;

    if (first >= queue->end)
        queue->split = queue->end = first;
    split = queue->split;
    queue->place = (int64_t)queue->end;
    keys[queue->end - split] = best;
    if (queue->places != NULL)
        queue->places[queue->end - split] = queue->place;
    for (uint64_t row = queue->end; row-- > first;) {
        const bool better = keys[row - split] >= best;

        best = better ? keys[row - split] : best;
        keys[row - split] = best;
        if (queue->places != NULL)
            queue->places[row - split] = better ? (int64_t)row : queue->places[row - split + 1];
    }
    queue->keys = queue->maxima;
    queue->maxima = keys;
    queue->begin = split;
    queue->split = queue->end;
    queue->newest = queue->none;
}

/* Removes the rows before `first`. */
static inline void max_queue_drop(struct max_queue *queue, uint64_t first)
{
    if (first > queue->split)
        max_queue_turn(queue, first);
}

/* Is there no room for another row? */
static inline bool max_queue_is_full(const struct max_queue *queue)
{
    return queue->end - queue->split + 1 >= queue->capacity;
}

/* Adds row `end`. */
static inline void max_queue_add(struct max_queue *queue, int64_t key)
{
    if (queue->places != NULL)
        queue->place = key > queue->newest ? (int64_t)queue->end : queue->place;
    queue->newest = key > queue->newest ? key : queue->newest;
    queue->keys[queue->end++ - queue->split] = key;
}

/* The maximum of the rows from `first` on, after max_queue_drop(). */
static inline int64_t max_queue_answer(const struct max_queue *queue, uint64_t first)
{
    const int64_t older = queue->maxima[first - queue->begin];

    return older > queue->newest ? older : queue->newest;
}

/* Its row, the first of equals, if there is a row. */
static inline int64_t max_queue_place(const struct max_queue *queue, uint64_t first)
{
    const uint64_t older = first - queue->begin;

    return queue->maxima[older] >= queue->newest ? queue->places[older] : queue->place;
}

#endif
