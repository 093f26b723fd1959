/* SPDX-License-Identifier: MIT */
#include "format/text/time_readings_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A date alone, and with each clock. A clock that begins like the clock before it is for longer
 * texts. */
#define WITH_CLOCKS(date)                                                                          \
    {                                                                                              \
        date, date " %H:%M", date " %H:%M:%S", date " %H:%M:%S.%f", date " %H:%M:%S,%f",           \
            date " %I:%M %p", date " %I:%M:%S %p", date " %H%M", date " %H%M%S", date "T%H%M%S",   \
            date " %H", date " %H %M", date " %H %M %S"                                            \
    }

enum { CLOCKS = 13, CLOCK_ALONE = 0 };

/* A date with points has its day first, unless its year has two digits only. */
static const char *const formats[][CLOCKS] = {
    WITH_CLOCKS(""),
    WITH_CLOCKS("%d.%m.%Y"),
    WITH_CLOCKS("%d/%m/%Y"),
    WITH_CLOCKS("%m/%d/%Y"),
    WITH_CLOCKS("%d-%m-%Y"),
    WITH_CLOCKS("%m-%d-%Y"),
    WITH_CLOCKS("%d.%m.%y"),
    WITH_CLOCKS("%y.%m.%d"),
    WITH_CLOCKS("%d/%m/%y"),
    WITH_CLOCKS("%m/%d/%y"),
    WITH_CLOCKS("%y/%m/%d"),
    WITH_CLOCKS("%d-%m-%y"),
    WITH_CLOCKS("%m-%d-%y"),
    WITH_CLOCKS("%y-%m-%d"),
    WITH_CLOCKS("%d %b %Y"),
    WITH_CLOCKS("%d-%b-%Y"),
    WITH_CLOCKS("%d-%b-%y"),
    WITH_CLOCKS("%b %d %Y"),
    WITH_CLOCKS("%b %d, %Y"),
    WITH_CLOCKS("%b %Y"),
    WITH_CLOCKS("%a, %d %b %Y"),
    WITH_CLOCKS("%Y.%m.%d"),
    WITH_CLOCKS("%Y%m%d"),
    WITH_CLOCKS("%Y %m %d"),
    WITH_CLOCKS("%Y-%m-%d"),
    WITH_CLOCKS("%Y/%m/%d"),
    {"%a %b %e %H:%M:%S %Y", "%a %b %e %H:%M:%S %Z %Y"},
};

/* The number of runs of blanks in a text. */
static unsigned count_blanks(const char *text, const char *end)
{
    unsigned count = 0;

    for (const char *at = text; at < end; at++)
        count += *at == ' ' && (at + 1 == end || at[1] != ' ');
    return count;
}

/* A blank in a format may stand for no blank, but then "2024-01-012" would be two o'clock. */
static bool fits(struct time_form *form, const char *format, const char *text, const char *end)
{
    return *format != '\0' &&
           count_blanks(format, strchr(format, '\0')) <= count_blanks(text, end) &&
           time_form_find(form, TIME_S, '.', format, text, end);
}

static void find_formats(struct time_readings *readings, const char *text, const char *end)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *found = NULL;

        for (size_t j = 0; j < CLOCKS && formats[i][j] != NULL && readings->count < TIME_READINGS;
             j++) {
            const char *format = formats[i][j] + (formats[i][j][0] == ' ');

            if (found != NULL && strncmp(format, found, strlen(found)) == 0)
                continue;
            if (!fits(&readings->form[readings->count], format, text, end))
                continue;
            readings->clock = i == CLOCK_ALONE;
            readings->count++;
            found = format;
        }
    }
}

static bool reads(const struct time_form *form, const char *text, const char *end,
                  struct moment *moment)
{
    return time_read(form, text, end, moment) <= TIME_OTHER_OFFSET;
}

void time_readings_add(struct time_readings *readings, const char *text, const char *end)
{
    unsigned kept = 0;
    struct moment moment;

    if (!readings->begun) {
        readings->begun = true;
        if (!time_form_find(&readings->form[0], TIME_S, '.', NULL, text, end))
            find_formats(readings, text, end);
        else
            readings->count = readings->form[0].kind != TIME_NUMBER;
        return;
    }
    for (unsigned i = 0; i < readings->count; i++) {
        if (reads(&readings->form[i], text, end, &moment))
            readings->form[kept++] = readings->form[i];
    }
    readings->count = kept;
}

