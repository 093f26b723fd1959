/* SPDX-License-Identifier: MIT */
/* format/svg/svg_columns: columns against those computed frame by frame. */
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

#include "format/svg/svg_columns_priv.h"

static const struct svg_pick pairs = {.values = 2, .low = 0, .high = 1, .kind = VALUE_F64};

/* Random pairs that float32 could not tell apart, low below high, with single NaN, runs of NaN, and
 * an infinity now and then. */
static void fill(double *frames, size_t count, unsigned channels)
{
    for (size_t i = 0; i < count * channels; i++) {
        double a = 1 + (int32_t)random_number() * 0x1p-50;
        double b = 1 + (int32_t)random_number() * 0x1p-50;
        bool missing = random_number() % 9 == 0 || (i / channels > 40 && i / channels < 90);

        frames[2 * i] = missing ? (double)NAN : fmin(a, b);
        frames[2 * i + 1] = missing ? (double)NAN : fmax(a, b);
        if (!missing && random_number() % 50 == 0)
            frames[2 * i + 1] = (double)INFINITY;
    }
}

/* Column i has the frames whose place is i spans from the start, or none. `places`: of each frame;
 * NULL: one after the other. */
static void check_columns(const struct svg_columns *columns, const double *frames,
                          const uint64_t *places, size_t count)
{
    const uint64_t last = count == 0 ? 0 : places == NULL ? count - 1 : places[count - 1];

    CHECK(columns->frames == count);
    CHECK(columns->count == (count == 0 ? 0 : last / columns->span + 1));
    for (unsigned c = 0; c < columns->channels; c++) {
        const struct svg_extent *extent = &columns->extents[c];
        double low = (double)INFINITY;
        double high = -(double)INFINITY;
        uint64_t missing = 0;
        size_t at = 0;

        for (size_t i = 0; i < columns->count; i++) {
            const struct svg_column column = columns->columns[columns->most * c + i];
            struct svg_column due = {.low = (double)NAN, .high = (double)NAN};
            const size_t before = at;

            for (; at < count && (places == NULL ? at : places[at]) / columns->span == i; at++) {
                const double *pair = frames + (at * columns->channels + c) * 2;

                due.low = fmin(due.low, pair[0]);
                due.high = fmax(due.high, pair[1]);
                missing += isnan(pair[0]) ? 1 : 0;
                for (int j = 0; j < 2; j++) {
                    low = isfinite(pair[j]) ? fmin(low, pair[j]) : low;
                    high = isfinite(pair[j]) ? fmax(high, pair[j]) : high;
                }
            }
            CHECK_THAT(at == before
                           ? column.low > column.high
                           : check_same(column.low, due.low) && check_same(column.high, due.high),
                       "column %zu of channel %u, %zu frames", i, c, count);
        }
        CHECK(at == count);
        CHECK(extent->missing == missing && extent->low == low && extent->high == high);
    }
}

static void check_stream(size_t count, unsigned channels, size_t most, size_t to_draw)
{
    double *frames = malloc((count + 1) * channels * 2 * sizeof *frames);
    struct svg_columns columns;
    uint64_t span;

    fill(frames, count, channels);
    CHECK(svg_columns_open(&columns, channels, most, pairs) == 0);
    for (size_t at = 0; at < count;) {
        size_t piece = random_number() % 100 + 1;

        piece = piece < count - at ? piece : count - at;
        svg_columns_take(&columns, frames + at * channels * 2, piece);
        at += piece;
        CHECK(columns.count <= most);
    }
    span = columns.span;
    CHECK((span & (span - 1)) == 0);
    CHECK(span == 1 || columns.count > most / 2);
    check_columns(&columns, frames, NULL, count);
    svg_columns_reduce(&columns, to_draw);
    CHECK(columns.count <= to_draw || count == 0);
    CHECK(columns.span == span || columns.span % span == 0);
    check_columns(&columns, frames, NULL, count);
    svg_columns_close(&columns);
    free(frames);
}

/* Parts of any length, which threads make, are joined in order; single frames follow. Only the sums
 * of squares may differ in their last bits. */
