/* By --header auto, a line without numbers is a header. One with numbers is a header if something
 * says that they are names: an option names one of them, a word stands above numbers, the time of
 * the line is none. */
#include "format/text/header_priv.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "format/text/number.h"
#include "format/text/time_readings_priv.h"

/* ---- cells ---- */

enum header_cell {
    CELL_EMPTY = 1,
    CELL_MISSING = 2, /* a word for it */
    CELL_NUMBER = 4,
    CELL_DATE = 8,    /* like a date or a clock */
    CELL_AMOUNT = 16, /* a number with something beside it */
    CELL_NAME = 32,   /* any other word */

    CELL_SAMPLE = CELL_EMPTY | CELL_MISSING | CELL_NUMBER,
    CELL_WORD = CELL_DATE | CELL_AMOUNT | CELL_NAME,
    CELL_BELOW_NAME = CELL_MISSING | CELL_NUMBER | CELL_DATE,
};

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* Counts digits, and moves behind them. */
static unsigned pass_digits(const char **at, const char *end)
{
    unsigned count = 0;

    for (; is_digit(*at, end); ++*at)
        count++;
    return count;
}

/* The name of a month, or its first three letters, with no letter behind it. */
static bool pass_month(const char **at, const char *end)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *from = *at;
    bool found = false;

    if (end - from < 3)
        return false;
    for (unsigned i = 0; i < 36 && !found; i += 3)
        found = strncasecmp(from, months + i, 3) == 0;
    while (*at < end && ((**at | 0x20) >= 'a' && (**at | 0x20) <= 'z'))
        ++*at;
    return found && *at - from <= 9;
}

/* "2026-11-20", "1959-01", "20.11.26 12:00", "7/3/2026", "12:30", "12-Mar-2026", "Mar 12". It may
 * be no date in truth: a name or a unit never looks like that. */
bool text_is_date(const struct text_field *field)
{
    const char *at = field->start;
    const char *end = field->end;
    const unsigned first = pass_digits(&at, end);
    char between;
    unsigned second;

    if (at == end || first > 8)
        return false;
    if (first == 0)
        return pass_month(&at, end) && at < end && *at++ != ',' && is_digit(at, end);
    between = *at++;
    if (first <= 2 && strchr("-. /", between) != NULL && pass_month(&at, end))
        return true;
    second = pass_digits(&at, end);
    if (between == ':')
        return first <= 2 && second == 2;
    if (strchr("-./", between) == NULL || second < 1 || second > 2)
        return first == 8 && (between == 'T' || between == ' ') && second >= 2;
    return first == 4 || (first <= 2 && at < end && *at++ == between && is_digit(at, end));
}

bool text_is_amount(const struct text_lines *lines, const struct text_field *field)
{
    enum { UNIT_MOST = 8 };
    const char *at = field->start;
    const char *end = field->end;
    double number;

    while (at < end && strchr("<>=~$ ", *at) != NULL)
        at++;
    if (at == end || strchr("0123456789.,+-", *at) == NULL || text_is_date(field))
        return false;
    at = number_read_f64(at, end, lines->decimal, &number);
    if (at == NULL)
        return false;
    while (at + 3 < end && *at == ',' && is_digit(at + 1, end))
        at += 4;
    at += at < end && *at == ' ';
    if (end - at > UNIT_MOST)
        return false;
    while (at < end && *at != ' ' && !is_digit(at, end))
        at++;
    return at >= end;
}

static enum header_cell cell_of(const struct text_lines *lines, const struct text_field *field)
{
    double value;

    switch (text_value(lines, field, &value)) {
    case TEXT_NUMBER:
        return CELL_NUMBER;
    case TEXT_MISSING:
        return CELL_MISSING;
    case TEXT_EMPTY:
        return CELL_EMPTY;
    default:
        return text_is_date(field)            ? CELL_DATE
               : text_is_amount(lines, field) ? CELL_AMOUNT
                                              : CELL_NAME;
    }
}

/* ---- records ---- */

enum text_next text_look_at(struct text_look *look, const struct text_lines *lines,
                            const struct text_cursor *cursor, struct error *error)
{
    struct text_field field;
    enum text_next next;

    *look = (struct text_look){.start = *cursor, .odd = ERROR_FILE, .code = ERROR_FILE};
    if (text_pass_idle_lines(lines, &look->start, error) != 0)
        return TEXT_FAULT;
    look->behind = look->start;
    if (look->start.at >= look->start.end)
        return TEXT_OPEN;
    do {
        uint64_t line = look->behind.line;
        enum text_verdict verdict;
        double value;

        next = text_take_field(lines, &look->behind, &field);
        look->columns++;
        if (next == TEXT_OPEN)
            return next;
        if (next == TEXT_FAULT) {
            text_no_field(lines, line, look->columns, &field, error);
            return next;
        }
        verdict = text_value(lines, &field, &value);
        look->numbers = look->numbers || verdict == TEXT_NUMBER || verdict == TEXT_MISSING;
        look->words = look->words || verdict == TEXT_WORD;
        look->blanks = look->blanks || verdict == TEXT_EMPTY;
        if (look->odd == ERROR_FILE && verdict == TEXT_WORD)
            look->odd = text_field_code(lines, &field, false);
    } while (next == TEXT_FIELD);
    if (look->columns == 1)
        look->code = text_field_code(lines, &field, true);
    return next;
}

