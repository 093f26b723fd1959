/* SPDX-License-Identifier: MIT */
/* Which lines above the rows are the header: names, and perhaps units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/look/looking_priv.h"

enum header_is {
    HEADER_NOT,   /* a row, or another line */
    HEADER_MAYBE, /* words stand above numbers or dates, beside no more numbers */
    HEADER_IS,    /* words, with no value beside them */
};

/* Does this record have a word in each column of text that no row below has? */
static bool has_new_words(const struct looking *looking, unsigned record)
{
    for (unsigned i = 0; i < looking->look->count; i++) {
        const struct text_field *field = &look_cell_at(looking, record, i)->field;

        if (looking->look->columns[i].kind != LOOK_TEXT)
            continue;
        for (unsigned j = record + 1; j < looking->set.count; j++) {
            if (field->start == field->end ||
                (looking->set.records[j].count == looking->look->count &&
                 text_same(field, &look_cell_at(looking, j, i)->field)))
                return false;
        }
    }
    return true;
}

/* The number of cells of a record. An empty cell at its end, behind all columns, does not count. */
static unsigned cells_of(const struct looking *looking, unsigned record)
{
    const unsigned count = looking->set.records[record].count;

    return count - (count == looking->look->count + 1 &&
                    look_cell_at(looking, record, count - 1)->kind == CELL_EMPTY);
}

/* Says whether a line may be a header. A line with a word above a column of dates may, even with
 * numbers beside the word. A line with a word above a column of numbers may if it has no more
 * numbers than such words. A line one name short leaves the first or the last column without a
 * name. */
static enum header_is header_like(const struct looking *looking, unsigned record)
{
    const struct look *look = looking->look;
    const unsigned count = cells_of(looking, record);
    unsigned above = 0; /* words that stand above values */
    unsigned values = 0;
    unsigned amounts = 0;
    bool dated = false;

    if (count == 0 || (count != look->count && count + 1 != look->count))
        return HEADER_NOT;
    for (unsigned i = 0; i < count; i++) {
        const enum look_cell_kind is = look_cell_at(looking, record, i)->kind;
        const enum look_kind kind = look->columns[i].kind;

        if (kind == LOOK_DATES && is == CELL_DATE)
            return HEADER_NOT;
        dated = dated || (kind == LOOK_DATES && is == CELL_NAME);
        above += kind != LOOK_TEXT && (is & (CELL_NAME | CELL_DATE)) != 0;
        values += is == CELL_NUMBER;
        amounts += is == CELL_AMOUNT;
    }
    if (dated && values > 0)
        return HEADER_MAYBE;
    if (count < look->count)
        return look_record_has(looking, record, CELL_NUMBER | CELL_DATE) ? HEADER_NOT : HEADER_IS;
    if (amounts > above)
        return HEADER_NOT;
    if (values > 0)
        return above >= values ? HEADER_MAYBE : HEADER_NOT;
    return above > 0 || (record == 0 && has_new_words(looking, record)) ? HEADER_IS : HEADER_NOT;
}

/* Does the record have the name of a column that an option names? */
static bool has_option_names(const struct looking *looking, unsigned record)
{
    const struct text_dialect *dialect = &looking->look->dialect;
    const char *lists[] = {dialect->time, dialect->columns, dialect->not_columns, dialect->by};
    struct text_field item;

    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        while (text_next_item(&lists[list], &item)) {
            for (unsigned i = 0; i < looking->set.records[record].count; i++) {
                if (text_item_number(&item) == 0 &&
                    text_same(&item, &look_cell_at(looking, record, i)->field))
                    return true;
            }
        }
    }
    return false;
}

struct look_numbers look_numbers_of(const struct looking *looking, unsigned record)
{
    const struct look_record *at = &looking->set.records[record];
    struct look_numbers numbers = {
        .years = true,
        .rise = true,
        .words = at->words > 0 ||
                 (at->count > 0 && look_cell_at(looking, record, 0)->kind == CELL_EMPTY)};
    double last = 0;

    for (unsigned i = 0; i < looking->set.records[record].count; i++) {
        const struct look_cell *cell = look_cell_at(looking, record, i);
        double value;

        if (text_value(&looking->lines, &cell->field, &value) != TEXT_NUMBER)
            continue;
        numbers.years = numbers.years && value >= 1500 && value <= 2100 && value == floor(value);
        if (numbers.count == 0)
            numbers.first = value;
        numbers.rise = numbers.rise && (numbers.count == 0 || value > last);
        if (numbers.count == 1)
            numbers.step = value - last;
        if (numbers.count > 1 && fabs(value - last - numbers.step) > 1e-9 * fabs(value))
            numbers.step = 0;
        last = value;
        numbers.count++;
    }
    return numbers;
}

