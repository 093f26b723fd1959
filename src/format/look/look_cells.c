#include "format/look/look_cells_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/text/header_priv.h"

/* ---- the signs of a number ---- */

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static unsigned pass_digits(const char **at, const char *end)
{
    unsigned count = 0;

    for (; is_digit(*at, end); ++*at)
        count++;
    return count;
}

/* Groups of three digits behind `first` digits, with the same sign between all of them. Returns
 * how many there are, and moves behind them. */
static unsigned pass_groups(const char **at, const char *end, unsigned first, char sign)
{
    unsigned groups = 0;

    for (const char *next = *at; first >= 1 && first <= 3; groups++, *at = next) {
        const unsigned length =
            sign == ' ' ? text_blank_length(next, end) : next < end && *next == sign;

        next += length;
        if (length == 0 || pass_digits(&next, end) != 3)
            return groups;
    }
    return groups;
}

/* An exponent, or nothing. */
static bool ends_here(const char *at, const char *end)
{
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        at += at < end && (*at == '-' || *at == '+');
        if (pass_digits(&at, end) == 0)
            return false;
    }
    return at == end;
}

/* Is it one decimal sign, with digits behind it, to the end? */
static bool has_fraction(const char *at, const char *end, char sign)
{
    if (at == end || *at++ != sign)
        return false;
    (void)pass_digits(&at, end);
    return ends_here(at, end);
}

unsigned look_signs(const struct text_field *field)
{
    static const struct {
        char between;
        char decimal; /* besides a point or a comma: none */
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
    first = pass_digits(&digits, end);
    if (digits == start && !(end - start > 1 && is_digit(start + 1, end)))
        return 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && *start != '0'; i++) {
        const char *at = digits;
        const unsigned groups = pass_groups(&at, end, first, ways[i].between);
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

/* ---- cells ---- */

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
        if (text_is_date(field) &&
            memchr(field->start, ';', (size_t)(field->end - field->start)) == NULL)
            return CELL_DATE;
        return text_is_amount(lines, field) || look_signs(field) != 0 ? CELL_AMOUNT : CELL_NAME;
    }
}

void records_tell(struct look_records *set, const struct text_lines *lines)
{
    for (size_t i = 0; i < set->cell_count; i++)
        set->cells[i].kind = kind_of(lines, &set->cells[i].field);
}

static struct look_cell *add_cell(struct look_records *set)
{
    if (set->cell_count == set->capacity) {
        const size_t capacity = set->capacity == 0 ? 1024 : 2 * set->capacity;
        struct look_cell *cells = realloc(set->cells, capacity * sizeof *cells);

        if (cells == NULL)
            return NULL;
        set->cells = cells;
        set->capacity = capacity;
    }
    return &set->cells[set->cell_count++];
}

/* A line that cannot be read has no cells. */
static void pass_line(struct look_records *set, struct look_record *record,
                      struct text_cursor *cursor, const char *from)
{
    set->cell_count = record->first;
    record->count = 0;
    cursor->at = (const char *)memchr(from, '\n', (size_t)(cursor->end - from)) + 1;
    cursor->line = record->line + 1;
}

/* The next record. TEXT_OPEN: it has no end here. TEXT_FAULT: memory has run out. */
static enum text_next cut_record(struct look_records *set, const struct text_lines *lines,
                                 struct text_cursor *cursor)
{
    struct look_record *record = &set->records[set->count];
    const char *from = cursor->at;
    enum text_next next = TEXT_FIELD;

    *record = (struct look_record){.line = cursor->line, .first = set->cell_count};
    while (next == TEXT_FIELD) {
        struct look_cell *cell = add_cell(set);

        if (cell == NULL)
            return TEXT_FAULT;
        next = text_take_field(lines, cursor, &cell->field);
        record->count++;
        if (next == TEXT_FAULT)
            pass_line(set, record, cursor, from);
    }
    return next == TEXT_OPEN ? TEXT_OPEN : TEXT_RECORD;
}

int records_cut(struct look_records *set, const struct text_lines *lines, struct text_cursor cursor)
{
    enum text_next next = TEXT_RECORD;

    set->count = 0;
    set->cell_count = 0;
    set->cut = false;
    while (next == TEXT_RECORD) {
        struct error ignored;

        if (text_pass_idle_lines(lines, &cursor, &ignored) != 0)
            break; /* the reader finds it again */
        if (cursor.at >= cursor.end)
            return 0;
        if (set->count == RECORDS_MOST)
            break;
        next = cut_record(set, lines, &cursor);
        set->count += next == TEXT_RECORD;
    }
    set->cut = true;
    return next == TEXT_FAULT ? -1 : 0;
}
