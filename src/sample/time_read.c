/* Reads times. */
#include <string.h>
#include <strings.h>

#include "sample/time_form.h"
#include "sample/time_names.h"

/* ---- the elements of a time ---- */

struct reading {
    const char *at; /* what is still to be read */
    const char *end;

    /* What has been read: */
    struct civil civil;
    unsigned digits; /* of the fraction */
    int offset;      /* from UTC, in seconds */
    bool afternoon;  /* for 12-hour clocks: */
    bool half_day;
    unsigned day_of_year; /* 0: not said */
    bool counted;         /* seconds since 1970 were given instead of a date */
    int64_t count;
};

static bool is_digit(const struct reading *reading)
{
    return reading->at < reading->end && *reading->at >= '0' && *reading->at <= '9';
}

static bool take(struct reading *reading, char character)
{
    if (reading->at == reading->end || *reading->at != character)
        return false;
    reading->at++;
    return true;
}

/* The first `length` characters of a word, in any case. */
static bool take_word(struct reading *reading, const char *word, size_t length)
{
    if ((size_t)(reading->end - reading->at) < length ||
        strncasecmp(reading->at, word, length) != 0)
        return false;
    reading->at += length;
    return true;
}

static void pass_blanks(struct reading *reading)
{
    while (reading->at < reading->end && (*reading->at == ' ' || *reading->at == '\t'))
        reading->at++;
}

/* From `least` to `most` digits, at most 9. */
static bool take_digits(struct reading *reading, unsigned least, unsigned most, unsigned *number)
{
    unsigned count = 0;

    for (*number = 0; count < most && is_digit(reading); count++)
        *number = *number * 10 + (unsigned)(*reading->at++ - '0');
    return count >= least;
}

static bool take_year(struct reading *reading)
{
    unsigned year;

    if (!take_digits(reading, 4, 4, &year))
        return false;
    reading->civil.year = year;
    return true;
}

/* In nanoseconds, rounded to the nearest: it may be a whole second. */
static bool take_fraction(struct reading *reading)
{
    uint32_t nanoseconds = 0;
    unsigned count = 0;

    for (; is_digit(reading); reading->at++, count++) {
        if (count < TIME_DIGITS)
            nanoseconds = nanoseconds * 10 + (unsigned)(*reading->at - '0');
        else if (count == TIME_DIGITS)
            nanoseconds += *reading->at >= '5';
    }
    reading->digits = count < TIME_DIGITS ? count : TIME_DIGITS;
    for (unsigned i = count; i < TIME_DIGITS; i++)
        nanoseconds *= 10;
    reading->civil.nanosecond = nanoseconds;
    return count > 0;
}

/* "Z", "UTC", "+01:00", "+0100" or "+01". */
static bool take_zone(struct reading *reading)
{
    unsigned hours;
    unsigned minutes = 0;
    bool west;

    if (take(reading, 'Z') || take(reading, 'z') || take_word(reading, "UTC", 3))
        return true;
    west = take(reading, '-');
    if (!west && !take(reading, '+'))
        return false;
    if (!take_digits(reading, 2, 2, &hours))
        return false;
    if ((take(reading, ':') || is_digit(reading)) && !take_digits(reading, 2, 2, &minutes))
        return false;
    if (hours > 23 || minutes > 59)
        return false;
    reading->offset = (int)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
    return true;
}

/* Is there such a date, in the years 1 to 9999, and such a time? Second 60 is one. */
static bool is_valid(const struct civil *civil)
{
    return civil->year >= 1 && civil->year <= 9999 && civil->month >= 1 && civil->month <= 12 &&
           civil->day >= 1 && civil->day <= civil_days_of_month(civil->year, civil->month) &&
           civil->hour <= 23 && civil->minute <= 59 && civil->second <= 60;
}

