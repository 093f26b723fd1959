/* SPDX-License-Identifier: MIT */
#include "format/svg/svg_columns_priv.h"

#include <math.h>
#include <stdlib.h>

#include "format/text/number.h"

/* Frames later than this after the first frame, 10,000 years, are drawn at this time, so that a
 * span has 64 bits. */
enum { DAYS_MOST = 3660000 };

static const struct svg_column no_frames = {.low = (double)INFINITY, .high = -(double)INFINITY};

int svg_columns_open(struct svg_columns *columns, unsigned channels, size_t most,
                     struct svg_pick pick)
{
    *columns = (struct svg_columns){.channels = channels, .pick = pick, .most = most, .span = 1};
    columns->columns = calloc(most * channels, sizeof *columns->columns);
    columns->extents = calloc(channels, sizeof *columns->extents);
    if (columns->columns == NULL || columns->extents == NULL)
        return -1;
    for (unsigned i = 0; i < channels; i++)
        columns->extents[i] =
            (struct svg_extent){.low = (double)INFINITY, .high = -(double)INFINITY};
    return 0;
}

void svg_columns_close(struct svg_columns *columns)
{
    free(columns->columns);
    free(columns->extents);
}

/* Comparisons with NaN are false: any number replaces NaN, and NaN replaces nothing. */
static struct svg_column merged(struct svg_column a, struct svg_column b)
{
    return (struct svg_column){
        .low = b.low < a.low || isnan(a.low) ? b.low : a.low,
        .high = b.high > a.high || isnan(a.high) ? b.high : a.high,
        .squares = a.squares + b.squares,
        .count = a.count + b.count,
    };
}

static bool has_frames(struct svg_column column)
{
    return !(column.low > column.high);
}

static void add_column(struct svg_columns *columns)
{
    for (unsigned c = 0; c < columns->channels; c++)
        columns->columns[columns->most * c + columns->count] = no_frames;
    columns->count++;
}

static void join_column(struct svg_column *column, struct svg_column other)
{
    if (!has_frames(*column))
        *column = other;
    else if (has_frames(other))
        *column = merged(*column, other);
}

/* Merges every `group` neighbours; the last group may be smaller. */
static void merge_groups(struct svg_columns *columns, size_t group)
{
    size_t groups = (columns->count + group - 1) / group;

    for (unsigned c = 0; c < columns->channels; c++) {
        struct svg_column *column = columns->columns + columns->most * c;

        for (size_t i = 0; i < groups; i++) {
            size_t end = (i + 1) * group < columns->count ? (i + 1) * group : columns->count;

            column[i] = column[i * group];
            for (size_t j = i * group + 1; j < end; j++)
                join_column(&column[i], column[j]);
        }
    }
    columns->count = groups;
    columns->span *= group;
}

/* Lengthens spans until there is a column for this number of frames or nanoseconds after the first
 * frame. */
static void make_room(struct svg_columns *columns, moment_count since)
{
    while (since / columns->span >= columns->most)
        merge_groups(columns, 2);
}

static double rms_of(struct svg_column column)
{
    return sqrt(column.squares / (double)column.count);
}

void svg_columns_to_rms(struct svg_columns *columns, unsigned channel, bool decibels)
{
    struct svg_column *column = columns->columns + columns->most * channel;

    for (size_t i = 0; i < columns->count; i++) {
        if (column[i].count > 0) {
            column[i].high = decibels ? column[i].low : rms_of(column[i]);
            column[i].low = decibels ? -(double)INFINITY : -column[i].high;
        }
    }
}

void svg_columns_reduce(struct svg_columns *columns, size_t most)
{
    if (columns->count > most)
        merge_groups(columns, (columns->count + most - 1) / most);
}

void svg_columns_decibels(struct svg_columns *columns, bool rms)
{
    for (unsigned c = 0; c < columns->channels; c++) {
        struct svg_extent *extent = &columns->extents[c];
        struct svg_column *column = columns->columns + columns->most * c;
        double lowest = INFINITY;

        for (size_t i = 0; i < columns->count; i++) {
            if (!has_frames(column[i]))
                continue;
            column[i].high = decibels(column[i].high);
            column[i].low =
                decibels(rms && column[i].count > 0 ? rms_of(column[i]) : column[i].low);
            lowest = isinf(column[i].low) ? lowest : fmin(column[i].low, lowest);
        }
        if (extent->low <= extent->high) {
            extent->low = rms && isfinite(lowest) ? lowest : decibels(extent->low);
            extent->high = decibels(extent->high);
        }
    }
}

