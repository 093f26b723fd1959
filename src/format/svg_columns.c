#include "format/svg_columns.h"

#include <math.h>
#include <stdlib.h>

static const struct svg_column nothing = {NAN, NAN};

int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most)
{
    *columns = (struct svg_columns){.channels = channels, .most = most, .span = 1};
    columns->columns = calloc(most * channels, sizeof *columns->columns);
    columns->extents = calloc(channels, sizeof *columns->extents);
    if (columns->columns == NULL || columns->extents == NULL) {
        svg_columns_close(columns);
        return -1;
    }
    for (unsigned i = 0; i < channels; i++)
        columns->extents[i] = (struct svg_extent){.low = INFINITY, .high = -INFINITY};
    return 0;
}

void svg_columns_close(struct svg_columns *columns)
{
    free(columns->columns);
    free(columns->extents);
    columns->columns = NULL;
    columns->extents = NULL;
}

/* A comparison with NaN is false: NaN gives way to any number, and never comes in. */
static struct svg_column merged(struct svg_column a, struct svg_column b)
{
    return (struct svg_column){
        .low = b.low < a.low || isnan(a.low) ? b.low : a.low,
        .high = b.high > a.high || isnan(a.high) ? b.high : a.high,
    };
}

/* Every `group` neighbours become one; at the end perhaps fewer. */
static void merge_groups(struct svg_columns *columns, size_t group)
{
    size_t groups = (columns->count + group - 1) / group;

    for (unsigned c = 0; c < columns->channels; c++) {
        struct svg_column *column = columns->columns + columns->most * c;

        for (size_t i = 0; i < groups; i++) {
            size_t end = (i + 1) * group < columns->count ? (i + 1) * group : columns->count;
            struct svg_column best = column[i * group];

            for (size_t j = i * group + 1; j < end; j++)
                best = merged(best, column[j]);
            column[i] = best;
        }
    }
    columns->count = groups;
    columns->span *= group;
}

void svg_columns_reduce(struct svg_columns *columns, size_t most)
{
    if (columns->count > most)
        merge_groups(columns, (columns->count + most - 1) / most);
}

static void see(struct svg_extent *extent, float value)
{
    if (!isfinite(value))
        return;
    if (value < extent->low)
        extent->low = value;
    if (value > extent->high)
        extent->high = value;
}

/* Frames of one channel that go into one column. */
static void take_run(struct svg_column *column, struct svg_extent *extent, struct svg_pick pick,
                     const float *frames, size_t stride, size_t count)
{
    struct svg_column best = *column;
    struct svg_extent seen = *extent;

    for (size_t i = 0; i < count; i++) {
        const float *values = frames + i * stride;
        struct svg_column frame = {values[pick.low], values[pick.high]};

        if (isnan(frame.low) || isnan(frame.high)) {
            seen.missing++;
            continue;
        }
        best = merged(best, frame);
        see(&seen, frame.low);
        see(&seen, frame.high);
    }
    *column = best;
    *extent = seen;
}

void svg_columns_take(struct svg_columns *columns, struct svg_pick pick, const float *frames,
                      size_t count)
{
    size_t stride = (size_t)columns->channels * pick.values;

    while (count > 0) {
        uint64_t held = columns->frames % columns->span; /* in the last column */
        uint64_t room = columns->span - held;
        size_t run = room < count ? (size_t)room : count;

        if (held == 0 && columns->count == columns->most) {
            merge_groups(columns, 2);
            continue;
        }
        if (held == 0)
            columns->count++;
        for (unsigned c = 0; c < columns->channels; c++) {
            struct svg_column *column = columns->columns + columns->most * c + columns->count - 1;

            if (held == 0)
                *column = nothing;
            take_run(column, &columns->extents[c], pick, frames + (size_t)c * pick.values, stride,
                     run);
        }
        frames += run * stride;
        columns->frames += run;
        count -= run;
    }
}
