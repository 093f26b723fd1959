/* Times: every form is read and written, exactly; dates against a calendar that counts days; and
 * what is no time. */
#include "check.h"

#include <string.h>

#include "format/rate.h"
#include "format/text/time_form.h"
#include "format/text/time_formats.h"
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

/* A text, the moment that it is, and the text that it becomes; NULL: the same one. */
struct good {
    enum time_unit unit;
    const char *text;
    int64_t seconds;
    int64_t nanoseconds;
    const char *written;
};

/* `format`: NULL: as the text itself says. */
static void check_good(const char *format, const struct good *good)
{
    const char *end = good->text + strlen(good->text);
    const char *due = good->written != NULL ? good->written : good->text;
    struct time_form form;
    struct moment moment = {.seconds = 0};
    char written[TIME_MOST];
    size_t length;

    CHECK_THAT(time_form_find(&form, good->unit, '.', format, good->text, end), "%s", good->text);
    CHECK_THAT(time_read(&form, good->text, end, &moment) == TIME_READ, "%s", good->text);
    CHECK_THAT(moment.seconds == good->seconds && moment.nanoseconds == good->nanoseconds,
               "%s: %lld %u", good->text, (long long)moment.seconds, moment.nanoseconds);
    length = time_write(&form, moment, written);
    CHECK_THAT(length == strlen(due) && memcmp(written, due, length) == 0, "%s: %.*s", good->text,
               (int)length, written);
}

