/* The forms of times. Reading and writing share the elements of a time, the signs between those of
 * ISO 8601, the sizes of units, and the table of conversions. */
#include "format/text/time_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format/text/decimal.h"
#include "format/text/number.h"

/* The first six are those of ISO 8601, in its order. */
enum time_element {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    ISO_ELEMENTS,
    HOUR_OF_12 = ISO_ELEMENTS, /* 0: not said */
    AFTERNOON,                 /* 1: it is */
    DAY_OF_YEAR,               /* 0: not said */
    WEEKDAY,
    ELEMENTS
};

enum { FRACTION = 9 }; /* digits of a second */

/* ---- reading ---- */

struct reading {
    const char *at; /* what is still to be read */
    const char *end;
    struct time_form *form; /* gets its zone and its digits */

    /* What has been read: */
    unsigned element[ELEMENTS];
    uint32_t nanosecond; /* or a whole second */
    bool counted;        /* seconds since 1970 were given instead of a date */
    int64_t count;
};

/* What a text does not say is that of the beginning of 1970 in UTC. */
static struct reading begin(struct time_form *form, const char *text, const char *end)
{
    form->zone = false;
    form->offset = '\0';
    form->clock.offset = 0;
    form->digits = 0;
    return (struct reading){.at = text, .end = end, .form = form, .element = {1970, 1, 1}};
}

static bool is_digit(const struct reading *reading)
{
    return reading->at < reading->end && *reading->at >= '0' && *reading->at <= '9';
}

static bool is_next(const struct reading *reading, char character)
{
    return reading->at < reading->end && *reading->at == character;
}

