/* Writes times, and knows how precisely. */
#include <string.h>

#include "format/text/number.h"
#include "format/text/time_form.h"
#include "format/text/time_names_priv.h"

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
static char *put_year(char *text, int64_t year)
{
    return put_digits(text, (uint64_t)year, year > 9999 ? 5 : 4);
}

static char *put_part(char *text, char before, unsigned number, bool unpadded)
{
    if (before != '\0')
        *text++ = before;
    if (unpadded && number < 10)
        return put_digits(text, number, 1);
    return put_digits(text, number, 2); /* a constant: it has no loop then */
}

/* What is written of a moment. */
struct shown {
    struct moment moment;
    struct civil civil; /* what the clock shows */
    int32_t offset;
};

/* "+01:00", or "Z" */
static char *put_offset(const struct time_form *form, int32_t offset, char *text)
{
    const unsigned seconds = (unsigned)(offset < 0 ? -offset : offset);
    const bool colon = form->offset == ':' || (form->kind == TIME_ISO && form->dash != '\0' &&
                                               (form->offset == 'Z' || form->offset == 'U'));

    if (offset == 0 && form->offset == 'U')
        return stpcpy(text, "UTC");
    if (offset == 0 && form->offset == 'Z')
        return stpcpy(text, "Z");
    text = put_part(text, offset < 0 ? '-' : '+', seconds / 3600, false);
    if (form->offset != 'h' || seconds % 3600 > 0)
        text = put_part(text, colon ? ':' : '\0', seconds / 60 % 60, false);
    if (seconds % 60 > 0) /* of the sun, in the nineteenth century */
        text = put_part(text, colon ? ':' : '\0', seconds % 60, false);
    return text;
}

static char *write_iso(const struct time_form *form, const struct shown *shown, char *text)
{
    const struct civil *civil = &shown->civil;
    const char colon = form->dash == '\0' ? '\0' : ':';

    text = put_year(text, civil->year);
    text = put_part(text, form->dash, civil->month, form->unpadded);
    if (form->kind == TIME_DATE && form->month && civil->day == 1)
        return text;
    text = put_part(text, form->dash, civil->day, form->unpadded);
    if (form->kind == TIME_DATE)
        return text;
    text = put_part(text, form->between, civil->hour, form->short_hour);
    text = put_part(text, colon, civil->minute, false);
    if (!form->no_seconds || civil->second > 0 || civil->nanosecond > 0)
        text = put_part(text, colon, civil->second, false);
    if (civil->nanosecond > 0 || form->digits > 0) {
        *text++ = '.';
        text = put_fraction(text, civil->nanosecond, TIME_DIGITS, form->digits);
    }
    if (form->zone && form->apart)
        *text++ = ' ';
    return form->zone ? put_offset(form, shown->offset, text) : text;
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

static char *write_number(const struct time_form *form, const struct shown *shown, char *text)
{
    const struct time_size *unit = &time_sizes[form->unit];
    const moment_count count = moment_to_count(shown->moment);
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

static char *put_conversion(const struct time_form *form, const struct shown *shown,
                            char conversion, char *text)
{
    const struct civil *civil = &shown->civil;
    const int64_t day = civil_days(civil->year, civil->month, civil->day);
    const int64_t new_year = civil_days(civil->year, 1, 1);

    switch (conversion) {
    case 'F':
        text = put_part(put_year(text, civil->year), '-', civil->month, false);
        return put_part(text, '-', civil->day, false);
    case 'D':
        text = put_part(put_digits(text, civil->month, 2), '/', civil->day, false);
        return put_part(text, '/', (unsigned)(civil->year % 100), false);
    case 'R':
    case 'T':
        text = put_part(put_digits(text, civil->hour, 2), ':', civil->minute, false);
        return conversion == 'R' ? text : put_part(text, ':', civil->second, false);
    case 'Y':
        return put_year(text, civil->year);
    case 'y':
        return put_digits(text, (uint64_t)civil->year, 2);
    case 'm':
        return put_digits(text, civil->month, 2);
    case 'e':
        *text = ' ';
        return put_digits(text + (civil->day < 10), civil->day, civil->day < 10 ? 1 : 2);
    case 'd':
        return put_digits(text, civil->day, 2);
    case 'H':
        return put_digits(text, civil->hour, 2);
    case 'I':
        return put_digits(text, (civil->hour + 11) % 12 + 1, 2);
    case 'M':
        return put_digits(text, civil->minute, 2);
    case 'S':
        return put_digits(text, civil->second, 2);
    case 'f':
        return put_fraction(text, civil->nanosecond, TIME_DIGITS,
                            form->digits > 1 ? form->digits : 1);
    case 'j':
        return put_digits(text, (uint64_t)(day - new_year + 1), 3);
    case 'p':
        return stpcpy(text, civil->hour < 12 ? "AM" : "PM");
    case 'b':
        return stpncpy(text, time_months[civil->month - 1], 3);
    case 'B':
        return stpcpy(text, time_months[civil->month - 1]);
    case 'a':
        return stpncpy(text, time_days[((day + 4) % 7 + 7) % 7], 3);
    case 'A':
        return stpcpy(text, time_days[((day + 4) % 7 + 7) % 7]);
    case 'z':
    case 'Z':
        return put_offset(form, shown->offset, text);
    case 's':
        return text + number_write_i64(text, shown->moment.seconds);
    default: /* %%, %n, %t */
        *text = conversion == '%' ? '%' : ' ';
        return text + 1;
    }
}

static char *write_format(const struct time_form *form, const struct shown *shown, char *text)
{
    for (const char *at = form->format; *at != '\0'; at++) {
        if (*at == '%')
            text = put_conversion(form, shown, *++at, text);
        else
            *text++ = *at;
    }
    return text;
}

/* Does a format have one of these conversions? */
static bool has(const char *format, const char *conversions)
{
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at + 2, '%')) {
        if (strchr(conversions, at[1]) != NULL)
            return true;
    }
    return false;
}