static void test_forms(void)
{
    static const struct good goods[] = {
        {TIME_S, "2026-11-20T12:00:00.25Z", 1795176000, 250000000, NULL},
        {TIME_S, "2026-11-20 12:00:00", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20 12:00", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20T12:00:00.100", 1795176000, 100000000, NULL},
        {TIME_S, "2026-11-20t12:00:00,5", 1795176000, 500000000, "2026-11-20T12:00:00.5"},
        {TIME_S, "2026-11-20T13:30:00+01:30", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20T06:00:00 -0600", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20 12:00:00 UTC", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20 12:00:00 GMT", 1795176000, 0, NULL},
        {TIME_S, "20261120T120000Z", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20T04:00-08", 1795176000, 0, NULL},
        {TIME_S, "2026-11-20", 1795132800, 0, NULL},
        {TIME_S, "2026-11-20 9:05", 1795165500, 0, NULL},
        {TIME_S, "2026-11-20T9:05:07.5Z", 1795165507, 500000000, NULL},
        {TIME_S, "2026/3/7 9:00", 1772874000, 0, NULL},
        {TIME_S, "2026/03/07 09:00", 1772874000, 0, NULL},
        {TIME_S, "2026-11-19T24:00", 1795132800, 0, "2026-11-20T00:00"},
        {TIME_S, "2026-12-31 24:00:00.0Z", 1798761600, 0, "2027-01-01 00:00:00.0Z"},
        {TIME_S, "20261119T2400", 1795132800, 0, "20261120T0000"},
        {TIME_S, "2016-12-31T23:59:60Z", 1483228800, 0, "2017-01-01T00:00:00Z"},
        {TIME_S, "2016-12-31T23:59:60.75Z", 1483228800, 0, "2017-01-01T00:00:00.00Z"},
        {TIME_S, "2026-11-20T12:00:00.9999999995", 1795176001, 0, "2026-11-20T12:00:01.000000000"},
        {TIME_S, "2026-11-20T12:00:00.123456789", 1795176000, 123456789, NULL},
        {TIME_S, "0001-01-01T00:00:00", -62135596800, 0, NULL},
        {TIME_S, "9999-12-31T23:59:59.999999999", 253402300799, 999999999, NULL},
        {TIME_S, "2024-02-29", 1709164800, 0, NULL},
        {TIME_S, "1700000060.5", 1700000060, 500000000, NULL},
        {TIME_S, "-1.5", -2, 500000000, NULL},
        {TIME_S, "20261120", 20261120, 0, NULL},
        {TIME_S, "1.7e9", 1700000000, 0, "1700000000.0"},
        {TIME_S, "+.30000000000000004", 0, 300000000, "0.3"},
        {TIME_S, "1e-9999", 0, 0, "0"},
        {TIME_MS, "1700000060123", 1700000060, 123000000, NULL},
        {TIME_MS, "0.5", 0, 500000, NULL},
        {TIME_US, "-1", -1, 999999000, NULL},
        {TIME_NS, "1700000060123456789", 1700000060, 123456789, NULL},
        {TIME_MIN, "1.50", 90, 0, NULL},
        {TIME_MIN, "-0.1", -6, 0, NULL},
        {TIME_MIN, "0.00000000001", 0, 1, "0.00000000002"},
        {TIME_H, "0.1", 360, 0, NULL},
        {TIME_H, "0.333333333333", 1199, 999999999, NULL},
        {TIME_H, "0.33333333333333331", 1200, 0, "0.3333333333333"},
        {TIME_H, "0.9999999999999", 3600, 0, "1.0000000000000"},
        {TIME_D, "20000.5", 1728043200, 0, NULL},
        {TIME_D, "-1e-13", -1, 999999991, "-0.0000000000001"},
        {TIME_D, "26687997791825", 2305843009213680000, 0, NULL},
        {TIME_EXCEL, "25569", 0, 0, NULL},
        {TIME_EXCEL, "46022.0416666667", 1767142800, 0, NULL},
        {TIME_EXCEL, "46022.04167", 1767142800, 0, NULL},
        {TIME_EXCEL, "46022.042", 1767142829, 0, NULL},
        {TIME_EXCEL, "46022.000000000001", 1767139200, 0, "46022.000000000000"},
        {TIME_EXCEL, "46022.00000578704", 1767139200, 500000000, NULL},
        {TIME_EXCEL, "-1.5", -2209291200, 0, NULL},
        {TIME_MATLAB, "739900.25", 1760076000, 0, NULL},
        {TIME_JD, "2440587.5", 0, 0, NULL},
        {TIME_JD, "2461000.5", 1763683200, 0, NULL},
        {TIME_JD, "1", -210866673600, 0, NULL},
        {TIME_MJD, "61372.75", 1795888800, 0, NULL},
        {TIME_YEAR, "1970.5", 15768000, 0, NULL},
        {TIME_YEAR, "2024.5", 1719878400, 0, NULL},
        {TIME_YEAR, "2000", 946684800, 0, NULL},
        {TIME_YEAR, "1962.0833", -249833852, 800000000, NULL},
        {TIME_YEAR, "1", -62135596800, 0, NULL},
    };

    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++)
        check_good(NULL, &goods[i]);
}

static void test_formats(void)
{
    static const struct {
        const char *format;
        struct good good;
    } goods[] = {
        {"%d.%m.%Y %H:%M:%S", {TIME_S, "20.11.2026 12:00:00", 1795176000, 0, NULL}},
        {"%d.%m.%Y %H:%M:%S",
         {TIME_S, "20.11.2026   9:05:7", 1795165507, 0, "20.11.2026 09:05:07"}},
        {"%Y/%j %T.%f", {TIME_S, "2024/366 00:00:00.125", 1735603200, 125000000, NULL}},
        {"%m/%d/%y %I:%M %p", {TIME_S, "11/20/26 12:30 AM", 1795134600, 0, NULL}},
        {"%D %R", {TIME_S, "11/20/70 00:00", 27907200, 0, NULL}},
        {"%a, %d %b %Y %T %z", {TIME_S, "Fri, 20 Nov 2026 13:00:00 +0100", 1795176000, 0, NULL}},
        {"%A %e %B %Y",
         {TIME_S, "friday 20 november 2026", 1795132800, 0, "Friday 20 November 2026"}},
        {"%F %T %Z", {TIME_S, "2026-11-20 12:00:00 UTC", 1795176000, 0, NULL}},
        {"%F %T %Z", {TIME_S, "2026-11-20 12:00:00 gmt", 1795176000, 0, "2026-11-20 12:00:00 GMT"}},
        {"%F %T %Z", {TIME_S, "2026-11-20 13:00:00 +01:00", 1795176000, 0, NULL}},
        {"%s.%f", {TIME_S, "1700000060.250", 1700000060, 250000000, NULL}},
        {"%F%%", {TIME_S, "2026-11-20%", 1795132800, 0, NULL}},
        {"%H:%M", {TIME_S, "24:00", 86400, 0, "00:00"}},
        {"%H%M", {TIME_S, "130", 5400, 0, "0130"}},
        {"%H%M", {TIME_S, "1330", 48600, 0, NULL}},
        {"%H%M", {TIME_S, "5", 300, 0, "0005"}},
        {"%H%M", {TIME_S, "30", 1800, 0, "0030"}},
        {"%H%M%S", {TIME_S, "93005", 34205, 0, "093005"}},
        {"%H%M%S", {TIME_S, "500", 300, 0, "000500"}},
        {"%F %H%M.%f", {TIME_S, "1970-01-02 130.5", 91800, 500000000, "1970-01-02 0130.5"}},
        {"%I%M %p", {TIME_S, "130 PM", 48600, 0, "0130 PM"}},
        {"%d.%m.%Y %R", {TIME_S, "31.12.2026 24:00", 1798761600, 0, "01.01.2027 00:00"}},
        {"%Y %m %d %H %M", {TIME_S, "2026 3 7 9 5", 1772874300, 0, "2026 03 07 09 05"}},
        {"%Y %j %I:%M:%S.%f %p",
         {TIME_S, "2026 66 1:00:00.25 pm", 1772888400, 250000000, "2026 066 01:00:00.25 PM"}},
    };
    static const struct {
        const char *format;
        const char *text;
    } bads[] = {
        {"%d.%m.%Y", "31.04.2026"},
        {"%d.%m.%Y", "20.11.26"},
        {"%H:%M", "24:01"},
        {"%H%M", ""},
        {"%H%M", "13305"},
        {"%H%M", "190"},
        {"%I%M %p", "30 PM"},
        {"%H:%M", "25:00"},
        {"%Y %j", "2026 366"},
        {"%I:%M %p", "13:00 PM"},
        {"%d.%m.%Y", "20.11.2026 x"},
        {"%b", "Foo"},
        {"%F %Z", "2026-11-20 CET"},
        {"%j", "0"},
        {"%p", "x"},
        {"%f", "."},
    };

    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        CHECK(time_format_fault(goods[i].format) == NULL);
        check_good(goods[i].format, &goods[i].good);
    }
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const char *text = bads[i].text;
        struct time_form form;

        CHECK_THAT(!time_form_find(&form, TIME_S, '.', bads[i].format, text, text + strlen(text)),
                   "%s", text);
    }
    CHECK(strcmp(time_format_fault("%Y-%Q"), "%Q") == 0);
    CHECK(strcmp(time_format_fault("%Y%"), "%") == 0);
    CHECK(strcmp(time_format_fault("none"), "none") == 0);
    CHECK(time_format_fault(time_conversions) == NULL);
    for (int letter = 1; letter < 256; letter++) {
        const char format[] = {'%', (char)letter, '\0'};

        CHECK((time_format_fault(format) == NULL) == (strstr(time_conversions, format) != NULL));
    }
}

