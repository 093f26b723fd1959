/* Reads times. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/text/time_form.h"
#include "format/text/time_names_priv.h"

/* ---- the elements of a time ---- */

struct reading {
    const char *at; /* what is still to be read */
    const char *end;

    /* What has been read: */
    struct civil civil;
    unsigned digits; /* of the fraction */
    bool zoned;      /* it says its offset */
    int32_t offset;  /* from UTC, in seconds */
    char offset_as;  /* how that is written: see struct time_form */
    bool afternoon;  /* for 12-hour clocks: */
    bool half_day;
    unsigned day_of_year; /* 0: not said */
    bool counted;         /* seconds since 1970 were given instead of a date */
    int64_t count;
};

/* What a text does not say is that of the beginning of 1970. */
static struct reading begin(const char *text, const char *end)
{
    return (struct reading){.at = text, .end = end, .civil = {.year = 1970, .month = 1, .day = 1}};
}

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
    int32_t sign;

    reading->zoned = true;
    reading->offset_as = 'Z';
    if (take(reading, 'Z') || take(reading, 'z'))
        return true;
    reading->offset_as = 'U';
    if (take_word(reading, "UTC", 3))
        return true;
    sign = take(reading, '-') ? -1 : take(reading, '+') ? 1 : 0;
    if (sign == 0 || !take_digits(reading, 2, 2, &hours))
        return false;
    reading->offset_as = 'h';
    if (take(reading, ':'))
        reading->offset_as = ':';
    else if (is_digit(reading))
        reading->offset_as = '+';
    if (reading->offset_as != 'h' && !take_digits(reading, 2, 2, &minutes))
        return false;
    reading->offset = sign * (int32_t)(hours * 3600 + minutes * 60);
    return hours <= 23 && minutes <= 59;
}

/* Is there such a date, in the years 1 to 9999, and such a time? Second 60 is one, and 24:00, the
 * end of the day. */
static bool is_valid(const struct civil *civil)
{
    const bool ends_day =
        civil->hour == 24 && civil->minute == 0 && civil->second == 0 && civil->nanosecond == 0;

    return civil->year >= 1 && civil->year <= 9999 && civil->month >= 1 && civil->month <= 12 &&
           civil->day >= 1 && civil->day <= civil_days_of_month(civil->year, civil->month) &&
           (civil->hour <= 23 || ends_day) && civil->minute <= 59 && civil->second <= 60;
}