static bool take(struct reading *reading, char character)
{
    const bool found = is_next(reading, character);

    reading->at += found;
    return found;
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
    while (is_next(reading, ' ') || is_next(reading, '\t'))
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

/* In nanoseconds, rounded to the nearest: it may be a whole second. */
static bool take_fraction(struct reading *reading)
{
    uint32_t nanosecond = 0;
    unsigned count = 0;

    for (; is_digit(reading); reading->at++, count++) {
        if (count < FRACTION)
            nanosecond = nanosecond * 10 + (unsigned)(*reading->at - '0');
        else if (count == FRACTION)
            nanosecond += *reading->at >= '5';
    }
    reading->form->digits = count < FRACTION ? count : FRACTION;
    for (unsigned i = count; i < FRACTION; i++)
        nanosecond *= 10;
    reading->nanosecond = nanosecond;
    return count > 0;
}

/* "Z", "UTC", "+01:00", "+0100" or "+01". */
static bool take_zone(struct reading *reading)
{
    struct time_form *form = reading->form;
    unsigned hours;
    unsigned minutes = 0;
    bool west;

    form->zone = true;
    form->offset = 'Z';
    if (take(reading, 'Z') || take(reading, 'z'))
        return true;
    form->offset = 'U';
    if (take_word(reading, "UTC", 3))
        return true;
    west = take(reading, '-');
    if ((!west && !take(reading, '+')) || !take_digits(reading, 2, 2, &hours))
        return false;
    form->offset = (char)(take(reading, ':') ? ':' : is_digit(reading) ? '+' : 'h');
    if (form->offset != 'h' && !take_digits(reading, 2, 2, &minutes))
        return false;
    form->clock.offset = (int32_t)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
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
    const unsigned *element = reading->element;
    const bool carry = reading->nanosecond == MOMENT_SECOND; /* a fraction that was rounded up */
    const unsigned of_12 = element[HOUR_OF_12];
    const unsigned of_year = element[DAY_OF_YEAR];
    struct civil civil = {
        .year = element[YEAR],
        .month = of_year > 0 ? 1 : element[MONTH],
        .day = of_year > 0 ? 1 : element[DAY],
        .hour = of_12 > 0 ? of_12 % 12 + 12 * element[AFTERNOON] : element[HOUR],
        .minute = element[MINUTE],
        .second = element[SECOND],
        .nanosecond = reading->nanosecond,
    };

    if (reading->at != reading->end || of_12 > 12 || !is_valid(&civil) ||
        of_year > 337 + civil_days_of_month(civil.year, 2))
        return false;
    if (carry)
        civil.nanosecond = 0;
    *moment = civil_to_moment(&civil);
    if (of_year > 0)
        moment->seconds += (of_year - 1) * INT64_C(86400);
    if (reading->counted)
        *moment = (struct moment){.seconds = reading->count, .nanoseconds = civil.nanosecond};
    moment->seconds += (carry ? 1 : 0) - reading->form->clock.offset;
    return reading->counted || moment_has_year(*moment);
}

/* ---- writing ---- */

/* What is written of a moment. */
struct writing {
    const struct time_form *form;
    struct moment moment;
    unsigned element[ELEMENTS]; /* what the clock shows */
    uint32_t nanosecond;
    int32_t offset;
};

/* Each writes digits and returns the end: `width` of them, with zeros before the number; those of
 * a fraction, without zeros at the end beyond the first `least`. */

static char *put_digits(char *text, uint64_t number, unsigned width)
{
    for (unsigned i = width; i-- > 0; number /= 10)
        text[i] = (char)('0' + number % 10);
    return text + width;
}

static char *put_fraction(char *text, uint64_t number, unsigned width, unsigned least)
{
    for (; width > least && number % 10 == 0; width--)
        number /= 10;
    return put_digits(text, number, width);
}

/* The end of the last interval may lie in the year 10000. */
static char *put_year(char *text, unsigned year)
{
    return put_digits(text, year, year > 9999 ? 5 : 4);
}

static char *put_part(char *text, char before, unsigned number, bool unpadded)
{
    if (before != '\0')
        *text++ = before;
    if (unpadded && number < 10)
        return put_digits(text, number, 1);
    return put_digits(text, number, 2); /* a constant: it has no loop then */
}

/* "+01:00", or "Z" */
static char *put_offset(const struct writing *writing, char *text)
{
    const struct time_form *form = writing->form;
    const int32_t offset = writing->offset;
    const unsigned seconds = (unsigned)(offset < 0 ? -offset : offset);
    const bool colon = form->offset == ':' || (form->kind == TIME_ISO && form->dash != '\0' &&
                                               (form->offset == 'Z' || form->offset == 'U'));
    const char before = (char)(colon ? ':' : '\0');

    if (offset == 0 && form->offset == 'U')
        return stpcpy(text, "UTC");
    if (offset == 0 && form->offset == 'Z')
        return stpcpy(text, "Z");
    text = put_part(text, offset < 0 ? '-' : '+', seconds / 3600, false);
    if (form->offset != 'h' || seconds % 3600 > 0)
        text = put_part(text, before, seconds / 60 % 60, false);
    if (seconds % 60 > 0) /* of the sun, in the nineteenth century */
        text = put_part(text, before, seconds % 60, false);
    return text;
}

/* ---- ISO 8601 ---- */

/* What stands before an element; NUL: nothing. */
static char sign_before(const struct time_form *form, unsigned element)
{
    return (char)(element == HOUR      ? form->between
                  : form->dash == '\0' ? '\0'
                  : element < HOUR     ? form->dash
                                       : ':');
}

/* Reads elements up to the first that is not there: their number. 0: one of them is wrong. */
static unsigned take_elements(struct reading *reading)
{
    struct time_form *form = reading->form;
    unsigned element;

    form->unpadded = form->short_hour = false;
    if (!take_digits(reading, 4, 4, &reading->element[YEAR]))
        return 0;
    form->dash = (char)(is_next(reading, '-') ? '-' : is_next(reading, '/') ? '/' : '\0');
    for (element = MONTH; element < ISO_ELEMENTS; element++) {
        const bool may_be_short =
            element == HOUR ? form->dash != '\0' : element < HOUR && form->dash == '/';
        const char *from;
        char sign;

        if (element == HOUR)
            form->between = (char)(is_next(reading, ' ') ? ' ' : 'T');
        sign = sign_before(form, element);
        if (sign == '\0' ? !is_digit(reading)
                         : !take(reading, sign) && !(sign == 'T' && take(reading, 't')))
            break;
        from = reading->at;
        if (!take_digits(reading, may_be_short ? 1 : 2, 2, &reading->element[element]))
            return 0;
        if (reading->at - from == 1)
            *(element == HOUR ? &form->short_hour : &form->unpadded) = true;
    }
    return element;
}

/* A date alone needs its dashes, or it would be a number. */
static bool read_iso(struct time_form *form, const char *text, const char *end,
                     struct moment *moment)
{
    struct reading reading = begin(form, text, end);

    form->elements = take_elements(&reading);
    form->kind = form->elements > HOUR ? TIME_ISO : TIME_DATE;
    if (form->elements < DAY || form->elements == MINUTE ||
        (form->kind == TIME_DATE &&
         (reading.at < end || form->dash == '\0' || (form->dash == '/' && form->elements == DAY))))
        return false;
    if (form->elements == ISO_ELEMENTS && (take(&reading, '.') || take(&reading, ',')) &&
        !take_fraction(&reading))
        return false;
    form->apart = is_next(&reading, ' ');
    pass_blanks(&reading);
    if (reading.at < end && !take_zone(&reading))
        return false;
    return take_end(&reading, moment);
}

static char *write_iso(const struct writing *writing, char *text)
{
    const struct time_form *form = writing->form;
    const bool rest = writing->element[SECOND] > 0 || writing->nanosecond > 0;
    unsigned elements = form->elements;

    elements += (elements == DAY && writing->element[DAY] > 1) || (elements == SECOND && rest);
    text = put_year(text, writing->element[YEAR]);
    for (unsigned i = MONTH; i < elements; i++)
        text = put_part(text, sign_before(form, i), writing->element[i],
                        i == HOUR ? form->short_hour : i < HOUR && form->unpadded);
    if (form->kind == TIME_DATE)
        return text;
    if (writing->nanosecond > 0 || form->digits > 0) {
        *text++ = '.';
        text = put_fraction(text, writing->nanosecond, FRACTION, form->digits);
    }
    if (form->zone && form->apart)
        *text++ = ' ';
    return form->zone ? put_offset(writing, text) : text;
}

/* ---- numbers ---- */

/* A unit of numbers is so many times 10^power nanoseconds. With `digits` behind the point a number
 * says every nanosecond. */
static const struct time_size {
    int32_t times;
    int power;
    unsigned digits;
    int64_t nanoseconds;
} time_sizes[TIME_UNITS] = {
    [TIME_S] = {1, 9, 9, MOMENT_SECOND},
    [TIME_MS] = {1, 6, 6, 1000000},
    [TIME_US] = {1, 3, 3, 1000},
    [TIME_NS] = {1, 0, 0, 1},
    [TIME_MIN] = {60, 9, 11, MOMENT_MINUTE},
    [TIME_H] = {3600, 9, 13, MOMENT_HOUR},
    [TIME_D] = {86400, 9, 14, MOMENT_DAY},
};

/* The largest exponent of a number that is a time. */
enum { TIME_EXPONENT = 9999 };

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
    const bool minus = text < end && *text == '-';
    const char *digits = text + (minus || (text < end && *text == '+'));
    const struct decimal decimal = decimal_read(digits, end, form->decimal == ',');
    const struct time_size *unit = &time_sizes[form->unit];
    moment_count number = (moment_count)decimal.digits * unit->times;

    if (decimal.length == 0 || digits + decimal.length != end ||
        abs(decimal.exponent) > TIME_EXPONENT ||
        !scale(&number, decimal.power + decimal.exponent + unit->power))
        return false;
    form->digits = decimal.places <= unit->digits ? decimal.places : 0;
    *moment = moment_from_count(minus ? -number : number);
    return true;
}

