/* SPDX-License-Identifier: MIT */
#include "format/look/looking_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "format/text/number.h"

/* ---- the signs of a number ---- */

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

/* True at the end, or before an exponent that goes to the end. */
static bool ends_here(const char *at, const char *end)
{
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        at += at < end && (*at == '-' || *at == '+');
        if (text_pass_digits(&at, end) == 0)
            return false;
    }
    return at == end;
}

/* Is the rest a decimal sign with digits behind it, to the end? */
static bool has_fraction(const char *at, const char *end, char sign)
{
    if (at == end || *at++ != sign)
        return false;
    return (text_pass_digits(&at, end) > 0 || sign == '.') && ends_here(at, end);
}

unsigned look_signs(const struct text_field *field)
{
    static const struct {
        char between;
        char decimal; /* no decimal sign besides point and comma */
        unsigned signs;
    } ways[] = {{',', '.', SIGN_GROUPS},
                {'.', ',', SIGN_POINTS},
                {' ', ',', SIGN_BLANKS},
                {' ', '.', SIGN_BLANKS}};
    const char *start = field->start;
    const char *end = field->end;
    const char *digits;
    unsigned first;

    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    start += start < end && (*start == '-' || *start == '+');
    digits = start;
    first = text_pass_digits(&digits, end);
    if (digits == start && !(end - start > 1 && is_digit(start + 1, end)))
        return 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && *start != '0'; i++) {
        const char *at = digits;
        const unsigned groups = text_pass_groups(&at, end, first, ways[i].between);
        const bool fraction = has_fraction(at, end, ways[i].decimal);

        if (groups == 0 || (at < end && !fraction))
            continue;
        if (fraction)
            return ways[i].signs | (ways[i].decimal == ',' ? SIGN_COMMA : 0U);
        if (ways[i].between == '.')
            return groups > 1 ? SIGN_POINTS : SIGN_POINT;
        return ways[i].between == ',' && groups == 1 ? SIGN_EITHER : ways[i].signs;
    }
    if (has_fraction(digits, end, ','))
        return SIGN_COMMA;
    return has_fraction(digits, end, '.') ? SIGN_POINT : 0;
}

/* ---- dates and amounts ---- */

/* Passes the name of a month, or its first three letters, with no letter behind it. */
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

/* "2026-11-20", "1959-01", "20.11.26 12:00", "7/3/2026", "12:30", "12-Mar-2026", "Mar 12". The
 * field need not be a valid date: names and units never look like one. */
static bool is_date(const struct text_field *field)
{
    const char *at = field->start;
    const char *end = field->end;
    const unsigned first = text_pass_digits(&at, end);
    char between;
    unsigned second;

    if (at == end || first > 8)
        return false;
    if (first == 0)
        return pass_month(&at, end) && at < end && *at++ != ',' && is_digit(at, end);
    between = *at++;
    if (first <= 2 && strchr("-. /", between) != NULL && pass_month(&at, end))
        return true;
    second = text_pass_digits(&at, end);
    if (between == ':')
        return first <= 2 && second == 2;
    if (strchr("-./", between) == NULL || second < 1 || second > 2)
        return first == 8 && (between == 'T' || between == ' ') && second >= 2;
    return first == 4 || (first <= 2 && at < end && *at++ == between && is_digit(at, end));
}

