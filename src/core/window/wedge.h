/* The samples that can still become the maximum of a window, oldest first, in a ring. None after it
 * beats a sample, so the front is the answer, the first of equals, and a new sample removes losers
 * from the back. The minimum is a maximum of complemented keys. */
#ifndef GPUENV_WINDOW_WEDGE_H
#define GPUENV_WINDOW_WEDGE_H

#include <stdbool.h>
#include <stdint.h>

struct wedge {
    uint64_t *frame; /* the numbers of the samples */
    void *key;       /* int32_t, if narrow, or int64_t */
    uint64_t front;  /* the place of the oldest one */
    uint64_t size;
    uint64_t capacity;
    bool narrow;
};

static inline uint64_t wedge_place(const struct wedge *wedge, uint64_t offset)
{
    uint64_t place = wedge->front + offset;
    return place < wedge->capacity ? place : place - wedge->capacity;
}

static inline int64_t wedge_key(const struct wedge *wedge, uint64_t place)
{
    return wedge->narrow ? ((const int32_t *)wedge->key)[place]
                         : ((const int64_t *)wedge->key)[place];
}

/* The key of the maximum, or `none` without a sample. */
static inline int64_t wedge_answer(const struct wedge *wedge, int64_t none)
{
    return wedge->size > 0 ? wedge_key(wedge, wedge->front) : none;
}

/* Removes the samples before this frame, which have left the window. */
static inline void wedge_drop(struct wedge *wedge, uint64_t first)
{
    while (wedge->size > 0 && wedge->frame[wedge->front] < first) {
        wedge->front = wedge_place(wedge, 1);
        wedge->size--;
    }
}

/* Needs room for one more. */
static inline void wedge_push(struct wedge *wedge, uint64_t frame, int64_t key)
{
    uint64_t place;

    while (wedge->size > 0 && key > wedge_key(wedge, wedge_place(wedge, wedge->size - 1)))
        wedge->size--;
    place = wedge_place(wedge, wedge->size);
    wedge->frame[place] = frame;
    if (wedge->narrow)
        ((int32_t *)wedge->key)[place] = (int32_t)key;
    else
        ((int64_t *)wedge->key)[place] = key;
    wedge->size++;
}

#endif