/* `kind` is a constant in each call. */
static inline double value_at(enum value_kind kind, const void *values, size_t index)
{
    return kind == VALUE_F32 ? (double)((const float *)values)[index]
                             : ((const double *)values)[index];
}

/* Each value of a row of neighbours has a lane of its own, so that the compiler uses vectors. The
 * results leave out NaN. */
enum { LANES = 32 };

struct lanes {
    double low[LANES];
    double high[LANES];
    double squares[LANES];
    double count[LANES];
};

static inline void see_row(struct lanes *restrict lanes, enum value_kind kind,
                           const void *restrict values, size_t first, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const double value = value_at(kind, values, first + i);
        const double square = value * value;

        lanes->low[i] = value < lanes->low[i] ? value : lanes->low[i];
        lanes->high[i] = value > lanes->high[i] ? value : lanes->high[i];
        lanes->squares[i] += isnan(value) ? 0 : square;
        lanes->count[i] += isnan(value) ? 0 : 1;
    }
}

/* Sees, of the `stride` values of each frame, `width` values from `first` on. If these are all
 * values, a row has as many frames as there are lanes for. Returns the number of lanes that are
 * used. */
static inline size_t see_frames(struct lanes *lanes, enum value_kind kind, const void *values,
                                size_t first, size_t width, size_t stride, size_t count)
{
    const size_t group = width < stride ? 1 : LANES / width < count ? LANES / width : count;
    const size_t used = group * width;

    for (size_t i = 0; i < used; i++) {
        lanes->low[i] = (double)INFINITY;
        lanes->high[i] = -(double)INFINITY;
        lanes->squares[i] = lanes->count[i] = 0;
    }
    for (; count >= group; count -= group, first += group * stride) {
        if (used == LANES)
            see_row(lanes, kind, values, first, LANES);
        else
            see_row(lanes, kind, values, first, used);
    }
    see_row(lanes, kind, values, first, count * width);
    return used;
}

/* Joins the lanes at, at + step, ..., which have one value of the frames. */
static struct svg_column join_lanes(const struct lanes *lanes, size_t at, size_t step, size_t used)
{
    struct svg_column joined = no_frames;

    for (; at < used; at += step) {
        joined.low = lanes->low[at] < joined.low ? lanes->low[at] : joined.low;
        joined.high = lanes->high[at] > joined.high ? lanes->high[at] : joined.high;
        joined.squares += lanes->squares[at];
        joined.count += (uint64_t)lanes->count[at];
    }
    return joined;
}

/* Infinities are in columns, but not in the range. */
static void see_finite(struct svg_extent *extent, enum value_kind kind, const void *values,
                       size_t first, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double value = value_at(kind, values, first + i * stride);

        if (isfinite(value)) {
            extent->low = fmin(extent->low, value);
            extent->high = fmax(extent->high, value);
        }
    }
}

static void join_extent(struct svg_extent *extent, double low, double high, uint64_t missing)
{
    extent->low = low < extent->low ? low : extent->low;
    extent->high = high > extent->high ? high : extent->high;
    extent->missing += missing;
}

/* Adds frames to the last column. Frames that are there `again` count as missing only once. */
static void take_run(struct svg_columns *columns, const void *frames, size_t count, bool again)
{
    const struct svg_pick pick = columns->pick;
    const size_t stride = (size_t)columns->channels * pick.values;
    const size_t most = (size_t)LANES - LANES % pick.values; /* lanes of whole channels */
    struct lanes lanes;

    for (size_t first = 0; first < stride; first += most) {
        const size_t width = stride - first < most ? stride - first : most;
        const size_t used =
            pick.kind == VALUE_F32
                ? see_frames(&lanes, VALUE_F32, frames, first, width, stride, count)
                : see_frames(&lanes, VALUE_F64, frames, first, width, stride, count);

        for (size_t at = 0; at < width; at += pick.values) {
            const size_t channel = (first + at) / pick.values;
            struct svg_extent *extent = &columns->extents[channel];
            struct svg_column run = join_lanes(&lanes, at + pick.low, width, used);

            run.high = join_lanes(&lanes, at + pick.high, width, used).high;
            if (pick.has_rms)
                run.squares = join_lanes(&lanes, at + pick.rms, width, used).squares;
            if (run.count > 0 && (isinf(run.low) || isinf(run.high))) {
                see_finite(extent, pick.kind, frames, first + at + pick.low, stride, count);
                see_finite(extent, pick.kind, frames, first + at + pick.high, stride, count);
            } else {
                join_extent(extent, run.low, run.high, 0);
            }
            extent->missing += again ? 0 : count - run.count;
            if (run.count == 0)
                run.low = run.high = (double)NAN;
            join_column(&columns->columns[columns->most * channel + columns->count - 1], run);
        }
    }
}

