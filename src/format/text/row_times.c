/* SPDX-License-Identifier: MIT */
#include "format/text/columns_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/rows/gaps.h"
#include "format/text/time_readings_priv.h"

/* ---- the first time of a column ---- */

struct first_time {
    const struct text_time_columns *columns;
    const struct text_lines *lines;
    const struct look_time *found;
    struct text_time time;
    struct error *error;
};

/* The error for the first time. If `advice` is NULL, the field is no time at all. */
__attribute__((format(printf, 3, 4))) static int refuse(const struct first_time *first,
                                                        const char *advice, const char *format, ...)
{
    char why[TIME_WORDS + 160];
    va_list words;

    va_start(words, format);
    (void)vsnprintf(why, sizeof why, format, words);
    va_end(words);
    return text_wrong_field(first->lines, ERROR_TIME, first->found->line,
                            first->columns->column[0] + 1, &first->time.text, why, advice,
                            first->error);
}

/* The error for a field that is no time. */
static int no_time(const struct first_time *first)
{
    const char *given = first->lines->dialect->time_format;
    char words[TIME_WORDS];

    time_readings_say(&first->found->readings, words);
    if (words[0] != '\0' && first->found->readings.clock)
        return refuse(first, ": give that as --time-format, or both columns, --time DATE,CLOCK",
                      "has no date, and looks like a time of day in the form %s", words);
    if (words[0] != '\0')
        return refuse(first, ": give that as --time-format", "looks like a date in the form %s",
                      words);
    if (given != NULL && strstr(given, "%Z") != NULL)
        return refuse(
            first, "",
            "is not a time in this format: %%Z is UTC, GMT or an offset (+01:00); for the "
            "clock of a place, give its letters in the format, and --time-zone");
    if (first->found->readings.count > 0)
        return refuse(first, "", "needs no format: leave --time-format out");
    return refuse(first, NULL, "is not a time");
}

#define UNIT_SAID ": give that as --time-unit, or --time-unit s"

/* Checks a number without a given unit, which may not be in seconds: the first rows may be times of
 * our days in another unit, or the name of the column `said` a unit. */
static int check_unit(const struct first_time *first, enum time_unit said, const struct look *look)
{
    enum { YEAR_LEAST = 1800, YEAR_MOST = 2100 };
    const struct text_field *text = &first->time.text;
    const char *format;
    struct moment moment;

    if (time_read(&first->columns->form, text->start, text->end, &moment) != TIME_READ)
        return 0;
    format = said == TIME_YEAR && text->end - text->start == 4 ? "%Y" : look->digits;
    if (format != NULL)
        return refuse(first, ": give that as --time-format, or --time-unit s",
                      "looks like a date in the form %s", format);
    if (look->seems != TIME_S && said <= TIME_YEAR)
        return refuse(first, UNIT_SAID, "seems to be in %s (%s)", time_unit_names[look->seems],
                      look->seems == TIME_EXCEL    ? "days since 1899-12-30; or in mjd"
                      : look->seems == TIME_MATLAB ? "days of datenum"
                      : look->seems == TIME_JD     ? "Julian days"
                                                   : "decimal years");
    /* A number of years need not be a date. */
    if (said == TIME_MONTHS ||
        (said == TIME_YEAR && (moment.seconds < YEAR_LEAST || moment.seconds > YEAR_MOST)))
        return refuse(first,
                      ": they have no fixed length: leave --time out and count rows (-w 12), or "
                      "give --time-unit s",
                      "seems to be in %s, as its column says",
                      said == TIME_MONTHS ? "months" : "years");
    if (said != TIME_S)
        return refuse(first, UNIT_SAID, "seems to be in %s, as its column says",
                      time_unit_names[said]);
    return moment_has_year(moment) ? 0
                                   : refuse(first, ": give --time-unit ms, us, ns or s",
                                            "is past the year 9999 in seconds");
}

/* The unit of the times by the header, in their name or below it; TIME_S if it says none. */
static enum time_unit find_unit(const struct text_time_columns *columns, const struct look *look)
{
    const struct look_column *column = &look->columns[columns->column[0]];
    enum time_unit said = TIME_S;

    if (column->name.start < column->name.end)
        said = time_unit_said(column->name.start, column->name.end);
    if (said == TIME_S && column->unit.start < column->unit.end)
        said = time_unit_said(column->unit.start, column->unit.end);
    return said;
}

