/* SPDX-License-Identifier: MIT */
#include "window/window_maxima.h"

/* The maximum of the newer rows before each frame of a block, and after the last frame. */
struct newest {
    int64_t key[MAXIMA_BLOCK + 1];
    int64_t place[MAXIMA_BLOCK + 1];
};

static inline void add_frames(struct max_queue *queue, uint64_t next, uint64_t end,
                              struct newest *newest)
{
    newest->key[queue->end - next] = queue->newest;
    newest->place[queue->end - next] = queue->place;
    while (queue->end < end) {
        max_queue_add(queue);
        newest->key[queue->end - next] = queue->newest;
        if (queue->places != NULL)
            newest->place[queue->end - next] = queue->place;
    }
}

/* The first window, from `window` on, that begins after the frame. */
static size_t find_window_behind(const uint64_t *first, size_t window, uint64_t frame)
{
    size_t count = 0;

    while (first[window + MAXIMA_FEW - 1] <= frame)
        window += MAXIMA_FEW;
    for (size_t i = 0; i < MAXIMA_FEW; i++)
        count += first[window + i] <= frame;
    return window + count;
}

/* The windows that begin among the older frames are taken together, so that no branch depends on
 * how many frames each of them adds. */
void window_maxima(struct max_queue *shared, uint64_t next, size_t frames,
                   const struct maxima_windows *windows, size_t count, int64_t *maxima,
                   int64_t *places)
{
    const uint64_t *const first = windows->first;
    const uint64_t *const end = windows->end;
    struct max_queue queue = *shared;
    struct newest newest;
    size_t behind;

    for (size_t i = 0; i < count; i = behind) {
        max_queue_drop(&queue, first[i]);
        behind = find_window_behind(first, i, queue.split);
        add_frames(&queue, next, end[behind - 1], &newest);
        for (size_t k = i; k < behind; k++) {
            queue.newest = newest.key[end[k] - next];
            maxima[k] = max_queue_answer(&queue, first[k]);
            if (queue.places == NULL)
                continue;
            queue.place = newest.place[end[k] - next];
            places[k] = max_queue_place(&queue, first[k]);
        }
    }
    add_frames(&queue, next, next + frames, &newest);
    *shared = queue;
}
