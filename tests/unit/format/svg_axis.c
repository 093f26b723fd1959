/* format/svg/svg_axis: where ticks are, their labels, and numbers in words. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/svg/svg_axis_priv.h"
#include "format/text/time_form.h"

/* All labels of an axis, with blanks between them; its ticks are in order, and within it. */
static const char *labels_of(const struct svg_axis *axis)
{
    static char all[SVG_TICKS * SVG_WORDS];
    char *at = all;

    all[0] = '\0';
    for (unsigned i = 0; i < axis->count; i++) {
        CHECK(axis->ticks[i].place >= -1e-6 && axis->ticks[i].place <= 1 + 1e-6);
        CHECK(i == 0 || axis->ticks[i].place > axis->ticks[i - 1].place);
        if (i > 0)
            *at++ = ' ';
        at = stpcpy(at, axis->ticks[i].label);
    }
    return all;
}

static void check_axis(const struct svg_axis *axis, const char *name, const char *labels)
{
    const char *got = labels_of(axis);

    CHECK_THAT(strcmp(axis->name, name) == 0, "%s, not %s", axis->name, name);
    CHECK_THAT(strcmp(got, labels) == 0, "%s, not %s", got, labels);
}

struct level_case {
    double low;
    double high;
    bool exact;
    double axis_low;
    double axis_high;
    const char *name;
    const char *labels;
};