/* The moment that the whole text means. False if there is more of it, or no such time. */
static bool take_end(const struct reading *reading, struct moment *moment)
{
    struct civil civil = reading->civil;
    const bool carry = civil.nanosecond == MOMENT_SECOND; /* a fraction that was rounded up */

    if (reading->at != reading->end)
        return false;
    if (reading->half_day && (civil.hour < 1 || civil.hour > 12))
        return false;
    if (reading->half_day)
        civil.hour = civil.hour % 12 + (reading->afternoon ? 12 : 0);
    if (reading->day_of_year > 0) {
        unsigned day = reading->day_of_year;

        for (civil.month = 1; civil.month <= 12; civil.month++) {
            if (day <= civil_days_of_month(civil.year, civil.month))
                break;
            day -= civil_days_of_month(civil.year, civil.month);
        }
        civil.day = day;
    }
    if (!is_valid(&civil))
        return false;
    if (carry)
        civil.nanosecond = 0;
    *moment = civil_to_moment(&civil);
    if (reading->counted)
        *moment = (struct moment){.seconds = reading->count, .nanoseconds = civil.nanosecond};
    moment->seconds += (carry ? 1 : 0) - reading->offset;
    return reading->counted || moment_has_year(*moment);
}

/* ---- ISO 8601 ---- */

/* Also "2026-03", a month, and "2026/3/7". */
static bool take_date(struct reading *reading, struct time_form *form)
{
    struct civil *civil = &reading->civil;

    if (!take_year(reading))
        return false;
    form->slashes = take(reading, '/');
    form->basic = !form->slashes && !take(reading, '-');
    if (form->slashes) {
        const char *from = reading->at;
        const bool taken = take_digits(reading, 1, 2, &civil->month) && take(reading, '/') &&
                           take_digits(reading, 1, 2, &civil->day);

        form->unpadded = reading->at - from < 5;
        return taken;
    }
    if (!take_digits(reading, 2, 2, &civil->month))
        return false;
    form->month = !form->basic && reading->at == reading->end;
    civil->day = 1;
    return form->month ||
           ((form->basic || take(reading, '-')) && take_digits(reading, 2, 2, &civil->day));
}

static bool take_clock(struct reading *reading, struct time_form *form)
{
    struct civil *civil = &reading->civil;

    if (!take_digits(reading, 2, 2, &civil->hour) || (!form->basic && !take(reading, ':')) ||
        !take_digits(reading, 2, 2, &civil->minute))
        return false;
    form->no_seconds = form->basic ? !is_digit(reading) : !take(reading, ':');
    if (form->no_seconds)
        return true;
    if (!take_digits(reading, 2, 2, &civil->second))
        return false;
    return (!take(reading, '.') && !take(reading, ',')) || take_fraction(reading);
}

/* Sets kind, between, basic, zone, no_seconds and digits of the form. A date alone is written with
 * its '-', or it would be a number. */
static bool read_iso(struct time_form *form, const char *text, const char *end,
                     struct moment *moment)
{
    struct reading reading = {.at = text, .end = end};

    form->kind = TIME_DATE;
    form->digits = 0;
    form->zone = false;
    if (!take_date(&reading, form))
        return false;
    if (reading.at == end)
        return !form->basic && take_end(&reading, moment);
    form->kind = TIME_ISO;
    form->between = *reading.at == ' ' ? ' ' : 'T';
    if (!take(&reading, 'T') && !take(&reading, ' ') && !take(&reading, 't'))
        return false;
    if (!take_clock(&reading, form))
        return false;
    form->digits = reading.digits;
    pass_blanks(&reading);
    form->zone = reading.at < end;
    if (form->zone && !take_zone(&reading))
        return false;
    return take_end(&reading, moment);
}

/* ---- numbers ---- */

/* Nanoseconds; 10^28 of them are 3 * 10^11 years. */
static const moment_count count_most = (moment_count)10000000000000000 * 1000000000000;

static bool scale(moment_count *number, int power)
{
    for (; power > 0 && *number != 0; power--) {
        if (*number > count_most / 10)
            return false;
        *number *= 10;
    }
    if (power < -40)
        *number = 0;
    for (; power < -1; power++)
        *number /= 10;
    if (power == -1)
        *number = (*number + 5) / 10;
    return *number <= count_most && *number / MOMENT_SECOND < INT64_MAX / 4;
}