static void test_bad(void)
{
    static const char days[] = "26687997791826";
    static const char *const bads[] = {
        "",
        "x",
        "2026-13-01",
        "2026-02-29",
        "2026-1-1",
        "0000-01-01",
        "2026-11-20T",
        "2026-11-20T12",
        "2026-11-20T24:01",
        "2026-11-20T24:00:00.1",
        "2026-11-20T24:00:60",
        "9999-12-31T24:00",
        "20261120T900",
        "2026-11-20 9",
        "2026-11-20 9:5",
        "2026-11-20T12:60",
        "2026-11-20T12:00:61",
        "2026-11-20T12:00:00.",
        "2026-11-20T12:00:00+24:00",
        "2026-11-20T12:00:00X",
        "0001-01-01T00:00+00:01",
        "9999-12-31T23:59:60",
        "1e",
        "1e99",
        "1e-10000",
        "0e99999999999999999999",
        "--1",
        "1.2.3",
        "inf",
        "nan",
    };

    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct time_form form;

        CHECK_THAT(!time_form_find(&form, TIME_S, '.', NULL, bads[i], bads[i] + strlen(bads[i])),
                   "%s", bads[i]);
    }
    CHECK(!time_form_find(&(struct time_form){.digits = 0}, TIME_D, '.', NULL, days,
                          strchr(days, 0)));
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
    static const struct {
        const char *texts[3];
        unsigned count;
        const char *words;
    } columns[] = {
        {{"27.03.2026 00:00"}, 1, "%d.%m.%Y %H:%M"},
        {{"01.02.2026"}, 1, "%d.%m.%Y"},
        {{"Jan 2026"}, 1, "%b %Y"},
        {{"27-Mar-2026"}, 1, "%d-%b-%Y"},
        {{"27-Mar-26 9:05"}, 1, "%d-%b-%y %H:%M"},
        {{"Thu Jan  1 12:00:00 2026"}, 1, "%a %b %e %H:%M:%S %Y"},
        {{"Thu Jan  1 12:00:00 UTC 2026"}, 1, "%a %b %e %H:%M:%S %Z %Y"},
        {{"07/24/20 12:00:00 AM"}, 1, "%m/%d/%y %I:%M:%S %p"},
        {{"01/17/2024"}, 1, "%m/%d/%Y"},
        {{"01/02/2024"}, 2, "%d/%m/%Y or %m/%d/%Y"},
        {{"01/02/2024", "02/02/2024", "01/17/2024"}, 1, "%m/%d/%Y"},
        {{"01-02-2024 10:00", "17-02-2024 11:00"}, 1, "%d-%m-%Y %H:%M"},
        {{"24/07/20"}, 2, "%d/%m/%y or %y/%m/%d"},
        {{"01/02/03 1:00 PM"}, 3, "%d/%m/%y %I:%M %p or %m/%d/%y %I:%M %p or %y/%m/%d %I:%M %p"},
        {{"24/07/20", "24/07/32"}, 1, "%d/%m/%y"},
        {{"24.07.26"}, 2, "%d.%m.%y or %y.%m.%d"},
        {{"01/13/2024", "13/01/2024"}, 0, ""},
        {{"01/13/2024", "x"}, 0, ""},
        {{"20260327 5"}, 2, "%Y%m%d %H%M or %Y%m%d %H"},
        {{"20260327 5", "20260327 1255"}, 1, "%Y%m%d %H%M"},
        {{"20260327 93000"}, 1, "%Y%m%d %H%M%S"},
        {{"2026 1 1 0"}, 2, "%Y %m %d %H%M or %Y %m %d %H"},
        {{"10:00:00.5"}, 1, "%H:%M:%S.%f"},
        {{"2026-03"}, 1, ""},
        {{"2026/3/7", "2026/12/24"}, 1, ""},
        {{"20260327T0000"}, 1, ""},
        {{"20260327 120000"}, 1, ""},
        {{"2026-03-27T12:00Z", "2026-03-27T12:00+01:00"}, 1, ""},
        {{"2024-01-012"}, 0, ""},
        {{"2024-01-012 5"}, 0, ""},
        {{"20260327"}, 0, ""},
        {{"1.5"}, 0, ""},
        {{""}, 0, ""},
    };

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        struct time_readings readings = {.begun = false};
        char words[TIME_WORDS];

        for (size_t j = 0; j < 3 && columns[i].texts[j] != NULL; j++)
            time_readings_add(&readings, columns[i].texts[j], strchr(columns[i].texts[j], '\0'));
        time_readings_say(&readings, words);
        CHECK_THAT(readings.count == columns[i].count && strcmp(words, columns[i].words) == 0,
                   "%s: %u, %s", columns[i].texts[0], readings.count, words);
        CHECK_THAT((time_readings_form(&readings) != NULL) ==
                       (readings.count == 1 || strstr(words, "%H%M or") != NULL),
                   "%s", words);
        CHECK_THAT(readings.clock == (strncmp(words, "%H", 2) == 0), "%s", words);
    }
}

