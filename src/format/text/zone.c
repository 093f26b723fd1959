/* SPDX-License-Identifier: MIT */
#include "format/text/zone.h"

#include <string.h>

#include "format/numbers_priv.h"
#include "format/text/time_parts_priv.h"

enum {
    HOUR_SECONDS = 3600,
    DAY_SECONDS = 86400,
    OFFSET_MOST = 26 * HOUR_SECONDS,
    RULE_YEAR = 1900,    /* the first year of a rule without a list of changes */
    RULE_YEARS = 402,    /* years, more than a cycle of the calendar */
    CYCLE_CHANGES = 802, /* changes; 400 years have fewer */
    EPOCH_WEEKDAY = 4,   /* 1970 began on a Thursday */
};

static const int64_t CYCLE = INT64_C(146097) * DAY_SECONDS; /* seconds of 400 years */

/* ---- changes ---- */

/* Adds a change. Of two at one time the last counts; a change to the current offset is left out. */
static bool add_change(struct zone *zone, int64_t at, int32_t offset)
{
    if (zone->count > 0 && zone->at[zone->count - 1] >= at)
        zone->count--;
    if (zone->offset[zone->count] == offset)
        return true;
    if (zone->count == ZONE_CHANGES_MOST)
        return false;
    zone->at[zone->count++] = at;
    zone->offset[zone->count] = offset;
    return true;
}

/* ---- rules ---- */

static bool take_number(struct reading *text, unsigned most, unsigned *number)
{
    enum { DIGITS_MOST = 4 };

    return reading_take_digits(text, 1, DIGITS_MOST, number) && *number <= most;
}

/* Takes "CEST" or "<+03>". */
static bool take_name(struct reading *text)
{
    const bool quoted = reading_take(text, '<');
    const char *from = text->at;

    while (text->at < text->end &&
           (((*text->at | 0x20) >= 'a' && (*text->at | 0x20) <= 'z') ||
            (quoted && (strchr("+-0123456789", *text->at) != NULL && *text->at != '\0'))))
        text->at++;
    return text->at - from >= 3 && (!quoted || reading_take(text, '>'));
}

/* Takes "-1", "5:30" or "167:59:59", in seconds. */
static bool take_time(struct reading *text, unsigned hours_most, int32_t *seconds)
{
    const bool minus = reading_take(text, '-');
    unsigned part;

    if (!minus)
        (void)reading_take(text, '+');
    if (!take_number(text, hours_most, &part))
        return false;
    *seconds = (int32_t)part * HOUR_SECONDS;
    for (int32_t unit = 60; unit > 0 && reading_take(text, ':'); unit /= 60) {
        if (!take_number(text, 59, &part))
            return false;
        *seconds += (int32_t)part * unit;
    }
    *seconds = minus ? -*seconds : *seconds;
    return true;
}

/* A day of each year, and the time of a change on the clock before it. */
struct rule_day {
    char kind; /* 'M': the weekday of a week of a month; 'J': never counts 29 February; 0 */
    unsigned month;
    unsigned week; /* 5 for the last week */
    unsigned day;
    int32_t time;
};

static bool take_day(struct reading *text, struct rule_day *day)
{
    bool right;

    *day = (struct rule_day){.kind = (char)(reading_take(text, 'M')   ? 'M'
                                            : reading_take(text, 'J') ? 'J'
                                                                      : '\0'),
                             .time = 2 * HOUR_SECONDS};
    if (day->kind == 'M')
        right = take_number(text, 12, &day->month) && day->month > 0 && reading_take(text, '.') &&
                take_number(text, 5, &day->week) && day->week > 0 && reading_take(text, '.') &&
                take_number(text, 6, &day->day);
    else
        right = take_number(text, 365, &day->day) && (day->kind == '\0' || day->day > 0);
    return right && (!reading_take(text, '/') || take_time(text, 167, &day->time));
}

/* The time of a change in seconds since 1970, on the clock before it. */
static int64_t time_of_day(const struct rule_day *day, int64_t year)
{
    int64_t days = civil_days(year, 1, 1) + day->day;

    if (day->kind == 'J') {
        days -= day->day < 60 || civil_days_of_month(year, 2) < 29;
    } else if (day->kind == 'M') {
        const unsigned month = day->month;
        const int64_t first = civil_days(year, month, 1);
        const int64_t weekday = ((first + EPOCH_WEEKDAY) % 7 + 7) % 7;

        days = first + (day->day - weekday + 7) % 7 + (day->week - 1) * INT64_C(7);
        if (days >= first + civil_days_of_month(year, month))
            days -= 7;
    }
    return days * DAY_SECONDS + day->time;
}

