#include "cli/values.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/source.h"

#define DIGITS "0123456789"

int values_refuse(struct error *error, const struct value *value, const char *format, ...)
{
    char reason[512];
    const char *quote =
        value->text[0] == '\0' || strpbrk(value->text, " \t\r\n") != NULL ? "'" : "";
    const char *dots = strlen(value->text) > VALUES_SHOWN ? "..." : "";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_COMMAND, NULL, "%s %s%.*s%s%s: %s", value->option, quote,
                     VALUES_SHOWN, value->text, dots, quote, reason);
}

void values_append(char *string, size_t size, const char *more)
{
    size_t used = strlen(string);

    snprintf(string + used, size - used, "%s", more);
}

void values_join(const char *const *words, char *string, size_t size)
{
    string[0] = '\0';
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i > 0)
            values_append(string, size, ", ");
        values_append(string, size, words[i]);
    }
}

int values_find(const char *const *words, const char *word, size_t length)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return i;
    }
    return -1;
}

int values_word(const struct value *value, const char *const *words, struct error *error)
{
    int place = values_find(words, value->text, strlen(value->text));
    char list[128];

    if (place >= 0)
        return place;
    values_join(words, list, sizeof list);
    return values_refuse(error, value, "unknown value: use one of %s", list);
}

enum whole {
    WHOLE_FINE,
    WHOLE_NOT,
    WHOLE_TOO_LARGE,
};

enum { EXPONENT_MOST = 6 /* characters */ };

/* The length of the decimal number that the text begins with ("1.5" of "1.5ms"); 0: none. */
static size_t decimal_length(const char *text)
{
    size_t whole = strspn(text, DIGITS);
    size_t part = 0;

    if (text[whole] != '.')
        return whole;
    part = strspn(text + whole + 1, DIGITS);
    return whole + part == 0 ? 0 : whole + 1 + part;
}

/* The suffix of a number: multiplies it by a power of ten, then by `times`. */
struct suffix {
    const char *name;
    int power;
    unsigned times;
};

static const struct suffix times[] = {
    {"us", -6, 1},  {"ms", -3, 1},   {"s", 0, 1},  {"min", 0, 60},
    {"h", 0, 3600}, {"d", 0, 86400}, {NULL, 0, 0},
};
static const struct suffix thousands[] = {
    {"", 0, 1}, {"k", 3, 1}, {"M", 6, 1}, {"G", 9, 1}, {NULL, 0, 0},
};

static const struct suffix *find_suffix(const struct suffix *list, const char *name)
{
    for (; list->name != NULL; list++) {
        if (strcmp(list->name, name) == 0)
            return list;
    }
    return NULL;
}

/* The length of the exponent ("e6" of "2.4e6"); 0: none. */
static size_t exponent_length(const char *text)
{
    size_t sign = 0;
    size_t digits = 0;

    if (text[0] != 'e' && text[0] != 'E')
        return 0;
    sign = text[1] == '+' || text[1] == '-' ? 1 : 0;
    digits = strspn(text + 1 + sign, DIGITS);
    return digits == 0 ? 0 : 1 + sign + digits;
}

bool values_decimal(const char *text, size_t length, uint64_t *number, int *power)
{
    bool behind_point = false;
    unsigned zeros = 0; /* read, but perhaps redundant at the end */

    *number = 0;
    *power = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            behind_point = true;
            continue;
        }
        *power -= behind_point ? 1 : 0;
        zeros++;
        if (text[i] == '0')
            continue;
        for (; zeros > 0 && *number != 0; zeros--) {
            if (*number > UINT64_MAX / 10)
                return false;
            *number *= 10;
        }
        zeros = 0;
        if (*number > UINT64_MAX - (uint64_t)(text[i] - '0'))
            return false;
        *number += (uint64_t)(text[i] - '0');
    }
    *power += (int)zeros;
    return true;
}

/* 512, 10k, 2.5M, 1e6; not 512.0. strtoull() would accept signs, spaces and "0x". */
static enum whole read_whole(const char *text, uint64_t most, uint64_t *number)
{
    size_t length = decimal_length(text);
    size_t exponent = exponent_length(text + length);
    const struct suffix *suffix = find_suffix(thousands, text + length);
    int power;

    if (exponent == 0 && suffix != NULL && suffix->power == 0 && strchr(text, '.') != NULL)
        return WHOLE_NOT;
    if (length == 0 || (suffix == NULL && exponent == 0) ||
        (exponent > 0 && (exponent > EXPONENT_MOST || text[length + exponent] != '\0')))
        return WHOLE_NOT;
    if (!values_decimal(text, length, number, &power))
        return WHOLE_TOO_LARGE;
    if (*number == 0)
        return WHOLE_FINE;
    power += suffix != NULL ? suffix->power : (int)strtol(text + length + 1, NULL, 10);
    if (power < 0)
        return WHOLE_NOT;
    for (; power > 0; power--) {
        if (*number > most / 10)
            return WHOLE_TOO_LARGE;
        *number *= 10;
    }
    return *number > most ? WHOLE_TOO_LARGE : WHOLE_FINE;
}

