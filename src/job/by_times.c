#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "job/series_priv.h"
#include "job/steps_priv.h"

struct keyed_series {
    const struct row_key *key; /* NULL: rows have no keys */
    struct series *series;     /* NULL: there was no row of it */
};

struct by_times {
    struct row_frames frames;
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

/* The series of a key, which may be new. Returns NULL, with errno set, if memory runs out. */
static struct series *series_of(struct by_times *times, const struct row_key *key)
{
    const size_t number = key == NULL ? 0 : key->number;
    struct keyed_series *all = array_grow(times->all, &times->capacity, number + 1, sizeof *all);

    if (all == NULL)
        return NULL;
    times->all = all;
    for (; times->count <= number; times->count++)
        all[times->count] = (struct keyed_series){.key = NULL};
    if (all[number].series == NULL)
        all[number] = (struct keyed_series){key, times->class->open(&times->frames)};
    return all[number].series;
}

int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 const struct row_key *const *keys, size_t count, bool is_cut, struct error *error)
{
    const unsigned channels = times->frames.pipeline->plan->setup.channels;
    const size_t there = count + is_cut; /* moments, and keys */
    size_t run;

    for (size_t done = 0; done < there; done += run) {
        const size_t left = count - done;
        struct series *series = series_of(times, keys == NULL ? NULL : keys[done]);
        bool ends; /* before the row that is an error */

        if (series == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        for (run = keys == NULL ? there - done : 1;
             done + run < there && keys[done + run] == keys[done];)
            run++;
        ends = run > left;
        times->frames.key = keys == NULL ? NULL : keys[done];
        if (times->class->add(series, rows + done * channels, moments + done, times->rows,
                              run - ends, ends, error) != 0)
            return -1;
        times->rows += run - ends;
    }
    return row_frames_write(&times->frames, error);
}

int by_times_end(struct by_times *times, struct error *error)
{
    for (size_t i = 0; i < times->count; i++) {
        times->frames.key = times->all[i].key;
        if (times->all[i].series != NULL && times->class->end(times->all[i].series, error) != 0)
            return -1;
    }
    return row_frames_write(&times->frames, error);
}

uint64_t by_times_lost(const struct by_times *times)
{
    return times == NULL ? 0 : times->frames.lost;
}