/* Do the numbers of the record seem to be names? A record of another kind has to be below. */
static bool has_numbers_as_names(const struct looking *looking, unsigned record)
{
    const struct look_numbers here = look_numbers_of(looking, record);
    const struct look_cell *corner = look_cell_at(looking, record, 0);
    struct look_numbers below = {.count = 0};
    bool rise = false;

    if (look_record_has(looking, record, CELL_DATE) || here.count == 0)
        return false;
    for (unsigned i = record + 1; i < looking->set.count; i++) {
        if (looking->set.records[i].count != looking->set.records[record].count)
            continue;
        if (below.count == 0)
            below = look_numbers_of(looking, i);
        rise = rise || look_numbers_of(looking, i).rise;
    }
    if (below.count == 0)
        return false;
    if (corner->kind == CELL_EMPTY && here.count + 1 == looking->set.records[record].count &&
        here.rise)
        return true;
    if (here.years && !below.years && (here.words || (here.count > 2 && here.step != 0)))
        return true;
    if (corner->kind == CELL_EMPTY && here.first == 0 && here.step == 1)
        return true;
    return here.words && here.count > 2 && here.rise && !rise;
}

static bool is_unit(const struct text_field *field)
{
    static const char units[] =
        " s ms us min h hr d day days sec seconds hours deg degC degF C F K Pa hPa kPa mbar mb bar"
        " V mV A mA W kW MW Wh kWh MWh J kJ N m mm cm km ft in m2 m3 mps m/s kn kt knots mph Hz kHz"
        " MHz dB dBm ppm ppb g kg mg l L ml mol PSU psu NTU counts degrees degc Celsius Volts volts"
        " meters inches";
    const size_t length = (size_t)(field->end - field->start);

    if (length == 0)
        return false;
    return format_is_among(units, field->start, length) ||
           (length > 4 && memcmp(field->start, "deg ", 4) == 0) ||
           (length > 2 && strchr("[(", *field->start) != NULL &&
            strchr("])", field->end[-1]) != NULL) ||
           memchr(field->start, '/', length) != NULL || memchr(field->start, '^', length) != NULL ||
           memchr(field->start, '%', length) != NULL ||
           memmem(field->start, length, "\u00b0", 2) != NULL;
}

/* Does this record have the units below names? */
static bool has_units(const struct looking *looking, unsigned record)
{
    const struct look_record *at = &looking->set.records[record];
    bool any = false;

    for (unsigned i = 0; i < at->count; i++) {
        const struct look_cell *cell = look_cell_at(looking, record, i);

        any = any || is_unit(&cell->field);
        if (cell->kind == CELL_AMOUNT && strncmp(cell->field.start, "1/", 2) != 0)
            return false;
    }
    return any && !look_record_has(looking, record, CELL_NUMBER | CELL_DATE);
}

/* A record that is cut off is still a row. */
static bool is_cut(const struct looking *looking, unsigned record)
{
    return looking->set.records[record].count < looking->look->count &&
           look_record_has(looking, record, CELL_NUMBER | CELL_DATE) &&
           !look_record_has(looking, record, CELL_NAME | CELL_AMOUNT);
}

bool look_fits(const struct looking *looking, unsigned record, unsigned kinds)
{
    bool any = false;

    if (looking->set.records[record].count < looking->look->count)
        return false;
    for (unsigned i = 0; i < looking->look->count; i++) {
        const enum look_cell_kind is = look_cell_at(looking, record, i)->kind;
        const enum look_kind kind = looking->look->columns[i].kind;
        const enum look_cell_kind due = kind == LOOK_DATES ? CELL_DATE : CELL_NUMBER;

        if (kind != LOOK_TEXT && is != due && (is & kinds) == 0)
            return false;
        any = any || (kind != LOOK_TEXT && is == due);
    }
    return any;
}

/* True for a line under names: "---- ----". */
static bool is_ruler(const struct looking *looking, unsigned record)
{
    const struct look_record *at = &looking->set.records[record];

    for (unsigned i = 0; i < at->count; i++) {
        const struct text_field *field = &look_cell_at(looking, record, i)->field;

        if (strspn(field->start, "-=+_|") < (size_t)(field->end - field->start))
            return false;
    }
    return at->count > 0;
}

/* The header is the last line of words alone above the first row that fits, or else the first line
 * that has a word above values. Lines between them are rows, though they do not fit; but with
 * blanks as the delimiter, lines above a line with other cells are prose. */