/* "-1.5e3", rounded to nanoseconds, half of one away from zero. Sets the digits of the form; to 0
 * if they are more than are kept. */
static bool read_number(struct time_form *form, const char *text, const char *end,
                        struct moment *moment)
{
    struct reading reading = {.at = text, .end = end};
    const bool minus = take(&reading, '-');
    const int digits_most = TIME_DIGITS - 3 * (int)form->unit;
    moment_count number = 0;
    int power = digits_most;
    int digits = 0;
    const char *point = NULL;
    bool any = false;

    if (!minus)
        (void)take(&reading, '+');
    for (;; reading.at++) {
        if (is_digit(&reading)) {
            const bool fits = number < count_most;

            any = true;
            if (fits)
                number = number * 10 + (*reading.at - '0');
            power += (fits ? 0 : 1) - (point != NULL ? 1 : 0);
        } else if (point == NULL && reading.at < end && *reading.at == '.') {
            point = reading.at;
        } else {
            break;
        }
    }
    if (point != NULL)
        digits = (int)(reading.at - point) - 1;
    if (any && (take(&reading, 'e') || take(&reading, 'E'))) {
        const bool negative = take(&reading, '-');
        unsigned exponent;

        if (!negative)
            (void)take(&reading, '+');
        if (!take_digits(&reading, 1, 4, &exponent))
            return false;
        power += negative ? -(int)exponent : (int)exponent;
    }
    if (!any || reading.at != end || !scale(&number, power))
        return false;
    form->digits = digits <= digits_most ? (unsigned)digits : 0;
    *moment = moment_from_count(minus ? -number : number);
    return true;
}

/* ---- formats ---- */

const char *time_format_fault(const char *format)
{
    const char *found = NULL;

    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at + 2, '%')) {
        if (at[1] == '\0' || strchr("aAbBdDefFHIjmMnpRsStTyYzZ%", at[1]) == NULL)
            return at;
        found = at;
    }
    return found == NULL ? format : NULL;
}

static bool take_two(struct reading *reading, unsigned *number)
{
    return take_digits(reading, 1, 2, number);
}

static bool take_day(struct reading *reading)
{
    pass_blanks(reading);
    return take_two(reading, &reading->civil.day);
}

static bool take_short_year(struct reading *reading)
{
    unsigned year;

    if (!take_digits(reading, 2, 2, &year))
        return false;
    reading->civil.year = year < 69 ? 2000 + year : 1900 + year;
    return true;
}

/* A whole name, or its first three letters, in any case. */
static bool take_name(struct reading *reading, const char *const *names, unsigned count,
                      unsigned *index)
{
    for (*index = 0; *index < count; ++*index) {
        const char *name = names[*index];

        if (take_word(reading, name, strlen(name)) || take_word(reading, name, 3))
            return true;
    }
    return false;
}

static bool take_half_day(struct reading *reading)
{
    reading->afternoon = take_word(reading, "PM", 2);
    return reading->afternoon || take_word(reading, "AM", 2);
}

static bool take_count(struct reading *reading)
{
    const bool minus = take(reading, '-');
    int64_t number = 0;
    unsigned digits = 0;

    for (; is_digit(reading) && digits < 17; digits++)
        number = number * 10 + (*reading->at++ - '0');
    reading->counted = true;
    reading->count = minus ? -number : number;
    return digits > 0;
}

