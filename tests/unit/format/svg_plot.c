/* format/svg_plot: columns against those computed frame by frame, and axes. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/svg_plot.h"

static uint32_t random_state = 4711;

static uint32_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

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

/* The expected column `index` of one channel. */
static struct svg_column expected(const double *frames, size_t count, unsigned channels,
                                  unsigned channel, uint64_t span, size_t index)
{
    struct svg_column best = {(double)NAN, (double)NAN};

    for (size_t i = index * (size_t)span; i < count && i < (index + 1) * (size_t)span; i++) {
        const double *pair = frames + (i * channels + channel) * 2;

        best.low = fmin(best.low, pair[0]);
        best.high = fmax(best.high, pair[1]);
    }
    return best;
}

static void check_columns(const struct svg_columns *columns, const double *frames, size_t count)
{
    CHECK(columns->frames == count);
    CHECK(columns->count == (count + columns->span - 1) / columns->span);
    for (unsigned c = 0; c < columns->channels; c++) {
        const struct svg_extent *extent = &columns->extents[c];
        double low = (double)INFINITY;
        double high = -(double)INFINITY;
        uint64_t missing = 0;

        for (size_t i = 0; i < columns->count; i++) {
            struct svg_column column = columns->columns[columns->most * c + i];
            struct svg_column due = expected(frames, count, columns->channels, c, columns->span, i);

            CHECK_THAT(same(column.low, due.low) && same(column.high, due.high),
                       "column %zu of channel %u, %zu frames", i, c, count);
        }
        for (size_t i = 0; i < count; i++) {
            const double *pair = frames + (i * columns->channels + c) * 2;

            missing += isnan(pair[0]) ? 1 : 0;
            low = isfinite(pair[0]) && pair[0] < low ? pair[0] : low;
            low = isfinite(pair[1]) && pair[1] < low ? pair[1] : low;
            high = isfinite(pair[0]) && pair[0] > high ? pair[0] : high;
            high = isfinite(pair[1]) && pair[1] > high ? pair[1] : high;
        }
        CHECK(extent->missing == missing && extent->low == low && extent->high == high);
    }
}

static void check_stream(size_t count, unsigned channels, size_t most, size_t to_draw)
{
    const struct svg_pick pick = {.values = 2, .low = 0, .high = 1};
    double *frames = malloc((count + 1) * channels * 2 * sizeof *frames);
    struct svg_columns columns;
    uint64_t span;

    fill(frames, count, channels);
    CHECK(svg_columns_open(&columns, channels, most) == 0);
    for (size_t at = 0; at < count;) {
        size_t piece = random_number() % 100 + 1;

        piece = piece < count - at ? piece : count - at;
        svg_columns_take(&columns, pick, VALUE_F64, frames + at * channels * 2, piece);
        at += piece;
        CHECK(columns.count <= most);
    }
    span = columns.span;
    CHECK((span & (span - 1)) == 0);
    CHECK(span == 1 || columns.count > most / 2);
    check_columns(&columns, frames, count);
    svg_columns_reduce(&columns, to_draw);
    CHECK(columns.count <= to_draw || count == 0);
    CHECK(columns.span == span || columns.span % span == 0);
    check_columns(&columns, frames, count);
    svg_columns_close(&columns);
    free(frames);
}

/* One value per channel, or two in reverse order. */
static void check_pick(void)
{
    const float frames[] = {1, -1, 5, 4, 3, 0};
    struct svg_columns columns;

    CHECK(svg_columns_open(&columns, 1, 2) == 0);
    svg_columns_take(&columns, (struct svg_pick){.values = 1}, VALUE_F32, frames, 6);
    CHECK(columns.count == 2 && columns.span == 4);
    CHECK(columns.columns[0].low == -1 && columns.columns[0].high == 5);
    CHECK(columns.columns[1].low == 0 && columns.columns[1].high == 3);
    svg_columns_close(&columns);
    CHECK(svg_columns_open(&columns, 1, 2) == 0);
    svg_columns_take(&columns, (struct svg_pick){.values = 2, .low = 1, .high = 0}, VALUE_F32,
                     frames, 3);
    CHECK(columns.columns[0].low == -1 && columns.columns[0].high == 5);
    CHECK(columns.columns[1].low == 0 && columns.columns[1].high == 3);
    svg_columns_close(&columns);
}

/* ---- axes */

struct level_case {
    double low;
    double high;
    bool exact;
    double axis_low;
    double axis_high;
    double step;
    const char *name;
    const char *label; /* of the axis' high end */
};

