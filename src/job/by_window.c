#include <stdlib.h>

#include "base/size_words.h"
#include "job/series_priv.h"

struct by_window {
    struct series series;
    struct time_windows *windows;
    bool whole; /* frames stand at all rows of their windows */
};

static void by_window_close(struct series *series)
{
    struct by_window *window = (struct by_window *)series;

    time_windows_close(window->windows);
    free(window);
}

static struct series *by_window_open(struct row_frames *frames)
{
    const struct stream_plan *plan = frames->pipeline->plan;
    const struct engine_setup *setup = &plan->setup;
    struct by_window *window = calloc(1, sizeof *window);

    if (window == NULL)
        return NULL;
    window->series.frames = frames;
    window->whole = setup->window.align == ALIGN_VALID;
    window->windows =
        time_windows_open(setup->channels, plan->time_window, setup->nan, &frames->bytes);
    if (window->windows != NULL)
        return &window->series;
    free(window);
    return NULL;
}

/* The rows that a frame stands at: where only whole windows count, all rows of the window. */
static struct sink_rows rows_of(const struct by_window *window, const struct window_of_row *got)
{
    const uint64_t skipped = window->series.frames->pipeline->skipped;
    const struct timed_row *first = window->whole ? &got->first : &got->row;

    return (struct sink_rows){
        .number = skipped + first->number,
        .first = window->whole ? got->begin : got->end - 1,
        .end = got->end,
        .first_time = first->moment,
        .last_time = got->row.moment,
    };
}

static int by_window_pass(struct series *series, const struct timed_row *next, struct error *error)
{
    struct by_window *window = (struct by_window *)series;
    struct row_frames *frames = series->frames;
    const struct stream_plan *plan = frames->pipeline->plan;
    struct window_of_row got;

    while (time_windows_next(window->windows, next == NULL ? NULL : &next->moment, &got)) {
        const struct sink_rows rows = rows_of(window, &got);

        for (unsigned i = 0; i < plan->setup.channels; i++) {
            /* Without numbers, or with a NaN that spoils the window, these are keys of NaN. */
            const struct window_values found = time_windows_values(window->windows, i);
            const struct stats_values values = {
                .low = found.low,
                .high = found.high,
                .low_at = found.low_at,
                .high_at = found.high_at,
            };

            row_frames_set(frames, i, &values, 1);
        }
        if (row_frames_add(frames, &rows, error) != 0)
            return -1;
    }
    return 0;
}

/* Adds a row; memory grows with the rows of a window. */
static int add_row(struct by_window *window, const struct timed_row *row, const double *values,
                   struct error *error)
{
    const struct row_frames *frames = window->series.frames;
    const uint64_t before = frames->bytes;
    char bytes[SIZE_WORDS];

    if (time_windows_add(window->windows, row, values) == 0 &&
        (frames->bytes == before ||
         frames->bytes <= machine_memory(frames->pipeline->machine, frames->bytes)))
        return 0;
    return error_set(error, ERROR_RESOURCE, "memory",
                     "the rows of a window need more than %s: give a shorter one",
                     size_words(bytes, frames->bytes));
}

static int by_window_add(struct series *series, const double *rows, const struct moment *moments,
                         uint64_t first, size_t count, struct error *error)
{
    struct by_window *window = (struct by_window *)series;
    const unsigned channels = series->frames->pipeline->plan->setup.channels;

    for (size_t i = 0; i < count; i++) {
        const struct timed_row row = {moments[i], first + i};

        if (by_window_pass(series, &row, error) != 0)
            return -1;
        if (add_row(window, &row, rows + i * channels, error) != 0)
            return -1;
    }
    return by_window_pass(series, &(struct timed_row){moments[count - 1], 0}, error);
}

const struct series_class series_by_window = {
    .open = by_window_open,
    .add = by_window_add,
    .pass = by_window_pass,
    .close = by_window_close,
};
