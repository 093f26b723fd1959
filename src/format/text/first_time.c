#include "format/text/first_time_priv.h"

#include <stdio.h>
#include <string.h>

struct first_time {
    const struct text_columns *columns;
    const struct text_lines *lines;
    uint64_t line;
    struct text_time time;
    struct error *error;
};

static int refuse(const struct first_time *first, enum error_code code, const char *why)
{
    return text_wrong_field(first->lines, code, first->line, first->columns->time[0] + 1,
                            &first->time.text, why, first->error);
}

/* It looks like a date in this format. */
static int looks_like(const struct first_time *first, enum error_code code, const char *format)
{
    char why[TIME_FORMATS + 32];

    (void)snprintf(why, sizeof why, "looks like a date in the form %s", format);
    return refuse(first, code, why);
}

/* Reads the form. */
static bool find_form(struct text_columns *columns, const struct text_lines *lines,
                      const struct text_look *row, struct text_time *time)
{
    const struct text_dialect *dialect = lines->dialect;
    struct text_field fields[TEXT_TIMES];

    for (unsigned i = 0; i < columns->times; i++) {
        text_look_take(lines, row, columns->time[i], &fields[i]);
        columns->time_blanks[i] = 0;
        for (const char *at = fields[i].start; at < fields[i].end; at++)
            columns->time_blanks[i] += *at == ' ';
    }
    text_time_join(time, fields, columns->times);
    if (!time_form_find(&columns->form, dialect->time_unit, dialect->time_format, time->text.start,
                        time->text.end))
        return false;
    columns->form.clock.zone = dialect->zone;
    return true;
}

/* It is none. */
static int no_time(const struct first_time *first)
{
    const struct text_field *text = &first->time.text;
    char words[TIME_FORMATS];
    const char *format = time_date_format(text->start, text->end, words);

    if (format != NULL)
        return looks_like(first, ERROR_TIME_FORMAT, format);
    return text_is_date(text) && memchr(text->start, ':', 3) != NULL
               ? refuse(first, ERROR_TIME_CLOCK, "has no date")
               : refuse(first, ERROR_TIME, "is not a time");
}

/* It is a number in no unit that is given, and perhaps not one in seconds. */
static int check_unit(const struct first_time *first)
{
    const struct text_field *text = &first->time.text;
    char words[TIME_FORMATS];
    const char *format;
    struct moment moment;

    if (time_read(&first->columns->form, text->start, text->end, &moment) != TIME_READ)
        return 0;
    format = time_date_format(text->start, text->end, words);
    if (format != NULL)
        return looks_like(first, ERROR_TIME_DATE, format);
    return moment_has_year(moment)
               ? 0
               : refuse(first, ERROR_TIME_UNIT, "is past the year 9999 in seconds");
}

enum text_next text_first_time(struct text_columns *columns, const struct text_lines *lines,
                               const struct text_look *row, struct error *error)
{
    struct first_time first = {
        .columns = columns, .lines = lines, .line = row->start.line, .error = error};
    const bool unit = lines->dialect->time_unit_given;

    if (!find_form(columns, lines, row, &first.time)) {
        (void)no_time(&first);
        return TEXT_OPEN;
    }
    if (unit && columns->form.kind != TIME_NUMBER) {
        (void)refuse(&first, ERROR_TIME_NO_UNIT, "is a date, and has no unit");
        return TEXT_OPEN;
    }
    if (!unit && columns->form.kind == TIME_NUMBER && check_unit(&first) != 0)
        return TEXT_FAULT;
    return TEXT_RECORD;
}