/* The beginnings of intervals, and how they are written. */
static void test_intervals(void)
{
    static const struct {
        const char *text;
        int64_t period;
        const char *begin;
    } intervals[] = {
        {"2026-11-20T12:34:56.789Z", 60 * INT64_C(1000000000), "2026-11-20T12:34:00Z"},
        {"2026-11-20T12:34:56.789Z", 250000000, "2026-11-20T12:34:56.75Z"},
        {"2026-11-20 12:34", INT64_C(1000000000), "2026-11-20 12:34:00"},
        {"2026-11-20 12:34", 300 * INT64_C(1000000000), "2026-11-20 12:30"},
        {"2026-11-20", MOMENT_DAY, "2026-11-20"},
        {"2026-11-20", MOMENT_DAY / 24, "2026-11-20T00:00:00"},
        {"2026-11-20", 7 * MOMENT_DAY, "2026-11-19"},
        {"2026-11-20 9:59", 3600 * INT64_C(1000000000), "2026-11-20 9:00"},
        {"2026-11-20 9:59", 43200 * INT64_C(1000000000), "2026-11-20 0:00"},
        {"2026-11-20 01:00+05:30", 43200 * INT64_C(1000000000), "2026-11-20 00:00+05:30"},
        {"20261120T0100-08", MOMENT_DAY, "20261120T0000-08"},
        {"1969-12-31T23:59:59", 60 * INT64_C(1000000000), "1969-12-31T23:59:00"},
        {"-0.5", INT64_C(1000000000), "-1"},
        {"1700000060.50", 7 * INT64_C(1000000000), "1700000057"},
    };

    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        const char *text = intervals[i].text;
        const char *end = text + strlen(text);
        struct time_form form;
        struct intervals rule = {.period = intervals[i].period};
        struct moment moment;
        char written[TIME_MOST];
        size_t length;

        CHECK(time_form_find(&form, TIME_S, '.', NULL, text, end));
        CHECK(time_read(&form, text, end, &moment) == TIME_READ);
        rule.clock = form.clock;
        time_form_for_intervals(&form, &rule);
        length = time_write(&form, interval_at(&rule, moment).begin, written);
        CHECK_THAT(length == strlen(intervals[i].begin) &&
                       memcmp(written, intervals[i].begin, length) == 0,
                   "%s: %.*s", text, (int)length, written);
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

CHECK_MAIN(test_calendar, test_forms, test_formats, test_bad, test_other_forms, test_readings,
           test_intervals, test_rates)
