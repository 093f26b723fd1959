/* SPDX-License-Identifier: MIT */
/* Zones by rules, changes of the clock, and the intervals that they cut. The oracle holds the
 * system's zones against Python; here are rules, far years, and files that are damaged. */
#include "table.h"

#include "format/text/zone.h"

static struct zone berlin;
static const char berlin_rule[] = "CET-1CEST,M3.5.0,M10.5.0/3";
static const struct local_clock berlin_clock = {.zone = &berlin};

static int64_t at(int64_t year, unsigned month, unsigned day, unsigned hour, unsigned minute)
{
    const struct civil civil = {
        .year = year, .month = month, .day = day, .hour = hour, .minute = minute};

    return civil_to_moment(&civil).seconds;
}

static int32_t offset_at(const struct local_clock *clock, int64_t seconds)
{
    return local_span_at(clock, seconds).offset;
}

static void test_rules(void)
{
    const char *const summer = "XXX3EDT4,0/0,J365/23";
    struct zone zone;

    TABLE (row, "rules", 2)
        CHECK_THAT(zone_read_rule(&zone, row.field[1], row.size[1]) ==
                       (strcmp(row.field[0], "good") == 0),
                   "%s", row.field[1]);
    /* All year summer time. */
    CHECK(zone_read_rule(&zone, summer, strlen(summer)));
    CHECK(!zone.repeats && zone.count <= 2);
    CHECK(offset_at(&(struct local_clock){.zone = &zone}, at(2026, 1, 1, 12, 0)) == -4 * 3600);
    CHECK(offset_at(&(struct local_clock){.zone = &zone}, at(9999, 7, 1, 12, 0)) == -4 * 3600);
}

static void test_changes(void)
{
    const struct local_clock fixed = {.offset = 5400};
    struct local_span near = {0, 0, 0};
    int64_t seconds[2];

    for (int64_t year = 1950; year < 9999; year += 7) {
        const int64_t march = local_span_at(&berlin_clock, at(year, 3, 15, 0, 0)).to;
        const int64_t october = local_span_at(&berlin_clock, at(year, 7, 1, 0, 0)).to;
        const struct civil spring = civil_of_moment((struct moment){.seconds = march});
        const struct civil autumn = civil_of_moment((struct moment){.seconds = october});

        CHECK(spring.month == 3 && spring.day >= 25 && spring.hour == 1 && spring.minute == 0);
        CHECK(autumn.month == 10 && autumn.day >= 25 && autumn.hour == 1 && autumn.minute == 0);
        CHECK(((civil_days(year, 3, spring.day) + 4) % 7 + 7) % 7 == 0);
        CHECK(offset_at(&berlin_clock, march - 1) == 3600 &&
              offset_at(&berlin_clock, march) == 7200);
        CHECK(offset_at(&berlin_clock, october) == 3600);
        CHECK(local_span_at(&berlin_clock, march).from == march);
        CHECK(local_find(&berlin_clock, march + 5400, &near, seconds) == 0 && seconds[0] == march);
        CHECK(local_find(&berlin_clock, october + 5400, &near, seconds) == 2 &&
              seconds[0] == october - 1800 && seconds[1] == october + 1800);
        CHECK(local_find(&berlin_clock, at(year, 7, 1, 0, 0), &near, seconds) == 1 &&
              seconds[0] == at(year, 6, 30, 22, 0));
        CHECK(local_find(&berlin_clock, at(year, 7, 2, 0, 0), &near, seconds) == 1 &&
              seconds[0] == at(year, 7, 1, 22, 0));
    }
    CHECK(local_find(&fixed, 5400, &near, seconds) == 1);
    CHECK(offset_at(&fixed, INT64_MIN) == 5400 && offset_at(&fixed, INT64_MAX) == 5400);
    CHECK(offset_at(&berlin_clock, INT64_MIN) == 3600);
    CHECK(local_first(&fixed, 0) == -(moment_count)5400 * MOMENT_SECOND);
}