static void check_levels(void)
{
    static const struct level_case cases[] = {
        {-1, 1, false, -1, 1, 0.5, "", "1.0"},
        {0, 1, false, 0, 1, 0.2, "", "1.0"},
        {-0.3, 0.72, true, -0.3, 0.72, 0.5, "", "0.7"},
        {0, 0, false, -1, 1, 0.5, "", "1.0"},
        {-1.2, 0.5, false, -1.5, 0.5, 0.5, "", "0.5"},
        {0, 1.7, false, 0, 2, 0.5, "", "2.0"},
        {992, 1013, false, 990, 1015, 5, "", "1015"},
        {7, 7, false, 6, 8, 0.5, "", "8.0"},
        {0.1, 0.1 + 0x1p-56, false, 0.09, 0.11, 0.005, "", "0.110"},
        {5e-324, 1e-320, false, -1, 1, 0.5, "", "1.0"},
        {-2e-6, 3e-6, false, -2e-6, 3e-6, 1e-6, "\u00d7\u200a10\u207b\u2076", "3"},
        {-3e38, 2e38, false, -3e38, 2e38, 1e38, "\u00d7\u200a10\u00b3\u2076", "200"},
        {-1e300, 1e300, false, -1e300, 1e300, 5e299, "\u00d7\u200a10\u00b3\u2070\u2070", "1.0"},
        {12000, 16000, false, 12000, 16000, 1000, "", "16\u2009000"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct level_case *due = &cases[i];
        struct svg_axis axis;
        char label[SVG_WORDS];

        svg_axis_level(&axis, due->low, due->high, due->exact, 5);
        CHECK_THAT(fabs(axis.low - due->axis_low) <= 1e-9 * fabs(due->axis_low) &&
                       fabs(axis.high - due->axis_high) <= 1e-9 * fabs(due->axis_high) &&
                       fabs(axis.step - due->step) <= 1e-9 * due->step,
                   "levels %g to %g: %g to %g by %g", due->low, due->high, axis.low, axis.high,
                   axis.step);
        CHECK_THAT(strcmp(axis.name, due->name) == 0, "%s, not %s", axis.name, due->name);
        svg_axis_label(&axis, axis.high, label);
        CHECK_THAT(strcmp(label, due->label) == 0, "%s, not %s", label, due->label);
    }
}

struct time_case {
    double first;
    double length;
    bool timed;
    double step;
    const char *name;
    const char *label; /* of the last tick */
};

static void check_times(void)
{
    static const struct time_case cases[] = {
        {0, 1, true, 0.1, "s", "1.0"},
        {0, 0.75, true, 0.1, "ms", "700"},
        {0, 150e-6, true, 20e-6, "\u00b5s", "140"},
        {3600, 1, true, 0.1, "s", "3601.0"},
        {0, 180, true, 30, "m:ss", "3:00"},
        {7190, 130, true, 15, "h:mm:ss", "2:02:00"},
        {0, 36000, true, 3600, "h:mm:ss", "10:00:00"},
        {0, 12 * 86400, true, 2 * 86400, "days", "12"},
        {0, 1500000, false, 200000, "", "1\u2009400\u2009000"},
        {0, 3, false, 1, "", "3"},
        {0, 0, true, 1, "", "0"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct time_case *due = &cases[i];
        struct svg_axis axis;
        char label[SVG_WORDS];

        svg_axis_time(&axis, due->first, due->length, due->timed, 10);
        CHECK_THAT(fabs(axis.step - due->step) <= 1e-9 * due->step, "step %g, not %g", axis.step,
                   due->step);
        CHECK_THAT(strcmp(axis.name, due->name) == 0, "%s, not %s", axis.name, due->name);
        svg_axis_label(&axis, (double)svg_axis_last(&axis) * axis.step, label);
        CHECK_THAT(strcmp(label, due->label) == 0, "%s, not %s", label, due->label);
        CHECK((double)svg_axis_first(&axis) * axis.step >= axis.low - 1e-6 * axis.step);
        CHECK((double)svg_axis_last(&axis) * axis.step <= axis.high + 1e-6 * axis.step);
    }
}

static void check_words(void)
{
    static const struct {
        double number;
        const char *words;
    } numbers[] = {
        {0, "0"},
        {-0.5, "\u22120.5"},
        {0.783879, "0.7839"},
        {-1013.27, "\u22121013"},
        {44100, "44\u2009100"},
        {11990.6, "11\u2009991"},
        {0.00002, "2\u00d7\u200a10\u207b\u2075"},
        {-2.5e20, "\u22122.5\u00d7\u200a10\u00b2\u2070"},
        {9.9999e37, "1\u00d7\u200a10\u00b3\u2078"},
        {-0.000099996, "\u22120.0001"},
        {0.99996, "1"},
        {1e100, "1\u00d7\u200a10\u00b9\u2070\u2070"},
        {1e308, "1\u00d7\u200a10\u00b3\u2070\u2078"},
        {5e-324, "4.941\u00d7\u200a10\u207b\u00b3\u00b2\u2074"},
        {INFINITY, "inf"},
    };
    static const struct {
        double seconds;
        const char *words;
    } durations[] = {
        {0.0106667, "10.67 ms"}, {0.99999, "1000 ms"}, {25.6, "25.6 s"},
        {600, "10:00"},          {7200, "2:00:00"},    {3e-10, "0.3 ns"},
    };
    char words[SVG_WORDS];

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        svg_words_number(numbers[i].number, words);
        CHECK_THAT(strcmp(words, numbers[i].words) == 0, "%g: %s", numbers[i].number, words);
    }
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        svg_words_duration(durations[i].seconds, words);
        CHECK_THAT(strcmp(words, durations[i].words) == 0, "%g: %s", durations[i].seconds, words);
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
    check_pick();
    check_levels();
    check_times();
    check_words();
    return check_result();
}