void text_look_take(const struct text_lines *lines, const struct text_look *look, unsigned column,
                    struct text_field *field)
{
    struct text_cursor cursor = look->start;

    for (unsigned i = 0; i <= column; i++)
        (void)text_take_field(lines, &cursor, field);
}

/* The line in which a table begins, below the line `behind`; 0: none is found. `names`: it begins
 * with names. */
static uint64_t find_table(const struct text_lines *lines, const struct text_cursor *from,
                           uint64_t behind, bool names)
{
    enum { LINES_MOST = 100 };
    struct text_cursor cursor = *from;
    struct text_look first = {.columns = 0};
    struct text_look above = {.columns = 0};
    struct text_look look;
    struct error ignored;
    uint64_t top = 0; /* of the lines with as many columns */

    for (unsigned i = 0;; i++) {
        if (text_look_at(&look, lines, &cursor, &ignored) != TEXT_RECORD || i + 1 == LINES_MOST)
            return 0;
        if (look.columns > 1 && look.columns == above.columns &&
            (look.numbers || look.odd == ERROR_DECIMAL_COMMA) && !(names && above.numbers))
            break;
        if (i == 0)
            first = look;
        if (look.columns != above.columns)
            top = look.start.line;
        above = look;
        cursor = look.behind;
    }
    /* The line above may be one of units, below whole lines of names. */
    if (!above.blanks)
        top = above.start.line;
    return above.columns > 1 && top > behind &&
                   !(first.columns == above.columns && !first.blanks && above.blanks)
               ? top
               : 0;
}

void text_advise_to_skip(const struct text_lines *lines, const struct text_cursor *from,
                         uint64_t behind, struct error *error)
{
    uint64_t line = find_table(lines, from, behind, false);

    /* Its delimiter may be another one than the first line has. */
    for (const char *at = ";\t|";
         lines->dialect->delimiter == '\0' && lines->delimiter == ',' && *at != '\0'; at++) {
        struct text_lines others;
        uint64_t other;

        text_lines_init(&others, lines->name, lines->dialect, *at);
        other = find_table(&others, from, behind, true);
        if (other > 0 && (line == 0 || other < line))
            line = other;
    }
    if (line > 0) {
        error->code = ERROR_LINES_BEFORE;
        error->number = (int)line - 1;
    }
}

enum error_code text_number_code(const struct text_lines *lines, const struct text_field *field,
                                 bool alone)
{
    const size_t length = (size_t)(field->end - field->start);
    const enum error_code code = text_field_code(lines, field, alone);
    const bool sign =
        memchr(field->start, '$', length) != NULL || memchr(field->start, '%', length) != NULL;

    if (code != ERROR_FILE)
        return code;
    if (text_is_date(field) && lines->dialect->time == NULL)
        return ERROR_DATE;
    return sign && text_is_amount(lines, field) ? ERROR_AMOUNT : ERROR_NO_NUMBER;
}

/* ---- one line above another ---- */

/* Is there a column with one of these cells in the upper line, and one of those in the lower one?
 * A line without columns stands for one that is not there. */
static bool any_column(const struct text_lines *lines, const struct text_look *upper,
                       unsigned these, const struct text_look *lower, unsigned those)
{
    struct text_cursor above = upper->start;
    struct text_cursor below = lower->start;

    for (unsigned i = 0; i < upper->columns && i < lower->columns; i++) {
        struct text_field one;
        struct text_field other;

        (void)text_take_field(lines, &above, &one);
        (void)text_take_field(lines, &below, &other);
        if ((cell_of(lines, &one) & these) != 0 && (cell_of(lines, &other) & those) != 0)
            return true;
    }
    return false;
}

static bool has_date(const struct text_lines *lines, const struct text_look *look)
{
    return any_column(lines, look, CELL_DATE, look, CELL_DATE);
}

/* How many numbers it has, if each is a whole number that is one more than the one before it;
 * otherwise 0. */
static unsigned count_up(const struct text_lines *lines, const struct text_look *look,
                         double *least)
{
    struct text_cursor cursor = look->start;
    unsigned count = 0;

    *least = 0;
    for (unsigned i = 0; i < look->columns; i++) {
        struct text_field field;
        double value;

        (void)text_take_field(lines, &cursor, &field);
        if (text_value(lines, &field, &value) != TEXT_NUMBER)
            continue;
        if (count == 0)
            *least = value;
        if (value != *least + count++ || value != floor(value))
            return 0;
    }
    return count;
}

