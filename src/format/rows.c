#include "format/rows.h"

#include <stdlib.h>

static int grow(struct row_queue *queue)
{
    const size_t room = queue->room == 0 ? 1024 : 2 * queue->room;
    struct row *rows = malloc(room * sizeof *rows);

    if (rows == NULL)
        return -1;
    for (size_t i = 0; i < queue->count; i++)
        rows[i] = queue->rows[(queue->first + i) & (queue->room - 1)];
    free(queue->rows);
    *queue = (struct row_queue){.rows = rows, .count = queue->count, .room = room};
    return 0;
}

int row_queue_add(struct row_queue *queue, struct row row)
{
    if (queue->count == queue->room && grow(queue) != 0)
        return -1;
    queue->rows[(queue->first + queue->count++) & (queue->room - 1)] = row;
    return 0;
}

struct row row_queue_at(const struct row_queue *queue, size_t index)
{
    return queue->rows[(queue->first + index) & (queue->room - 1)];
}

struct row row_queue_take(struct row_queue *queue)
{
    const struct row row = queue->rows[queue->first];

    queue->first = (queue->first + 1) & (queue->room - 1);
    queue->count--;
    return row;
}

void row_queue_free(struct row_queue *queue)
{
    free(queue->rows);
    *queue = (struct row_queue){.rows = NULL};
}