int text_first_time(struct text_time_columns *columns, const struct text_lines *lines,
                    const struct look *look, struct error *error)
{
    const struct look_time *found = look_rows_time(look);
    const struct time_form *form = look_time_form(found);
    const bool given = lines->dialect->time_unit_given;
    struct first_time first = {.columns = columns, .lines = lines, .found = found, .error = error};

    columns->form = (struct time_form){.kind = TIME_NUMBER, .unit = lines->dialect->time_unit};
    if (found->line == 0 || (form == NULL && lines->dialect->bad_lines != TEXT_BAD_ERROR))
        return 0; /* the reader finds and reports the fault */
    for (unsigned i = 0; i < columns->count; i++) {
        columns->blanks[i] = 0;
        for (const char *at = found->field[i].start; at < found->field[i].end; at++)
            columns->blanks[i] += *at == ' ';
    }
    text_time_join(&first.time, found->field, columns->count);
    if (form == NULL)
        return no_time(&first);
    columns->form = *form;
    columns->form.clock.zone = lines->dialect->zone;
    columns->form.months = columns->form.unit == TIME_YEAR && look->months;
    if (given && columns->form.kind != TIME_NUMBER)
        return refuse(&first, ": leave --time-unit out", "is a date, and has no unit");
    return given || look->takes_time || columns->form.kind != TIME_NUMBER
               ? 0
               : check_unit(&first, find_unit(columns, look), look);
}

/* ---- the later times ---- */

/* The distance of rows must be that of the first two, to 1% or one unit of the last digit, but not
 * to more than half of it. */
static int check_distance(struct text_times *times, uint64_t line, struct moment moment,
                          struct error *error)
{
    const int64_t unit = time_form_unit(&times->columns->form);
    moment_count distance = moment_to_count(moment) - moment_to_count(times->series.newest);
    int64_t slack;

    if (distance > INT64_MAX)
        distance = INT64_MAX;
    if (times->distance == 0)
        times->distance = (int64_t)distance;
    slack = times->distance / 100 > unit ? times->distance / 100 : unit;
    if (slack > times->distance / 2) /* otherwise a lost row would not be noticed */
        slack = times->distance / 2;
    if (times->distance > 0 && distance <= (moment_count)times->distance + slack &&
        distance >= times->distance - slack)
        return 0;
    return error_set(error, ERROR_ROWS, times->lines->name,
                     "line %llu: its time is %.9g s after the last one, not %.9g s: rows are not "
                     "equally spaced: give --hop, --skip and --frames in rows; --from, --to and "
                     "--zoom take rows at any distance",
                     (unsigned long long)line, (double)distance / MOMENT_SECOND,
                     (double)times->distance / MOMENT_SECOND);
}

bool text_gap_is_long(const struct text_times *times, struct moment before, struct moment after)
{
    const int64_t period = times->lines->dialect->gap_period;

    return period > 0 && !moment_is_before(before, times->columns->begin) &&
           times->lines->dialect->late < INT64_MAX && gap_is_long(period, before, after);
}

enum { ORDER_WORDS = 128, DAY_SECONDS = 86400 };

/* Turns a local time, read as if in UTC, into its moment. In an hour that the clock repeats it is
 * the first moment that does not go back or, where rows may be late, that does not go back far. A
 * repeated time has gone back, too, unless rows have lain closer together than an hour. Returns the
 * fault; NULL if there is none. */
static const char *place_time(struct text_times *times, const struct text_series *series,
                              struct moment *moment)
{
    const bool may_be_late = times->lines->dialect->late > 0;
    const struct local_clock *clock = &times->columns->form.clock;
    const bool midnight = moment->seconds % DAY_SECONDS == 0 && moment->nanoseconds == 0;
    int64_t seconds[2];
    const unsigned count = local_find(clock, moment->seconds, &times->near, seconds);
    moment_count back;

    if (count == 0 && !midnight)
        return "is a time that the clock of this zone skips";
    moment->seconds = seconds[0];
    if (count < 2)
        return NULL;
    times->depends = true;
    back = moment_to_count(series->newest) - moment_to_count(*moment);
    if (series->begun &&
        (back > (may_be_late ? (seconds[1] - seconds[0]) * (MOMENT_SECOND / 2) : 0) ||
         (back == 0 && !series->fine)))
        moment->seconds = seconds[1];
    return NULL;
}

/* May a clock have been set back between two local times without a zone? Clocks are set back at
 * night and by an hour, part of which has passed. */
static bool may_be_set_back(const struct text_times *times, const struct text_series *series,
                            struct moment moment)
{
    enum { NIGHT_SECONDS = 4 * 3600, HOUR_SECONDS = 3600 };
    const struct time_form *form = &times->columns->form;
    const int64_t back = series->newest.seconds - moment.seconds;
    const int64_t of_day = (moment.seconds % DAY_SECONDS + DAY_SECONDS) % DAY_SECONDS;

    return form->kind != TIME_NUMBER && !form->zone && form->clock.zone == NULL &&
           of_day < NIGHT_SECONDS && back >= HOUR_SECONDS / 2 && back <= HOUR_SECONDS;
}