const struct time_form *time_readings_form(const struct time_readings *readings)
{
    const struct time_form *form = readings->form;

    for (unsigned i = 1; i < readings->count; i++) {
        const struct time_form *other = &readings->form[i];
        const size_t length = strlen(other->format);

        if (strncmp(form->format, other->format, length) != 0)
            return NULL;
        form = other; /* a shorter clock, which stands behind a longer clock, is preferred */
    }
    return readings->count > 0 ? form : NULL;
}

void time_readings_say(const struct time_readings *readings, char words[TIME_WORDS])
{
    size_t used = 0;

    words[0] = '\0';
    for (unsigned i = 0; i < readings->count && used < TIME_WORDS; i++) {
        if (readings->form[i].kind == TIME_FORMAT)
            used += (size_t)snprintf(words + used, TIME_WORDS - used, "%s%s",
                                     used == 0 ? "" : " or ", readings->form[i].format);
    }
}

/* The format of digits that look like a date, as 20260101 and 202601 do; NULL if they do not. */
static const char *digits_format(const char *text, const char *end)
{
    static const char *const numbers[] = {[6] = "%Y%m",
                                          [8] = "%Y%m%d",
                                          [10] = "%Y%m%d%H",
                                          [12] = "%Y%m%d%H%M",
                                          [14] = "%Y%m%d%H%M%S"};
    const size_t length = (size_t)(end - text);
    struct time_form form;

    /* Seconds of 2001 to 2029 begin with 10 to 18. */
    if (length >= sizeof numbers / sizeof *numbers || numbers[length] == NULL ||
        (length == 10 || length == 6 ? strncmp(text, "19", 2) != 0 && strncmp(text, "20", 2) != 0
                                     : *text != '1' && *text != '2') ||
        !time_form_find(&form, TIME_S, '.', numbers[length], text, end))
        return NULL;
    return numbers[length];
}

/* ---- what numbers may be ---- */

void time_numbers_add(struct time_numbers *numbers, double value, const char *text, const char *end)
{
    const char *format = digits_format(text, end);
    const double step = fabs(value - numbers->last);
    const double twelfths = 12 * value;

    if (numbers->count++ == 0) {
        numbers->format = format;
        numbers->least = numbers->most = value;
    } else {
        numbers->fine = numbers->fine || step < 2 || step != floor(step);
    }
    numbers->least = fmin(numbers->least, value);
    numbers->most = fmax(numbers->most, value);
    numbers->last = value;
    numbers->dates += format != NULL && (end - text == 10 || end - text == 6);
    numbers->odd = numbers->odd || fabs(twelfths - round(twelfths)) > 12 * 0.0006;
}

enum time_unit time_numbers_unit(const struct time_numbers *numbers)
{
    static const struct {
        double least;
        double most;
        enum time_unit unit;
    } ours[] = {{25569, 73050, TIME_EXCEL},
                {700000, 800000, TIME_MATLAB},
                {2400000, 2500000, TIME_JD},
                {1800, 2100, TIME_YEAR}};

    for (size_t i = 0; numbers->fine && i < sizeof ours / sizeof *ours; i++) {
        if (numbers->least >= ours[i].least && numbers->most <= ours[i].most)
            return ours[i].unit;
    }
    return TIME_S;
}

const char *time_numbers_format(const struct time_numbers *numbers)
{
    return numbers->dates > 0 && numbers->dates < numbers->count ? NULL : numbers->format;
}

/* ---- times that users write ---- */

/* The form of a date, perhaps with a time of day, that has one reading; NULL if it has more, or
 * none. */
static const struct time_form *clear_form(struct time_readings *readings, const char *text,
                                          const char *end)
{
    time_readings_add(readings, text, end);
    return readings->clock ? NULL : time_readings_form(readings);
}

bool time_bound_read(const struct time_form *form, const char *text, struct time_bound *bound)
{
    const char *end = strchr(text, '\0');
    struct time_readings readings = {.begun = false};
    const struct time_form *found = form;

    *bound = (struct time_bound){.date = false};
    if (form->kind == TIME_NUMBER && reads(form, text, end, &bound->moment))
        return true;
    if ((form->kind != TIME_FORMAT || !reads(form, text, end, &bound->moment)) &&
        ((found = clear_form(&readings, text, end)) == NULL ||
         !reads(found, text, end, &bound->moment)))
        return false;
    if (found->zone)
        return true;
    bound->date = strchr(text, ':') == NULL &&
                  moment_floor(bound->moment, MOMENT_DAY).seconds == bound->moment.seconds;
    bound->moment = moment_from_count(local_first(&form->clock, moment_to_count(bound->moment)));
    return true;
}
