/* SPDX-License-Identifier: MIT */
#include "job/settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpu/tally.h"
#include "format/text/number.h"

int settings_refuse(struct error *error, const struct option_value *value, const char *format, ...)
{
    char reason[512];
    const char *quote =
        value->text[0] == '\0' || strpbrk(value->text, " \t\r\n") != NULL ? "'" : "";
    const char *dots = strlen(value->text) > VALUES_SHOWN ? "..." : "";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return USAGE(error, "%s %s%.*s%s%s: %s", value->option, quote, VALUES_SHOWN, value->text, dots,
                 quote, reason);
}

/* number * 10^power / by, rounded to a whole number, half upwards. False if it is 2^63 or more. */
static bool round_quotient(decimal_digits number, int power, decimal_digits by, uint64_t *rounded)
{
    for (; power > 0; power--) {
        if (__builtin_mul_overflow(number, (decimal_digits)10, &number))
            return false;
    }
    *rounded = 0;
    for (; power < 0; power++) {
        if (__builtin_mul_overflow(by, (decimal_digits)10, &by))
            return true; /* `by` is greater than any `number` */
    }
    number = number / by + (number % by >= by - number % by);
    *rounded = (uint64_t)number;
    return number <= INT64_MAX;
}

bool settings_by_clock(const struct settings *settings)
{
    return text_is_timed(&settings->dialect) && settings->zoom.given && settings->zoom.is_time;
}

bool settings_by_window(const struct settings *settings)
{
    return text_is_timed(&settings->dialect) && settings->window.is_time && !settings->zoom.given &&
           !(settings->rate > 0);
}

const char *settings_of_times(const struct settings *settings)
{
    const struct text_dialect *dialect = &settings->dialect;

    return dialect->time_unit_given       ? "--time-unit"
           : dialect->time_format != NULL ? "--time-format"
           : settings->time_zone != NULL  ? "--time-zone"
           : settings->gaps_given         ? "--gaps"
           : settings->gap.given          ? "--gap"
           : dialect->by != NULL          ? "--by"
           : settings->late.given         ? "--late"
                                          : NULL;
}

const struct span *settings_need_rate(const struct settings *settings)
{
    const bool by_times = settings_by_clock(settings) || settings_by_window(settings);
    const struct span *const spans[] = {
        by_times ? NULL : &settings->window,
        by_times ? NULL : &settings->hop,
        text_is_timed(&settings->dialect) ? NULL : &settings->join,
        text_is_timed(&settings->dialect) ? NULL : &settings->least,
        &settings->skip,
        &settings->frames,
        text_is_timed(&settings->dialect) ? NULL : &settings->stats_every,
    };

    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        if (spans[i] != NULL && spans[i]->is_time)
            return spans[i];
    }
    return text_is_timed(&settings->dialect)   ? NULL
           : settings->from.value.text != NULL ? &settings->from
           : settings->to.value.text != NULL   ? &settings->to
                                               : NULL;
}

int settings_check_table(const struct settings *settings, struct error *error)
{
    const struct span *const spans[] = {
        &settings->window, &settings->hop,   &settings->skip, &settings->frames,
        &settings->join,   &settings->least, &settings->late, &settings->stats_every,
        &settings->from,   &settings->to,
    };

    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        const struct span *span = spans[i];

        if (span->minutes && span->power < 0)
            return settings_refuse(error, &span->value,
                                   "may be minutes or hours of a table: give a unit, as in 90.5s");
        if (span->minutes)
            return settings_refuse(error, &span->value,
                                   "may be minutes or hours of a table: give %" PRIu64
                                   "s or %" PRIu64 "min",
                                   (uint64_t)span->time, (uint64_t)span->time);
    }
    return 0;
}

bool settings_many(const struct many *many)
{
    return many->count > 1 || many->list != NULL || many->recursive || many->folder != NULL;
}

bool settings_leads_up(const char *path)
{
    for (size_t length = strcspn(path, "/");; length = strcspn(path, "/")) {
        if (length == 2 && path[0] == '.' && path[1] == '.')
            return true;
        if (path[length] == '\0')
            return false;
        path += length + 1;
    }
}

static const char no_calendar[] = "weeks, months and years are lengths for --zoom and "
                                  "--stats-every only, with --time: give days (30d)";

int settings_period(const struct span *span, int64_t *period, struct error *error)
{
    decimal_digits number = span->time;
    int power = span->power + 9;

    if (span->months > 0)
        return settings_refuse(error, &span->value, no_calendar);
    if (!span->is_time)
        return settings_refuse(error, &span->value,
                               "rows with times need a time, as in 10s or 1min");
    for (; power > 0 && number <= INT64_MAX; power--)
        number *= 10;
    for (; power < 0 && number % 10 == 0 && number > 0; power++)
        number /= 10;
    if (number > INT64_MAX)
        return settings_refuse(error, &span->value, "too large");
    if (power < 0 || number == 0)
        return settings_refuse(error, &span->value, "not a whole number of nanoseconds");
    *period = (int64_t)number;
    return 0;
}

