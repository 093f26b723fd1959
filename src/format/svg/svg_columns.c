#include "format/svg/svg_columns.h"

#include <math.h>
#include <stdlib.h>

static const struct svg_column nothing = {(double)NAN, (double)NAN};

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
        columns->extents[i] =
            (struct svg_extent){.low = (double)INFINITY, .high = -(double)INFINITY};
    return 0;
}

void svg_columns_close(struct svg_columns *columns)
{
    free(columns->columns);
    free(columns->extents);
    columns->columns = NULL;
    columns->extents = NULL;
}

/* Comparisons with NaN are false: any number replaces NaN, and NaN replaces nothing. */
static struct svg_column merged(struct svg_column a, struct svg_column b)
{
    return (struct svg_column){
        .low = b.low < a.low || isnan(a.low) ? b.low : a.low,
        .high = b.high > a.high || isnan(a.high) ? b.high : a.high,
    };
}

/* Merges every `group` neighbours; the last group may be smaller. */
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

static void see(struct svg_extent *extent, double value)
{
    if (!isfinite(value))
        return;
    if (value < extent->low)
        extent->low = value;
    if (value > extent->high)
        extent->high = value;
}

/* `kind` is a constant in each call. */
static inline double value_at(enum value_kind kind, const void *values, size_t index)
{
    return kind == VALUE_F32 ? (double)((const float *)values)[index]
                             : ((const double *)values)[index];
}

/* Merges frames of one channel, whose first value has the index `first`, into one column. */
static inline void take_run(struct svg_column *column, struct svg_extent *extent,
                            struct svg_pick pick, enum value_kind kind, const void *values,
                            size_t first, size_t stride, size_t count)
{
    struct svg_column best = *column;
    struct svg_extent seen = *extent;

    for (size_t i = 0; i < count; i++, first += stride) {
        struct svg_column frame = {value_at(kind, values, first + pick.low),
                                   value_at(kind, values, first + pick.high)};

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

void svg_columns_take(struct svg_columns *columns, struct svg_pick pick, enum value_kind kind,
                      const void *frames, size_t count)
{
    size_t stride = (size_t)columns->channels * pick.values;
    size_t at = 0;

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
            if (kind == VALUE_F32)
                take_run(column, &columns->extents[c], pick, VALUE_F32, frames,
                         at + (size_t)c * pick.values, stride, run);
            else
                take_run(column, &columns->extents[c], pick, VALUE_F64, frames,
                         at + (size_t)c * pick.values, stride, run);
        }
        at += run * stride;
        columns->frames += run;
        count -= run;
    }
}
