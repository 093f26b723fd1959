/* SPDX-License-Identifier: MIT */
#include "format/rows/row_range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 }; /* rows that are read at a time */

struct range_source {
    struct source source;
    struct source_table table;
    struct row_range range;
    bool ended;          /* a row behind the range has come */
    struct moment last;  /* time of that row, or of the last row */
    size_t bytes;        /* bytes of the samples of a row */
    unsigned char *rows; /* rows that have been read, but not returned */
    size_t taken;
    size_t count;
    struct moment moments[ROOM]; /* times of `rows`, then of the rows that read() returned */
};

void row_range_begin(struct row_range *range, struct moment first)
{
    struct row_bound *const bounds[] = {&range->from, &range->to};

    if (range->begun)
        return;
    range->begun = true;
    range->first = first;
    for (int i = 0; i < 2; i++) {
        if (bounds[i]->since_first)
            bounds[i]->moment = moment_add(first, bounds[i]->length);
    }
}

/* Reads rows, and leaves out the first row behind the range and all after it. */
static int read_rows(struct range_source *range, void *frames, size_t capacity, size_t *got,
                     struct error *error)
{
    struct source *other = range->source.other;

    *got = 0;
    if (range->ended)
        return 0;
    if (other->class->read(other, frames, capacity < ROOM ? capacity : ROOM, got, error) != 0)
        return -1;
    if (*got == 0)
        return 0;
    memcpy(range->moments, other->table->moments, *got * sizeof *range->moments);
    row_range_begin(&range->range, range->moments[0]);
    range->last = range->moments[*got - 1];
    for (size_t i = 0; i < *got; i++) {
        if (row_range_is_behind(&range->range, range->moments[i])) {
            range->last = range->moments[i];
            range->ended = range->source.input->enough = true;
            *got = i;
        }
    }
    return 0;
}

static int range_read(struct source *source, void *frames, size_t capacity, size_t *got,
                      struct error *error)
{
    struct range_source *range = (struct range_source *)source;
    const size_t left = range->count - range->taken;

    range->table.moments = range->moments;
    if (left == 0)
        return read_rows(range, frames, capacity, got, error);
    *got = left < capacity ? left : capacity;
    memcpy(frames, range->rows + range->taken * range->bytes, *got * range->bytes);
    range->table.moments = range->moments + range->taken;
    range->taken += *got;
    return 0;
}

int row_range_skip(struct source *source, uint64_t *passed, struct error *error)
{
    struct range_source *range = (struct range_source *)source;

    for (*passed = 0; range->taken == range->count; *passed += range->taken) {
        range->taken = range->count = 0;
        if (read_rows(range, range->rows, ROOM, &range->count, error) != 0)
            return -1;
        if (range->count == 0)
            return 0;
        while (range->taken < range->count &&
               row_range_is_before(&range->range, range->moments[range->taken]))
            range->taken++;
    }
    return 0;
}

static bool range_ready(struct source *source, unsigned microseconds)
{
    const struct range_source *range = (struct range_source *)source;

    return range->taken < range->count || range->ended || source_ready_other(source, microseconds);
}

static void range_close(struct source *source)
{
    struct range_source *range = (struct range_source *)source;

    free(range->rows);
}

const struct row_range *row_range_of(const struct source *source)
{
    return &((const struct range_source *)source)->range;
}

bool row_range_ended(const struct source *source, struct moment *last)
{
    *last = ((const struct range_source *)source)->last;
    return ((const struct range_source *)source)->ended;
}

int row_range_open(struct source **source, const struct row_range *range, struct error *error)
{
    static const struct source_class class = {
        .bytes = sizeof(struct range_source),
        .read = range_read,
        .skip = source_skip_other,
        .ready = range_ready,
        .close = range_close,
    };
    struct source *other = *source;
    struct range_source *own = source_over(&class, source, error);

    if (own == NULL)
        return -1;
    own->range = *range;
    own->bytes = source_frame_bytes(&other->format);
    own->table = *other->table;
    own->table.moments = own->moments;
    own->source.table = &own->table;
    if (range->from.given && !range->from.since_first)
        *own->table.begin = range->from.moment;
    own->rows = malloc(ROOM * own->bytes);
    return own->rows != NULL ? 0 : error_system(error, ERROR_RESOURCE, "memory", errno);
}