/* Adds the changes of a rule after the time `after`. */
static bool add_years(struct zone *zone, int64_t after, const struct rule_day days[2],
                      const int32_t offsets[2])
{
    const unsigned before = zone->count;
    int64_t year = after < 0 ? RULE_YEAR : civil_of_moment((struct moment){.seconds = after}).year;

    for (int64_t last = year + RULE_YEARS; year < last; year++) {
        /* The changes to summer time and back. */
        const int64_t at[2] = {time_of_day(&days[0], year) - offsets[0],
                               time_of_day(&days[1], year) - offsets[1]};
        const int first = at[1] < at[0];

        for (int i = 0; i < 2; i++) {
            const int which = i ^ first;

            if (at[which] > after && !add_change(zone, at[which], offsets[!which]))
                return false;
        }
    }
    zone->repeats = zone->count - before >= CYCLE_CHANGES;
    if (!zone->repeats && zone->count > before)
        zone->count--; /* summer time that goes on into the next year does not end */
    return true;
}

/* Reads a rule, which holds after a time. */
static bool read_rule(struct zone *zone, struct reading text, int64_t after)
{
    static const char usual[] = ",M3.2.0,M11.1.0"; /* the rule that glibc uses */
    struct rule_day days[2];
    int32_t offsets[2];

    if (!take_name(&text) || !take_time(&text, 24, &offsets[0]))
        return false;
    offsets[0] = -offsets[0];
    if (zone->count == 0)
        zone->offset[0] = offsets[0];
    if (text.at == text.end)
        return true;
    if (!take_name(&text))
        return false;
    offsets[1] = offsets[0] + HOUR_SECONDS;
    if (text.at < text.end && *text.at != ',') {
        if (!take_time(&text, 24, &offsets[1]))
            return false;
        offsets[1] = -offsets[1];
    }
    if (text.at == text.end)
        text = (struct reading){.at = usual, .end = usual + sizeof usual - 1};
    return reading_take(&text, ',') && take_day(&text, &days[0]) && reading_take(&text, ',') &&
           take_day(&text, &days[1]) && text.at == text.end &&
           add_years(zone, after, days, offsets);
}

bool zone_read_rule(struct zone *zone, const char *text, size_t size)
{
    zone->count = 0;
    zone->repeats = false;
    return read_rule(zone, (struct reading){.at = text, .end = text + size}, INT64_MIN);
}

/* ---- files ---- */

enum {
    HEADER_BYTES = 44,
    TYPE_BYTES = 6,
    TYPES_MOST = 256,
};

/* The counts of the header, in its order. */
enum zone_counts {
    COUNT_UT,
    COUNT_STANDARD,
    COUNT_LEAPS,
    COUNT_TIMES,
    COUNT_TYPES,
    COUNT_LETTERS,
    COUNTS
};

struct zone_data {
    const unsigned char *bytes; /* the bytes behind the header */
    size_t time_bytes;
    uint32_t counts[COUNTS];
    uint64_t size;
};

static int64_t read_time(const unsigned char *bytes, size_t size)
{
    const uint64_t number = number_of_bytes(bytes, (unsigned)size, true);

    return size == 4 ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number;
}

/* Finds the data behind a header. */
static bool find_data(struct zone_data *data, const unsigned char *bytes, size_t size,
                      size_t time_bytes)
{
    if (size < HEADER_BYTES || memcmp(bytes, "TZif", 4) != 0)
        return false;
    for (unsigned i = 0; i < COUNTS; i++)
        data->counts[i] = number_big32(bytes + 20 + 4 * (size_t)i);
    data->bytes = bytes + HEADER_BYTES;
    data->time_bytes = time_bytes;
    data->size = (uint64_t)data->counts[COUNT_TIMES] * (time_bytes + 1) +
                 (uint64_t)data->counts[COUNT_TYPES] * TYPE_BYTES + data->counts[COUNT_LETTERS] +
                 (uint64_t)data->counts[COUNT_LEAPS] * (time_bytes + 4) +
                 data->counts[COUNT_STANDARD] + data->counts[COUNT_UT];
    return data->size <= size - HEADER_BYTES;
}