/* The fraction of a minute and longer units has no end in most cases: the fewest digits that read
 * back as the same nanoseconds. Sets their number, which is at least that of the form. */
static uint64_t shortest_fraction(const struct time_form *form, uint64_t nanoseconds,
                                  unsigned *digits)
{
    const moment_count unit = time_sizes[form->unit].nanoseconds;
    moment_count power = 1;

    for (*digits = 0;; ++*digits, power *= 10) {
        const moment_count fraction = (nanoseconds * power + unit / 2) / unit;

        if (*digits >= form->digits && (fraction * unit + power / 2) / power == nanoseconds)
            return (uint64_t)fraction;
    }
}

static char *write_number(const struct time_form *form, struct moment moment, char *text)
{
    const struct time_size *unit = &time_sizes[form->unit];
    const moment_count count = moment_to_count(moment);
    const moment_count size = count < 0 ? -count : count;
    uint64_t fraction = (uint64_t)(size % unit->nanoseconds);
    unsigned digits = unit->digits;

    if (count < 0)
        *text++ = '-';
    text += number_write_u64(text, (uint64_t)(size / unit->nanoseconds));
    if (fraction == 0 && form->digits == 0)
        return text;
    *text++ = '.';
    if (unit->times > 1)
        fraction = shortest_fraction(form, fraction, &digits);
    return put_fraction(text, fraction, digits, form->digits);
}

/* ---- formats ---- */

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const half_days[] = {"AM", "PM"};

enum { LETTERS_SHORT = 3, LETTERS_ALL = 9 };

/* What a conversion means. */
struct conversion {
    const char *const *names;
    const char *format; /* what it is short for */
    int64_t unit;       /* of the last digit, if it is less than a day */
    enum time_element element;
    unsigned least;   /* digits that are read, */
    unsigned most;    /* and written */
    unsigned count;   /* of names */
    unsigned first;   /* the element of the first of them */
    unsigned letters; /* that are written, at most */
};