/* The moment that the whole text means. False if there is more of it, or no such time. */
static bool take_end(const struct reading *reading, struct moment *moment)
{
    struct civil civil = reading->civil;
    const bool carry = civil.nanosecond == MOMENT_SECOND; /* a fraction that was rounded up */

    if (reading->at != reading->end || (reading->half_day && (civil.hour < 1 || civil.hour > 12)))
        return false;
    if (reading->half_day)
        civil.hour = civil.hour % 12 + (reading->afternoon ? 12 : 0);
    if (reading->day_of_year > 0) {
        civil.day = reading->day_of_year;
        for (civil.month = 1; civil.month <= 12; civil.month++) {
            const unsigned days = civil_days_of_month(civil.year, civil.month);

            if (civil.day <= days)
                break;
            civil.day -= days;
        }
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

static void keep_zone(struct time_form *form, const struct reading *reading)
{
    form->zone = reading->zoned;
    form->offset = reading->offset_as;
    form->clock.offset = reading->offset;
}

/* ---- ISO 8601 ---- */

static bool take_part(struct reading *reading, char before, unsigned least, unsigned *number)
{
    return (before == '\0' || take(reading, before)) && take_digits(reading, least, 2, number);
}

/* "2026-11-20", "20261120", "2026/3/7", or a month, "2026-03". */
static bool take_date(struct reading *reading, struct time_form *form)
{
    const char *from;
    unsigned least;

    if (!take_year(reading))
        return false;
    form->dash = '\0';
    if (reading->at < reading->end && (*reading->at == '-' || *reading->at == '/'))
        form->dash = *reading->at++;
    least = form->dash == '/' ? 1 : 2;
    from = reading->at;
    if (!take_part(reading, '\0', least, &reading->civil.month))
        return false;
    form->month = form->dash == '-' && reading->at == reading->end;
    if (!form->month && !take_part(reading, form->dash, least, &reading->civil.day))
        return false;
    form->unpadded = form->dash == '/' && reading->at - from < 5;
    return true;
}

static bool take_clock(struct reading *reading, struct time_form *form)
{
    const char colon = form->dash == '\0' ? '\0' : ':';
    const char *from = reading->at;

    if (!take_part(reading, '\0', colon == '\0' ? 2 : 1, &reading->civil.hour))
        return false;
    form->short_hour = reading->at - from == 1;
    if (!take_part(reading, colon, 2, &reading->civil.minute))
        return false;
    form->no_seconds = colon == '\0' ? !is_digit(reading) : !take(reading, colon);
    if (form->no_seconds)
        return true;
    return take_part(reading, '\0', 2, &reading->civil.second) &&
           ((!take(reading, '.') && !take(reading, ',')) || take_fraction(reading));
}

/* A date alone needs its dashes, or it would be a number. */
static bool read_iso(struct time_form *form, const char *text, const char *end,
                     struct moment *moment)
{
    struct reading reading = begin(text, end);

    form->kind = TIME_DATE;
    form->digits = 0;
    form->zone = false;
    if (!take_date(&reading, form))
        return false;
    if (reading.at == end)
        return form->dash != '\0' && take_end(&reading, moment);
    form->kind = TIME_ISO;
    form->between = take(&reading, ' ') ? ' ' : 'T';
    if (form->between == 'T' && !take(&reading, 'T') && !take(&reading, 't'))
        return false;
    if (!take_clock(&reading, form))
        return false;
    form->digits = reading.digits;
    form->apart = reading.at < end && *reading.at == ' ';
    pass_blanks(&reading);
    if (reading.at < end && !take_zone(&reading))
        return false;
    keep_zone(form, &reading);
    return take_end(&reading, moment);
}

/* ---- numbers ---- */

/* A quarter of the seconds that a moment can hold, in nanoseconds. */
static const moment_count count_most = (moment_count)(INT64_MAX / 4) * MOMENT_SECOND;

/* Multiplies by a power of ten, and rounds half up. False: it is too large. */
static bool scale(moment_count *number, int power)
{
    for (; power > 0 && *number != 0; power--) {
        if (*number > count_most / 10)
            return false;
        *number *= 10;
    }
    for (; power < 0 && *number != 0; power++)
        *number = (*number + (power == -1 ? 5 : 0)) / 10;
    return *number < count_most;
}

/* "-1.5e3", rounded to nanoseconds, half of one away from zero. Sets the digits of the form; to 0
 * if they are more than are kept. */
static bool read_number(struct time_form *form, const char *text, const char *end,
                        struct moment *moment)
{
    struct reading reading = {.at = text, .end = end};
    const bool minus = take(&reading, '-');
    const struct time_size *unit = &time_sizes[form->unit];
    moment_count number = 0;
    int power = (int)unit->power;
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
        } else if (point == NULL && reading.at < end &&
                   (*reading.at == '.' || *reading.at == form->decimal)) {
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
    number *= unit->times; /* of which there are 10^28 at most */
    if (!any || reading.at != end || !scale(&number, power))
        return false;
    form->digits = digits <= (int)unit->digits ? (unsigned)digits : 0;
    *moment = moment_from_count(minus ? -number : number);
    return true;
}

/* ---- formats ---- */

const char time_conversions[] =
    "%Y %y %m %d %e %j %b %B %a %A %H %I %p %M %S %f %z %Z %s %F %T %R %D %n %t %%";

const char *time_format_fault(const char *format)
{
    const char *found = NULL;

    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at + 2, '%')) {
        const char conversion[] = {'%', at[1], '\0'};

        if (at[1] == '\0' || strstr(time_conversions, conversion) == NULL)
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
    const char *from = reading->at;

    while (is_digit(reading) && reading->at - from < 17)
        reading->count = reading->count * 10 + (*reading->at++ - '0');
    reading->count = minus ? -reading->count : reading->count;
    reading->counted = true;
    reading->zoned = true;
    return reading->at > from;
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
    struct reading reading = begin(text, end);

    for (const char *at = form->format; *at != '\0'; at++) {
        if (*at == ' ' || *at == '\t')
            pass_blanks(&reading);
        else if (*at == '%' ? !take_conversion(&reading, *++at) : !take(&reading, *at))
            return false;
    }
    form->digits = reading.digits;
    keep_zone(form, &reading);
    return take_end(&reading, moment);
}

/* ---- all forms ---- */

/* Adds the format if the text is written so. */
static void try_format(const char *format, const char *text, const char *end,
                       char formats[TIME_FORMATS])
{
    struct time_form form = {.kind = TIME_FORMAT, .format = format};
    const size_t used = strlen(formats);
    struct moment moment;

    if (read_format(&form, text, end, &moment))
        (void)snprintf(formats + used, TIME_FORMATS - used, "%s%s", used > 0 ? " or " : "", format);
}

const char *time_date_format(const char *text, const char *end, char formats[TIME_FORMATS])
{
    static const char *const numbers[] = {
        [8] = "%Y%m%d", [10] = "%Y%m%d%H", [12] = "%Y%m%d%H%M", [14] = "%Y%m%d%H%M%S"};
    static const char *const dates[] = {
        "",         "%d.%m.%Y",  "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y",
        "%d.%m.%y", "%d/%m/%y",  "%m/%d/%y", "%d %b %Y", "%d-%b-%Y",
        "%b %d %Y", "%b %d, %Y", "%b %Y",    "%d-%b-%y", "%a, %d %b %Y",
        "%Y.%m.%d", "%Y%m%d",    "%Y %m %d", "%Y-%m-%d", "%a %b %d %H:%M:%S %Y"};
    static const char *const clocks[] = {
        "",         " %H:%M",       " %H:%M:%S",    " %I:%M %p", " %H%M%S", " %I:%M:%S %p",
        "T%H%M%S",  " %H:%M:%S.%f", " %H:%M:%S,%f", " %H",       " %H%M",   " %H %M",
        " %H %M %S"};
    const size_t length = (size_t)(end - text);
    size_t digits = 0;

    formats[0] = '\0';
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (digits == length) {
        if (length < sizeof numbers / sizeof *numbers && numbers[length] != NULL &&
            (length == 10 ? strncmp(text, "19", 2) == 0 || strncmp(text, "20", 2) == 0
                          : *text == '1' || *text == '2')) /* seconds of 2001 to 2029: 10 to 18 */
            try_format(numbers[length], text, end, formats);
        return formats[0] != '\0' ? formats : NULL;
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks && formats[0] == '\0'; i++) {
        for (size_t j = 0; j < sizeof dates / sizeof *dates; j++) {
            char format[TIME_FORMATS / 2];

            (void)snprintf(format, sizeof format, "%s%s", dates[j], clocks[i]);
            try_format(format + (*format == ' '), text, end, formats);
        }
    }
    return formats[0] != '\0' ? formats : NULL;
}

bool time_form_find(struct time_form *form, enum time_unit unit, char decimal, const char *format,
                    const char *text, const char *end)
{
    struct moment moment;

    *form = (struct time_form){.kind = TIME_FORMAT, .unit = unit, .format = format};
    if (format != NULL)
        return read_format(form, text, end, &moment);
    if (read_iso(form, text, end, &moment))
        return true;
    *form = (struct time_form){.kind = TIME_NUMBER, .unit = unit, .decimal = decimal};
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
        return other.clock.offset == form->clock.offset ? TIME_READ : TIME_OTHER_OFFSET;
    if (form->kind == TIME_FORMAT)
        return TIME_NONE;
    return time_form_find(&other, TIME_S, form->decimal, NULL, text, end) ? TIME_OTHER_FORM
                                                                          : TIME_NONE;
}
