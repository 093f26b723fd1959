/* SPDX-License-Identifier: MIT */
/* An external merge sort: as many rows as fit into memory are sorted and written to a temporary
 * file, as a run; then the runs are merged, and each run has a part of the memory. Runs are in the
 * order in which their rows came: among rows with equal times, earlier runs go first. */
#include "format/rows/sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "format/rows/gaps.h"
#include "format/text/time_form.h"
#include "io/read_at.h"
#include "io/spool.h"

enum {
    ROOM = 4096,      /* rows that are read, and returned, at a time */
    ROWS_LEAST = 256, /* rows of a run, and of its part in memory, at least */
};

/* A row in memory and in the file; its samples follow it. */
struct kept_row {
    struct moment moment;
    const struct row_key *key;
    unsigned char samples[];
};

/* Sorted rows in the file, and the part of them in memory. */
struct sorted_run {
    uint64_t at; /* offset of the next rows in the file */
    uint64_t left;
    unsigned char *rows;
    size_t taken;
    size_t count;
};

struct sorted_source {
    struct source source;
    struct source_table table;
    uint64_t memory;
    int64_t gap_period;
    bool accepts_damage;
    bool sorted;          /* all rows have come */
    struct moment *lasts; /* times of the last returned rows, by the numbers of keys */
    size_t last_count;
    size_t last_capacity;
    size_t samples;       /* bytes of the samples of a row */
    size_t bytes;         /* bytes of a kept row */
    unsigned char *block; /* rows that have been read */
    unsigned char *sent;  /* rows on their way to the file */
    unsigned char *rows;  /* rows of the run that is being read */
    size_t count;
    size_t capacity;
    size_t taken;                  /* rows taken, if there are no other runs */
    const struct kept_row **order; /* order of these rows */
    int spool;                     /* -1 if all rows are in memory */
    uint64_t spooled;              /* bytes in `spool` */
    struct sorted_run *runs;
    size_t run_count;
    size_t run_capacity;
    size_t *heap; /* numbers of runs that have rows, the earliest next row first */
    size_t heap_count;
    struct moment moments[ROOM]; /* times of the rows that the last read() returned */
    const struct row_key *keys[ROOM];
};

/* ---- a run ---- */

static int compare_rows(const void *one, const void *other)
{
    const struct kept_row *const *a = one;
    const struct kept_row *const *b = other;

    if (moment_is_before((*a)->moment, (*b)->moment))
        return -1;
    if (moment_is_before((*b)->moment, (*a)->moment))
        return 1;
    return (*a > *b) - (*a < *b); /* they lie in the order in which they came */
}

static int sort_run(struct sorted_source *sorted)
{
    const struct kept_row **order = realloc(sorted->order, (sorted->count + 1) * sizeof *order);

    if (order == NULL)
        return -1;
    sorted->order = order;
    for (size_t i = 0; i < sorted->count; i++)
        order[i] = (const void *)(sorted->rows + i * sorted->bytes);
    qsort(order, sorted->count, sizeof *order, compare_rows);
    return 0;
}