/* Does a row come too late to be put in order? */
static bool is_too_late(const struct text_times *times, const struct text_series *series,
                        struct moment moment)
{
    return series->timed && !times->skips && !times->lines->dialect->any_order &&
           times->lines->dialect->late < INT64_MAX && moment_is_before(moment, series->newest) &&
           moment_to_count(series->newest) - moment_to_count(moment) > times->lines->dialect->late;
}

/* The message for a row that comes too late. */
static const char *say_late(const struct text_times *times, const struct text_series *series,
                            struct moment moment, char words[ORDER_WORDS], const char **advice)
{
    const bool keyed = times->columns->keyed;

    if (times->lines->dialect->late > 0) {
        *advice = ": give a longer --late (see --bad-lines)";
        if (!times->lines->terse)
            snprintf(words, ORDER_WORDS, "is %.9g s before the newest row",
                     (double)(moment_to_count(series->newest) - moment_to_count(moment)) /
                         MOMENT_SECOND);
        return words;
    }
    if (may_be_set_back(times, series, moment)) {
        *advice = ": if the clock was set back there, --time-zone (Europe/Berlin) tells its two "
                  "hours apart (--late all sorts rows, --by COLUMN takes several series; "
                  "see --bad-lines)";
        return "is before the time of the last row";
    }
    *advice = keyed ? " (--late all sorts rows, on a pipe --late LEN; see --bad-lines)"
                    : " (--late all sorts rows, on a pipe --late LEN; --by COLUMN takes "
                      "several series; see --bad-lines)";
    return keyed ? "is before the time of the last row with its key"
                 : "is before the time of the last row";
}

static const char other_form[] = "has a different form from the times before it";

/* The message for a time that cannot be read. It names the form if the look found it. */
static const char *say_form(const struct text_times *times, const struct text_field *text,
                            char words[ORDER_WORDS])
{
    const struct time_form *form = &times->columns->form;
    struct time_form other;

    if (form->kind == TIME_FORMAT && times->lines->dialect->time_format != NULL)
        return "is not a time";
    if (form->kind != TIME_FORMAT)
        return time_form_find(&other, TIME_S, form->decimal, NULL, text->start, text->end)
                   ? other_form
                   : "is not a time";
    snprintf(words, ORDER_WORDS, "is not a time in the form %s, which the first one has",
             form->format);
    return words;
}

enum text_next text_take_time(struct text_times *times, const struct text_series *series,
                              uint64_t line, const struct text_field *fields, struct moment *moment,
                              struct error *error)
{
    struct text_time time;
    enum time_verdict verdict;
    const char *advice = NULL;
    char order[ORDER_WORDS];
    const char *why = NULL;
    bool is_late;

    text_time_join(&time, fields, times->columns->count);
    verdict = time_read(&times->columns->form, time.text.start, time.text.end, moment);
    if (verdict == TIME_NONE)
        why = times->lines->terse ? "" : say_form(times, &time.text, order);
    else if (verdict == TIME_OTHER_FORM)
        why = other_form;
    else if (time_form_is_local(&times->columns->form) &&
             (why = place_time(times, series, moment)) != NULL)
        advice = ": if it was not set forward there, give another --time-zone: UTC, Etc/GMT-1 "
                 "(see --bad-lines)";
    if (verdict == TIME_OTHER_OFFSET && times->offset_line == 0)
        times->offset_line = line;
    is_late = why == NULL && is_too_late(times, series, *moment);
    if (is_late)
        why = say_late(times, series, *moment, order, &advice);
    if (why != NULL) {
        text_wrong_field(times->lines, ERROR_TIME, line, times->columns->column[0] + 1, &time.text,
                         why, advice, error);
        if (is_late && times->lines->dialect->late == 0 && !times->lines->terse &&
            !may_be_set_back(times, series, *moment))
            error_try(error, "--late", "all");
        return TEXT_FAULT;
    }
    if (!series->timed || times->skips)
        return TEXT_RECORD;
    if (times->lines->dialect->by_distance && check_distance(times, line, *moment, error) != 0)
        return TEXT_FAULT;
    if (text_gap_is_long(times, series->newest, *moment)) {
        error_set(
            error, ERROR_ROWS, times->lines->name,
            "line %llu: more than a million intervals without rows lie before it: --gaps skip "
            "leaves them out",
            (unsigned long long)line);
        return TEXT_FAULT;
    }
    return TEXT_RECORD;
}

void text_series_go_on(struct text_series *series, struct moment moment)
{
    const bool later = series->timed && moment_is_before(series->newest, moment);

    if (!series->timed || later)
        series->newest = moment;
    series->begun = true;
    series->timed = true;
}

void text_series_step(struct text_series *series, struct moment moment)
{
    if (series->begun && !series->fine)
        series->fine = moment_to_count(moment) - moment_to_count(series->newest) < MOMENT_HOUR;
}
