#include <math.h>
#include <stdlib.h>

#include "job/series_priv.h"

static void by_row_close(struct series *series)
{
    free(series);
}

static struct series *by_row_open(struct row_frames *frames)
{
    struct series *series = calloc(1, sizeof *series);

    if (series != NULL)
        series->frames = frames;
    return series;
}

static int by_row_pass(struct series *series, const struct timed_row *next, struct error *error)
{
    (void)series;
    (void)next;
    (void)error;
    return 0;
}

static int by_row_add(struct series *series, const double *rows, const struct moment *moments,
                      uint64_t first, size_t count, struct error *error)
{
    const struct pipeline *pipeline = series->frames->pipeline;
    const unsigned channels = pipeline->plan->setup.channels;

    for (size_t i = 0; i < count; i++) {
        const struct sink_rows place = {
            .number = pipeline->skipped + first + i,
            .first = series->rows + i,
            .end = series->rows + i + 1,
            .first_time = moments[i],
            .last_time = moments[i],
        };

        for (unsigned c = 0; c < channels; c++) {
            const double value = rows[i * channels + c];
            const int64_t key = (int64_t)rules_flip64(rules_bits64(value));
            const struct stats_values values = {
                .low = key,
                .high = key,
                .low_at = first + i,
                .high_at = first + i,
                .nans = isnan(value) ? 1U : 0U,
            };

            row_frames_set(series->frames, c, &values, 1);
        }
        if (row_frames_add(series->frames, &place, error) != 0)
            return -1;
    }
    return 0;
}

const struct series_class series_by_row = {
    .open = by_row_open,
    .add = by_row_add,
    .pass = by_row_pass,
    .close = by_row_close,
};
