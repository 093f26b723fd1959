/* SPDX-License-Identifier: MIT */
/* Times in a format of strptime(). Reading, writing and the unit of a format share the table of
 * conversions. */
#include "format/text/time_parts_priv.h"

#include "format/text/number.h"

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
    const char *format; /* the conversions that it is short for */
    int64_t unit;       /* unit of the last digit, if it is less than a day */
    enum time_element element;
    unsigned least;   /* digits that are read, at least */
    unsigned most;    /* digits that are read, at most, and written */
    unsigned count;   /* number of names */
    unsigned first;   /* value of the element for the first name */
    unsigned letters; /* letters that are written, at most */
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

/* A place in a format, and the place after a conversion that is short for several conversions. */
struct format_place {
    const char *at;
    const char *behind;
};

/* The next character, or the letter of a conversion; NUL at the end. */
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

/* Takes a whole name, or its first three letters, in upper or lower case. */
static bool take_name(struct reading *reading, const struct conversion *conversion)
{
    for (unsigned i = 0; i < conversion->count; i++) {
        const char *name = conversion->names[i];

        reading->element[conversion->element] = conversion->first + i;
        if (reading_take_word(reading, name, strlen(name)) ||
            reading_take_word(reading, name, LETTERS_SHORT))
            return true;
    }
    return false;
}

static bool take_count(struct reading *reading)
{
    const bool minus = reading_take(reading, '-');
    const char *from = reading->at;

    while (reading_is_digit(reading) && reading->at - from < 17)
        reading->count = reading->count * 10 + (*reading->at++ - '0');
    reading->count = minus ? -reading->count : reading->count;
    reading->counted = true;
    reading->form->zone = true;
    return reading->at > from;
}

/* The number of digits of minutes and seconds that follow without a sign between. */
static unsigned digits_behind(struct format_place place)
{
    unsigned digits = 0;
    bool is_conversion;

    for (char next = next_of(&place, &is_conversion); is_conversion && (next == 'M' || next == 'S');
         next = next_of(&place, &is_conversion))
        digits += 2;
    return digits;
}

/* Takes an hour or a minute. Numbers without signs between, "%H%M", are read from the right if
 * digits are missing: 130 is 1:30, and 5 is 0:05. */
static bool take_clock(struct reading *reading, const struct format_place *place, unsigned *number)
{
    const unsigned behind = *place->at == '%' ? digits_behind(*place) : 0;
    size_t digits = 0;

    while (behind > 0 && digits < behind + 2 && reading->at + digits < reading->end &&
           reading->at[digits] >= '0' && reading->at[digits] <= '9')
        digits++;
    if (behind > 0 && digits < behind + 2)
        return reading_take_digits(reading, 0, digits > behind ? 1 : 0, number);
    return reading_take_digits(reading, 1, 2, number);
}

static bool take_conversion(struct reading *reading, const struct format_place *place, char letter)
{
    const struct conversion *conversion = &conversions[(unsigned char)letter];
    unsigned *number = &reading->element[conversion->element];

    if (conversion->names != NULL)
        return take_name(reading, conversion);
    switch (letter) {
    case 'f':
        return reading_take_fraction(reading);
    case 'z':
    case 'Z':
        return reading_take_zone(reading);
    case 's':
        return take_count(reading);
    case '%':
        return reading_take(reading, '%');
    case 'n':
    case 't':
        reading_pass_blanks(reading);
        return true;
    default:
        if (conversion->element == DAY)
            reading_pass_blanks(reading);
        if (conversion->unit >= MOMENT_MINUTE
                ? !take_clock(reading, place, number)
                : !reading_take_digits(reading, conversion->least, conversion->most, number))
            return false;
        if (letter == 'y')
            *number += *number < 69 ? 2000 : 1900;
        return *number > 0 || (letter != 'I' && letter != 'j');
    }
}

bool time_read_format(struct time_form *form, const char *text, const char *end,
                      struct moment *moment)
{
    struct reading reading = reading_begin(form, text, end);
    struct format_place place = {.at = form->format};
    bool is_conversion;

    for (char next; (next = next_of(&place, &is_conversion)) != '\0';) {
        if (!is_conversion && (next == ' ' || next == '\t'))
            reading_pass_blanks(&reading);
        else if (is_conversion ? !take_conversion(&reading, &place, next)
                               : !reading_take(&reading, next))
            return false;
    }
    return reading_end(&reading, moment);
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
        return time_put_year(text, number);
    case 'e':
        *text = ' ';
        return time_put_digits(text + (number < 10), number, number < 10 ? 1 : 2);
    case 'f':
        return time_put_fraction(text, writing->nanosecond, FRACTION, digits > 1 ? digits : 1);
    case 's':
        return text + number_write_i64(text, writing->moment.seconds);
    case 'z':
    case 'Z':
        return time_put_offset(writing, text);
    case '%':
    case 'n':
    case 't':
        *text = (char)(letter == '%' ? '%' : ' ');
        return text + 1;
    default:
        return time_put_digits(text, number, conversion->most);
    }
}

char *time_write_format(struct writing *writing, char *text)
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