/* Makes the column at this number of frames or nanoseconds after the first frame the last one. */
static void go_to(struct svg_columns *columns, moment_count since)
{
    make_room(columns, since);
    while (since / columns->span >= columns->count)
        add_column(columns);
}

void svg_columns_take(struct svg_columns *columns, const void *frames, size_t count)
{
    const size_t bytes = value_bytes(columns->pick.kind) * columns->pick.values * columns->channels;
    const unsigned char *at = frames;

    while (count > 0) {
        const uint64_t left = columns->span - columns->frames % columns->span;
        const size_t run = left < count ? (size_t)left : count;

        go_to(columns, columns->frames);
        take_run(columns, at, run, false);
        columns->frames += run;
        at += run * bytes;
        count -= run;
    }
}

void svg_columns_reserve(struct svg_columns *columns, uint64_t frames)
{
    if (frames > 0)
        make_room(columns, frames - 1);
}

int svg_columns_open_part(struct svg_columns *part, const struct svg_columns *columns,
                          uint64_t frame, uint64_t count)
{
    const uint64_t skipped = frame % columns->span;
    const uint64_t most = (skipped + count) / columns->span + 1;

    if (most > columns->most ||
        svg_columns_open(part, columns->channels, (size_t)most, columns->pick) != 0)
        return -1;
    part->span = columns->span;
    part->before = frame - skipped;
    part->frames = skipped;
    return 0;
}

void svg_columns_join(struct svg_columns *columns, const struct svg_columns *part)
{
    for (size_t i = 0; i < part->count; i++) {
        go_to(columns, part->before + i * part->span);
        for (unsigned c = 0; c < columns->channels; c++)
            join_column(&columns->columns[columns->most * c + columns->count - 1],
                        part->columns[part->most * c + i]);
    }
    for (unsigned c = 0; c < columns->channels; c++) {
        const struct svg_extent *extent = &part->extents[c];

        join_extent(&columns->extents[c], extent->low, extent->high, extent->missing);
    }
    columns->frames = part->before + part->frames;
}

/* Puts the frame of the last column into the columns after it, too, up to that of `since`. */
static void fill(struct svg_columns *columns, const void *frame, moment_count since)
{
    while (since / columns->span >= columns->count) {
        add_column(columns);
        take_run(columns, frame, 1, true);
    }
}

/* Empties the columns from `first` to the last but one, so that a line breaks there. */
static void clear_columns(struct svg_columns *columns, size_t first)
{
    for (; first + 1 < columns->count; first++) {
        for (unsigned c = 0; c < columns->channels; c++)
            columns->columns[columns->most * c + first] =
                (struct svg_column){.low = (double)NAN, .high = (double)NAN};
    }
}

void svg_columns_take_at(struct svg_columns *columns, const void *frame, struct moment begin,
                         struct moment end, bool gap)
{
    const moment_count most = (moment_count)DAYS_MOST * MOMENT_DAY;
    const bool lasts = moment_is_before(begin, end);
    moment_count since;
    moment_count until;
    size_t before;

    if (columns->frames == 0)
        columns->begin = columns->end = begin;
    since = moment_to_count(begin) - moment_to_count(columns->begin);
    until = moment_to_count(end) - moment_to_count(columns->begin);
    since = since > most ? most : since;
    until = until > most ? most : until;
    end = moment_from_count(moment_to_count(columns->begin) + until);
    make_room(columns, until);
    before = columns->count;
    go_to(columns, since);
    if (gap)
        clear_columns(columns, before);
    take_run(columns, frame, 1, false);
    columns->frames++;
    if (lasts && until > since)
        fill(columns, frame, until - 1);
    columns->end = end;
}

void svg_columns_add_series(struct svg_columns *columns, const struct svg_columns *series,
                            unsigned channel)
{
    const moment_count most = (moment_count)DAYS_MOST * MOMENT_DAY;
    const moment_count begin = moment_to_count(series->begin) - moment_to_count(columns->begin);

    for (size_t i = 0; i < series->count; i++) {
        const moment_count since = begin + (moment_count)(i * series->span);
        const moment_count held = since > most ? most : since;
        size_t place;

        go_to(columns, held);
        place = (size_t)(held / columns->span);
        for (unsigned c = 0; c < series->channels; c++)
            join_column(&columns->columns[columns->most * (channel + c) + place],
                        series->columns[series->most * c + i]);
    }
    for (unsigned c = 0; c < series->channels; c++)
        columns->extents[channel + c] = series->extents[c];
    if (moment_is_before(columns->end, series->end))
        columns->end = series->end;
    columns->frames += series->frames;
}

