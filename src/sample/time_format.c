#include <string.h>
#include <strings.h>

#include "sample/number.h"
#include "sample/time_parts.h"

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};

/* What some conversions are short for. */
static const char *expansion(char conversion)
{
    return conversion == 'T'   ? "%H:%M:%S"
           : conversion == 'R' ? "%H:%M"
           : conversion == 'F' ? "%Y-%m-%d"
           : conversion == 'D' ? "%m/%d/%y"
                               : NULL;
}

/* Walks through a format. What a conversion is short for is no conversion of that kind itself. */
struct walk {
    const char *at;
    const char *rest; /* behind what is walked through for a conversion; NULL: nothing */
};

/* The next character, and whether it is that of a conversion. '\0': the end. */
static char next(struct walk *walk, bool *converts)
{
    for (;;) {
        const char *longer;

        if (*walk->at == '\0' && walk->rest != NULL)
            *walk = (struct walk){.at = walk->rest};
        *converts = *walk->at == '%';
        if (*walk->at == '\0')
            return '\0';
        if (!*converts)
            return *walk->at++;
        walk->at += 2;
        longer = expansion(walk->at[-1]);
        if (longer == NULL)
            return walk->at[-1];
        *walk = (struct walk){.at = longer, .rest = walk->at};
    }
}

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

/* A whole name, or its first three letters, in any case. */
static bool take_name(struct time_reader *reader, const char *const *names, unsigned count,
                      unsigned *index)
{
    for (*index = 0; *index < count; ++*index) {
        const size_t left = (size_t)(reader->end - reader->at);
        const size_t whole = strlen(names[*index]);
        const size_t length = left >= whole && strncasecmp(reader->at, names[*index], whole) == 0
                                  ? whole
                              : left >= 3 && strncasecmp(reader->at, names[*index], 3) == 0 ? 3
                                                                                            : 0;

        if (length > 0) {
            reader->at += length;
            return true;
        }
    }
    return false;
}

static bool take_count(struct time_reader *reader, struct time_parts *parts)
{
    const bool minus = time_take(reader, '-');
    int64_t number = 0;
    unsigned digits = 0;

    for (; time_is_digit(reader) && digits < 17; digits++)
        number = number * 10 + (*reader->at++ - '0');
    parts->counted = true;
    parts->count = minus ? -number : number;
    return digits > 0;
}

static bool take_conversion(struct time_reader *reader, char conversion, struct time_parts *parts)
{
    struct civil *civil = &parts->civil;
    unsigned number;

    switch (conversion) {
    case 'Y':
        if (!time_take_digits(reader, 4, 4, &number))
            return false;
        civil->year = number;
        return true;
    case 'y':
        if (!time_take_digits(reader, 2, 2, &number))
            return false;
        civil->year = number < 69 ? 2000 + number : 1900 + number;
        return true;
    case 'm':
        return time_take_digits(reader, 1, 2, &civil->month);
    case 'd':
    case 'e':
        time_pass_blanks(reader);
        return time_take_digits(reader, 1, 2, &civil->day);
    case 'H':
        return time_take_digits(reader, 1, 2, &civil->hour);
    case 'I':
        parts->half_day = true;
        return time_take_digits(reader, 1, 2, &civil->hour);
    case 'M':
        return time_take_digits(reader, 1, 2, &civil->minute);
    case 'S':
        return time_take_digits(reader, 1, 2, &civil->second);
    case 'f':
        return time_take_fraction(reader, &civil->nanosecond, &parts->digits);
    case 'j':
        return time_take_digits(reader, 1, 3, &parts->day_of_year) && parts->day_of_year > 0 &&
               parts->day_of_year <= 366;
    case 'p':
        if (reader->end - reader->at < 2 || strncasecmp(reader->at + 1, "m", 1) != 0)
            return false;
        parts->afternoon = *reader->at == 'p' || *reader->at == 'P';
        if (!parts->afternoon && *reader->at != 'a' && *reader->at != 'A')
            return false;
        reader->at += 2;
        return true;
    case 'b':
    case 'B':
        if (!take_name(reader, months, 12, &civil->month))
            return false;
        civil->month++;
        return true;
    case 'a':
    case 'A':
        return take_name(reader, days, 7, &number);
    case 'z':
    case 'Z':
        return time_take_zone(reader, parts);
    case 's':
        return take_count(reader, parts);
    case '%':
        return time_take(reader, '%');
    case 'n':
    case 't':
        time_pass_blanks(reader);
        return true;
    default:
        return false;
    }
}

