/* SPDX-License-Identifier: MIT */
/* The units of times that are numbers, and their names in the headers of columns. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "format/format.h"
#include "format/text/time_form.h"

const char *const time_unit_names[] = {
    [TIME_S] = "s",         [TIME_MS] = "ms",         [TIME_US] = "us", [TIME_NS] = "ns",
    [TIME_MIN] = "min",     [TIME_H] = "h",           [TIME_D] = "d",   [TIME_YEAR] = "year",
    [TIME_EXCEL] = "excel", [TIME_MATLAB] = "matlab", [TIME_JD] = "jd", [TIME_MJD] = "mjd",
    [TIME_UNITS] = NULL,
};

static bool is_in_word(char character)
{
    return isalnum((unsigned char)character) != 0 || (unsigned char)character >= 0x80;
}

/* The beginning of the last word before `end`: behind a character that is not in words, or at the
 * capital of "elapsedMs". */
static const char *last_word(const char *name, const char *end)
{
    const char *at = end;

    while (at > name && is_in_word(at[-1]) &&
           (at == end || islower((unsigned char)at[-1]) == 0 || isupper((unsigned char)*at) == 0))
        at--;
    return at;
}

/* The unit stands before "since" and the word "of": "DaysSince1970" and "day_of_year" are in days.
 */
static const char *end_of_unit(const char *name, const char *end)
{
    for (const char *at = name + 1; at + 2 < end; at++) {
        const bool begins = !is_in_word(at[-1]) || isupper((unsigned char)*at) != 0;
        const bool ends = !is_in_word(at[2]) || isupper((unsigned char)at[2]) != 0;

        if ((at + 5 <= end && strncasecmp(at, "since", 5) == 0) ||
            (begins && ends && strncasecmp(at, "of", 2) == 0))
            return at;
    }
    return end;
}

enum time_unit time_unit_said(const char *name, const char *end)
{
    static const char *const words[] = {
        [TIME_MS] = " ms msec millis millisecond milliseconds",
        [TIME_US] = " us usec micros microsecond microseconds \u00b5s \u03bcs",
        [TIME_NS] = " ns nsec nanos nanosecond nanoseconds",
        [TIME_MIN] = " min mins minute minutes",
        [TIME_H] = " h hr hrs hour hours",
        [TIME_D] = " d day days dayofyear",
        [TIME_MONTHS] = " month months",
        [TIME_YEAR] = " year years",
        [TIME_MATLAB] = " datenum",
        [TIME_JD] = " jd",
        [TIME_MJD] = " mjd",
    };
    const char *word;

    end = end_of_unit(name, end);
    while (end > name && !is_in_word(end[-1]))
        end--;
    word = last_word(name, end);
    for (unsigned unit = 0; unit < sizeof words / sizeof *words; unit++) {
        if (words[unit] != NULL && format_is_among(words[unit], word, (size_t)(end - word)))
            return (enum time_unit)unit;
    }
    return TIME_S;
}