static const struct conversion conversions['z' + 1] = {
    ['Y'] = {.element = YEAR, .least = 4, .most = 4},
    ['y'] = {.element = YEAR, .least = 2, .most = 2},
    ['m'] = {.element = MONTH, .least = 1, .most = 2},
    ['d'] = {.element = DAY, .least = 1, .most = 2},
    ['e'] = {.element = DAY, .least = 1, .most = 2},
    ['j'] = {.element = DAY_OF_YEAR, .least = 1, .most = 3},
    ['H'] = {.element = HOUR, .least = 1, .most = 2, .unit = MOMENT_HOUR},
    ['I'] = {.element = HOUR_OF_12, .least = 1, .most = 2, .unit = MOMENT_HOUR},
    ['M'] = {.element = MINUTE, .least = 1, .most = 2, .unit = MOMENT_MINUTE},
    ['S'] = {.element = SECOND, .least = 1, .most = 2, .unit = MOMENT_SECOND},
    ['b'] = {.element = MONTH, .names = months, .count = 12, .first = 1, .letters = LETTERS_SHORT},
    ['B'] = {.element = MONTH, .names = months, .count = 12, .first = 1, .letters = LETTERS_ALL},
    ['a'] = {.element = WEEKDAY, .names = days, .count = 7, .letters = LETTERS_SHORT},
    ['A'] = {.element = WEEKDAY, .names = days, .count = 7, .letters = LETTERS_ALL},
    ['p'] = {.element = AFTERNOON, .names = half_days, .count = 2, .letters = LETTERS_ALL},
    ['f'] = {.unit = 1},
    ['s'] = {.unit = MOMENT_SECOND},
    ['F'] = {.format = "%Y-%m-%d"},
    ['D'] = {.format = "%m/%d/%y"},
    ['R'] = {.format = "%H:%M", .unit = MOMENT_MINUTE},
    ['T'] = {.format = "%H:%M:%S", .unit = MOMENT_SECOND},
};

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

int64_t time_format_unit(const char *format)
{
    int64_t unit = MOMENT_DAY;

    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at + 2, '%')) {
        const int64_t one = conversions[(unsigned char)at[1]].unit;

        unit = one > 0 && one < unit ? one : unit;
    }
    return unit;
}

/* A place in a format, and where it goes on behind a conversion that is short for several. */
struct format_place {
    const char *at;
    const char *behind;
};

/* The next character; of a conversion its letter. NUL: there is none. */
static char next_of(struct format_place *place, bool *is_conversion)
{
    char next;

    do {
        if (*place->at == '\0' && place->behind != NULL)
            *place = (struct format_place){.at = place->behind};
        next = *place->at;
        *is_conversion = next == '%';
        if (*is_conversion)
            next = *++place->at;
        place->at += next != '\0';
        if (!*is_conversion || conversions[(unsigned char)next].format == NULL)
            return next;
        *place = (struct format_place){conversions[(unsigned char)next].format, place->at};
    } while (true);
}

/* A whole name, or its first three letters, in any case. */
static bool take_name(struct reading *reading, const struct conversion *conversion)
{
    for (unsigned i = 0; i < conversion->count; i++) {
        const char *name = conversion->names[i];

        reading->element[conversion->element] = conversion->first + i;
        if (take_word(reading, name, strlen(name)) || take_word(reading, name, LETTERS_SHORT))
            return true;
    }
    return false;
}

static bool take_count(struct reading *reading)
{
    const bool minus = take(reading, '-');
    const char *from = reading->at;

    while (is_digit(reading) && reading->at - from < 17)
        reading->count = reading->count * 10 + (*reading->at++ - '0');
    reading->count = minus ? -reading->count : reading->count;
    reading->counted = true;
    reading->form->zone = true;
    return reading->at > from;
}

static bool take_conversion(struct reading *reading, char letter)
{
    const struct conversion *conversion = &conversions[(unsigned char)letter];
    unsigned *number = &reading->element[conversion->element];

    if (conversion->names != NULL)
        return take_name(reading, conversion);
    switch (letter) {
    case 'f':
        return take_fraction(reading);
    case 'z':
    case 'Z':
        return take_zone(reading);
    case 's':
        return take_count(reading);
    case '%':
        return take(reading, '%');
    case 'n':
    case 't':
        pass_blanks(reading);
        return true;
    default:
        if (conversion->element == DAY)
            pass_blanks(reading);
        if (!take_digits(reading, conversion->least, conversion->most, number))
            return false;
        if (letter == 'y')
            *number += *number < 69 ? 2000 : 1900;
        return *number > 0 || (letter != 'I' && letter != 'j');
    }
}