static int spool_run(struct sorted_source *sorted, struct error *error)
{
    struct sorted_run *runs =
        array_grow(sorted->runs, &sorted->run_capacity, sorted->run_count + 1, sizeof *runs);
    size_t used = 0;

    if (runs == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    sorted->runs = runs;
    if (sorted->spool < 0)
        sorted->spool = spool_open(sorted->source.input->name, SPOOL_ORDER, error);
    if (sorted->spool < 0)
        return -1;
    runs[sorted->run_count++] = (struct sorted_run){.at = sorted->spooled, .left = sorted->count};
    for (size_t i = 0; i < sorted->count; i++) {
        memcpy(sorted->sent + used, sorted->order[i], sorted->bytes);
        used += sorted->bytes;
        if (used + sorted->bytes <= ROOM * sorted->bytes && i + 1 < sorted->count)
            continue;
        if (spool_write(sorted->spool, sorted->source.input->name, SPOOL_ORDER, sorted->sent, used,
                        sorted->spooled, error) != 0)
            return -1;
        sorted->spooled += used;
        used = 0;
    }
    sorted->count = 0;
    return 0;
}

/* Keeps rows that were read into the block. */
static int keep_rows(struct sorted_source *sorted, const unsigned char *samples, size_t count,
                     struct error *error)
{
    const struct source_table *table = sorted->source.other->table;

    if (sorted->count > ROWS_LEAST &&
        (sorted->count + count) * (sorted->bytes + sizeof *sorted->order) > sorted->memory &&
        (sort_run(sorted) != 0 || spool_run(sorted, error) != 0))
        return sorted->order == NULL ? error_system(error, ERROR_RESOURCE, "memory", ENOMEM) : -1;
    if (sorted->count + count > sorted->capacity) {
        const size_t need = sorted->count + count;
        const size_t most = (size_t)(sorted->memory / sorted->bytes);
        const size_t capacity = need > most / 2 && need < most ? most : 2 * need;
        unsigned char *rows = realloc(sorted->rows, capacity * sorted->bytes);

        if (rows == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        sorted->rows = rows;
        sorted->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) {
        struct kept_row *row = (void *)(sorted->rows + sorted->count++ * sorted->bytes);

        row->moment = table->moments[i];
        row->key = table->keys == NULL ? NULL : table->keys[i];
        memcpy(row->samples, samples + i * sorted->samples, sorted->samples);
    }
    return 0;
}

/* ---- the rows of all runs ---- */

static uint64_t part_of_run(const struct sorted_source *sorted)
{
    const uint64_t rows = sorted->memory / sorted->bytes / sorted->run_count;

    return rows > ROWS_LEAST ? rows : ROWS_LEAST;
}

/* Reads the next part of a run. */
static int fill_run(struct sorted_source *sorted, struct sorted_run *run, struct error *error)
{
    const struct slice file = {.fd = sorted->spool, .size = sorted->spooled};
    const uint64_t most = part_of_run(sorted);
    const size_t count = (size_t)(run->left < most ? run->left : most);
    const size_t bytes = count * sorted->bytes;

    run->taken = 0;
    run->count = count;
    if (slice_read(&file, run->at, run->rows, bytes) != bytes)
        return spool_error(sorted->source.input->name, SPOOL_ORDER, EIO, error);
    run->at += bytes;
    run->left -= count;
    return 0;
}

static const struct kept_row *row_of_run(const struct sorted_source *sorted, size_t number)
{
    const struct sorted_run *run = &sorted->runs[number];

    return (const void *)(run->rows + run->taken * sorted->bytes);
}

static bool goes_first(const struct sorted_source *sorted, size_t one, size_t other)
{
    const struct moment a = row_of_run(sorted, one)->moment;
    const struct moment b = row_of_run(sorted, other)->moment;

    return moment_is_before(a, b) || (!moment_is_before(b, a) && one < other);
}

/* Moves the run at the top of the heap, whose next row has changed, to its place. */
static void sink_top(struct sorted_source *sorted)
{
    const size_t run = sorted->heap[0];
    size_t at = 0;

    for (size_t next = 1; next < sorted->heap_count; next = 2 * at + 1) {
        next += next + 1 < sorted->heap_count &&
                goes_first(sorted, sorted->heap[next + 1], sorted->heap[next]);
        if (!goes_first(sorted, sorted->heap[next], run))
            break;
        sorted->heap[at] = sorted->heap[next];
        at = next;
    }
    sorted->heap[at] = run;
}

static void add_to_heap(struct sorted_source *sorted, size_t run)
{
    size_t at = sorted->heap_count++;

    for (; at > 0 && goes_first(sorted, run, sorted->heap[(at - 1) / 2]); at = (at - 1) / 2)
        sorted->heap[at] = sorted->heap[(at - 1) / 2];
    sorted->heap[at] = run;
}

static int begin_merge(struct sorted_source *sorted, struct error *error)
{
    if (spool_run(sorted, error) != 0)
        return -1;
    free(sorted->rows);
    sorted->rows = NULL;
    sorted->heap = calloc(sorted->run_count, sizeof *sorted->heap);
    for (size_t i = 0; i < sorted->run_count; i++) {
        struct sorted_run *run = &sorted->runs[i];

        run->rows = malloc(part_of_run(sorted) * sorted->bytes);
        if (run->rows == NULL || sorted->heap == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", ENOMEM);
        if (fill_run(sorted, run, error) != 0)
            return -1;
        add_to_heap(sorted, i);
    }
    return 0;
}

/* The next row of all runs; NULL if there is none. pass_row() passes it. */
static const struct kept_row *next_row(const struct sorted_source *sorted)
{
    if (sorted->run_count > 0)
        return sorted->heap_count == 0 ? NULL : row_of_run(sorted, sorted->heap[0]);
    return sorted->taken == sorted->count ? NULL : sorted->order[sorted->taken];
}

static int pass_row(struct sorted_source *sorted, struct error *error)
{
    struct sorted_run *run;

    if (sorted->run_count == 0) {
        sorted->taken++;
        return 0;
    }
    run = &sorted->runs[sorted->heap[0]];
    run->taken++;
    if (run->taken == run->count && run->left > 0 && fill_run(sorted, run, error) != 0)
        return -1;
    if (run->taken == run->count)
        sorted->heap[0] = sorted->heap[--sorted->heap_count];
    if (sorted->heap_count > 0)
        sink_top(sorted);
    return 0;
}

/* ---- the source ---- */

/* Reads the other source to its end. */
static int sort_all(struct sorted_source *sorted, struct error *error)
{
    struct source *other = sorted->source.other;
    size_t got;

    do {
        if (other->class->read(other, sorted->block, ROOM, &got, error) != 0) {
            if (!sorted->accepts_damage || error->code != ERROR_DAMAGED)
                return -1;
            got = 0;
        }
        if (got > 0 && keep_rows(sorted, sorted->block, got, error) != 0)
            return -1;
    } while (got > 0);
    if (sort_run(sorted) != 0)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    sorted->sorted = true;
    return sorted->run_count > 0 ? begin_merge(sorted, error) : 0;
}

/* Are there too many intervals without rows between this row and the last one of its key? */
static int check_gap(struct sorted_source *sorted, const struct kept_row *row, struct error *error)
{
    const size_t number = row->key == NULL ? 0 : row->key->number;
    struct moment *lasts;
    char words[TIME_MOST];

    if (sorted->gap_period == 0)
        return 0;
    lasts = array_grow(sorted->lasts, &sorted->last_capacity, number + 1, sizeof *lasts);
    if (lasts == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    sorted->lasts = lasts;
    for (; sorted->last_count <= number; sorted->last_count++)
        lasts[sorted->last_count] = row->moment;
    if (!moment_is_before(lasts[number], *sorted->table.begin) &&
        gap_is_long(sorted->gap_period, lasts[number], row->moment)) {
        words[time_write(sorted->table.times, row->moment, words)] = '\0';
        return error_set(
            error, ERROR_ROWS, sorted->source.input->name,
            "more than a million intervals without rows lie before %s: --gaps skip leaves "
            "them out",
            words);
    }
    lasts[number] = row->moment;
    return 0;
}

static int sorted_read(struct source *source, void *frames, size_t capacity, size_t *got,
                       struct error *error)
{
    struct sorted_source *sorted = (struct sorted_source *)source;
    unsigned char *to = frames;

    *got = 0;
    if (!sorted->sorted && sort_all(sorted, error) != 0)
        return -1;
    for (; *got < capacity && *got < ROOM; ++*got) {
        const struct kept_row *row = next_row(sorted);

        if (row == NULL)
            break;
        if (check_gap(sorted, row, error) != 0)
            return *got > 0 ? 0 : -1;
        sorted->moments[*got] = row->moment;
        sorted->keys[*got] = row->key;
        memcpy(to + *got * sorted->samples, row->samples, sorted->samples);
        if (pass_row(sorted, error) != 0)
            return -1;
    }
    return 0;
}

static bool sorted_ready(struct source *source, unsigned microseconds)
{
    (void)microseconds;
    return ((struct sorted_source *)source)->sorted;
}

/* The other source has been read to its end, in its own order: its remarks are about all rows. */
static void sorted_set_end(struct source *source, uint64_t frame)
{
    (void)source;
    (void)frame;
}

static void sorted_close(struct source *source)
{
    struct sorted_source *sorted = (struct sorted_source *)source;

    for (size_t i = 0; i < sorted->run_count; i++)
        free(sorted->runs[i].rows);
    free(sorted->runs);
    free(sorted->heap);
    free(sorted->lasts);
    free(sorted->order);
    free(sorted->rows);
    free(sorted->block);
    free(sorted->sent);
    if (sorted->spool >= 0)
        (void)close(sorted->spool);
}

int sorted_open(struct source **source, uint64_t memory, int64_t gap_period, bool accepts_damage,
                struct error *error)
{
    static const struct source_class class = {
        .bytes = sizeof(struct sorted_source),
        .read = sorted_read,
        .skip = source_skip_by_reading,
        .ready = sorted_ready,
        .set_end = sorted_set_end,
        .close = sorted_close,
    };
    struct source *other = *source;
    struct sorted_source *own = source_over(&class, source, error);

    if (own == NULL)
        return -1;
    own->spool = -1;
    own->memory = memory;
    own->gap_period = gap_period;
    own->accepts_damage = accepts_damage;
    own->samples = source_frame_bytes(&other->format);
    own->bytes = sizeof(struct kept_row) + own->samples;
    own->block = malloc(ROOM * own->samples);
    own->sent = malloc(ROOM * own->bytes);
    if (own->block == NULL || own->sent == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    own->table = *other->table;
    own->table.moments = own->moments;
    if (other->table->keys != NULL)
        own->table.keys = own->keys;
    own->source.table = &own->table;
    return 0;
}
