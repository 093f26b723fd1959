#include <stdlib.h>

#include "base/min_max.h"
#include "base/size_words.h"
#include "engine/emit.h"
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
    window->windows = time_windows_open(setup->channels, plan->time_window, setup->nan,
                                        emits_positions(&setup->emits) > 0, &frames->bytes);
    if (window->windows != NULL)
        return &window->series;
    free(window);
    return NULL;
}

/* The rows that a frame stands at: where only whole windows count, all rows of the window. */
static inline struct sink_rows rows_of(const struct by_window *window, uint64_t own, uint64_t begin)
{
    const uint64_t first = window->whole ? begin : own;
    const struct timed_row *row = time_windows_row(window->windows, first);

    return (struct sink_rows){
        .number = window->series.frames->pipeline->skipped + row->number,
        .first = first,
        .end = own + 1,
        .first_time = row->moment,
        .last_time = time_windows_row(window->windows, own)->moment,
        .key = window->series.frames->key,
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
static void set_channel(struct row_frames *frames, unsigned channel, size_t count,
                        struct window_values *found)
{
    const struct engine_setup *setup = &frames->pipeline->plan->setup;
    const struct emit_windows windows = {extremes_of(setup->value, found->low, count),
                                         extremes_of(setup->value, found->high, count),
                                         found->low_at, found->high_at};
    struct emit_out out;
    const struct emit_run run = {.setup = setup, .frames = UINT64_MAX, .kept = count, .out = &out};

    emit_out_frames(&out, setup, frames->fill->out);
    emit_out_skip(&out, setup, frames->fill->count);
    emit_channel(&run, channel, &windows);
}

static int by_window_pass(struct series *series, const struct timed_row *next, struct error *error)
{
    struct by_window *window = (struct by_window *)series;
    struct row_frames *frames = series->frames;
    const unsigned channels = frames->pipeline->plan->setup.channels;
    const struct moment *moment = next == NULL ? NULL : &next->moment;
    struct maxima_windows found;
    struct window_values values;
    uint64_t first;

    while (time_windows_find(window->windows, moment, &found, &first)) {
        if (frames->fill->count + found.count > frames->most &&
            row_frames_write(frames, error) != 0)
            return -1;
        for (unsigned i = 0; i < channels; i++) {
            time_windows_values(window->windows, &found, i, &values);
            set_channel(frames, i, found.count, &values);
        }
        for (size_t i = 0; i < found.count; i++)
            frames->fill->rows[frames->fill->count++] = rows_of(window, first + i, found.first[i]);
    }
    return 0;
}

/* Adds rows; memory grows with those of a window. */
static int add_rows(struct by_window *window, const struct moment *moments, uint64_t number,
                    const double *values, size_t count, struct error *error)
{
    const struct row_frames *frames = window->series.frames;
    const uint64_t before = frames->bytes;
    char bytes[SIZE_WORDS];

    if (time_windows_add(window->windows, moments, number, values, count) == 0 &&
        (frames->bytes == before ||
         frames->bytes <= machine_memory(frames->pipeline->machine, frames->bytes)))
        return 0;
    return error_set(error, ERROR_RESOURCE, "memory",
                     "the rows of a window need more than %s: give a shorter one",
                     size_words(bytes, frames->bytes));
}

/* The windows that the first row of a block passes are found with the others. */
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