/* The interval of a moment begins and ends at these. */
static void check_interval(const struct intervals *intervals, int64_t moment, int64_t begin,
                           int64_t end)
{
    const struct interval interval = interval_at(intervals, (struct moment){.seconds = moment});

    CHECK_THAT(interval.begin.seconds == begin && interval.end.seconds == end,
               "%lld: %lld to %lld, not %lld to %lld", (long long)moment,
               (long long)interval.begin.seconds, (long long)interval.end.seconds, (long long)begin,
               (long long)end);
}

static void test_intervals(void)
{
    struct intervals day = {.period = MOMENT_DAY, .clock = berlin_clock};
    struct intervals week = {.period = 7 * MOMENT_DAY, .weeks = true, .clock = berlin_clock};
    struct intervals quarter = {.period = MOMENT_DAY, .months = 3, .clock = berlin_clock};
    struct intervals year = {.period = MOMENT_DAY, .months = 12};
    struct intervals hours = {.period = 5 * INT64_C(3600) * MOMENT_SECOND, .clock = berlin_clock};

    check_interval(&day, at(2026, 3, 29, 12, 0), at(2026, 3, 28, 23, 0), at(2026, 3, 29, 22, 0));
    check_interval(&day, at(2026, 10, 25, 22, 59), at(2026, 10, 24, 22, 0),
                   at(2026, 10, 25, 23, 0));
    check_interval(&week, at(2026, 3, 29, 12, 0), at(2026, 3, 22, 23, 0), at(2026, 3, 29, 22, 0));
    check_interval(&quarter, at(2026, 3, 31, 21, 59), at(2025, 12, 31, 23, 0),
                   at(2026, 3, 31, 22, 0));
    check_interval(&year, at(1969, 12, 31, 23, 59), at(1969, 1, 1, 0, 0), at(1970, 1, 1, 0, 0));
    check_interval(&year, at(-5, 12, 31, 23, 59), at(-5, 1, 1, 0, 0), at(-4, 1, 1, 0, 0));
    /* The change is at 01:00 UTC. */
    check_interval(&hours, at(2026, 3, 29, 0, 59), at(2026, 3, 28, 20, 0) + 4 * 3600,
                   at(2026, 3, 29, 1, 0));
    check_interval(&hours, at(2026, 3, 29, 1, 0), at(2026, 3, 29, 1, 0), at(2026, 3, 29, 4, 0));
}

/* One change, to an hour later, at the second 100; version 1. */
static const unsigned char file[] = {
    'T', 'Z', 'i', 'f', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0, 0, 0,   0,   0, /* magic, reserved */
    0,   0,   0,   0,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  1, 0, 0,   0,   2,   0,
    0,   0,   4, /* counts */
    0,   0,   0,   100, 1, 0, 0, 0, 0, 0, 0, 0, 0, 14, 16, 1, 0, 'A', 'B', 'C', 0};

static void test_files(void)
{
    unsigned char other[sizeof file];
    const struct local_clock clock = {.zone = &berlin};

    CHECK(zone_read(&berlin, file, sizeof file));
    CHECK(berlin.count == 1 && offset_at(&clock, 99) == 0 && offset_at(&clock, 100) == 3600);
    for (size_t size = 0; size < sizeof file; size++)
        CHECK(!zone_read(&berlin, file, size));
    memcpy(other, file, sizeof file);
    other[31] = 1; /* leap seconds */
    CHECK(!zone_read(&berlin, other, sizeof other));
    memcpy(other, file, sizeof file);
    other[48] = 2; /* a kind that there is not */
    CHECK(!zone_read(&berlin, other, sizeof other));
    memcpy(other, file, sizeof file);
    other[49] = 1; /* an offset of months */
    CHECK(!zone_read(&berlin, other, sizeof other));
}

static void open_berlin(void)
{
    CHECK(zone_read_rule(&berlin, berlin_rule, strlen(berlin_rule)) && berlin.repeats);
}

CHECK_MAIN(open_berlin, test_rules, test_changes, test_intervals, test_files)
