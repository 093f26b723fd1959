#include <errno.h>
#include <stdlib.h>

#include "job/series_priv.h"
#include "job/steps_priv.h"

struct by_times {
    struct row_frames frames;
    uint64_t rows; /* so far */
    struct series *series;
};

struct by_times *by_times_open(const struct pipeline *pipeline)
{
    const struct series_class *class =
        pipeline->plan->intervals.period > 0 ? &series_by_clock : &series_by_window;
    struct by_times *times = calloc(1, sizeof *times);

    if (times == NULL)
        return NULL;
    if (row_frames_open(&times->frames, pipeline) == 0)
        times->series = class->open(&times->frames);
    if (times->series != NULL)
        return times;
    by_times_close(times);
    return NULL;
}

void by_times_close(struct by_times *times)
{
    if (times == NULL)
        return;
    if (times->series != NULL)
        times->series->class->close(times->series);
    row_frames_close(&times->frames);
    free(times);
}

int by_times_add(struct by_times *times, const double *rows, const struct moment *moments,
                 size_t count, bool is_cut, struct error *error)
{
    const uint64_t first = times->rows;

    times->rows += count;
    if (times->series->class->add(times->series, rows, moments, first, count, is_cut, error) != 0)
        return -1;
    return row_frames_write(&times->frames, error);
}

int by_times_end(struct by_times *times, struct error *error)
{
    if (times->series->class->end(times->series, error) != 0)
        return -1;
    return row_frames_write(&times->frames, error);
}

uint64_t by_times_lost(const struct by_times *times)
{
    return times == NULL ? 0 : times->frames.lost;
}