static void find_names(struct looking *looking)
{
    unsigned maybe = NO_RECORD;

    for (unsigned i = looking->row; i-- > 0 && looking->names == NO_RECORD;) {
        const enum header_is is = header_like(looking, i);

        if (is_ruler(looking, i))
            continue;
        if (is == HEADER_IS || has_option_names(looking, i))
            looking->names = i;
        else if (is == HEADER_MAYBE || (looking->set.records[i].count <= looking->look->count &&
                                        looking->set.records[i].count + 1 >= looking->look->count &&
                                        has_numbers_as_names(looking, i)))
            maybe = i;
        else if (looking->set.records[i].count != looking->look->count && !is_cut(looking, i) &&
                 !look_fits(looking, i, 0)) {
            if (looking->lines.delimiter == ' ' && looking->first <= i)
                looking->first = i + 1;
            break;
        }
    }
    if (looking->names == NO_RECORD)
        looking->names = maybe;
    if (looking->names == NO_RECORD)
        looking->row = looking->first;
    if (looking->names == NO_RECORD && looking->row < looking->set.count &&
        (has_option_names(looking, looking->row) || has_numbers_as_names(looking, looking->row)))
        looking->names = looking->row;
    if (looking->names != NO_RECORD)
        looking->row = looking->names + 1;
}

/* Finds the header, and so the first row. Of two lines of words the second may be units. At least
 * half of a header, unlike a title, is words. */
static int find_header(struct looking *looking)
{
    unsigned lines = 1;

    find_names(looking);
    if (looking->names == NO_RECORD)
        return 0;
    for (unsigned i = looking->names; i-- > 0 && header_like(looking, i) == HEADER_IS;) {
        if (2 * looking->set.records[i].words >= looking->set.records[i].count &&
            cells_of(looking, i) == cells_of(looking, looking->names))
            lines = looking->names - i + 1;
    }
    if (looking->lines.delimiter == ' ' && lines <= looking->names)
        lines = 1; /* below prose, in which a line may have as many words */
    if (lines == 2 && has_units(looking, looking->names))
        looking->units = looking->names--;
    else if (lines > 1)
        return error_set(
            looking->error, ERROR_FILE, looking->name,
            "has %u lines of words above its numbers, from line %llu on: --header %u takes names "
            "from the first of them, --header 1 --skip-lines %llu from the last",
            lines, (unsigned long long)looking->set.records[looking->names + 1 - lines].line, lines,
            (unsigned long long)looking->set.records[looking->names].line - 1);
    return 0;
}

/* Takes the header that an option or the logger says. It begins in the first record with as many
 * cells as rows have, or one fewer. */
static void take_header(struct looking *looking, unsigned lines)
{
    const struct look_records *set = &looking->set;
    unsigned first = 0;

    while (first < set->count && set->records[first].count + 1 != looking->look->count &&
           set->records[first].count != looking->look->count)
        first++;
    if (lines > 0 && first < set->count)
        looking->names = first;
    if (lines > 1 && first + 1 < set->count && !look_record_has(looking, first + 1, CELL_NUMBER))
        looking->units = first + 1;
    looking->row = first + lines < set->count ? first + lines : set->count;
}

/* A line of numbers or times without a word is a row, though it may be cut off. */
static void find_cut_row(struct looking *looking)
{
    const unsigned top = looking->names != NO_RECORD ? looking->names : looking->row;

    for (unsigned i = 0; i < top && i < looking->set.count; i++) {
        if (is_cut(looking, i)) {
            looking->row = i;
            looking->names = looking->units = NO_RECORD;
            return;
        }
    }
}

/* A header that is one cell short has no name for the last column, if that is empty, or else for
 * the first, which R writes. */
static void take_names(struct looking *looking)
{
    struct look *look = looking->look;
    const struct look_column *last = &look->columns[look->count - 1];
    const unsigned records[] = {looking->names, looking->units};

    if (looking->names != NO_RECORD &&
        looking->set.records[looking->names].count + 1 == look->count)
        look->shift = last->numbers + last->words + last->dates > 0;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned count = records[i] == NO_RECORD ? 0 : looking->set.records[records[i]].count;

        for (unsigned j = 0; j < count && j + look->shift < look->count; j++) {
            struct look_column *column = &look->columns[j + look->shift];

            *(i == 0 ? &column->name : &column->unit) = look_cell_at(looking, records[i], j)->field;
        }
    }
    if (looking->names != NO_RECORD)
        look->names_line = looking->set.records[looking->names].line;
    if (looking->units != NO_RECORD)
        look->units_line = looking->set.records[looking->units].line;
}

/* Sea-Bird's header says the names in lines such as "# name 0 = prDM: Pressure, Digiquartz [db]".
 */
