/* SPDX-License-Identifier: MIT */
/* Times: every form is read and written, exactly; dates against a calendar that counts days; and
 * what is no time. */
#include "table.h"

#include "format/rate.h"
#include "format/text/time_form.h"
#include "format/text/time_readings_priv.h"
#include "sample/moment.h"

/* Every day of the years 0 to 10000, counted one by one. */
static void test_calendar(void)
{
    int64_t day = civil_days(0, 1, 1);
    bool same = true;

    CHECK(civil_days(1970, 1, 1) == 0);
    CHECK(civil_days(2000, 3, 1) == 11017);
    for (int64_t year = 0; year <= 10000; year++) {
        for (unsigned month = 1; month <= 12; month++) {
            for (unsigned i = 1; i <= civil_days_of_month(year, month); i++, day++) {
                const struct moment moment = {.seconds = day * 86400 + 86399, .nanoseconds = 5};
                const struct civil civil = civil_of_moment(moment);

                same = same && civil_days(year, month, i) == day && civil.year == year &&
                       civil.month == month && civil.day == i && civil.hour == 23 &&
                       civil.minute == 59 && civil.second == 59 && civil.nanosecond == 5;
            }
        }
    }
    CHECK(same);
}

static enum time_unit unit_of(const struct table *row)
{
    unsigned unit = 0;

    while (strcmp(time_unit_names[unit], row->field[1]) != 0)
        unit++;
    return (enum time_unit)unit;
}

static void test_good(void)
{
    TABLE (row, "good", 6) {
        const char *const text = row.field[2];
        const char *const end = text + row.size[2];
        struct time_form form;
        struct moment moment = {.seconds = 0};
        char written[TIME_MOST];
        size_t length;

        CHECK(row.field[0] == NULL || time_format_fault(row.field[0]) == NULL);
        CHECK_THAT(time_form_find(&form, unit_of(&row), '.', row.field[0], text, end), "%s", text);
        CHECK_THAT(time_read(&form, text, end, &moment) == TIME_READ, "%s", text);
        CHECK_THAT(moment.seconds == strtoll(row.field[3], NULL, 10) &&
                       moment.nanoseconds == strtoul(row.field[4], NULL, 10),
                   "%s: %lld %u", text, (long long)moment.seconds, moment.nanoseconds);
        length = time_write(&form, moment, written);
        CHECK_THAT(length == row.size[5] && memcmp(written, row.field[5], length) == 0, "%s: %.*s",
                   text, (int)length, written);
    }
}

static void test_bad(void)
{
    TABLE (row, "bad", 3) {
        const char *const text = row.field[2];
        struct time_form form;

        CHECK_THAT(
            !time_form_find(&form, unit_of(&row), '.', row.field[0], text, text + row.size[2]),
            "%s", text);
    }
}

static void test_faults(void)
{
    CHECK(strcmp(time_format_fault("%Y-%Q"), "%Q") == 0);
    CHECK(strcmp(time_format_fault("%Y%"), "%") == 0);
    CHECK(strcmp(time_format_fault("none"), "none") == 0);
    CHECK(time_format_fault(time_conversions) == NULL);
    for (int letter = 1; letter < 256; letter++) {
        const char format[] = {'%', (char)letter, '\0'};

        CHECK((time_format_fault(format) == NULL) == (strstr(time_conversions, format) != NULL));
    }
}

static enum time_verdict read_as(const char *first, const char *text)
{
    struct time_form form;
    struct moment moment;

    CHECK(time_form_find(&form, TIME_S, '.', NULL, first, first + strlen(first)));
    return time_read(&form, text, text + strlen(text), &moment);
}

static void test_other_forms(void)
{
    CHECK(read_as("2026-11-20T12:00", "2026-11-20 12:00:00.5") == TIME_READ);
    CHECK(read_as("2026-11-20T12:00Z", "2026-11-20T12:00+01:00") == TIME_OTHER_OFFSET);
    CHECK(read_as("2026-11-20T12:00", "2026-11-20T12:00Z") == TIME_OTHER_FORM);
    CHECK(read_as("2026-11-20T12:00", "2026-11-20") == TIME_OTHER_FORM);
    CHECK(read_as("2026-11-20T12:00", "5") == TIME_NONE);
    CHECK(read_as("5", "2026-11-20") == TIME_NONE);
    CHECK(read_as("5", "5x") == TIME_NONE);
}

/* The forms that texts have in common; those of ISO 8601 have no words. */
static void test_readings(void)
{
    TABLE (row, "readings", 3) {
        struct time_readings readings = {.begun = false};
        const char *const due = row.field[1];
        char words[TIME_WORDS];

        for (const char *at = row.field[2], *end; at != NULL; at = end == NULL ? NULL : end + 2) {
            end = strstr(at, ", ");
            time_readings_add(&readings, at, end == NULL ? strchr(at, '\0') : end);
        }
        time_readings_say(&readings, words);
        CHECK_THAT(readings.count == strtoul(row.field[0], NULL, 10) && strcmp(words, due) == 0,
                   "%s: %u, %s", row.field[2], readings.count, words);
        CHECK_THAT((time_readings_form(&readings) != NULL) ==
                       (readings.count == 1 || strstr(words, "%H%M or") != NULL),
                   "%s", words);
        CHECK_THAT(readings.clock == (strncmp(words, "%H", 2) == 0), "%s", words);
    }
}

/* The beginnings of intervals, and how they are written. */
static void test_intervals(void)
{
    TABLE (row, "intervals", 3) {
        const char *const text = row.field[0];
        const char *const end = text + row.size[0];
        struct time_form form;
        struct intervals rule = {.period = strtoll(row.field[1], NULL, 10) * 1000000};
        struct moment moment;
        char written[TIME_MOST];
        size_t length;

        CHECK(time_form_find(&form, TIME_S, '.', NULL, text, end));
        CHECK(time_read(&form, text, end, &moment) == TIME_READ);
        rule.clock = form.clock;
        time_form_for_intervals(&form, &rule);
        length = time_write(&form, interval_at(&rule, moment).begin, written);
        CHECK_THAT(length == row.size[2] && memcmp(written, row.field[2], length) == 0, "%s: %.*s",
                   text, (int)length, written);
    }
}

static void test_rates(void)
{
    const struct rate_ratio minute = rate_ratio(2, 120);
    const struct rate_ratio film = rate_ratio(30000, 1001);

    CHECK(minute.frames == 1 && minute.seconds == 60);
    CHECK(rate_of(film) == 30000.0 / 1001);
    CHECK(rate_of_every(3, 1000.0 / 3, rate_ratio(1000, 3)) == 1000.0 / 9);
    CHECK(rate_of_every(3, 44100, (struct rate_ratio){.frames = 0}) == 14700);
    CHECK(rate_of_every(UINT64_MAX, 1.0 / 60, minute) == 1.0 / 60 / 0x1p64);
    CHECK(rate_time(60, 1.0 / 60, minute) == 3600);
    CHECK(rate_time(UINT64_C(1) << 60, 1.0 / 60, minute) == 0x1p60 * 60);
    CHECK(rate_time(30000, 30000.0 / 1001, film) == 1001);
    CHECK(rate_time(0, 1, film) == 0);
    CHECK(rate_time(3, 8000, (struct rate_ratio){.frames = 0}) == 3.0 / 8000);
}

CHECK_MAIN(test_calendar, test_good, test_bad, test_faults, test_other_forms, test_readings,
           test_intervals, test_rates)
