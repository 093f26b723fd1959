#include "format/svg/svg_columns.h"

#include <math.h>
#include <stdlib.h>

/* Frames that are later than this after the first, 10,000 years, are drawn there, so that a span
 * has 64 bits. */
enum { DAYS_MOST = 3660000 };

static const struct svg_column nothing = {(double)NAN, (double)NAN};
static const struct svg_column no_frames = {(double)INFINITY, -(double)INFINITY};

int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most,
                     struct svg_pick pick)
{
    *columns = (struct svg_columns){.channels = channels, .pick = pick, .most = most, .span = 1};
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

static bool has_frames(struct svg_column column)
{
    return !(column.low > column.high);
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

            for (size_t j = i * group + 1; j < end; j++) {
                if (!has_frames(best))
                    best = column[j];
                else if (has_frames(column[j]))
                    best = merged(best, column[j]);
            }
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

/* Frames into the last column; `at` is the index of their first value. */
static void take(struct svg_columns *columns, const void *frames, size_t at, size_t count)
{
    const struct svg_pick pick = columns->pick;
    size_t stride = (size_t)columns->channels * pick.values;

    for (unsigned c = 0; c < columns->channels; c++, at += pick.values) {
        struct svg_column *column = columns->columns + columns->most * c + columns->count - 1;

        if (!has_frames(*column))
            *column = nothing;
        if (pick.kind == VALUE_F32)
            take_run(column, &columns->extents[c], pick, VALUE_F32, frames, at, stride, count);
        else
            take_run(column, &columns->extents[c], pick, VALUE_F64, frames, at, stride, count);
    }
    columns->frames += count;
}

static void add_column(struct svg_columns *columns)
{
    for (unsigned c = 0; c < columns->channels; c++)
        columns->columns[columns->most * c + columns->count] = no_frames;
    columns->count++;
}

void svg_columns_take(struct svg_columns *columns, const void *frames, size_t count)
{
    size_t stride = (size_t)columns->channels * columns->pick.values;
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
            add_column(columns);
        take(columns, frames, at, run);
        at += run * stride;
        count -= run;
    }
}

void svg_columns_take_at(struct svg_columns *columns, const void *frame, struct moment time)
{
    const moment_count most = (moment_count)DAYS_MOST * MOMENT_DAY;
    moment_count since;
    moment_count distance;
    size_t power = 0;

    if (columns->frames == 0)
        columns->begin = columns->end = time;
    since = moment_to_count(time) - moment_to_count(columns->begin);
    if (since > most) {
        since = most;
        time = moment_from_count(moment_to_count(columns->begin) + most);
    }
    distance = moment_to_count(time) - moment_to_count(columns->end);
    while (since / columns->span >= columns->most)
        merge_groups(columns, 2);
    while (since / columns->span >= columns->count)
        add_column(columns);
    take(columns, frame, 0, 1);
    columns->end = time;
    for (moment_count rest = distance; rest > 1; rest /= 2)
        power++;
    columns->distances[power] += distance > 0;
}

double svg_columns_distance(const struct svg_columns *columns)
{
    uint64_t half = 0;
    uint64_t seen = 0;
    int power = 0;

    for (size_t i = 0; i < DISTANCES; i++)
        half += columns->distances[i];
    for (half /= 2; power < DISTANCES; power++) {
        seen += columns->distances[power];
        if (seen > half)
            break;
    }
    return ldexp(1, power + 1);
}
