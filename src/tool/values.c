/* SPDX-License-Identifier: MIT */
#include "tool/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory_text.h"
#include "format/source.h"
#include "format/text/number.h"
#include "tool/others_priv.h"

void values_append(char *string, size_t size, const char *more)
{
    size_t used = strlen(string);

    snprintf(string + used, size - used, "%s", more);
}

int values_find(const char *const *words, const char *word, size_t length)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return i;
    }
    return -1;
}

char *values_list(const char *const *words)
{
    struct memory_text list = {.bytes = NULL};

    for (size_t i = 0; words[i] != NULL; i++)
        memory_text_print(&list, "%s%s", i > 0 ? ", " : "", words[i]);
    return memory_text_take(&list, NULL);
}

int values_word(const struct option_value *value, const char *const *words, struct error *error)
{
    const int place = values_find(words, value->text, strlen(value->text));
    char *list = place < 0 ? values_list(words) : NULL;

    if (place < 0)
        settings_refuse(error, value, "unknown value: use one of %s", list != NULL ? list : "...");
    free(list);
    return place;
}

/* ---- numbers ---- */

/* The suffix of a number: multiplies it by a power of ten, then by `times`. */
struct suffix {
    const char *name;
    int power;
    unsigned times;
};

static const struct suffix times[] = {
    {"us", -6, 1},      {"usec", -6, 1},    {"ms", -3, 1},       {"msec", -3, 1},
    {"s", 0, 1},        {"sec", 0, 1},      {"secs", 0, 1},      {"second", 0, 1},
    {"seconds", 0, 1},  {"min", 0, 60},     {"mins", 0, 60},     {"minute", 0, 60},
    {"minutes", 0, 60}, {"h", 0, 3600},     {"hr", 0, 3600},     {"hrs", 0, 3600},
    {"hour", 0, 3600},  {"hours", 0, 3600}, {"d", 0, 86400},     {"day", 0, 86400},
    {"days", 0, 86400}, {"w", 0, 604800},   {"week", 0, 604800}, {"weeks", 0, 604800},
    {"\u00b5s", -6, 1}, {"\u03bcs", -6, 1}, {NULL, 0, 0},
};
static const struct suffix hertz[] = {
    {"", 0, 1},     {"k", 3, 1},   {"M", 6, 1},    {"G", 9, 1},    {"Hz", 0, 1},  {"kHz", 3, 1},
    {"MHz", 6, 1},  {"GHz", 9, 1}, {"hz", 0, 1},   {"khz", 3, 1},  {"mhz", 6, 1}, {"Mhz", 6, 1},
    {"ghz", 9, 1},  {"sps", 0, 1}, {"ksps", 3, 1}, {"Msps", 6, 1}, {"S/s", 0, 1}, {"kS/s", 3, 1},
    {"MS/s", 6, 1}, {"SPS", 0, 1}, {"kSPS", 3, 1}, {"MSPS", 6, 1}, {NULL, 0, 0},
};
static const struct suffix thousands[] = {
    {"", 0, 1}, {"k", 3, 1}, {"M", 6, 1}, {"G", 9, 1}, {NULL, 0, 0},
};

/* The suffix that follows the number. Returns NULL if the list does not have it, or if there is an
 * exponent. */
static const struct suffix *find_suffix(const struct suffix *list, const char *text,
                                        const struct decimal *number)
{
    const char *name = text + number->length;

    if (number->length == 0 || (number->length > number->mantissa && *name != '\0'))
        return NULL;
    for (; list->name != NULL; list++) {
        if (strcmp(list->name, name) == 0)
            return list;
    }
    return NULL;
}

enum whole_number {
    WHOLE_FINE,
    WHOLE_NOT,
    WHOLE_TOO_LARGE,
};

/* 512, 10k, 2.5M, 1e6; not 512.0. strtoull() would accept signs, spaces and "0x". */
static enum whole_number read_whole(const char *text, uint64_t most, uint64_t *number)
{
    const struct decimal decimal = decimal_read(text, NULL, false);
    const struct suffix *suffix = find_suffix(thousands, text, &decimal);
    int power;

    if (suffix == NULL || (text[decimal.mantissa] == '\0' && strchr(text, '.') != NULL))
        return WHOLE_NOT;
    if (!decimal.fits)
        return WHOLE_TOO_LARGE;
    *number = (uint64_t)decimal.digits;
    if (*number == 0)
        return WHOLE_FINE;
    power = decimal.power + decimal.exponent + suffix->power;
    if (power < 0)
        return WHOLE_NOT;
    for (; power > 0; power--) {
        if (*number > most / 10)
            return WHOLE_TOO_LARGE;
        *number *= 10;
    }
    return *number > most ? WHOLE_TOO_LARGE : WHOLE_FINE;
}

