/* SPDX-License-Identifier: MIT */
/* format/svg/svg_axis: where ticks are, their labels, and numbers in words. */
#include "table.h"

#include <math.h>

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

static void check_levels(void)
{
    TABLE (row, "levels", 7) {
        const double low = strtod(row.field[0], NULL);
        const double high = strtod(row.field[1], NULL);
        const double axis_low = strtod(row.field[3], NULL);
        const double axis_high = strtod(row.field[4], NULL);
        struct svg_axis axis;

        svg_axis_level(&axis, low, high, strcmp(row.field[2], "exact") == 0, 5);
        CHECK_THAT(fabs(axis.low - axis_low) <= 1e-9 * fabs(axis_low) &&
                       fabs(axis.high - axis_high) <= 1e-9 * fabs(axis_high),
                   "levels %g to %g: %g to %g", low, high, axis.low, axis.high);
        check_axis(&axis, row.field[5], row.field[6]);
    }
}

static void check_times(void)
{
    struct svg_axis axis;

    TABLE (row, "times", 5) {
        svg_axis_time(&axis, strtod(row.field[0], NULL), strtod(row.field[1], NULL),
                      strcmp(row.field[2], "timed") == 0, 10);
        check_axis(&axis, row.field[3], row.field[4]);
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
    struct svg_axis axis;

    TABLE (row, "clock", 4) {
        svg_axis_clock(&axis, &utc, true, moment_of(row.field[0]), moment_of(row.field[1]), 10);
        check_axis(&axis, row.field[2], row.field[3]);
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
    char words[SVG_WORDS];

    TABLE (row, "numbers", 2) {
        svg_words_number(strtod(row.field[0], NULL), words);
        CHECK_THAT(strcmp(words, row.field[1]) == 0, "%s: %s", row.field[0], words);
    }
    TABLE (row, "durations", 2) {
        svg_words_duration(strtod(row.field[0], NULL), words);
        CHECK_THAT(strcmp(words, row.field[1]) == 0, "%s: %s", row.field[0], words);
    }
}

/* Both ends have the same decimals, and are told apart. */
static void check_ranges(void)
{
    char words[2][SVG_WORDS];
    char both[2 * SVG_WORDS + 8];

    TABLE (row, "ranges", 3) {
        svg_words_range(strtod(row.field[0], NULL), strtod(row.field[1], NULL), words);
        snprintf(both, sizeof both, "%s to %s", words[0], words[1]);
        CHECK_THAT(strcmp(both, row.field[2]) == 0, "%s, not %s", both, row.field[2]);
    }
}

CHECK_MAIN(check_levels, check_times, check_far_times, check_clock, check_words, check_ranges)