/* True for a number with something beside it, as in "<0.006", "40%" and "1,352". */
static bool is_amount(const struct text_lines *lines, const struct text_field *field)
{
    enum { UNIT_MOST = 8 };
    const char *at = field->start;
    const char *end = field->end;
    double number;

    /* The bytes are those of the signs of euro, pound and yen, and of the minus of typesetters. */
    while (at < end && strchr("<>=~$ \xe2\x82\xac\xc2\xa3\xa5\x88\x92", *at) != NULL)
        at++;
    if (at == end || strchr("0123456789.,+-", *at) == NULL || is_date(field))
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

/* Advice for a field that looks like a number in another form, or a time; may be NULL. */
static const char *number_advice(const struct text_lines *lines, const struct text_field *field)
{
    const unsigned signs = lines->dialect->thousands != ',' ? look_signs(field) : 0;
    const size_t length = (size_t)(field->end - field->start);

    if ((signs & SIGN_POINTS) != 0)
        return ": give --decimal , --thousands .";
    if ((signs & SIGN_BLANKS) != 0)
        return ": give --thousands blank, and --decimal , if the comma is its decimal sign";
    if ((signs & SIGN_EITHER) != 0)
        return ": give --decimal , if the comma is its decimal sign, --thousands , if it is "
               "between thousands";
    if ((signs & SIGN_GROUPS) != 0)
        return ": give --thousands ,";
    if ((signs & SIGN_COMMA) != 0)
        return ": if the comma is its decimal sign, give --decimal ,";
    if (is_date(field) && lines->dialect->time == NULL)
        return ": --time COLUMN reads times";
    if (is_amount(lines, field) &&
        (memchr(field->start, '$', length) != NULL || memchr(field->start, '%', length) != NULL))
        return ": remove the signs: sed 's/[$%]//g' FILE | gpuenv -t csv ...";
    return NULL;
}

int text_no_number(const struct text_lines *lines, uint64_t line, unsigned column,
                   const struct text_field *field, const char *why, struct error *error)
{
    static const char general[] = ": --missing WORD takes it as missing, --columns leaves its "
                                  "column out, --bad-lines skip its line";
    const char *advice = lines->terse ? "" : number_advice(lines, field);
    char whole[160] = "";

    if (!lines->terse)
        snprintf(whole, sizeof whole, "is not a number%s%s", why, advice == NULL ? "" : advice);
    text_wrong_field(lines, ERROR_FILE, line, column, field, whole, advice == NULL ? general : NULL,
                     error);
    if (advice == NULL && *why == '\0' && lines->dialect->bad_lines == TEXT_BAD_ERROR &&
        lines->dialect->header == TEXT_HEADER_AUTO)
        text_try_word(lines, field, error);
    return -1;
}

/* ---- cells ---- */

/* A date has a comma before a blank, or before the fraction of a second, and no other delimiter. */
static bool has_delimiter(const struct text_field *field)
{
    unsigned commas = 0;

    for (const char *at = field->start; at < field->end; at++) {
        const char next = (char)(at + 1 < field->end ? at[1] : '\0');

        commas += *at == ',';
        if (*at == ';' || *at == '|' || *at == '\t' || commas > 1 ||
            (*at == ',' && next != ' ' && !is_digit(at + 1, field->end)))
            return true;
    }
    return false;
}

static enum look_cell_kind kind_of(const struct text_lines *lines, const struct text_field *field)
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
        if (is_date(field) && !has_delimiter(field))
            return CELL_DATE;
        return is_amount(lines, field) || look_signs(field) != 0 ? CELL_AMOUNT : CELL_NAME;
    }
}

/* Is the record equal to one of the first records, with a name in it? */
static bool is_again(const struct look_records *set, unsigned record)
{
    enum { FIRST = 3 };
    const struct look_record *at = &set->records[record];
    const size_t size = (size_t)(at->behind - at->at);

    for (unsigned i = 0; i < FIRST && i < record && (at->kinds & CELL_NAME) != 0; i++) {
        if ((size_t)(set->records[i].behind - set->records[i].at) == size &&
            memcmp(set->records[i].at, at->at, size) == 0)
            return true;
    }
    return false;
}

void records_tell(struct look_records *set, const struct text_lines *lines)
{
    for (unsigned i = 0; i < set->count; i++) {
        struct look_record *record = &set->records[i];

        record->kinds = record->words = 0;
        for (struct look_cell *cell = set->cells + record->first, *end = cell + record->count;
             cell < end; cell++) {
            cell->kind = kind_of(lines, &cell->field);
            record->kinds |= cell->kind;
            record->words += (cell->kind & (CELL_NAME | CELL_AMOUNT)) != 0;
        }
        record->again = is_again(set, i);
    }
}

/* Cuts the next record. TEXT_OPEN: its end is not there. TEXT_FAULT: memory has run out. */
static enum text_next cut_record(struct look_records *set, const struct text_lines *lines,
                                 struct text_cursor *cursor)
{
    struct look_record *record = &set->records[set->count];
    const char *from = cursor->at;
    enum text_next next = TEXT_FIELD;

    *record = (struct look_record){.line = cursor->line, .first = set->cell_count, .at = from};
    while (next == TEXT_FIELD) {
        struct look_cell *cells =
            array_grow(set->cells, &set->capacity, set->cell_count + 1, sizeof *cells);

        if (cells == NULL)
            return TEXT_FAULT;
        set->cells = cells;
        next = text_take_field(lines, cursor, &cells[set->cell_count++].field);
        record->count++;
        if (next == TEXT_FAULT) {
            /* A line that cannot be read has no cells. */
            set->cell_count = record->first;
            record->count = 0;
            cursor->at = (const char *)memchr(from, '\n', (size_t)(cursor->end - from)) + 1;
            cursor->line = record->line + 1;
        }
    }
    record->behind = cursor->at;
    return next == TEXT_OPEN ? TEXT_OPEN : TEXT_RECORD;
}

int records_cut(struct look_records *set, const struct text_lines *lines, struct text_cursor cursor)
{
    enum text_next next = TEXT_RECORD;

    set->count = 0;
    set->cell_count = 0;
    set->behind = cursor;
    if (set->records == NULL)
        set->records = calloc(set->most, sizeof *set->records);
    if (set->records == NULL)
        return -1;
    while (next == TEXT_RECORD) {
        struct error ignored;

        if (text_pass_idle_lines(lines, &cursor, &ignored) != 0)
            break; /* the reader finds and reports the fault again */
        set->behind = cursor;
        if (cursor.at >= cursor.end || set->count == set->most)
            break;
        next = cut_record(set, lines, &cursor);
        set->count += next == TEXT_RECORD;
    }
    return next == TEXT_FAULT ? -1 : 0;
}
