#include "sample/time_form.h"

#include "sample/number.h"
#include "sample/time_parts.h"

/* ---- ISO 8601 ---- */

static bool take_date(struct time_reader *reader, struct civil *civil, bool *basic)
{
    unsigned year;

    if (!time_take_digits(reader, 4, 4, &year))
        return false;
    civil->year = year;
    *basic = !time_take(reader, '-');
    return time_take_digits(reader, 2, 2, &civil->month) && (*basic || time_take(reader, '-')) &&
           time_take_digits(reader, 2, 2, &civil->day);
}

static bool take_clock(struct time_reader *reader, struct civil *civil, struct time_form *form)
{
    if (!time_take_digits(reader, 2, 2, &civil->hour) ||
        (!form->basic && !time_take(reader, ':')) ||
        !time_take_digits(reader, 2, 2, &civil->minute))
        return false;
    form->no_seconds = form->basic ? !time_is_digit(reader) : !time_take(reader, ':');
    if (form->no_seconds)
        return true;
    if (!time_take_digits(reader, 2, 2, &civil->second))
        return false;
    return (!time_take(reader, '.') && !time_take(reader, ',')) ||
           time_take_fraction(reader, &civil->nanosecond, &form->digits);
}

/* Sets kind, between, basic, zone, no_seconds and digits of the form. A date alone is written with
 * its '-', or it would be a number. */
static bool read_iso(const char *text, const char *end, struct moment *moment,
                     struct time_form *form)
{
    struct time_reader reader = {text, end};
    struct time_parts parts = {.offset = 0};

    form->kind = TIME_DATE;
    form->digits = 0;
    form->zone = false;
    if (!take_date(&reader, &parts.civil, &form->basic))
        return false;
    if (reader.at == end)
        return !form->basic && time_of_parts(&parts, moment);
    form->kind = TIME_ISO;
    form->between = *reader.at == ' ' ? ' ' : 'T';
    if (!time_take(&reader, 'T') && !time_take(&reader, ' ') && !time_take(&reader, 't'))
        return false;
    if (!take_clock(&reader, &parts.civil, form))
        return false;
    time_pass_blanks(&reader);
    if (reader.at < end && !time_take_zone(&reader, &parts))
        return false;
    form->zone = parts.zone;
    return reader.at == end && time_of_parts(&parts, moment);
}

/* ---- numbers ---- */

/* Nanoseconds; 10^28 of them are 3 * 10^11 years. */
static const moment_count count_most = (moment_count)10000000000000000 * 1000000000000;

static bool scale(moment_count *number, int power)
{
    for (; power > 0 && *number != 0; power--) {
        if (*number > count_most / 10)
            return false;
        *number *= 10;
    }
    if (power < -40)
        *number = 0;
    for (; power < -1; power++)
        *number /= 10;
    if (power == -1)
        *number = (*number + 5) / 10;
    return *number <= count_most && *number / MOMENT_SECOND < INT64_MAX / 4;
}

/* "-1.5e3", rounded to nanoseconds, half of one away from zero. */
static bool read_number(enum time_unit unit, const char *text, const char *end,
                        struct moment *moment, unsigned *digits)
{
    struct time_reader reader = {text, end};
    const bool minus = time_take(&reader, '-');
    moment_count number = 0;
    int power = TIME_DIGITS - 3 * (int)unit;
    bool behind_point = false;
    bool any = false;

    *digits = 0;
    if (!minus)
        (void)time_take(&reader, '+');
    for (;; reader.at++) {
        if (time_is_digit(&reader)) {
            const bool fits = number < count_most;

            any = true;
            if (fits)
                number = number * 10 + (*reader.at - '0');
            power += (fits ? 0 : 1) - (behind_point ? 1 : 0);
            *digits += behind_point;
        } else if (!behind_point && reader.at < end && *reader.at == '.') {
            behind_point = true;
        } else {
            break;
        }
    }
    if (any && (time_take(&reader, 'e') || time_take(&reader, 'E'))) {
        const bool negative = time_take(&reader, '-');
        unsigned exponent;

        if (!negative)
            (void)time_take(&reader, '+');
        if (!time_take_digits(&reader, 1, 4, &exponent))
            return false;
        power += negative ? -(int)exponent : (int)exponent;
    }
    if (!any || reader.at != end || !scale(&number, power))
        return false;
    *moment = moment_from_count(minus ? -number : number);
    return true;
}

static const int64_t unit_sizes[] = {1000000000, 1000000, 1000, 1}; /* of enum time_unit */