static bool take_by_format(struct time_reader *reader, const char *format, struct time_parts *parts)
{
    struct walk walk = {.at = format};
    bool converts;

    for (char one = next(&walk, &converts); one != '\0'; one = next(&walk, &converts)) {
        if (converts) {
            if (!take_conversion(reader, one, parts))
                return false;
        } else if (one == ' ' || one == '\t') {
            time_pass_blanks(reader);
        } else if (!time_take(reader, one)) {
            return false;
        }
    }
    return true;
}

bool time_format_read(const char *format, const char *text, const char *end, struct moment *moment,
                      unsigned *digits)
{
    struct time_reader reader = {text, end};
    struct time_parts parts = {.civil = {.year = 1970, .month = 1, .day = 1}};
    const bool read = take_by_format(&reader, format, &parts) && reader.at == end &&
                      time_of_parts(&parts, moment);

    *digits = parts.digits < TIME_DIGITS ? parts.digits : TIME_DIGITS;
    return read;
}

/* One conversion. */
static char *put(char conversion, struct moment moment, const struct civil *civil, unsigned digits,
                 char *text)
{
    const int64_t day = civil_days(civil->year, civil->month, civil->day);
    const int64_t new_year = civil_days(civil->year, 1, 1);

    switch (conversion) {
    case 'Y':
        return time_put_digits(text, (uint64_t)civil->year, 4);
    case 'y':
        return time_put_digits(text, (uint64_t)civil->year, 2);
    case 'm':
        return time_put_digits(text, civil->month, 2);
    case 'd':
    case 'e':
        return time_put_digits(text, civil->day, 2);
    case 'H':
        return time_put_digits(text, civil->hour, 2);
    case 'I':
        return time_put_digits(text, (civil->hour + 11) % 12 + 1, 2);
    case 'M':
        return time_put_digits(text, civil->minute, 2);
    case 'S':
        return time_put_digits(text, civil->second, 2);
    case 'f':
        return time_put_fraction(text, civil->nanosecond, digits > 1 ? digits : 1);
    case 'j':
        return time_put_digits(text, (uint64_t)(day - new_year + 1), 3);
    case 'p':
        return stpcpy(text, civil->hour < 12 ? "AM" : "PM");
    case 'b':
        return stpncpy(text, months[civil->month - 1], 3);
    case 'B':
        return stpcpy(text, months[civil->month - 1]);
    case 'a':
        return stpncpy(text, days[((day + 4) % 7 + 7) % 7], 3);
    case 'A':
        return stpcpy(text, days[((day + 4) % 7 + 7) % 7]);
    case 'z':
        return stpcpy(text, "+0000");
    case 'Z':
        return stpcpy(text, "UTC");
    case 's':
        return text + number_write_i64(text, moment.seconds);
    default:
        *text = conversion == '%' ? '%' : ' ';
        return text + 1;
    }
}

size_t time_format_write(const char *format, struct moment moment, unsigned digits,
                         char text[TIME_MOST])
{
    const struct civil civil = civil_of_moment(moment);
    struct walk walk = {.at = format};
    char *at = text;
    bool converts;

    for (char one = next(&walk, &converts); one != '\0'; one = next(&walk, &converts)) {
        if (converts)
            at = put(one, moment, &civil, digits, at);
        else
            *at++ = one;
    }
    return (size_t)(at - text);
}

/* Does a format have one of these conversions? */
static bool has(const char *format, const char *conversions)
{
    struct walk walk = {.at = format};
    bool converts;

    for (char one = next(&walk, &converts); one != '\0'; one = next(&walk, &converts)) {
        if (converts && strchr(conversions, one) != NULL)
            return true;
    }
    return false;
}

int64_t time_format_unit(const char *format)
{
    return has(format, "f")    ? 1
           : has(format, "Ss") ? MOMENT_SECOND
           : has(format, "M")  ? MOMENT_SECOND * INT64_C(60)
           : has(format, "HI") ? MOMENT_SECOND * INT64_C(3600)
                               : MOMENT_DAY;
}
