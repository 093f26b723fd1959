/* SPDX-License-Identifier: MIT */
/* Times of all forms (time_form.h). ISO 8601 is here, because reading and writing share the signs
 * between its elements; numbers are in time_numbers.c, and those in a format in time_formats.c. */
#include "format/text/time_form.h"

#include "format/text/time_parts_priv.h"
#include "sample/bytes.h"

/* ---- ISO 8601 ---- */

/* The sign before an element; NUL if there is none. */
static char sign_before(const struct time_form *form, unsigned element)
{
    return (char)(element == HOUR      ? form->between
                  : form->dash == '\0' ? '\0'
                  : element < HOUR     ? form->dash
                                       : ':');
}

/* Reads three numbers of two digits, with a sign between, eight characters at once: "26-07-20". */
static bool take_three(const char *text, char sign, unsigned number[3])
{
    const uint64_t signs = UINT64_C(0x0000010000010000) * (unsigned char)sign;
    const uint64_t bytes =
        sample_load64((const unsigned char *)text, false) ^ (signs | UINT64_C(0x3030003030003030));

    for (unsigned i = 0; i < 3; i++)
        number[i] = (bytes * 10 + (bytes >> 8)) >> 24 * i & 0xff;
    /* Adding carries into the high bit of a digit beyond 9, and of a sign that differs. */
    return (((bytes + UINT64_C(0x76767f76767f7676)) | bytes) & UINT64_C(0x8080808080808080)) == 0;
}

/* Reads all elements behind the year where they have the usual length, as in most texts. */
static bool take_usual(struct reading *reading)
{
    static const char usual[] = "-07-20T15:00:00";
    const char *at = reading->at;
    unsigned element[ISO_ELEMENTS];

    if (reading->end - at < (ptrdiff_t)strlen(usual) || ((at[6] | 0x20) != 't' && at[6] != ' ') ||
        !take_three(at - 2, *at, &element[YEAR]) || !take_three(at + 7, ':', &element[HOUR]))
        return false;
    memcpy(&reading->element[MONTH], &element[MONTH], sizeof element - sizeof *element);
    reading->form->between = (char)(at[6] == ' ' ? ' ' : 'T');
    reading->at += strlen(usual);
    return true;
}

/* Reads elements up to the first that is missing. Returns their number; 0 if an element is
 * wrong. */
static unsigned take_elements(struct reading *reading)
{
    struct time_form *form = reading->form;
    unsigned element;

    form->unpadded = form->short_hour = false;
    if (!reading_take_digits(reading, 4, 4, &reading->element[YEAR]))
        return 0;
    form->dash = (char)(reading_is_next(reading, '-')   ? '-'
                        : reading_is_next(reading, '/') ? '/'
                                                        : '\0');
    if (form->dash != '\0' && take_usual(reading))
        return ISO_ELEMENTS;
    for (element = MONTH; element < ISO_ELEMENTS; element++) {
        const bool may_be_short =
            element == HOUR ? form->dash != '\0' : element < HOUR && form->dash == '/';
        const char *from;
        char sign;

        if (element == HOUR)
            form->between = (char)(reading_is_next(reading, ' ') ? ' ' : 'T');
        sign = sign_before(form, element);
        if (sign == '\0'
                ? !reading_is_digit(reading)
                : !reading_take(reading, sign) && !(sign == 'T' && reading_take(reading, 't')))
            break;
        from = reading->at;
        if (!reading_take_digits(reading, may_be_short ? 1 : 2, 2, &reading->element[element]))
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
    struct reading reading = reading_begin(form, text, end);

    form->elements = take_elements(&reading);
    form->kind = form->elements > HOUR ? TIME_ISO : TIME_DATE;
    if (form->elements < DAY || form->elements == MINUTE ||
        (form->kind == TIME_DATE &&
         (reading.at < end || form->dash == '\0' || (form->dash == '/' && form->elements == DAY))))
        return false;
    if (form->elements == ISO_ELEMENTS &&
        (reading_take(&reading, '.') || reading_take(&reading, ',')) &&
        !reading_take_fraction(&reading))
        return false;
    form->apart = reading_is_next(&reading, ' ');
    reading_pass_blanks(&reading);
    if (reading.at < end && !reading_take_zone(&reading))
        return false;
    return reading_end(&reading, moment);
}

static char *write_iso(const struct writing *writing, char *text)
{
    const struct time_form *form = writing->form;
    const bool rest = writing->element[SECOND] > 0 || writing->nanosecond > 0;
    unsigned elements = form->elements;

    elements += (elements == DAY && writing->element[DAY] > 1) || (elements == SECOND && rest);
    text = time_put_year(text, writing->element[YEAR]);
    for (unsigned i = MONTH; i < elements; i++)
        text = time_put_part(text, sign_before(form, i), writing->element[i],
                             i == HOUR ? form->short_hour : i < HOUR && form->unpadded);
    if (form->kind == TIME_DATE)
        return text;
    if (writing->nanosecond > 0 || form->digits > 0) {
        *text++ = '.';
        text = time_put_fraction(text, writing->nanosecond, FRACTION, form->digits);
    }
    if (form->zone && form->apart)
        *text++ = ' ';
    return form->zone ? time_put_offset(writing, text) : text;
}

/* ---- all forms ---- */

bool time_form_find(struct time_form *form, enum time_unit unit, char decimal, const char *format,
                    const char *text, const char *end)
{
    struct moment moment;

    *form = (struct time_form){.kind = TIME_FORMAT, .unit = unit, .format = format};
    if (format != NULL)
        return time_read_format(form, text, end, &moment);
    if (read_iso(form, text, end, &moment))
        return true;
    *form = (struct time_form){.kind = TIME_NUMBER, .unit = unit, .decimal = decimal};
    return time_read_number(form, text, end, &moment);
}

enum time_verdict time_read(const struct time_form *form, const char *text, const char *end,
                            struct moment *moment)
{
    struct time_form other = *form;
    const bool is_read = form->kind == TIME_FORMAT   ? time_read_format(&other, text, end, moment)
                         : form->kind == TIME_NUMBER ? time_read_number(&other, text, end, moment)
                                                     : read_iso(&other, text, end, moment);

    if (!is_read)
        return TIME_NONE;
    if (other.kind != form->kind || other.zone != form->zone)
        return TIME_OTHER_FORM;
    return other.clock.offset == form->clock.offset ? TIME_READ : TIME_OTHER_OFFSET;
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

    return (size_t)((form->kind == TIME_NUMBER   ? time_write_number(form, moment, text)
                     : form->kind == TIME_FORMAT ? time_write_format(&writing, text)
                                                 : write_iso(&writing, text)) -
                    text);
}

int64_t time_form_unit(const struct time_form *form)
{
    int64_t unit = form->kind == TIME_NUMBER ? time_unit_nanoseconds(form->unit) : MOMENT_SECOND;

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

    form->digits = 0; /* as many digits as each time needs */
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
        form->digits++; /* as many digits as the period needs */
}