int64_t time_format_unit(const char *format)
{
    return has(format, "f")     ? 1
           : has(format, "SsT") ? MOMENT_SECOND
           : has(format, "MR")  ? MOMENT_SECOND * INT64_C(60)
           : has(format, "HI")  ? MOMENT_SECOND * INT64_C(3600)
                                : MOMENT_DAY;
}

size_t time_write(const struct time_form *form, struct moment moment, char text[TIME_MOST])
{
    const struct moment local = local_shown(&form->clock, moment);
    const struct shown shown = {
        .moment = moment,
        .civil = civil_of_moment(local),
        .offset = (int32_t)(local.seconds - moment.seconds),
    };

    return (size_t)((form->kind == TIME_FORMAT   ? write_format
                     : form->kind == TIME_NUMBER ? write_number
                                                 : write_iso)(form, &shown, text) -
                    text);
}

int64_t time_form_unit(const struct time_form *form)
{
    int64_t unit = form->kind == TIME_NUMBER ? time_sizes[form->unit].nanoseconds : MOMENT_SECOND;

    if (form->kind == TIME_DATE)
        return MOMENT_DAY;
    if (form->kind == TIME_FORMAT)
        return time_format_unit(form->format);
    if (form->no_seconds)
        return MOMENT_SECOND * INT64_C(60);
    for (unsigned i = 0; i < form->digits; i++)
        unit /= 10;
    return unit;
}

void time_form_for_intervals(struct time_form *form, const struct intervals *intervals)
{
    const int64_t period = intervals->months > 0 ? MOMENT_DAY : intervals->period;

    form->digits = 0; /* as many as each of them needs, */
    if (form->kind == TIME_DATE && period % MOMENT_DAY != 0) {
        form->kind = TIME_ISO;
        form->between = 'T';
    }
    form->month = form->month && intervals->months > 0;
    form->no_seconds = form->no_seconds && period % (MOMENT_SECOND * INT64_C(60)) == 0;
    for (int64_t unit = MOMENT_SECOND; form->kind == TIME_ISO && period % unit != 0; unit /= 10)
        form->digits++; /* or all of them */
}