static char *write_number(const struct time_form *form, struct moment moment, char *text)
{
    const int64_t unit = unit_sizes[form->unit];
    const moment_count count = moment_to_count(moment);
    const moment_count size = count < 0 ? -count : count;
    int64_t fraction = (int64_t)(size % unit);
    unsigned width = TIME_DIGITS - 3 * (unsigned)form->unit;

    if (count < 0)
        *text++ = '-';
    text += number_write_u64(text, (uint64_t)(size / unit));
    while (width > form->digits && fraction % 10 == 0) {
        fraction /= 10;
        width--;
    }
    if (width == 0)
        return text;
    *text++ = '.';
    return time_put_digits(text, (uint64_t)fraction, width);
}

/* ---- all forms ---- */

bool time_form_find_by_format(struct time_form *form, const char *format, const char *text,
                              const char *end)
{
    struct moment moment;

    *form = (struct time_form){.kind = TIME_FORMAT, .format = format};
    return time_format_read(format, text, end, &moment, &form->digits);
}

bool time_form_find(struct time_form *form, enum time_unit unit, const char *text, const char *end)
{
    struct moment moment;

    *form = (struct time_form){.unit = unit};
    if (read_iso(text, end, &moment, form))
        return true;
    *form = (struct time_form){.kind = TIME_NUMBER, .unit = unit};
    if (!read_number(unit, text, end, &moment, &form->digits))
        return false;
    if (form->digits > TIME_DIGITS - 3 * (unsigned)unit)
        form->digits = 0; /* more than are kept */
    return true;
}

enum time_verdict time_read(const struct time_form *form, const char *text, const char *end,
                            struct moment *moment)
{
    struct time_form other;
    unsigned digits;
    bool is_number;
    bool is_iso;

    if (form->kind == TIME_FORMAT)
        return time_format_read(form->format, text, end, moment, &digits) ? TIME_READ : TIME_NONE;
    if (form->kind == TIME_NUMBER) {
        if (read_number(form->unit, text, end, moment, &digits))
            return TIME_READ;
        return read_iso(text, end, moment, &other) ? TIME_OTHER_FORM : TIME_NONE;
    }
    is_iso = read_iso(text, end, moment, &other);
    if (is_iso && other.kind == form->kind && other.zone == form->zone)
        return TIME_READ;
    is_number = !is_iso && read_number(TIME_S, text, end, moment, &digits);
    return is_iso || is_number ? TIME_OTHER_FORM : TIME_NONE;
}

static char *write_iso(const struct time_form *form, struct moment moment, char *text)
{
    const struct civil civil = civil_of_moment(moment);
    const bool wide = !form->basic;

    text = time_put_digits(text, (uint64_t)civil.year, 4);
    if (wide)
        *text++ = '-';
    text = time_put_digits(text, civil.month, 2);
    if (wide)
        *text++ = '-';
    text = time_put_digits(text, civil.day, 2);
    if (form->kind == TIME_DATE)
        return text;
    *text++ = form->between;
    text = time_put_digits(text, civil.hour, 2);
    if (wide)
        *text++ = ':';
    text = time_put_digits(text, civil.minute, 2);
    if (!form->no_seconds || civil.second > 0 || civil.nanosecond > 0) {
        if (wide)
            *text++ = ':';
        text = time_put_digits(text, civil.second, 2);
    }
    if (civil.nanosecond > 0 || form->digits > 0) {
        *text++ = '.';
        text = time_put_fraction(text, civil.nanosecond, form->digits);
    }
    if (form->zone)
        *text++ = 'Z';
    return text;
}

size_t time_write(const struct time_form *form, struct moment moment, char text[TIME_MOST])
{
    if (form->kind == TIME_FORMAT)
        return time_format_write(form->format, moment, form->digits, text);
    return (size_t)((form->kind == TIME_NUMBER ? write_number : write_iso)(form, moment, text) -
                    text);
}

int64_t time_form_unit(const struct time_form *form)
{
    int64_t unit = form->kind == TIME_NUMBER ? unit_sizes[form->unit] : MOMENT_SECOND;

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

bool time_form_for_multiples(struct time_form *form, int64_t period)
{
    if (form->kind == TIME_FORMAT) {
        form->digits = 0;
        return period % time_form_unit(form) == 0;
    }
    if (form->kind == TIME_DATE && period % MOMENT_DAY != 0) {
        form->kind = TIME_ISO;
        form->between = 'T';
    }
    form->no_seconds = form->no_seconds && period % (MOMENT_SECOND * INT64_C(60)) == 0;
    form->digits = 0; /* as many as each of them needs, */
    for (int64_t unit = MOMENT_SECOND; form->kind == TIME_ISO && period % unit != 0; unit /= 10)
        form->digits++; /* or all of them */
    return true;
}