static void take_seabird(struct looking *looking, const char *text)
{
    struct look *look = looking->look;

    for (const char *at = text; at < looking->cursor.at; at++) {
        char *name;
        unsigned long column;
        struct text_field *field;

        if (strncmp(at, "# name ", 7) == 0 && at[7] >= '0' && at[7] <= '9') {
            column = strtoul(at + 7, &name, 10);
            name += strspn(name, " =");
            if (column < look->count) {
                field = &look->columns[column].name;
                *field = (struct text_field){.start = name, .end = name + strcspn(name, ":\r\n")};
                field = &look->columns[column].unit;
                at = name + strcspn(name, "[\n");
                if (*at == '[')
                    *field = (struct text_field){.start = at, .end = at + strcspn(at, "]\n") + 1};
            }
        }
        at += strcspn(at, "\n");
    }
}

/* Finds the names in the last comment above the first row, if it has as many words. */
static void take_comment(struct looking *looking)
{
    struct look *look = looking->look;
    struct text_cursor cursor = looking->cursor;
    struct text_cursor found = {.at = NULL};
    enum text_next then = TEXT_FIELD;
    unsigned count = 0;
    uint64_t line;
    const char *row;

    if (looking->names != NO_RECORD || looking->row == looking->set.count || looking->header == 0 ||
        look->count == 0)
        return;
    row = look_cell_at(looking, looking->row, 0)->field.start;
    while (cursor.at < row) {
        const char *next =
            (const char *)memchr(cursor.at, '\n', (size_t)(cursor.end - cursor.at)) + 1;
        const char *at = cursor.at + strspn(cursor.at, " \t");

        if (*at == '#' && strchr("\r\n", at[strspn(at, "# \t")]) == NULL)
            found = (struct text_cursor){at + strspn(at, "# \t"), next, cursor.line};
        cursor.at = next;
        cursor.line++;
    }
    if (found.at == NULL || (look->count == 1 && found.at[strcspn(found.at, " \t\n")] != '\n'))
        return;
    line = found.line;
    while (then == TEXT_FIELD && count < look->count) {
        struct text_field *name = &look->columns[count].name;
        double value;

        then = text_take_field(&looking->lines, &found, name);
        if (then > TEXT_RECORD || text_value(&looking->lines, name, &value) != TEXT_WORD)
            break;
        count++;
    }
    look->commented = then == TEXT_RECORD && count == look->count;
    look->names_line = look->commented ? line : 0;
    for (unsigned i = 0; i < look->count && !look->commented; i++)
        look->columns[i].name = (struct text_field){.start = NULL};
}

void look_take_words(struct looking *looking)
{
    const unsigned count = looking->set.count;
    const bool units = count == 2 && has_units(looking, 1);

    looking->row = 0;
    if (count == 1 || units) {
        looking->names = 0;
        looking->units = units ? 1 : NO_RECORD;
        looking->row = count;
    }
}

int look_find_header(struct looking *looking)
{
    if (looking->header != TEXT_HEADER_AUTO)
        take_header(looking, looking->header);
    else if (find_header(looking) != 0)
        return -1;
    if (looking->look->maker == NULL)
        find_cut_row(looking);
    return 0;
}

/* Keeps the records of the header, without the ends of their lines; that of a logger has a line
 * above the names. */
static void keep_header(struct looking *looking, const char *text)
{
    struct memory_text *header = &looking->look->header;
    unsigned kept = 0;

    if (looking->look->maker != NULL) {
        text += 3 * (size_t)(*text == '\xef');
        memory_text_add(header, text, strcspn(text, "\r\n"));
        memory_text_add(header, "", 1);
        kept++;
    }
    for (unsigned i = looking->names; i < looking->row && kept < LOOK_HEADER; i++) {
        const struct look_record *at = &looking->set.records[i];
        const char *end = at->behind;

        if (!look_record_has(looking, i, CELL_NAME | CELL_AMOUNT | CELL_DATE))
            continue;
        while (end > at->at && strchr("\r\n", end[-1]) != NULL)
            end--;
        memory_text_add(header, at->at, (size_t)(end - at->at));
        memory_text_add(header, "", 1);
        kept++;
    }
}

void look_find_names(struct looking *looking, const char *text)
{
    struct look *look = looking->look;
    const struct look_record *records = looking->set.records;
    const bool any = looking->row < looking->set.count;

    look->at = any ? records[looking->row].at : looking->set.behind.at;
    look->line = any ? records[looking->row].line : looking->set.behind.line;
    for (unsigned i = 0; any && i < look->count && i < records[looking->row].count; i++)
        look->columns[i].first = look_cell_at(looking, looking->row, i)->field;
    keep_header(looking, text);
    take_names(looking);
    take_comment(looking);
    if (looking->look->maker != NULL && looking->header == 0)
        take_seabird(looking, text);
}