/* Do its numbers count up by one, as names do? Beside words they may be any; otherwise they begin
 * at 0, or are years. */
static bool counts_up(const struct text_lines *lines, const struct text_look *look)
{
    enum { YEAR_LEAST = 1000 };
    double least;
    const unsigned count = count_up(lines, look, &least);

    return count > 1 && (look->words || least == 0 || (count > 2 && least > YEAR_LEAST));
}

/* An empty cell, then 0, 1, 2 and so on. */
static bool is_frame_of_pandas(const struct text_lines *lines, const struct text_look *look)
{
    struct text_field first;
    double least;

    text_look_take(lines, look, 0, &first);
    return first.start == first.end && look->columns > 1 &&
           count_up(lines, look, &least) == look->columns - 1 && least == 0;
}

/* ---- names and times of options ---- */

/* The column of an item, from 1; 0: there is none, or names are not known. */
static unsigned find_item(const struct text_lines *lines, const struct text_look *names,
                          const struct text_field *item)
{
    const unsigned number = text_item_number(item);
    struct text_cursor cursor = names->start;

    for (unsigned column = 1; number == 0 && column <= names->columns; column++) {
        struct text_field field;

        (void)text_take_field(lines, &cursor, &field);
        if (text_same(item, &field))
            return column;
    }
    return number;
}

static bool has_name_of(const struct text_lines *lines, const struct text_look *look,
                        const char *list)
{
    struct text_field item;

    while (text_next_item(&list, &item)) {
        if (text_item_number(&item) == 0 && find_item(lines, look, &item) > 0)
            return true;
    }
    return false;
}

/* Is its time one? `names` are those of the columns, as far as they are known. */
static bool has_time(const struct text_lines *lines, const struct text_look *names,
                     const struct text_look *look)
{
    const struct text_dialect *dialect = lines->dialect;
    const char *list = dialect->time;
    struct text_field fields[TEXT_TIMES];
    unsigned count = 0;
    struct text_field item;
    struct time_readings readings = {.begun = false};
    struct text_time time;
    struct time_form form;

    while (count < TEXT_TIMES && text_next_item(&list, &item)) {
        const unsigned column = find_item(lines, names, &item);

        if (column == 0 || column > look->columns)
            return false;
        text_look_take(lines, look, column - 1, &fields[count++]);
    }
    if (count == 0)
        return false;
    text_time_join(&time, fields, count);
    if (dialect->time_format == NULL)
        time_readings_add(&readings, time.text.start, time.text.end);
    return (readings.count > 0 && !readings.clock) ||
           time_form_find(&form, dialect->time_unit, dialect->decimal, dialect->time_format,
                          time.text.start, time.text.end);
}

/* ---- the header ---- */

/* The line behind another one. `look` is without columns if there is none. TEXT_OPEN: it is not
 * there yet. */
static enum text_next look_behind(struct text_look *look, const struct text_lines *lines,
                                  const struct text_look *before, bool last, struct error *error)
{
    enum text_next next = text_look_at(look, lines, &before->behind, error);

    if (next != TEXT_OPEN || !last)
        return next;
    look->columns = 0;
    return TEXT_RECORD;
}

/* Is a first line with numbers, or with dates, a header? There may be units between it and the
 * numbers. */
static bool is_named(const struct text_lines *lines, const struct text_look *first,
                     const struct text_look *second, const struct text_look *third)
{
    static const struct text_look none = {.columns = 0};

    if (lines->dialect->time != NULL) {
        if (has_time(lines, &none, first))
            return false;
        if (has_time(lines, &none, second))
            return true;
    }
    if (first->words && !first->numbers)
        return !any_column(lines, first, CELL_DATE, second, CELL_DATE);
    return any_column(lines, first, CELL_NAME, second, CELL_BELOW_NAME) ||
           any_column(lines, first, CELL_NAME, third, CELL_BELOW_NAME);
}

/* Is the line below the names one of units? Words that stand above words only are a row whose
 * numbers are missing. */
static bool has_units(const struct text_lines *lines, const struct text_look *first,
                      const struct text_look *second, const struct text_look *third)
{
    if (!second->words || second->numbers || second->odd != ERROR_FILE ||
        second->columns != first->columns)
        return false;
    if (lines->dialect->time != NULL ? has_time(lines, first, second) : has_date(lines, second))
        return false;
    return !any_column(lines, second, CELL_EMPTY, third, CELL_NUMBER) ||
           any_column(lines, second, CELL_WORD, third, CELL_SAMPLE);
}