int values_whole(const struct value *value, uint64_t least, uint64_t most, uint64_t *number,
                 struct error *error)
{
    if (read_whole(value->text, most, number) != WHOLE_FINE || *number < least)
        return values_refuse(error, value, "not a whole number from %llu to %llu",
                             (unsigned long long)least, (unsigned long long)most);
    return 0;
}

/* Appends the power of ten to the digits, so that there is one rounding: 1.1 times 1e3 may differ
 * from 1100. Returns infinity if the number is too large or too long. */
static double scaled(const char *text, size_t length, int power)
{
    char number[256];

    if (length >= 250)
        return INFINITY;
    snprintf(number, sizeof number, "%.*se%d", (int)length, text, power);
    return strtod(number, NULL);
}

int values_length(const struct value *value, const char *what, struct span *span,
                  struct error *error)
{
    const char *text = value->text;
    size_t number = decimal_length(text);
    const struct suffix *unit = number > 0 ? find_suffix(times, text + number) : NULL;
    struct span length = {.given = true, .text = text};

    snprintf(length.option, sizeof length.option, "%s", value->option);
    switch (read_whole(text, INT64_MAX, &length.frames)) {
    case WHOLE_FINE:
        if (what != NULL && length.frames == 0)
            return values_refuse(error, value, "%s has 1 frame or more", what);
        *span = length;
        return 0;
    case WHOLE_TOO_LARGE:
        return values_refuse(error, value, "too large");
    case WHOLE_NOT:
        break;
    }
    if (text[0] == '-' && decimal_length(text + 1) > 0)
        return values_refuse(error, value, "a length cannot be negative");
    if (number > 0 && text[number] == '\0')
        return values_refuse(error, value,
                             "frames are whole numbers; a time needs a unit: us, ms, s, min, h, d");
    if (unit == NULL)
        return values_refuse(
            error, value, "not a length: give frames (512) or a time (10ms; us, ms, s, min, h, d)");
    if (!values_decimal(text, number, &length.time, &length.power))
        return values_refuse(error, value, "%s",
                             memchr(text, '.', number) == NULL ? "too large"
                                                               : "too many digits: 19 are enough");
    length.is_time = true;
    length.power += unit->power;
    length.unit = unit->times;
    *span = length;
    return 0;
}

/* "1/60": whole numbers. */
static bool read_fraction(const char *text, struct rate_ratio *ratio)
{
    const size_t length = strcspn(text, "/");
    char frames[24] = "";
    uint64_t number;
    uint64_t seconds;

    if (text[length] != '/' || length >= sizeof frames)
        return false;
    memcpy(frames, text, length);
    if (read_whole(frames, INT64_MAX, &number) != WHOLE_FINE || number == 0 ||
        read_whole(text + length + 1, INT64_MAX, &seconds) != WHOLE_FINE || seconds == 0)
        return false;
    *ratio = rate_ratio(number, seconds);
    return true;
}

/* "60s": the time of a frame. */
static bool read_period(const char *text, struct rate_ratio *ratio)
{
    const size_t length = decimal_length(text);
    const struct suffix *unit = length > 0 ? find_suffix(times, text + length) : NULL;
    uint64_t frames = 1;
    uint64_t seconds;
    int power;

    if (unit == NULL || !values_decimal(text, length, &seconds, &power) || seconds == 0 ||
        seconds > INT64_MAX / 86400)
        return false;
    seconds *= unit->times;
    for (power += unit->power; power != 0; power += power < 0 ? 1 : -1) {
        if (__builtin_mul_overflow(power < 0 ? frames : seconds, 10,
                                   power < 0 ? &frames : &seconds))
            return false;
    }
    *ratio = rate_ratio(frames, seconds);
    return true;
}

int values_rate(const struct value *value, double *rate, struct rate_ratio *ratio,
                struct error *error)
{
    const char *text = value->text;
    size_t number = decimal_length(text);
    size_t exponent = exponent_length(text + number);
    const struct suffix *suffix = find_suffix(thousands, text + number);
    double hertz = 0;

    *ratio = (struct rate_ratio){.frames = 0};
    if (number > 0 && suffix != NULL)
        hertz = scaled(text, number, suffix->power);
    else if (number > 0 && exponent > 0 && text[number + exponent] == '\0')
        hertz = strtod(text, NULL);
    else if (read_fraction(text, ratio) || read_period(text, ratio))
        hertz = rate_of(*ratio);
    else
        return values_refuse(error, value,
                             "not a rate: give frames a second (48000, 44.1k, 1/60), or the time "
                             "of one (60s)");
    if (!source_rate_is_sane(hertz))
        return values_refuse(error, value, "a rate is " SOURCE_RATES);
    *rate = hertz;
    return 0;
}

int values_text(const struct value *value, const char *what, const char **text, struct error *error)
{
    if (what != NULL && value->text[0] == '\0')
        return values_refuse(error, value, "%s is missing", what);
    *text = value->text;
    return 0;
}