/* Reads the changes that are listed; `*last` is the time of the last of them. */
static bool read_changes(struct zone *zone, const struct zone_data *data, int64_t *last)
{
    const uint32_t times = data->counts[COUNT_TIMES];
    const unsigned char *kinds = data->bytes + times * data->time_bytes;
    const unsigned char *types = kinds + times;

    *last = INT64_MIN;
    if (data->counts[COUNT_LEAPS] > 0 || data->counts[COUNT_TYPES] == 0 ||
        data->counts[COUNT_TYPES] > TYPES_MOST)
        return false;
    zone->offset[0] = (int32_t)read_time(types, 4);
    if (zone->offset[0] < -OFFSET_MOST || zone->offset[0] > OFFSET_MOST)
        return false;
    for (uint32_t i = 0; i < times; i++) {
        const int64_t at = read_time(data->bytes + i * data->time_bytes, data->time_bytes);
        int64_t offset;

        if (at < *last || kinds[i] >= data->counts[COUNT_TYPES])
            return false;
        offset = read_time(types + (size_t)kinds[i] * TYPE_BYTES, 4);
        if (offset < -OFFSET_MOST || offset > OFFSET_MOST || !add_change(zone, at, (int32_t)offset))
            return false;
        *last = at;
    }
    return *last < 0 || moment_has_year((struct moment){.seconds = *last});
}

bool zone_read(struct zone *zone, const unsigned char *bytes, size_t size)
{
    struct zone_data data;
    const char *rule;
    const char *end;
    size_t used;
    int64_t last;

    zone->count = 0;
    zone->repeats = false;
    if (!find_data(&data, bytes, size, 4))
        return false;
    if (bytes[4] < '2')
        return read_changes(zone, &data, &last);
    used = HEADER_BYTES + (size_t)data.size;
    if (!find_data(&data, bytes + used, size - used, 8) || !read_changes(zone, &data, &last))
        return false;
    used += HEADER_BYTES + (size_t)data.size;
    if (used == size || bytes[used] != '\n')
        return false;
    rule = (const char *)bytes + used + 1;
    end = memchr(rule, '\n', size - used - 1);
    return end != NULL &&
           (end == rule || read_rule(zone, (struct reading){.at = rule, .end = end}, last));
}

/* ---- clocks ---- */

struct local_span local_span_at(const struct local_clock *clock, int64_t seconds)
{
    const struct zone *zone = clock->zone;
    struct local_span span = {INT64_MIN, INT64_MAX, clock->offset};
    int64_t shift = 0;
    unsigned first = 0;
    unsigned last;

    if (zone == NULL)
        return span;
    last = zone->count;
    if (zone->repeats && seconds >= zone->at[last - 1])
        shift = ((seconds - zone->at[last - 1]) / CYCLE + 1) * CYCLE;
    while (first < last) { /* finds the number of changes until then */
        const unsigned middle = (first + last) / 2;

        if (zone->at[middle] <= seconds - shift)
            first = middle + 1;
        else
            last = middle;
    }
    if (first > 0)
        span.from = zone->at[first - 1] + shift;
    if (first < zone->count)
        span.to = zone->at[first] + shift;
    span.offset = zone->offset[first];
    return span;
}

unsigned local_find(const struct local_clock *clock, int64_t shown, struct local_span *near,
                    int64_t seconds[2])
{
    struct local_span span = *near;
    unsigned count = 0;

    seconds[0] = shown - span.offset;
    if (span.from < span.to &&
        (span.from == INT64_MIN || shown - INT64_C(2) * OFFSET_MOST > span.from) &&
        (span.to == INT64_MAX || shown + INT64_C(2) * OFFSET_MOST < span.to))
        return 1; /* far from changes there is one moment */
    for (span = local_span_at(clock, shown - OFFSET_MOST);; span = local_span_at(clock, span.to)) {
        const int64_t moment = shown - span.offset;

        if (moment < span.from && count == 0) {
            seconds[0] = span.from;
            return 0;
        }
        if (moment >= span.from && moment < span.to && count < 2) {
            *near = span;
            seconds[count++] = moment;
        }
        if (span.to == INT64_MAX || span.to > shown + OFFSET_MOST)
            return count;
    }
}

moment_count local_first(const struct local_clock *clock, moment_count shown)
{
    const moment_count whole = moment_divide(shown, MOMENT_SECOND);
    struct local_span near = {.from = 0};
    int64_t seconds[2];
    const bool skipped = local_find(clock, (int64_t)whole, &near, seconds) == 0;

    return (moment_count)seconds[0] * MOMENT_SECOND + (skipped ? 0 : shown - whole * MOMENT_SECOND);
}