/* ---- the path ---- */

void svg_path_plan(struct svg_path *path, double shown, bool fine, double width, double height)
{
    double pixels = shown > 0 ? width / shown : width;

    /* A unit is about a tenth of a pixel, or a sixth to save bytes. */
    *path = (struct svg_path){.column = 2 * (long)ceil(pixels * (fine ? 5 : 3)), .reach = 1};
    path->unit = pixels / (double)path->column;
    path->width = lround(width / path->unit);
    path->height = lround(height / path->unit);
}

/* A point of the path, relative to the point before, and the pending line to it: collinear lines
 * are merged. */
struct pen {
    struct memory_text *text;
    long x;
    long y;
    long step_x;
    long step_y;
    long steps;
};

static void pen_flush(struct pen *pen)
{
    if (pen->steps > 0)
        memory_text_print(pen->text, "% ld% ld", pen->step_x * pen->steps,
                          pen->step_y * pen->steps);
    pen->steps = 0;
}

static void pen_to(struct pen *pen, long x, long y)
{
    long step_x = x - pen->x;
    long step_y = y - pen->y;

    if (step_x == 0 && step_y == 0)
        return;
    if (pen->steps > 0 && (step_x != pen->step_x || step_y != pen->step_y))
        pen_flush(pen);
    pen->step_x = step_x;
    pen->step_y = step_y;
    pen->steps++;
    pen->x = x;
    pen->y = y;
}

static long level_y(const struct svg_path *path, const struct svg_axis *axis, double level)
{
    double place = fmin(fmax(svg_axis_place(axis, level), -path->over), 1 + path->over);

    return lround((1 - place) * (double)path->height);
}

/* The middle of a column; the last one may be partial. */
static long column_x(const struct svg_path *path, size_t column)
{
    long x = (long)column * path->column + path->column / 2;

    return x < path->width ? x : path->width;
}

static bool has_value(struct svg_column column)
{
    return column.low <= column.high;
}

/* Puts a point in the middle of a column with a value, or its edges, from left to right or
 * `back`. */
static void put_column(struct pen *pen, const struct svg_path *path, size_t column,
                       struct svg_column values, long y, bool back)
{
    const long middle = column_x(path, column);
    const long left = (long)column * path->column;
    const long right = left + path->column < path->width ? left + path->column : path->width;

    if (!has_value(values))
        return;
    if (!path->steps) {
        pen_to(pen, middle, y);
        return;
    }
    pen_to(pen, back ? right : left, y);
    pen_to(pen, back ? left : right, y);
}

/* Puts the columns first .. last of `count`. Both have values, and so have all columns with frames
 * between them. At the borders of the picture the path reaches the edge; a single column between
 * gaps is drawn at full width, or it would be invisible. */
static void put_run(struct memory_text *text, const struct svg_path *path,
                    const struct svg_axis *level, const struct svg_column *columns, size_t first,
                    size_t last, size_t count)
{
    long half = first == last || path->steps ? path->column / 2 : 0;
    long from = first == 0 ? 0 : column_x(path, first) - half;
    long to = last + 1 == count ? path->width : column_x(path, last) + half;
    struct pen pen = {.text = text, .x = from, .y = level_y(path, level, columns[first].high)};

    memory_text_print(text, "M%ld %ldl", pen.x, pen.y);
    for (size_t i = first; i <= last; i++)
        put_column(&pen, path, i, columns[i], level_y(path, level, columns[i].high), false);
    pen_to(&pen, to, level_y(path, level, columns[last].high));
    pen_to(&pen, to, level_y(path, level, columns[last].low));
    for (size_t i = last + 1; i-- > first;)
        put_column(&pen, path, i, columns[i], level_y(path, level, columns[i].low), true);
    pen_to(&pen, from, level_y(path, level, columns[first].low));
    pen_flush(&pen);
    memory_text_print(text, "z");
}

void svg_path_put(struct memory_text *text, const struct svg_path *path,
                  const struct svg_axis *level, const struct svg_columns *columns, unsigned channel)
{
    const struct svg_column *column = columns->columns + columns->most * channel;

    for (size_t first = 0; first < columns->count; first++) {
        size_t last = first;

        if (!has_value(column[first]))
            continue;
        for (size_t i = first + 1; i < columns->count && i - last <= path->reach; i++) {
            if (isnan(column[i].low))
                break;
            if (has_value(column[i]))
                last = i;
        }
        put_run(text, path, level, column, first, last, columns->count);
        first = last;
    }
}
