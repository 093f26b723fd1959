/* SPDX-License-Identifier: MIT */
#include "format/rows/sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { ROOM = 4096 }; /* rows that are read, and returned, at a time */

struct held_row {
    struct moment moment;
    uint64_t number; /* rows are numbered as they came */
    size_t place;    /* place of its samples */
};

/* The rows of a key that are held back: a heap, the earliest first. Behind its rows are free
 * places. */
struct held_series {
    const struct row_key *key;
    bool begun;
    struct moment newest;
    size_t count;
    size_t capacity;
    struct held_row *rows;
    unsigned char *samples;
};

struct late_source {
    struct source source;
    struct source_table table;
    int64_t late;
    bool accepts_damage;
    size_t bytes; /* bytes of the samples of a row */

    unsigned char *block; /* rows of the other source */
    size_t block_rows;
    size_t block_taken; /* number of rows of the block that were put into heaps */
    uint64_t number;    /* number of the next row */
    bool ended;         /* no later row can go before the rows that are held */
    bool has_failed;
    struct error failure;

    struct pointers series; /* a struct held_series for each key; NULL if it has had no row */
    size_t giving; /* the only series that may have rows to give; at the end, also later series */

    struct moment moments[ROOM]; /* times of the rows that the last read() returned */
    const struct row_key *keys[ROOM];
};

/* ---- a heap ---- */

static bool is_earlier(const struct held_row *one, const struct held_row *other)
{
    if (moment_is_before(one->moment, other->moment))
        return true;
    return !moment_is_before(other->moment, one->moment) && one->number < other->number;
}

/* Adds a row; a place must be free. Returns the place of the row. */
static size_t push(struct held_series *series, struct moment moment, uint64_t number)
{
    size_t at = series->count++;
    const struct held_row row = {moment, number, series->rows[at].place};

    for (; at > 0 && is_earlier(&row, &series->rows[(at - 1) / 2]); at = (at - 1) / 2)
        series->rows[at] = series->rows[(at - 1) / 2];
    series->rows[at] = row;
    return row.place;
}

/* Takes the earliest row out of the heap; its place then is free. */
static struct held_row pop(struct held_series *series)
{
    const struct held_row first = series->rows[0];
    const struct held_row last = series->rows[--series->count];
    size_t at = 0;

    for (size_t next = 1; next < series->count; next = 2 * at + 1) {
        next +=
            next + 1 < series->count && is_earlier(&series->rows[next + 1], &series->rows[next]);
        if (is_earlier(&last, &series->rows[next]))
            break;
        series->rows[at] = series->rows[next];
        at = next;
    }
    series->rows[at] = last;
    series->rows[series->count].place = first.place;
    return first;
}

static int reserve(struct held_series *series, size_t bytes)
{
    size_t capacity = series->capacity;
    struct held_row *rows = array_grow(series->rows, &capacity, series->count + 1, sizeof *rows);
    unsigned char *samples;

    if (rows == NULL)
        return -1;
    series->rows = rows;
    if (capacity == series->capacity)
        return 0;
    samples = realloc(series->samples, capacity * bytes);
    if (samples == NULL)
        return -1;
    series->samples = samples;
    for (; series->capacity < capacity; series->capacity++)
        rows[series->capacity].place = series->capacity;
    return 0;
}

/* ---- rows that come ---- */

/* Moves the next row of the block into its heap. */
static int hold_row(struct late_source *late)
{
    const struct source_table *table = late->source.other->table;
    const size_t at = late->block_taken;
    const struct row_key *key = table->keys == NULL ? NULL : table->keys[at];
    const size_t number = key == NULL ? 0 : key->number;
    const struct moment moment = table->moments[at];
    void **const place = pointers_place(&late->series, number);
    struct held_series *series;
    size_t free_place;

    if (place == NULL)
        return -1;
    if (*place == NULL)
        *place = calloc(1, sizeof *series);
    series = *place;
    if (series == NULL || reserve(series, late->bytes) != 0)
        return -1;
    free_place = push(series, moment, late->number++);
    memcpy(series->samples + free_place * late->bytes, late->block + at * late->bytes, late->bytes);
    if (!series->begun || moment_is_before(series->newest, moment))
        series->newest = moment;
    series->begun = true;
    series->key = key;
    late->giving = number;
    late->block_taken++;
    return 0;
}