/* Its lines have more than one field then, and one of the first two is of numbers. */
enum text_next text_has_blanks(const struct text_lines *lines, const struct text_cursor *cursor,
                               bool last, struct error *error)
{
    struct text_look first;
    struct text_look second = {.columns = 0};
    enum text_next next = text_look_at(&first, lines, cursor, error);

    if (next == TEXT_RECORD && first.columns > 1 && first.words)
        next = look_behind(&second, lines, &first, last, error);
    if (next == TEXT_OPEN)
        return last ? TEXT_FIELD : TEXT_OPEN;
    if (next != TEXT_RECORD || first.columns < 2)
        return TEXT_FIELD;
    if (!first.words)
        return TEXT_RECORD;
    return second.numbers && second.columns == first.columns &&
                   !any_column(lines, &second, CELL_NAME, &second, CELL_NAME)
               ? TEXT_RECORD
               : TEXT_FIELD;
}

/* The header of names, and perhaps of units. */
static enum text_next take_names(struct text_header *header, const struct text_lines *lines,
                                 struct text_cursor *cursor, bool last, struct error *error)
{
    const struct text_look *first = &header->first;
    struct text_look second;
    struct text_look third = {.columns = 0};
    enum text_next next = look_behind(&second, lines, first, last, error);

    if (next == TEXT_RECORD && second.words && !second.numbers && second.blanks)
        next = look_behind(&third, lines, &second, last, error);
    if (next != TEXT_RECORD)
        return next;
    *cursor = first->behind;
    if (has_units(lines, first, &second, &third)) {
        header->units = second;
        *cursor = second.behind;
    }
    return TEXT_RECORD;
}

static enum text_next take_auto(struct text_header *header, const struct text_lines *lines,
                                struct text_cursor *cursor, bool last, struct error *error)
{
    const struct text_dialect *dialect = lines->dialect;
    const struct text_look first = header->first;
    struct text_look second = {.columns = 0};
    struct text_look third = {.columns = 0};
    enum text_next next;

    header->first.columns = 0;
    if (has_name_of(lines, &first, dialect->time) || has_name_of(lines, &first, dialect->columns) ||
        has_name_of(lines, &first, dialect->by) || is_frame_of_pandas(lines, &first)) {
        header->first = first;
    } else if (first.words && first.odd != ERROR_DECIMAL_COMMA && first.odd != ERROR_SEMICOLONS) {
        const bool sure = !first.numbers && dialect->time == NULL && !has_date(lines, &first);

        next = sure ? TEXT_RECORD : look_behind(&second, lines, &first, last, error);
        if (next == TEXT_RECORD && !sure && second.words && !second.numbers)
            next = look_behind(&third, lines, &second, last, error);
        if (next != TEXT_RECORD)
            return next;
        if (sure || is_named(lines, &first, &second, &third))
            header->first = first;
    }
    if (header->first.columns > 0)
        return take_names(header, lines, cursor, last, error);
    header->counted = counts_up(lines, &first);
    return TEXT_RECORD;
}

/* The names in a comment above a first row, if it has some. */
static void take_comment(struct text_header *header, const struct text_lines *lines,
                         const struct text_cursor *comment, unsigned columns)
{
    struct error error;

    if (text_look_at(&header->first, lines, comment, &error) != TEXT_RECORD ||
        header->first.columns != columns || header->first.numbers)
        header->first.columns = 0;
}

enum text_next text_header_find(struct text_header *header, const struct text_lines *lines,
                                const struct text_cursor *comment, struct text_cursor *cursor,
                                bool last, struct error *error)
{
    const uint32_t count = lines->dialect->header;
    struct text_look look;
    enum text_next next;
    unsigned columns;

    *header = (struct text_header){.first.columns = 0};
    if (count == 0)
        return TEXT_RECORD;
    next = text_look_at(&header->first, lines, cursor, error);
    if (next == TEXT_OPEN)
        header->first.columns = 0;
    if (next != TEXT_RECORD)
        return next == TEXT_OPEN && last ? TEXT_RECORD : next;
    columns = header->first.columns;
    if (count == TEXT_HEADER_AUTO) {
        next = take_auto(header, lines, cursor, last, error);
    } else {
        *cursor = header->first.behind;
        for (uint32_t i = 1; i < count; i++) {
            next = text_look_at(&look, lines, cursor, error);
            if (next != TEXT_RECORD)
                break;
            *cursor = look.behind;
            if (i == 1 && look.words && !look.numbers && look.columns == columns)
                header->units = look;
        }
        if (next == TEXT_OPEN && last)
            next = TEXT_RECORD;
    }
    header->last = cursor->line - 1;
    header->end = cursor->at;
    if (next == TEXT_RECORD && header->first.columns == 0) {
        take_comment(header, lines, comment, columns);
        header->last = comment->line;
        header->end = comment->end;
    }
    return next;
}