int settings_intervals(const struct span *span, struct intervals *intervals, struct error *error)
{
    *intervals = (struct intervals){.months = span->months, .weeks = span->weeks};
    if (span->given && !span->is_time && span->frames <= 12000000 &&
        strchr(span->value.text, 'M') != NULL)
        return settings_refuse(error, &span->value, "M is a million rows: give 1mo for months");
    if (!span->is_time)
        return 0;
    if (span->months > 0)
        intervals->period = MOMENT_DAY * (span->months == 1 ? 31 : span->months == 3 ? 92 : 366);
    else if (settings_period(span, &intervals->period, error) != 0)
        return -1;
    if (span->weeks && intervals->period != 7 * MOMENT_DAY)
        return settings_refuse(error, &span->value,
                               "the weeks of the calendar are 1w: give days (14d)");
    return 0;
}

/* A time as a multiple of 10^power seconds; false if that does not fit. */
static bool time_in(const struct span *span, int power, decimal_digits *number)
{
    *number = span->time;
    for (int i = power; i < span->power; i++) {
        if (__builtin_mul_overflow(*number, (decimal_digits)10, number))
            return false;
    }
    return true;
}

/* Finds how many times `by` goes into `span`. False if there is a remainder, or one is not a
 * time. */
static bool divide(const struct span *span, const struct span *by, uint64_t *times)
{
    const int power = span->power < by->power ? span->power : by->power;
    decimal_digits number;
    decimal_digits divisor;

    if (!span->is_time || !by->is_time || span->months > 0 || by->months > 0 ||
        !time_in(span, power, &number) || !time_in(by, power, &divisor) || divisor == 0 ||
        number % divisor != 0 || number / divisor > UINT64_MAX)
        return false;
    *times = (uint64_t)(number / divisor);
    return true;
}

int settings_hops(const struct settings *settings, uint64_t *width, uint64_t hop,
                  struct error *error)
{
    const struct option_value *value = &settings->window.value;
    const unsigned long long less = *width / hop * hop;
    struct window window = {.width = *width, .hop = hop};
    uint64_t hops;

    if (!emits_need_sums(&settings->emits) || settings->zoom.given)
        return 0;
    if (settings->window_period > 0)
        return settings_refuse(
            error, value,
            "of rows with times, mean, rms, std, count, first and last need intervals: give "
            "--zoom, or -r if rows are equally far apart");
    if (divide(&settings->window, &settings->hop, &hops) &&
        !__builtin_mul_overflow(hops, hop, width))
        window.width = *width;
    if (tally_suits(&window))
        return 0;
    if (window.width % hop == 0) {
        /* Without --hop ten results a window are usual. */
        for (hops = settings->hop.given ? TALLY_BLOCKS_MOST : 10; *width % hops != 0; hops--)
            ;
        return settings_refuse(
            error, value,
            "mean, rms, std, count, first and last are of windows of at most %d hops: give "
            "--hop %llu",
            TALLY_BLOCKS_MOST, (unsigned long long)(*width / hops));
    }
    return settings_refuse(error, value,
                           "mean, rms, std, count, first and last are of windows of whole hops "
                           "(%llu): give -w %llu, or another --hop",
                           (unsigned long long)hop, less > 0 ? less : (unsigned long long)hop);
}

int settings_span(const struct span *span, double rate, struct rate_ratio ratio, uint64_t least,
                  uint64_t fallback, uint64_t *frames, struct error *error)
{
    const bool is_decimal = ratio.frames == 0;
    decimal_digits product;
    int power = 0;

    if (!span->given) {
        *frames = fallback;
        return 0;
    }
    if (span->months > 0)
        return settings_refuse(error, &span->value, no_calendar);
    if (!span->is_time) {
        if (span->frames < least)
            return settings_refuse(error, &span->value, "must be %llu or more",
                                   (unsigned long long)least);
        *frames = span->frames;
        return 0;
    }
    if (!(rate > 0) || isinf(rate))
        return settings_refuse(error, &span->value,
                               "the rate of the input is not known: give -r HZ, or frames");
    if (is_decimal) {
        char text[NUMBER_MOST + 1];
        struct decimal decimal;

        /* A rate such as 44.1 kHz may not be a double; the fewest digits that give the double, 17
         * at the most, are those that were written. */
        text[number_write_f64(text, rate)] = '\0';
        decimal = decimal_read(text, NULL, false);
        ratio = (struct rate_ratio){.frames = (uint64_t)decimal.digits, .seconds = 1};
        power = decimal.power + decimal.exponent;
    }
    if (__builtin_mul_overflow(span->time, (decimal_digits)ratio.frames, &product))
        return is_decimal ? settings_refuse(error, &span->value,
                                            "too many digits for a rate of %.17g Hz", rate)
                          : settings_refuse(error, &span->value, "too large");
    if (!round_quotient(product, power + span->power, ratio.seconds, frames))
        return settings_refuse(error, &span->value, "too large");
    if (*frames < least)
        return settings_refuse(error, &span->value,
                               "that is %llu frames at %.10g Hz; must be %llu or more",
                               (unsigned long long)*frames, rate, (unsigned long long)least);
    return 0;
}