/* Reads the next block; at the end there are no more rows. */
static void read_block(struct late_source *late)
{
    struct source *other = late->source.other;

    late->block_taken = 0;
    late->has_failed =
        other->class->read(other, late->block, ROOM, &late->block_rows, &late->failure) != 0;
    if (late->has_failed)
        late->block_rows = 0;
    late->ended =
        late->block_rows == 0 &&
        (!late->has_failed || (late->accepts_damage && late->failure.code == ERROR_DAMAGED));
    if (late->ended)
        late->giving = 0;
}

/* May the earliest row go out? No later row can lie before it. */
static bool has_row(const struct late_source *late)
{
    const struct held_series *series;

    if (late->giving >= late->series.count)
        return false;
    series = late->series.at[late->giving];
    return series != NULL && series->count > 0 &&
           (late->ended ||
            moment_to_count(series->newest) - moment_to_count(series->rows[0].moment) >=
                late->late);
}

/* Looks for the next row that goes out, in the rows that are there. */
static int find_row(struct late_source *late)
{
    while (!has_row(late)) {
        if (late->ended) {
            if (late->giving >= late->series.count)
                return 0;
            late->giving++;
        } else if (late->block_taken == late->block_rows) {
            return 0;
        } else if (hold_row(late) != 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- the source ---- */

static int late_read(struct source *source, void *frames, size_t capacity, size_t *got,
                     struct error *error)
{
    struct late_source *late = (struct late_source *)source;
    unsigned char *to = frames;

    for (*got = 0; *got < capacity && *got < ROOM;) {
        if (find_row(late) != 0)
            return error_set(error, ERROR_RESOURCE, "memory",
                             "the rows that are held back need more than there is");
        if (has_row(late)) {
            struct held_series *series = late->series.at[late->giving];
            const struct held_row row = pop(series);

            memcpy(to + *got * late->bytes, series->samples + row.place * late->bytes, late->bytes);
            late->moments[*got] = row.moment;
            late->keys[(*got)++] = series->key;
        } else if (*got == 0 && late->has_failed) {
            *error = late->failure;
            return -1;
        } else if (*got > 0 || late->ended) {
            break;
        } else {
            read_block(late);
        }
    }
    return 0;
}

static bool late_ready(struct source *source, unsigned microseconds)
{
    struct late_source *late = (struct late_source *)source;

    while (find_row(late) == 0 && !has_row(late) && !late->ended && !late->has_failed) {
        if (!late->source.other->class->ready(late->source.other, microseconds))
            return false;
        read_block(late);
    }
    return true;
}

static void late_close(struct source *source)
{
    struct late_source *late = (struct late_source *)source;

    for (size_t i = 0; i < late->series.count; i++) {
        struct held_series *series = late->series.at[i];

        if (series == NULL)
            continue;
        free(series->rows);
        free(series->samples);
        free(series);
    }
    free(late->series.at);
    free(late->block);
}

int late_open(struct source **source, int64_t late, bool accepts_damage, struct error *error)
{
    static const struct source_class class = {
        .bytes = sizeof(struct late_source),
        .read = late_read,
        .skip = source_skip_by_reading,
        .ready = late_ready,
        .close = late_close,
    };
    struct source *other = *source;
    struct late_source *own = source_over(&class, source, error);

    if (own == NULL)
        return -1;
    own->late = late;
    own->accepts_damage = accepts_damage;
    own->bytes = source_frame_bytes(&other->format);
    own->block = malloc(ROOM * own->bytes);
    if (own->block == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    own->table = *other->table;
    own->table.moments = own->moments;
    if (other->table->keys != NULL)
        own->table.keys = own->keys;
    own->source.table = &own->table;
    return 0;
}