int values_whole(const struct option_value *value, uint64_t least, uint64_t most, uint64_t *number,
                 struct error *error)
{
    if (read_whole(value->text, most, number) != WHOLE_FINE || *number < least)
        return settings_refuse(error, value, "not a whole number from %llu to %llu",
                               (unsigned long long)least, (unsigned long long)most);
    return 0;
}

bool values_number(const char *text, size_t length, uint64_t least, uint64_t most, uint64_t *number)
{
    char digits[24] = "";

    memcpy(digits, text, length < sizeof digits ? length : 0);
    return read_whole(digits, most, number) == WHOLE_FINE && *number >= least;
}

bool values_pair(const char *text, char sign, uint64_t least, uint64_t most, uint64_t number[2])
{
    const char *at = strchr(text, sign);

    return at != NULL && values_number(text, (size_t)(at - text), least, most, &number[0]) &&
           values_number(at + 1, strlen(at + 1), least, most, &number[1]);
}

/* "1mo", "3mo", "1y". */
static bool read_months(const char *text, struct span *length)
{
    static const struct {
        const char *text;
        unsigned months;
    } lengths[] = {{"1mo", 1}, {"3mo", 3}, {"1y", 12}};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (strcmp(text, lengths[i].text) == 0)
            length->months = lengths[i].months;
    }
    return length->months > 0;
}

/* What an unknown unit may mean: pandas has capitals. Returns NULL if that is not known. */
static const char *unit_meant(const char *unit)
{
    const char *here = others_find(others_table, "length", unit, strlen(unit));

    if (here != NULL)
        return here;
    for (size_t i = 0; times[i].name != NULL; i++) {
        if (strcasecmp(times[i].name, unit) == 0)
            return times[i].name;
    }
    return NULL;
}

/* Adds digits * 10^power to a sum of 10^length->power each. */
static bool add_seconds(struct span *length, decimal_digits digits, int power)
{
    for (; power < length->power; length->power--) {
        if (__builtin_mul_overflow(length->time, (decimal_digits)10, &length->time))
            return false;
    }
    for (; power > length->power; power--) {
        if (__builtin_mul_overflow(digits, (decimal_digits)10, &digits))
            return false;
    }
    return !__builtin_add_overflow(length->time, digits, &length->time);
}