static bool read_format(struct time_form *form, const char *text, const char *end,
                        struct moment *moment)
{
    struct reading reading = begin(form, text, end);
    struct format_place place = {.at = form->format};
    bool is_conversion;

    for (char next; (next = next_of(&place, &is_conversion)) != '\0';) {
        if (!is_conversion && (next == ' ' || next == '\t'))
            pass_blanks(&reading);
        else if (is_conversion ? !take_conversion(&reading, next) : !take(&reading, next))
            return false;
    }
    return take_end(&reading, moment);
}

static char *put_conversion(const struct writing *writing, char letter, char *text)
{
    const struct conversion *conversion = &conversions[(unsigned char)letter];
    const unsigned number = writing->element[conversion->element];
    const unsigned digits = writing->form->digits;

    if (conversion->names != NULL)
        return stpncpy(text, conversion->names[number - conversion->first], conversion->letters);
    switch (letter) {
    case 'Y':
        return put_year(text, number);
    case 'e':
        *text = ' ';
        return put_digits(text + (number < 10), number, number < 10 ? 1 : 2);
    case 'f':
        return put_fraction(text, writing->nanosecond, FRACTION, digits > 1 ? digits : 1);
    case 's':
        return text + number_write_i64(text, writing->moment.seconds);
    case 'z':
    case 'Z':
        return put_offset(writing, text);
    case '%':
    case 'n':
    case 't':
        *text = (char)(letter == '%' ? '%' : ' ');
        return text + 1;
    default:
        return put_digits(text, number, conversion->most);
    }
}

static char *write_format(struct writing *writing, char *text)
{
    unsigned *element = writing->element;
    const int64_t day = civil_days(element[YEAR], element[MONTH], element[DAY]);
    struct format_place place = {.at = writing->form->format};
    bool is_conversion;

    element[HOUR_OF_12] = (element[HOUR] + 11) % 12 + 1;
    element[AFTERNOON] = element[HOUR] >= 12;
    element[DAY_OF_YEAR] = (unsigned)(day - civil_days(element[YEAR], 1, 1) + 1);
    element[WEEKDAY] = (unsigned)((day + 4) % 7 + 7) % 7;
    for (char next; (next = next_of(&place, &is_conversion)) != '\0';) {
        if (is_conversion)
            text = put_conversion(writing, next, text);
        else
            *text++ = next;
    }
    return text;
}

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

/* ---- all forms ---- */

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

size_t time_write(const struct time_form *form, struct moment moment, char text[TIME_MOST])
{
    const struct moment local = local_shown(&form->clock, moment);
    const struct civil civil = civil_of_moment(local);
    struct writing writing = {
        .form = form,
        .moment = moment,
        .element = {(unsigned)civil.year, civil.month, civil.day, civil.hour, civil.minute,
                    civil.second},
        .nanosecond = civil.nanosecond,
        .offset = (int32_t)(local.seconds - moment.seconds),
    };

    return (size_t)((form->kind == TIME_NUMBER   ? write_number(form, moment, text)
                     : form->kind == TIME_FORMAT ? write_format(&writing, text)
                                                 : write_iso(&writing, text)) -
                    text);
}

int64_t time_form_unit(const struct time_form *form)
{
    int64_t unit = form->kind == TIME_NUMBER ? time_sizes[form->unit].nanoseconds : MOMENT_SECOND;

    if (form->kind == TIME_DATE)
        return MOMENT_DAY;
    if (form->kind == TIME_FORMAT)
        return time_format_unit(form->format);
    if (form->kind == TIME_ISO && form->elements == SECOND)
        return MOMENT_MINUTE;
    for (unsigned i = 0; i < form->digits; i++)
        unit /= 10;
    return unit;
}

void time_form_for_intervals(struct time_form *form, const struct intervals *intervals)
{
    const bool by_month = intervals->months > 0;
    const int64_t period = by_month ? MOMENT_DAY : intervals->period;

    form->digits = 0; /* as many as each of them needs, */
    if (form->kind == TIME_DATE && !by_month)
        form->elements = HOUR;
    if (form->kind == TIME_DATE && period % MOMENT_DAY != 0) {
        form->kind = TIME_ISO;
        form->elements = ISO_ELEMENTS;
        form->between = 'T';
    }
    if (form->kind == TIME_ISO && period % MOMENT_MINUTE != 0)
        form->elements = ISO_ELEMENTS;
    for (int64_t unit = MOMENT_SECOND; form->kind == TIME_ISO && period % unit != 0; unit /= 10)
        form->digits++; /* or all of them */
}
