/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/min_max.h"
#include "job/series_priv.h"

struct by_times {
    struct row_frames frames;
    struct row_range range;
    const struct series_class *class;
    uint64_t rows;       /* rows so far */
    struct pointers all; /* struct series, by the key's number; NULL without rows */
    struct row_run *runs;
    size_t run_count;
    size_t runs_most;
    struct window_tasks *tasks; /* add a batch by several threads; may be NULL */
    bool beside;                /* the tasks have added the last batch */
};

struct by_times *by_times_open(const struct pipeline *pipeline)
{
    struct by_times *times = calloc(1, sizeof *times);

    if (times == NULL)
        return NULL;
    times->range = pipeline->plan->range;
    times->class = pipeline->plan->intervals.period > 0 ? &series_by_clock : &series_by_window;
    if (row_frames_open(&times->frames, pipeline) != 0) {
        free(times);
        return NULL;
    }
    if (times->class == &series_by_window)
        times->tasks = window_tasks_open(&times->frames);
    return times;
}

void by_times_close(struct by_times *times)
{
    if (times == NULL)
        return;
    for (size_t i = 0; i < times->all.count; i++) {
        if (times->all.at[i] != NULL)
            times->class->close(times->all.at[i]);
    }
    window_tasks_close(times->tasks);
    free(times->all.at);
    free(times->runs);
    row_frames_close(&times->frames);
    free(times);
}

/* The series of a key, which is opened if it is new. Returns NULL, with errno set, if memory runs
 * out. */
static struct series *series_of(struct by_times *times, const struct row_key *key)
{
    void **const place = pointers_place(&times->all, key == NULL ? 0 : key->number);
    struct series *series;

    if (place == NULL)
        return NULL;
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
    if (keys == NULL && !range->from.given && !range->to.given)
        return count;
    while (run < count && row_range_has(range, moments[run]) == *inside &&
           (keys == NULL || keys[run] == keys[0]))
        run++;
    return run > 0 ? run : 1;
}

/* Finds the runs of these rows that are in the range. */
static int find_runs(struct by_times *times, const struct moment *moments,
                     const struct row_key *const *keys, size_t count)
{
    times->run_count = 0;
    for (size_t done = 0; done < count;) {
        const struct row_key *const *key = keys == NULL ? NULL : keys + done;
        struct row_run run = {.first = done};
        struct row_run *grown;
        bool inside;

        run.count = rows_run(&times->range, moments + done, key, count - done, &inside);
        done += run.count;
        if (!inside)
            continue;
        grown = array_grow(times->runs, &times->runs_most, times->run_count + 1, sizeof run);
        if (grown == NULL)
            return -1;
        times->runs = grown;
        run.series = series_of(times, key == NULL ? NULL : *key);
        if (run.series == NULL)
            return -1;
        run.series->here += run.count;
        times->runs[times->run_count++] = run;
    }
    return 0;
}

/* Tells the sink the times of a run. */
static int tell_times(struct by_times *times, const struct row_run *run,
                      const struct moment *moments, struct error *error)
{
    struct sink *sink = times->frames.pipeline->sink;
    struct series *series = run->series;

    if (sink->class->times != NULL &&
        sink->class->times(sink, series->key, series->rows, moments + run->first, run->count,
                           error) != 0)
        return -1;
    series->rows += run->count;
    series->here = 0;
    return 0;
}

static int add_batch(struct by_times *times, const struct row_batch *batch, struct error *error)
{
    const unsigned channels = times->frames.pipeline->plan->setup.channels;

    times->beside = times->tasks != NULL && window_tasks_plan(times->tasks, batch);
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct row_run *run = &batch->runs[i];

        if (tell_times(times, run, batch->moments, error) != 0 ||
            (!times->beside &&
             times->class->add(run->series, batch->rows + run->first * channels,
                               batch->moments + run->first, batch->number + run->first, run->count,
                               error) != 0))
            return -1;
    }
    return times->beside ? window_tasks_run(times->tasks, error) : 0;
}

static int add_rows(struct by_times *times, const double *rows, const struct moment *moments,
                    const struct row_key *const *keys, size_t count, struct error *error)
{
    const unsigned channels = times->frames.pipeline->plan->setup.channels;
    const size_t most = times->tasks == NULL ? SIZE_MAX : window_tasks_most(times->tasks);
    size_t some;

    for (size_t done = 0; done < count; done += some) {
        struct row_batch batch = {rows + done * channels, moments + done, times->rows, 0, NULL, 0};

        some = batch.count = (size_t)min_u64(count - done, most);
        if (find_runs(times, batch.moments, keys == NULL ? NULL : keys + done, some) != 0)
            return error_system(error, ERROR_RESOURCE, "memory", errno);
        batch.runs = times->runs;
        batch.run_count = times->run_count;
        if (add_batch(times, &batch, error) != 0)
            return -1;
        times->rows += some;
    }
    return 0;
}

/* Adds the frames before a row that is an error. */
static int pass_row(struct by_times *times, const struct moment *moment,
                    const struct row_key *const *key, struct error *error)
{
    struct series *series;

    if (!row_range_has(&times->range, *moment))
        return 0;
    series = series_of(times, key == NULL ? NULL : *key);
    if (series == NULL)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    return times->class->pass(series, &(struct timed_row){*moment, times->rows}, error);
}

/* Writes all complete frames, also after an error. If tasks have added the last batch, rows come
 * fast: then it does not wait for the end of the write. */
static int flush(struct by_times *times, int failed, struct error *error)
{
    struct error later;

    if (failed == 0 && times->beside)
        return row_frames_write(&times->frames, error);
    return row_frames_flush(&times->frames, failed == 0 ? error : &later) != 0 ? -1 : failed;
}

int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 const struct row_key *const *keys, size_t count, bool is_cut, struct error *error)
{
    int failed;

    times->beside = false;
    if (count + is_cut > 0)
        row_range_begin(&times->range, moments[0]);
    failed = add_rows(times, rows, moments, keys, count, error);
    if (failed == 0 && is_cut)
        failed = pass_row(times, moments + count, keys == NULL ? NULL : keys + count, error);
    return flush(times, failed, error);
}

int by_times_end(struct by_times *times, bool all, struct error *error)
{
    int failed = 0;

    times->beside = false;
    for (size_t i = 0; all && i < times->all.count && failed == 0; i++) {
        struct series *series = times->all.at[i];

        if (series == NULL)
            continue;
        failed = times->class->pass(series, NULL, error);
    }
    return flush(times, failed, error);
}

uint64_t by_times_lost(const struct by_times *times)
{
    return times == NULL ? 0 : times->frames.lost;
}