static void check_parts(size_t count, unsigned channels, size_t most)
{
    const size_t of_parts = count - count / 9;
    double *frames = malloc((count + 1) * channels * 2 * sizeof *frames);
    struct svg_columns columns;
    struct svg_columns whole;
    size_t at = 0;

    fill(frames, count, channels);
    CHECK(svg_columns_open(&whole, channels, most, pairs) == 0);
    svg_columns_take(&whole, frames, count);
    CHECK(svg_columns_open(&columns, channels, most, pairs) == 0);
    svg_columns_reserve(&columns, count);
    CHECK(columns.span == whole.span);
    while (at < of_parts) {
        const size_t random = random_number() % (random_number() % 2 == 0 ? 20 : 3000);
        const size_t length = random < of_parts - at ? random : of_parts - at;
        const size_t cut = length / 3;
        struct svg_columns part;

        CHECK(svg_columns_open_part(&part, &columns, at, length) == 0);
        svg_columns_take(&part, frames + at * channels * 2, cut);
        svg_columns_take(&part, frames + (at + cut) * channels * 2, length - cut);
        svg_columns_join(&columns, &part);
        svg_columns_close(&part);
        at += length;
    }
    svg_columns_take(&columns, frames + at * channels * 2, count - at);
    check_columns(&columns, frames, NULL, count);
    for (size_t i = 0; i < columns.count * channels; i++) {
        const size_t index = i % channels * most + i / channels;
        const struct svg_column *column = &columns.columns[index];
        const struct svg_column *due = &whole.columns[index];

        CHECK(column->count == due->count &&
              (column->squares == due->squares ||
               fabs(column->squares - due->squares) <= 1e-12 * due->squares));
    }
    svg_columns_close(&columns);
    svg_columns_close(&whole);
    free(frames);
}

/* Frames at random times: far apart, all at once, and in turns. Each is in the column of its time,
 * and the others are without frames. */
static void check_times(size_t count, unsigned distance, size_t most)
{
    double *frames = malloc((count + 1) * 2 * sizeof *frames);
    uint64_t *since = malloc((count + 1) * sizeof *since); /* nanoseconds since the first one */
    struct svg_columns columns;
    uint64_t time = 0;

    fill(frames, count, 1);
    CHECK(svg_columns_open(&columns, 1, most, pairs) == 0);
    for (size_t i = 0; i < count; i++) {
        const moment_count first = (moment_count)-86400 * MOMENT_SECOND * 365 + 5;

        time += i == 0 || random_number() % 4 == 0 ? 0 : random_number() % distance;
        time += random_number() % 100 == 0 && i > 0 ? UINT64_C(1000) * distance : 0;
        since[i] = time;
        svg_columns_take_at(&columns, frames + 2 * i, moment_from_count(first + time),
                            moment_from_count(first + time), false);
        CHECK(columns.count <= most);
    }
    check_columns(&columns, frames, since, count);
    svg_columns_reduce(&columns, most / 3);
    check_columns(&columns, frames, since, count);
    svg_columns_close(&columns);
    free(since);
    free(frames);
}

/* The number of lines that the path of the columns has. */
static unsigned count_lines(const struct svg_columns *columns)
{
    struct svg_path path;
    struct svg_axis level = {.low = 0, .high = 2};
    struct memory_text text = {.bytes = NULL};
    unsigned lines = 0;

    svg_path_plan(&path, (double)columns->count, true, 900, 300);
    path.reach = SIZE_MAX;
    svg_path_put(&text, &path, &level, columns, 0);
    for (size_t i = 0; i < text.used; i++)
        lines += text.bytes[i] == 'M';
    memory_text_free(&text);
    return lines;
}

/* Lines break at gaps, also where columns have been merged, as long as one lies in between; not at
 * longer times that are none. */
static void check_gaps(void)
{
    const struct svg_pick pick = {.values = 1, .kind = VALUE_F32};
    const float value = 1;
    struct svg_columns columns;
    struct moment time = {.seconds = 0};

    CHECK(svg_columns_open(&columns, 1, 480, pick) == 0);
    for (int i = 0; i < 100; i++) {
        svg_columns_take_at(&columns, &value, time, time, i % 20 == 10);
        time = moment_add(time, (i % 20 == 9 || i % 20 == 4 ? 100 : 1) * MOMENT_MINUTE);
    }
    CHECK(count_lines(&columns) == 6);
    svg_columns_reduce(&columns, 100);
    CHECK(count_lines(&columns) == 6);
    svg_columns_close(&columns);
}

/* Rows at the same time, and far apart. */
static void check_distance(void)
{
    const struct svg_pick pick = {.values = 1, .kind = VALUE_F32};
    const float value = 1;
    struct svg_columns columns;
    struct moment time = {.seconds = INT64_C(-62135596800)};

    CHECK(svg_columns_open(&columns, 1, 480, pick) == 0);
    for (int i = 0; i < 100; i++) {
        svg_columns_take_at(&columns, &value, time, time, false);
        svg_columns_take_at(&columns, &value, time, time, false);
        time = moment_add(time, i % 10 == 0 ? 1000 * MOMENT_DAY : INT64_C(60) * MOMENT_SECOND);
    }
    /* The year 9999. */
    time.seconds = INT64_C(253402300799);
    svg_columns_take_at(&columns, &value, time, time, false);
    CHECK(columns.count <= 480 && columns.count > 240 && columns.columns[0].low == 1);
    /* And far beyond, as numbers can be. */
    time.seconds = INT64_MAX;
    svg_columns_take_at(&columns, &value, time, time, false);
    CHECK(columns.count <= 480 && columns.count > 240 &&
          columns.columns[columns.count - 1].low == 1);
    svg_columns_reduce(&columns, 60);
    CHECK(columns.count <= 60 && columns.span >> 60 > 0);
    svg_columns_close(&columns);
}