/* "1:30" in minutes and seconds, "1:02:03.5" with hours. */
static bool read_clock(const char *text, struct span *length)
{
    unsigned fields = 1;

    for (const char *colon = strchr(text, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
        fields++;
    length->minutes = fields == 2;
    for (unsigned i = fields; i > 0; i--, text++) {
        const struct decimal number = decimal_read(text, NULL, false);
        const unsigned seconds = i == 3 ? 3600 : i == 2 ? 60 : 1;
        const bool whole = strspn(text, "0123456789") == number.length;

        if (number.length == 0 || !number.fits || number.mantissa < number.length ||
            (i > 1 && !whole) || (i < fields && strtod(text, NULL) >= 60) ||
            !add_seconds(length, number.digits * seconds, number.power))
            return false;
        text += number.length;
        if (*text != (i > 1 ? ':' : '\0'))
            return false;
    }
    return fields == 2 || fields == 3;
}

/* "10ms", "1h30min". */
static bool read_parts(const char *text, struct span *length)
{
    while (*text != '\0') {
        const struct decimal number = decimal_read(text, NULL, false);
        const char *name = text + number.length;
        const size_t size = strcspn(name, "0123456789");
        const struct suffix *unit = times;

        while (unit->name != NULL &&
               (strlen(unit->name) != size || strncmp(unit->name, name, size) != 0))
            unit++;
        if (number.length == 0 || !number.fits || number.mantissa < number.length ||
            unit->name == NULL ||
            !add_seconds(length, number.digits * unit->times, number.power + unit->power))
            return false;
        text = name + size;
    }
    return true;
}

int values_length(const struct option_value *value, const char *what, struct span *span,
                  struct error *error)
{
    const char *text = value->text;
    const struct decimal number = decimal_read(text, NULL, false);
    const struct suffix *unit = find_suffix(times, text, &number);
    const char *meant = number.mantissa > 0 ? unit_meant(text + number.mantissa) : NULL;
    struct span length = {.given = true, .value = *value};

    switch (read_whole(text, INT64_MAX, &length.frames)) {
    case WHOLE_FINE:
        if (what != NULL && length.frames == 0)
            return settings_refuse(error, value, "%s has 1 frame or more", what);
        *span = length;
        return 0;
    case WHOLE_TOO_LARGE:
        return settings_refuse(error, value, "too large");
    case WHOLE_NOT:
        break;
    }
    length.is_time = read_months(text, &length) ||
                     ((strchr(text, ':') != NULL ? read_clock : read_parts)(text, &length) &&
                      text[0] != '\0' && (length.time > 0 || what == NULL));
    length.weeks = unit != NULL && unit->name[0] == 'w';
    if (length.is_time) {
        *span = length;
        return 0;
    }
    if (text[0] == '-' && decimal_read(text + 1, NULL, false).length > 0)
        return settings_refuse(error, value, "a length cannot be negative");
    if (number.length > 0 && text[number.mantissa] == '\0')
        return settings_refuse(
            error, value, "frames are whole numbers; a time needs a unit: us, ms, s, min, h, d, w");
    if (number.length > 0 &&
        (strcmp(text + number.length, "mo") == 0 || strcmp(text + number.length, "y") == 0))
        return settings_refuse(error, value, "lengths of the calendar are 1w, 1mo, 3mo and 1y");
    if (unit == NULL && meant != NULL)
        return settings_refuse(error, value,
                               meant[0] == '\0' ? "a number alone is frames, or rows"
                                                : "unknown unit: did you mean %s?",
                               meant);
    if (unit == NULL && number.length > 0 && text[number.length] == ' ' &&
        text[number.length + 1] != '\0')
        return settings_refuse(error, value, "leave the blank out, as in 10ms");
    if (unit == NULL)
        return settings_refuse(
            error, value,
            "not a length: give frames (512) or a time (10ms; us, ms, s, min, h, d, w)");
    if (number.fits && number.digits == 0)
        return settings_refuse(error, value, "%s is longer than 0", what);
    return settings_refuse(error, value, "%s",
                           strchr(text, '.') == NULL ? "too large"
                                                     : "too many digits: 19 are enough");
}

/* Frames in a second: 44.1k. Infinite if that is too large or too long. The power of ten is
 * appended to the digits, so that there is one rounding: 1.1 times 1e3 may differ from 1100. */
static double read_hertz(const char *text, const struct decimal *decimal,
                         const struct suffix *suffix)
{
    char number[256];

    if (decimal->mantissa >= 240)
        return INFINITY;
    snprintf(number, sizeof number, "%.*se%d", (int)decimal->mantissa, text,
             decimal->exponent + suffix->power);
    return strtod(number, NULL);
}

/* "60s": the time of a frame. */
static bool read_period(const char *text, const struct decimal *decimal, struct rate_ratio *ratio)
{
    const struct suffix *unit = find_suffix(times, text, decimal);
    uint64_t frames = 1;
    uint64_t seconds = (uint64_t)decimal->digits;

    if (unit == NULL || !decimal->fits || seconds == 0 || seconds > INT64_MAX / 604800)
        return false;
    seconds *= unit->times;
    for (int power = decimal->power + unit->power; power != 0; power += power < 0 ? 1 : -1) {
        if (__builtin_mul_overflow(power < 0 ? frames : seconds, 10,
                                   power < 0 ? &frames : &seconds))
            return false;
    }
    *ratio = rate_ratio(frames, seconds);
    return true;
}

int values_rate(const struct option_value *value, double *rate, struct rate_ratio *ratio,
                struct error *error)
{
    const char *text = value->text;
    const struct decimal decimal = decimal_read(text, NULL, false);
    const struct suffix *suffix = find_suffix(hertz, text, &decimal);
    uint64_t fraction[2];

    *ratio = (struct rate_ratio){.frames = 0};
    if (values_pair(text, '/', 1, INT64_MAX, fraction))
        *ratio = rate_ratio(fraction[0], fraction[1]);
    else if (suffix == NULL && !read_period(text, &decimal, ratio))
        return settings_refuse(error, value,
                               "not a rate: give frames a second (48000, 44.1k, 1/60), or the time "
                               "of one (60s)");
    *rate = suffix != NULL ? read_hertz(text, &decimal, suffix) : rate_of(*ratio);
    if (!source_rate_is_sane(*rate))
        return settings_refuse(error, value, "a rate is " SOURCE_RATES);
    return 0;
}

int values_text(const struct option_value *value, const char *what, const char **text,
                struct error *error)
{
    if (what != NULL && value->text[0] == '\0')
        return settings_refuse(error, value, "%s is missing", what);
    *text = value->text;
    return 0;
}