static bool take_conversion(struct reading *reading, char conversion)
{
    struct civil *civil = &reading->civil;
    unsigned number;

    switch (conversion) {
    case 'F':
        return take_year(reading) && take(reading, '-') && take_two(reading, &civil->month) &&
               take(reading, '-') && take_day(reading);
    case 'D':
        return take_two(reading, &civil->month) && take(reading, '/') && take_day(reading) &&
               take(reading, '/') && take_short_year(reading);
    case 'R':
    case 'T':
        return take_two(reading, &civil->hour) && take(reading, ':') &&
               take_two(reading, &civil->minute) &&
               (conversion == 'R' || (take(reading, ':') && take_two(reading, &civil->second)));
    case 'Y':
        return take_year(reading);
    case 'y':
        return take_short_year(reading);
    case 'm':
        return take_two(reading, &civil->month);
    case 'd':
    case 'e':
        return take_day(reading);
    case 'I':
        reading->half_day = true;
        return take_two(reading, &civil->hour);
    case 'H':
        return take_two(reading, &civil->hour);
    case 'M':
        return take_two(reading, &civil->minute);
    case 'S':
        return take_two(reading, &civil->second);
    case 'f':
        return take_fraction(reading);
    case 'j':
        return take_digits(reading, 1, 3, &reading->day_of_year) && reading->day_of_year > 0 &&
               reading->day_of_year <= 366;
    case 'p':
        return take_half_day(reading);
    case 'b':
    case 'B':
        if (!take_name(reading, time_months, 12, &civil->month))
            return false;
        civil->month++;
        return true;
    case 'a':
    case 'A':
        return take_name(reading, time_days, 7, &number);
    case 'z':
    case 'Z':
        return take_zone(reading);
    case 's':
        return take_count(reading);
    case '%':
        return take(reading, '%');
    default: /* %n, %t */
        pass_blanks(reading);
        return true;
    }
}

static bool read_format(struct time_form *form, const char *text, const char *end,
                        struct moment *moment)
{
    struct reading reading = {
        .at = text, .end = end, .civil = {.year = 1970, .month = 1, .day = 1}};

    for (const char *at = form->format; *at != '\0'; at++) {
        if (*at == ' ' || *at == '\t')
            pass_blanks(&reading);
        else if (*at == '%' ? !take_conversion(&reading, *++at) : !take(&reading, *at))
            return false;
    }
    form->digits = reading.digits;
    return take_end(&reading, moment);
}

/* ---- all forms ---- */

const char *time_date_format(const char *text, const char *end)
{
    static const struct {
        long digits;
        const char *format;
        const char *words;
    } dates[] = {
        {8, "%Y%m%d", "looks like a date in the form %Y%m%d"},
        {12, "%Y%m%d%H%M", "looks like a date in the form %Y%m%d%H%M"},
        {14, "%Y%m%d%H%M%S", "looks like a date in the form %Y%m%d%H%M%S"},
    };

    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        struct time_form form = {.kind = TIME_FORMAT, .format = dates[i].format};
        struct moment moment;

        if (end - text == dates[i].digits && (*text == '1' || *text == '2') &&
            read_format(&form, text, end, &moment))
            return dates[i].words;
    }
    return NULL;
}

bool time_form_find(struct time_form *form, enum time_unit unit, const char *format,
                    const char *text, const char *end)
{
    struct moment moment;

    *form = (struct time_form){.kind = TIME_FORMAT, .unit = unit, .format = format};
    if (format != NULL)
        return read_format(form, text, end, &moment);
    if (read_iso(form, text, end, &moment))
        return true;
    *form = (struct time_form){.kind = TIME_NUMBER, .unit = unit};
    return read_number(form, text, end, &moment);
}

enum time_verdict time_read(const struct time_form *form, const char *text, const char *end,
                            struct moment *moment)
{
    struct time_form other = *form;
    const bool is_read = form->kind == TIME_FORMAT   ? read_format(&other, text, end, moment)
                         : form->kind == TIME_NUMBER ? read_number(&other, text, end, moment)
                                                     : read_iso(&other, text, end, moment);

    if (is_read && other.kind == form->kind && other.zone == form->zone)
        return TIME_READ;
    if (form->kind == TIME_FORMAT)
        return TIME_NONE;
    return time_form_find(&other, TIME_S, NULL, text, end) ? TIME_OTHER_FORM : TIME_NONE;
}