/* Intervals fill all columns until the next one begins, but not those of the gap between them. */
static void check_intervals(void)
{
    const struct svg_pick pick = {.values = 1, .kind = VALUE_F64};
    const double values[] = {1, 2, 3};
    const int64_t begins[] = {0, 10, 40};
    struct svg_columns columns;

    CHECK(svg_columns_open(&columns, 1, 64, pick) == 0);
    for (size_t i = 0; i < 3; i++)
        svg_columns_take_at(&columns, &values[i], moment_from_count(begins[i]),
                            moment_from_count(begins[i] + 10), false);
    CHECK(columns.count == 50 && columns.span == 1 && columns.frames == 3);
    for (int64_t i = 0; i < 50; i++) {
        const struct svg_column column = columns.columns[i];
        const double due = i < 10 ? 1 : i < 20 ? 2 : 3;

        CHECK(i >= 20 && i < 40 ? column.low > column.high
                                : check_same(column.low, due) && check_same(column.high, due));
    }
    CHECK(columns.end.nanoseconds == 50 && columns.extents[0].high == 3);
    svg_columns_close(&columns);
    /* One alone has a width that any number of columns fits. */
    CHECK(svg_columns_open(&columns, 1, 64, pick) == 0);
    svg_columns_take_at(&columns, &values[0], (struct moment){0, 0}, (struct moment){86400, 0},
                        false);
    CHECK(columns.count > 32 && columns.count <= 64 && columns.columns[columns.count - 1].low == 1);
    svg_columns_close(&columns);
}

/* The RMS of columns, however frames are merged. */
static void check_rms(void)
{
    const struct svg_pick pick = {.values = 1, .kind = VALUE_F32, .squares = true};
    float frames[1000];
    struct svg_columns columns;
    double squares = 0;

    for (size_t i = 0; i < 1000; i++) {
        frames[i] = i == 7 ? NAN : (float)(int32_t)random_number() * 0x1p-31f;
        squares += i < 512 && i != 7 ? (double)frames[i] * (double)frames[i] : 0;
    }
    CHECK(svg_columns_open(&columns, 1, 2, pick) == 0);
    svg_columns_take(&columns, frames, 300);
    svg_columns_take(&columns, frames + 300, 700);
    CHECK(columns.count == 2 && columns.span == 512);
    svg_columns_to_rms(&columns, 0, false);
    CHECK(fabs(columns.columns[0].high - sqrt(squares / 511)) < 1e-12);
    CHECK(columns.columns[0].low == -columns.columns[0].high);
    svg_columns_close(&columns);
}

/* One value per channel, or two in reverse order: two columns of four frames, or of two. */
static void check_pick(void)
{
    const struct svg_pick picks[] = {{.values = 1}, {.values = 2, .low = 1, .high = 0}};
    const float frames[] = {1, -1, 5, 4, 3, 0};

    for (size_t i = 0; i < 2; i++) {
        struct svg_columns columns;

        CHECK(svg_columns_open(&columns, 1, 2, picks[i]) == 0);
        svg_columns_take(&columns, frames, 6 / picks[i].values);
        CHECK(columns.count == 2 && columns.span == 4 / picks[i].values);
        CHECK(columns.columns[0].low == -1 && columns.columns[0].high == 5);
        CHECK(columns.columns[1].low == 0 && columns.columns[1].high == 3);
        svg_columns_close(&columns);
    }
}

int main(void)
{
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 64, 65, 100, 1000, 4096, 5001};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (unsigned channels = 1; channels <= 3; channels++) {
            check_stream(counts[i], channels, 32, 4);
            check_stream(counts[i], channels, 2, 1);
            check_stream(counts[i], channels, 96, 13);
        }
    }
    /* Many channels, as few values as a row of lanes has, and more. */
    for (unsigned channels = 1; channels <= 70; channels += channels < 4 ? 1 : 13) {
        check_stream(1500, channels, 32, 4);
        check_parts(1 + random_number() % 3000, channels, 32);
        check_parts(5000, channels, 64);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] == 0)
            continue;
        check_times(counts[i], 10, 96);
        check_times(counts[i], 1000000000, 96);
        check_times(counts[i], 3, 3000);
    }
    check_gaps();
    check_distance();
    check_pick();
    check_intervals();
    check_rms();
    return check_result();
}
