#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "job/series_priv.h"

struct by_times {
    struct row_frames frames;
    struct row_range range;
    const struct series_class *class;
    uint64_t rows;       /* so far */
    struct pointers all; /* struct series; NULL: there was no row of it */
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
    for (size_t i = 0; i < times->all.count; i++) {
        if (times->all.at[i] != NULL)
            times->class->close(times->all.at[i]);
    }
    free(times->all.at);
    row_frames_close(&times->frames);
    free(times);
}

/* The series of a key, which may be new; the next frames are its own. Returns NULL, with errno set,
 * if memory runs out. */
static struct series *series_of(struct by_times *times, const struct row_key *key)
{
    void **const place = pointers_place(&times->all, key == NULL ? 0 : key->number);
    struct series *series;

    if (place == NULL)
        return NULL;
    times->frames.key = key;
    if (*place == NULL && (series = times->class->open(&times->frames)) != NULL) {
        series->key = key;
        *place = series;
    }
    return *place;
}

size_t rows_run(const struct row_range *range, const struct moment *moments,
                const struct row_key *const *keys, size_t count, bool *inside)
{
    size_t run = 0;

    *inside = row_range_has(range, moments[0]);
    while (run < count && row_range_has(range, moments[run]) == *inside &&
           (keys == NULL || keys[run] == keys[0]))
        run++;
    return run > 0 ? run : 1;
}

/* Tells the sink the times of rows, and then adds these rows to their series. */
static int add_run(struct by_times *times, struct series *series, const double *rows,
                   const struct moment *moments, size_t count, struct error *error)
{
    struct sink *sink = times->frames.pipeline->sink;

    if ((sink->class->times != NULL &&
         sink->class->times(sink, times->frames.key, series->rows, moments, count, error) != 0) ||
        times->class->add(series, rows, moments, times->rows, count, error) != 0)
        return -1;
    series->rows += count;
    return 0;
}

static int add_runs(struct by_times *times, const double *rows, const struct moment *moments,
                    const struct row_key *const *keys, size_t count, bool is_cut,
                    struct error *error)
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

        run = rows_run(&times->range, moments + done, key, count - done, &inside);
        if (!inside) {
            times->rows += run;
            continue;
        }
        series = series_of(times, key == NULL ? NULL : *key);
        if (series == NULL)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        if (done < count)
            failed = add_run(times, series, rows + done * channels, moments + done, run, error);
        else
            failed = times->class->pass(series, &row, error);
        if (failed != 0)
            return -1;
        times->rows += run;
    }
    return 0;
}

/* Writes all frames that are complete, also after an error. */
static int flush(struct by_times *times, int failed, struct error *error)
{
    struct error later;

    return row_frames_flush(&times->frames, failed == 0 ? error : &later) != 0 ? -1 : failed;
}

int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 const struct row_key *const *keys, size_t count, bool is_cut, struct error *error)
{
    return flush(times, add_runs(times, rows, moments, keys, count, is_cut, error), error);
}

int by_times_end(struct by_times *times, struct error *error)
{
    int failed = 0;

    for (size_t i = 0; i < times->all.count && failed == 0; i++) {
        struct series *series = times->all.at[i];

        if (series == NULL)
            continue;
        times->frames.key = series->key;
        failed = times->class->pass(series, NULL, error);
    }
    return flush(times, failed, error);
}

uint64_t by_times_lost(const struct by_times *times)
{
    return times == NULL ? 0 : times->frames.lost;
}