static void check_levels(void)
{
    static const struct level_case cases[] = {
        {-1, 1, false, -1, 1, "", "-1.0 -0.5 0.0 0.5 1.0"},
        {0, 1, false, 0, 1, "", "0.0 0.2 0.4 0.6 0.8 1.0"},
        {-0.3, 0.72, true, -0.3, 0.72, "", "0.0 0.5"},
        {0, 0, false, -1, 1, "", "-1.0 -0.5 0.0 0.5 1.0"},
        {-1.2, 0.5, false, -1.5, 0.5, "", "-1.5 -1.0 -0.5 0.0 0.5"},
        {992, 1013, false, 990, 1015, "", "990 995 1000 1005 1010 1015"},
        {7, 7, false, 6, 8, "", "6.0 6.5 7.0 7.5 8.0"},
        {0.1, 0.1 + 0x1p-56, false, 0.09, 0.11, "", "0.090 0.095 0.100 0.105 0.110"},
        {5e-324, 1e-320, false, -1, 1, "", "-1.0 -0.5 0.0 0.5 1.0"},
        {-2e-6, 3e-6, false, -2e-6, 3e-6, "\u00d7\u200a10\u207b\u2076", "-2 -1 0 1 2 3"},
        {-3e38, 2e38, false, -3e38, 2e38, "\u00d7\u200a10\u00b3\u2076", "-300 -200 -100 0 100 200"},
        {-1e300, 1e300, false, -1e300, 1e300, "\u00d7\u200a10\u00b3\u2070\u2070",
         "-1.0 -0.5 0.0 0.5 1.0"},
        {12000, 14000, false, 12000, 14000, "", "12_000 12_500 13_000 13_500 14_000"},
        {1.2e6, 1.5e6, false, 1.2e6, 1.5e6, "\u00d7\u200a10\u2076", "1.2 1.3 1.4 1.5"},
        /* Levels that agree in nine digits. */
        {123456789.25, 123456789.5, false, 123456789.25, 123456789.5, "",
         "123_456_789.25 123_456_789.30 123_456_789.35 123_456_789.40 123_456_789.45 "
         "123_456_789.50"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct level_case *due = &cases[i];
        struct svg_axis axis;
        char labels[256];
        char *end = labels;

        /* With the typographic characters. */
        for (const char *at = due->labels; *at != '\0'; at++) {
            const char plain[2] = {*at, '\0'};

            end = stpcpy(end, *at == '-' ? "\u2212" : *at == '_' ? "\u2009" : plain);
        }
        svg_axis_level(&axis, due->low, due->high, due->exact, 5);
        CHECK_THAT(fabs(axis.low - due->axis_low) <= 1e-9 * fabs(due->axis_low) &&
                       fabs(axis.high - due->axis_high) <= 1e-9 * fabs(due->axis_high),
                   "levels %g to %g: %g to %g", due->low, due->high, axis.low, axis.high);
        check_axis(&axis, due->name, labels);
    }
}

struct time_case {
    double first;
    double length;
    bool timed;
    const char *name;
    const char *labels;
};

static void check_times(void)
{
    static const struct time_case cases[] = {
        {0, 1, true, "s", "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
        {0, 0.75, true, "ms", "0 100 200 300 400 500 600 700"},
        {0, 150e-6, true, "\u00b5s", "0 20 40 60 80 100 120 140"},
        {3600, 0.35, true, "ms",
         "3\u2009600\u2009000 3\u2009600\u2009050 3\u2009600\u2009100 "
         "3\u2009600\u2009150 3\u2009600\u2009200 3\u2009600\u2009250 "
         "3\u2009600\u2009300 3\u2009600\u2009350"},
        {0, 180, true, "m:ss", "0:00 0:30 1:00 1:30 2:00 2:30 3:00"},
        {7190, 50, true, "s", "7190 7195 7200 7205 7210 7215 7220 7225 7230 7235 7240"},
        {7100, 130, true, "h:mm:ss",
         "1:58:30 1:58:45 1:59:00 1:59:15 1:59:30 1:59:45 2:00:00 "
         "2:00:15 2:00:30"},
        {0, 3600, true, "m:ss", "0:00 10:00 20:00 30:00 40:00 50:00 60:00"},
        {0, 36000, true, "h:mm:ss",
         "0:00:00 1:00:00 2:00:00 3:00:00 4:00:00 5:00:00 6:00:00 7:00:00 8:00:00 9:00:00 "
         "10:00:00"},
        {0, 12 * 86400, true, "days", "0 2 4 6 8 10 12"},
        {0, 1500000, false, "",
         "0 200\u2009000 400\u2009000 600\u2009000 800\u2009000 1\u2009000\u2009000 "
         "1\u2009200\u2009000 1\u2009400\u2009000"},
        {0, 3, false, "", "0 1 2 3"},
        {0, 0, true, "", "0"},
    };
    struct svg_axis axis;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct time_case *due = &cases[i];

        svg_axis_time(&axis, due->first, due->length, due->timed, 10);
        check_axis(&axis, due->name, due->labels);
    }
    /* Never more than there is room for. */
    svg_axis_time(&axis, 0, 1e6, false, 1000);
    CHECK(axis.count == 51);
    svg_axis_time(&axis, 0x1p63, 1, true, 10);
    CHECK(axis.count <= SVG_TICKS);
}

/* Frames beyond 2^53, and their times, still have all of their digits. */
static void check_far_times(void)
{
    struct svg_axis axis;

    svg_axis_time(&axis, 0x1p53, 9000, true, 10);
    CHECK_THAT(strcmp(axis.ticks[0].label, "2501999792983:45:00") == 0, "%s", axis.ticks[0].label);
    svg_axis_time(&axis, 0x1p62, 1e6, false, 10);
    CHECK_THAT(
        strcmp(axis.ticks[0].label, "4\u2009611\u2009686\u2009018\u2009427\u2009400\u2009192") == 0,
        "%s", axis.ticks[0].label);
    svg_axis_time(&axis, 1e25, 1e25, false, 10);
    CHECK_THAT(strcmp(axis.ticks[0].label, "1e+25") == 0, "%s", axis.ticks[0].label);
}

/* Ticks of the clock, and their places by seconds. */
struct clock_case {
    const char *begin;
    const char *end;
    const char *name;
    const char *labels;
};

/* A date and a time, "2026-11-20 06:00:12", perhaps with a fraction. */
static struct moment moment_of(const char *words)
{
    struct time_form form;
    struct moment moment = {0};
    const char *end = words + strlen(words);

    CHECK(time_form_find(&form, TIME_S, '.', NULL, words, end));
    CHECK(time_read(&form, words, end, &moment) == TIME_READ);
    return moment;
}

static void check_clock(void)
{
    static const struct local_clock utc = {.offset = 0};
    static const struct local_clock nepal = {.offset = 20700};
    static const struct clock_case cases[] = {
        {"2026-11-20 05:30:12", "2026-11-22 07:00:00", "UTC",
         "06:00\n2026-11-20 12:00 18:00 2026-11-21 06:00 12:00 18:00 2026-11-22 06:00"},
        {"2026-11-20 05:30:00", "2026-11-20 07:00:00", "UTC",
         "05:30\n2026-11-20 05:40 05:50 06:00 06:10 06:20 06:30 06:40 06:50 07:00"},
        {"2026-11-20 23:59:30.5", "2026-11-21 00:00:10", "UTC",
         "23:59:35\n2026-11-20 23:59:40 23:59:45 23:59:50 23:59:55 2026-11-21 00:00:05 00:00:10"},
        {"2026-11-20 23:59:58.75", "2026-11-21 00:00:00.25", "s after 2026-11-20 23:59:58 UTC",
         "0.8 1.0 1.2 1.4 1.6 1.8 2.0 2.2"},
        {"2026-11-20 12:00:00.000002", "2026-11-20 12:00:00.000003",
         "\u00b5s after 2026-11-20 12:00:00 UTC", "2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3.0"},
        {"2024-02-24", "2024-03-04", "UTC",
         "2024-02-24 2024-02-25 2024-02-26 2024-02-27 2024-02-28 2024-02-29 2024-03-01 2024-03-02 "
         "2024-03-03 2024-03-04"},
        {"2023-01-22", "2023-02-08", "UTC",
         "2023-01-23 2023-01-25 2023-01-27 2023-01-29 2023-02-01 2023-02-03 2023-02-05 2023-02-07"},
        {"2023-02-10", "2023-03-28", "UTC",
         "2023-02-11 2023-02-16 2023-02-21 2023-03-01 2023-03-06 2023-03-11 2023-03-16 2023-03-21 "
         "2023-03-26"},
        {"2023-11-20", "2024-02-05", "UTC",
         "2023-11-21 2023-12-01 2023-12-11 2023-12-21 2024-01-01 2024-01-11 2024-01-21 2024-02-01"},
        {"2023-11-20", "2024-08-05", "UTC",
         "2023-12 2024-01 2024-02 2024-03 2024-04 2024-05 2024-06 2024-07 2024-08"},
        {"2022-11-20", "2024-12-31 23:59:59", "UTC",
         "2023-01 2023-04 2023-07 2023-10 2024-01 2024-04 2024-07 2024-10"},
        {"2019-11-20", "2024-01-01", "UTC",
         "2020-01 2020-07 2021-01 2021-07 2022-01 2022-07 2023-01 2023-07 2024-01"},
        {"1965-05-05", "1973-05-05", "UTC", "1966 1967 1968 1969 1970 1971 1972 1973"},
        {"0001-01-01", "9999-12-31", "UTC", "2000 4000 6000 8000"},
        {"1969-12-31 23:00:00", "1970-01-01 01:00:00", "UTC",
         "23:00\n1969-12-31 23:15 23:30 23:45 1970-01-01 00:15 00:30 00:45 01:00"},
        {"9999-12-31 23:59:00", "9999-12-31 23:59:59", "UTC",
         "23:59:00\n9999-12-31 23:59:10 23:59:20 23:59:30 23:59:40 23:59:50"},
    };
    struct svg_axis axis;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svg_axis_clock(&axis, &utc, true, moment_of(cases[i].begin), moment_of(cases[i].end), 10);
        check_axis(&axis, cases[i].name, cases[i].labels);
    }
    svg_axis_clock(&axis, &nepal, true, moment_of("2026-11-20 06:00:00"),
                   moment_of("2026-11-20 18:30:00"), 4);
    check_axis(&axis, "UTC+05:45", "12:00\n2026-11-20 18:00 2026-11-21");
    svg_axis_clock(&axis, &utc, true, moment_of("2026-11-20 06:00:00"),
                   moment_of("2026-11-21 06:00:00"), 4);
    CHECK(axis.count == 5 && axis.ticks[3].place == 0.75);
    CHECK(strcmp(axis.ticks[3].label, "2026-11-21") == 0);
    /* Never more than there is room for, and none for no time at all. */
    svg_axis_clock(&axis, &utc, true, moment_of("2026-11-20"), moment_of("2026-11-21"), 1000);
    CHECK(axis.count > 40 && axis.count <= SVG_TICKS);
    svg_axis_clock(&axis, &utc, true, moment_of("2026-11-20"), moment_of("2026-11-20"), 10);
    CHECK(axis.count == 1);
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
        {0.0106667, "10.67 ms"}, {0.99999, "1000 ms"},   {25.6, "25.6 s"},
        {600, "10 min"},         {90, "1 min 30 s"},     {7300, "2 h 1 min 40 s"},
        {437940, "5 days 2 h"},  {63e6, "729 days 4 h"}, {259113600, "8.21 years"},
        {7200, "2 h"},           {172800, "2 days"},     {90000, "25 h"},
        {3e-10, "0.3 ns"},       {8e8, "25.4 years"},    {1025500000, "32.5 years"},
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

/* Both ends have the same decimals, and are told apart. */
static void check_ranges(void)
{
    static const struct {
        double low;
        double high;
        const char *words;
    } cases[] = {
        {-0.70796, 0.7079, "\u22120.708 to 0.708"},
        {-0.00001, 0.9, "0.0 to 0.9"},
        {0, 0.7079, "0 to 0.708"},
        {-1, 1, "\u22121 to 1"},
        {0.5, 12, "0.5 to 12.0"},
        {992.13, 1013.27, "992.1 to 1013.3"},
        {1000.001, 1000.009, "1000.001 to 1000.009"},
        {1700000060, 1700000061, "1\u2009700\u2009000\u2009060 to 1\u2009700\u2009000\u2009061"},
        {123456789.25, 123456789.5, "123\u2009456\u2009789.25 to 123\u2009456\u2009789.50"},
        {9.123456788, 9.123456789, "9.123456788 to 9.123456789"},
        {1013.25, 1013.25, "1013 to 1013"},
        {-1.5e-7, 2.25e-5,
         "\u22120.01\u00d7\u200a10\u207b\u2075 to 2.25\u00d7\u200a10\u207b\u2075"},
        {0, 3.4e38, "0 to 3.4\u00d7\u200a10\u00b3\u2078"},
        {-1.7e308, 1.7e308,
         "\u22121.7\u00d7\u200a10\u00b3\u2070\u2078 to "
         "1.7\u00d7\u200a10\u00b3\u2070\u2078"},
        {-5e-324, 0, "\u22124.941\u00d7\u200a10\u207b\u00b3\u00b2\u2074 to 0"},
    };
    char words[2][SVG_WORDS];
    char both[2 * SVG_WORDS + 8];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svg_words_range(cases[i].low, cases[i].high, words);
        snprintf(both, sizeof both, "%s to %s", words[0], words[1]);
        CHECK_THAT(strcmp(both, cases[i].words) == 0, "%s, not %s", both, cases[i].words);
    }
}

CHECK_MAIN(check_levels, check_times, check_far_times, check_clock, check_words, check_ranges)
