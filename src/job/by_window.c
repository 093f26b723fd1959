/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "base/min_max.h"
#include "base/size_words.h"
#include "engine/emit.h"
#include "job/series_priv.h"

static void by_window_close(struct series *series)
{
    struct by_window *window = (struct by_window *)series;

    time_windows_close(window->windows);
    free(window);
}

struct time_windows *by_window_windows(const struct stream_plan *plan)
{
    const struct engine_setup *setup = &plan->setup;

    return time_windows_open(setup->channels, plan->time_window, setup->nan,
                             emits_positions(&setup->emits) > 0);
}

static struct series *by_window_open(struct row_frames *frames)
{
    struct by_window *window = calloc(1, sizeof *window);

    if (window == NULL)
        return NULL;
    window->series.frames = frames;
    window->windows = by_window_windows(frames->pipeline->plan);
    if (window->windows != NULL)
        return &window->series;
    free(window);
    return NULL;
}

/* The rows of a frame: all rows of the window where only whole windows count, otherwise its own
 * row. */
static inline struct sink_rows rows_of(const struct pipeline *pipeline,
                                       const struct time_windows *windows, uint64_t own,
                                       uint64_t begin)
{
    const bool whole = pipeline->plan->setup.window.align == ALIGN_VALID;
    const uint64_t first = whole ? begin : own;
    const struct timed_row *row = time_windows_row(windows, first);

    return (struct sink_rows){
        .number = pipeline->skipped + row->number,
        .first = first,
        .end = own + 1,
        .first_time = row->moment,
        .last_time = time_windows_row(windows, own)->moment,
    };
}

/* The extremes of samples, as values of the setup's kind. */
static const void *extremes_of(enum value_kind kind, int64_t keys[], size_t count)
{
    float *const floats = (float *)(void *)keys;
    double *const doubles = (double *)(void *)keys;

    for (size_t i = 0; i < count; i++) {
        if (kind == VALUE_F32)
            floats[i] = (float)rules_from_key64(keys[i]);
        else
            doubles[i] = rules_from_key64(keys[i]);
    }
    return keys;
}

/* Sets a channel of the next frames. Without numbers, or with a NaN that spoils the window, the
 * extremes are keys of NaN. */
static void set_channel(const struct frames_block *block, unsigned channel, size_t count,
                        struct window_values *found)
{
    const struct engine_setup *setup = &block->pipeline->plan->setup;
    const struct emit_windows windows = {extremes_of(setup->value, found->low, count),
                                         extremes_of(setup->value, found->high, count),
                                         found->low_at, found->high_at};
    struct emit_out out;
    const struct emit_run run = {.setup = setup, .frames = UINT64_MAX, .kept = count, .out = &out};

    emit_out_frames(&out, setup, block->out);
    emit_out_skip(&out, setup, block->count);
    emit_channel(&run, channel, &windows);
}

void by_window_put(const struct by_window *window, struct time_windows *windows,
                   const struct maxima_windows *found, uint64_t first, struct frames_block *block)
{
    const struct pipeline *pipeline = block->pipeline;
    struct window_values values;

    for (unsigned i = 0; i < pipeline->plan->setup.channels; i++) {
        time_windows_values(windows, found, i, &values);
        set_channel(block, i, found->count, &values);
    }
    for (size_t i = 0; i < found->count; i++) {
        block->rows[block->count] = rows_of(pipeline, windows, first + i, found->first[i]);
        block->rows[block->count++].key = window->series.key;
    }
}

static int by_window_pass(struct series *series, const struct timed_row *next, struct error *error)
{
    struct by_window *window = (struct by_window *)series;
    struct row_frames *frames = series->frames;
    const struct moment *moment = next == NULL ? NULL : &next->moment;
    struct maxima_windows found;
    uint64_t first;

    while (time_windows_find(window->windows, moment, &found, &first)) {
        if (frames->fill->count + found.count > frames->most &&
            row_frames_write(frames, error) != 0)
            return -1;
        by_window_put(window, window->windows, &found, first, frames->fill);
    }
    return 0;
}

int by_window_count(struct by_window *window, struct error *error)
{
    struct row_frames *frames = window->series.frames;
    const uint64_t bytes = time_windows_bytes(window->windows);
    const bool same = bytes <= window->bytes;
    char words[SIZE_WORDS];

    frames->bytes += bytes - window->bytes;
    window->bytes = bytes;
    if (same || frames->bytes <= machine_memory(frames->pipeline->machine, frames->bytes))
        return 0;
    return error_set(error, ERROR_RESOURCE, "memory",
                     "the rows of a window need more than %s: give a shorter one",
                     size_words(words, frames->bytes));
}

/* Adds rows; memory grows with those of a window. */
static int add_rows(struct by_window *window, const struct moment *moments, uint64_t number,
                    const double *values, size_t count, struct error *error)
{
    struct timed_row rows[MAXIMA_BLOCK];

    for (size_t i = 0; i < count; i++)
        rows[i] = (struct timed_row){moments[i], number + i};
    if (time_windows_add(window->windows, rows, values, count) != 0)
        return error_system(error, ERROR_RESOURCE, "memory", errno);
    return by_window_count(window, error);
}

/* Looks for complete windows once for each block of rows, after its last row. */
static int by_window_add(struct series *series, const double *rows, const struct moment *moments,
                         uint64_t first, size_t count, struct error *error)
{
    struct by_window *window = (struct by_window *)series;
    const unsigned channels = series->frames->pipeline->plan->setup.channels;
    size_t some;

    for (size_t done = 0; done < count; done += some) {
        some = (size_t)min_u64(count - done, MAXIMA_BLOCK);
        if (add_rows(window, moments + done, first + done, rows + done * channels, some, error) !=
                0 ||
            by_window_pass(series, &(struct timed_row){moments[done + some - 1], 0}, error) != 0)
            return -1;
    }
    return 0;
}

const struct series_class series_by_window = {
    .open = by_window_open,
    .add = by_window_add,
    .pass = by_window_pass,
    .close = by_window_close,
};
