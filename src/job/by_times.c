#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "job/series_priv.h"

struct keyed_series {
    const struct row_key *key; /* NULL: rows have no keys */
    struct series *series;     /* NULL: there was no row of it */
};

struct by_times {
    struct row_frames frames;
    struct row_range range;
    const struct series_class *class;
    uint64_t rows; /* so far */
    struct keyed_series *all;
    size_t count;
    size_t capacity;
};

struct by_times *by_times_open(const struct pipeline *pipeline)
{
    struct by_times *times = calloc(1, sizeof *times);

    if (times == NULL)
        return NULL;
    times->range = pipeline->plan->range;
    times->class = pipeline->plan->intervals.period > 0 ? &series_by_clock : &series_by_window;
    if (row_frames_open(&times->frames, pipeline) == 0)
        return times;
    free(times);
    return NULL;
}

void by_times_close(struct by_times *times)
{
    if (times == NULL)
        return;
    for (size_t i = 0; i < times->count; i++) {
        if (times->all[i].series != NULL)
            times->class->close(times->all[i].series);
    }
    free(times->all);
    row_frames_close(&times->frames);
    free(times);
}

/* The series of a key, which may be new; the next frames are its own. Returns NULL, with errno set,
 * if memory runs out. */
static struct series *series_of(struct by_times *times, const struct row_key *key)
{
    const size_t number = key == NULL ? 0 : key->number;
    struct keyed_series *all = array_grow(times->all, &times->capacity, number + 1, sizeof *all);

    if (all == NULL)
        return NULL;
    times->all = all;
    times->frames.key = key;
    for (; times->count <= number; times->count++)
        all[times->count] = (struct keyed_series){.key = NULL};
    if (all[number].series == NULL)
        all[number] = (struct keyed_series){key, times->class->open(&times->frames)};
    return all[number].series;
}

/* The number of rows, the first ones of these, that belong together: of one key, and all in the
 * range, or all outside. */
static size_t count_run(const struct by_times *times, const struct moment *moments,
                        const struct row_key *const *keys, size_t count, bool *inside)
{
    size_t run = 0;

    *inside = row_range_has(&times->range, moments[0]);
    while (run < count && row_range_has(&times->range, moments[run]) == *inside &&
           (keys == NULL || keys[run] == keys[0]))
        run++;
    return run > 0 ? run : 1;
}

int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 const struct row_key *const *keys, size_t count, bool is_cut, struct error *error)
{
    const unsigned channels = times->frames.pipeline->plan->setup.channels;
    size_t run;

    row_range_begin(&times->range, moments[0]);
    for (size_t done = 0; done < count + is_cut; done += run) {
        const struct row_key *const *key = keys == NULL ? NULL : keys + done;
        const struct timed_row row = {moments[done], times->rows};
        struct series *series;
        bool inside;
        int failed;

        run = count_run(times, moments + done, key, count - done, &inside);
        if (!inside) {
            times->rows += run;
            continue;
        }
        series = series_of(times, key == NULL ? NULL : *key);
        if (series == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        if (done < count)
            failed = times->class->add(series, rows + done * channels, moments + done, times->rows,
                                       run, error);
        else
            failed = times->class->pass(series, &row, error);
        if (failed != 0)
            return -1;
        times->rows += run;
    }
    return row_frames_write(&times->frames, error);
}

int by_times_end(struct by_times *times, struct error *error)
{
    for (size_t i = 0; i < times->count; i++) {
        times->frames.key = times->all[i].key;
        if (times->all[i].series != NULL &&
            times->class->pass(times->all[i].series, NULL, error) != 0)
            return -1;
    }
    return row_frames_write(&times->frames, error);
}

uint64_t by_times_lost(const struct by_times *times)
{
    return times == NULL ? 0 : times->frames.lost;
}
