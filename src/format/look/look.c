/* SPDX-License-Identifier: MIT */
/* The kinds of most fields of the columns show which record is the first row; the lines above it
 * may be the header. */
#include "format/look/looking_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/min_max.h"
#include "format/format.h"

/* ---- columns ---- */

/* Keeps the first words of a column that differ. */
static void keep_word(struct look_column *column, const struct text_field *field)
{
    const unsigned kept = column->different < LOOK_WORDS ? column->different : LOOK_WORDS;

    for (unsigned i = 0; i < kept; i++) {
        if (text_same(&column->word[i], field))
            return;
    }
    if (column->different < LOOK_WORDS)
        column->word[column->different] = *field;
    column->different++;
}

/* Counts the kinds of fields in a column, in the records from here on, and so finds the kind of the
 * column. */
static void tell_column(const struct looking *looking, unsigned from, unsigned index)
{
    struct look_column *column = &looking->look->columns[index];
    bool any = false; /* a number, not only words for missing numbers */

    *column = (struct look_column){.name = column->name, .unit = column->unit};
    for (unsigned i = from; i < looking->set.count && i - from < look_rows(&looking->look->dialect);
         i++) {
        const struct look_cell *cell = look_cell_at(looking, i, index);

        if (looking->set.records[i].count != looking->look->count || looking->set.records[i].again)
            continue;
        column->numbers += (cell->kind & (CELL_NUMBER | CELL_MISSING)) != 0;
        any = any || cell->kind == CELL_NUMBER;
        column->dates += cell->kind == CELL_DATE;
        /* "(5)" may be the number of a column, but below its header it is an amount below 0. */
        column->amounts +=
            cell->kind == CELL_AMOUNT ||
            (cell->kind == CELL_NAME && cell->field.start[0] == '(' && cell->field.end[-1] == ')' &&
             cell->field.start[1] >= '0' && cell->field.start[1] <= '9');
        column->words += (cell->kind & (CELL_AMOUNT | CELL_NAME)) != 0;
        if (cell->kind == CELL_NAME)
            keep_word(column, &cell->field);
    }
    column->kind = column->dates > column->numbers && column->dates > column->words ? LOOK_DATES
                   : column->numbers >= column->words + column->dates &&
                           (any || (column->different < 2 && !looking->has_events))
                       ? LOOK_NUMBERS
                       : LOOK_TEXT;
}

static void tell_columns(const struct looking *looking, unsigned from)
{
    for (unsigned i = 0; i < looking->look->count; i++)
        tell_column(looking, from, i);
}

/* Is the record a row of these columns, with a value? */
static bool fits(const struct looking *looking, unsigned record)
{
    return looking->set.records[record].count == looking->look->count &&
           look_fits(looking, record, CELL_EMPTY | CELL_MISSING);
}

/* May a comma between two numbers be a decimal sign? Only if it is followed by digits alone, and if
 * no header, option or file name says what it is. */
static bool may_be_one_number(const struct looking *looking)
{
    const struct text_dialect *dialect = &looking->look->dialect;
    const unsigned names =
        looking->names == NO_RECORD ? 0 : looking->set.records[looking->names].count;

    if (looking->look->count != 2 || dialect->delimiter != ',' || looking->delimiter_given ||
        names > 1 || (names == 0 && looking->usual == ',') || dialect->columns != NULL ||
        dialect->time != NULL)
        return false;
    for (unsigned i = looking->row; i < looking->set.count; i++) {
        const struct text_field *field =
            &look_cell_at(looking, i, looking->set.records[i].count - 1)->field;

        if (looking->set.records[i].count != 2 || field->start == field->end ||
            strspn(field->start, "0123456789") < (size_t)(field->end - field->start) ||
            look_cell_at(looking, i, 0)->kind != CELL_NUMBER)
            return false;
    }
    return looking->row < looking->set.count;
}

/* Where the numbers of a column can be read in two ways, the user decides. */
static int check_commas(const struct looking *looking)
{
    struct look *look = looking->look;
    char shown[TEXT_SHOWN_ROOM];

    look->is_table = true; /* if the user has to decide, the text is a table */
    if (may_be_one_number(looking))
        return error_set(looking->error, ERROR_FILE, looking->name,
                         "line %llu: may have one number or two: give --decimal , if the comma is "
                         "its decimal sign, --delimiter , if it is between columns",
                         (unsigned long long)looking->set.records[looking->row].line);
    for (unsigned i = looking->row;
         i < looking->set.count && looking->either != NULL && look->dialect.columns == NULL; i++) {
        const struct look_record *at = &looking->set.records[i];
        const size_t cell = (size_t)(looking->either - looking->set.cells);

        if (cell >= at->first && cell < at->first + at->count)
            return error_set(looking->error, ERROR_FILE, looking->name,
                             "line %llu, column %zu: '%s' may be two numbers: give --decimal , if "
                             "the comma is its decimal sign, --thousands , if it is between "
                             "thousands",
                             (unsigned long long)at->line, cell - at->first + 1,
                             text_show_field(&looking->either->field, shown));
    }
    look->is_table = false;
    return 0;
}

/* A text without a record that can be read is empty, or not a table. */
static int check_text(const struct looking *looking)
{
    struct text_cursor cursor = looking->cursor;
    struct text_field field;
    enum text_next next;

    if (text_pass_idle_lines(&looking->lines, &cursor, looking->error) != 0)
        return -1;
    if (cursor.at >= cursor.end)
        return 0;
    next = text_take_field(&looking->lines, &cursor, &field);
    if (next == TEXT_OPEN)
        return looking->whole
                   ? error_set(looking->error, ERROR_FILE, looking->name,
                               "line %llu: ends inside quotes", (unsigned long long)cursor.line)
                   : 0;
    return text_no_field(&looking->lines, cursor.line, 1, &field, looking->error);
}

/* One column may be several columns with another delimiter than the given one. */
static int check_delimiter(const struct looking *looking, bool words)
{
    const struct text_dialect *dialect = &looking->look->dialect;
    const struct text_field *field = &look_cell_at(looking, 0, 0)->field;
    const size_t length = (size_t)(field->end - field->start);

    if (looking->look->count > 1 || field->quoted)
        return 0;
    if (dialect->decimal == ',' && look_cell_at(looking, 0, 0)->kind == CELL_NAME &&
        !looking->delimiter_given && memchr(field->start, ',', length) != NULL)
        return error_set(looking->error, ERROR_FILE, looking->name,
                         "line %llu: has commas: its columns seem to be separated by commas: leave "
                         "--decimal out, or give --delimiter too",
                         (unsigned long long)looking->set.records[0].line);
    if (!words || !looking->delimiter_given || strcspn(field->start, ",;\t|\n") >= length)
        return 0;
    return error_set(looking->error, ERROR_FILE, looking->name,
                     "line %llu: has one column: are -t and --delimiter right? Without them, "
                     "gpuenv looks for the delimiter",
                     (unsigned long long)looking->set.records[0].line);
}

/* Finds the columns, the header and the first row. */
static int find_rows(struct looking *looking)
{
    struct look *look = looking->look;
    unsigned from;

    look->count = look_usual_count(&looking->set);
    if (look->count == 0)
        return check_text(looking);
    look->columns = calloc(look->count, sizeof *look->columns);
    if (look->columns == NULL)
        return error_system(looking->error, ERROR_FILE, looking->name, errno);
    from = look_find_values(looking, look->count, CELL_NUMBER | CELL_DATE);
    looking->first = looking->row = from;
    tell_columns(looking, from);
    if (check_delimiter(looking, from == looking->set.count) != 0)
        return -1;
    if (from == looking->set.count && looking->header == TEXT_HEADER_AUTO) {
        look_take_words(looking);
        tell_columns(looking, looking->row);
        return 0;
    }
    for (looking->row = from; looking->row < looking->set.count && !fits(looking, looking->row);)
        looking->row++;
    if (looking->row == looking->set.count)
        looking->row = from;
    if (look_find_header(looking) != 0)
        return -1;
    tell_columns(looking, looking->row);
    return check_commas(looking);
}

/* ---- facts about the rows ---- */

/* Do a few words take turns, as the names of several sensors do? Then most words come again as many
 * rows further down as there are different words; or rows with equal times have different words. */
static bool takes_turns(const struct looking *looking, unsigned column)
{
    enum { FEW_ROWS = 5, KEPT = LOOK_WORDS + 1 };
    const struct look_column *at = &looking->look->columns[column];
    const bool few = at->different > 0 && at->different <= LOOK_WORDS;
    const struct look_time *times = look_first_times(looking->look);
    const struct text_field *words[KEPT];
    unsigned last = 0;
    unsigned rows = 0;
    unsigned again = 0;
    bool beside = false;

    if (at->kind != LOOK_TEXT)
        return false;
    for (unsigned i = looking->row; i < looking->set.count && rows < looking->look->rows; i++) {
        const struct text_field *word;
        bool same = times != NULL;
        bool changes;

        if (looking->set.records[i].count != looking->look->count)
            continue;
        word = &look_cell_at(looking, i, column)->field;
        for (unsigned t = 0; same && t < times->count && rows > 0; t++)
            same = text_same(&look_cell_at(looking, i, times->column[t])->field,
                             &look_cell_at(looking, last, times->column[t])->field);
        changes = rows > 0 && !text_same(word, words[(rows - 1) % KEPT]);
        again += changes && few && rows >= at->different &&
                 text_same(word, words[(rows - at->different) % KEPT]);
        beside = beside || (changes && same);
        words[rows++ % KEPT] = word;
        last = i;
    }
    return (beside && (rows <= FEW_ROWS || 2 * at->different <= rows)) ||
           (at->different > 1 && few && at->words == rows && rows >= 2 * at->different &&
            4 * again >= 3 * (rows - at->different));
}

static bool has_numbers(const struct look *look)
{
    for (unsigned i = 0; i < look->count; i++) {
        if (look->columns[i].kind == LOOK_NUMBERS && look->columns[i].numbers > 0)
            return true;
    }
    return false;
}

/* Is the text a table for sure, though only its text says so? Its rows have to be alike, half of
 * their cells values, and there must be enough rows. */
static bool is_sure(const struct looking *looking)
{
    const struct look *look = looking->look;
    const unsigned all = looking->set.count - looking->row;
    const unsigned least = look->dialect.delimiter == ' ' || look->count == 1 ? 3 : 2;
    unsigned good = 0;
    unsigned values = 0;
    unsigned words = 0;

    for (unsigned i = 0; i < look->count; i++) {
        values += look->columns[i].numbers + look->columns[i].dates;
        words += look->columns[i].words;
    }
    for (unsigned i = looking->row; i < looking->set.count; i++)
        good += fits(looking, i) || looking->set.records[i].again;
    return has_numbers(look) && good >= least && 10 * good >= 9 * all && values >= words;
}

/* Is more text needed to see the header and `least` rows? Blanks that may only be between words are
 * a delimiter only if more rows agree. */
static bool is_open(const struct looking *looking, char usual, unsigned least)
{
    const struct look *look = looking->look;
    const bool blanks = look->dialect.delimiter == ' ' && usual != ' ' && !look->is_table;

    if (!has_numbers(look) || look->rows < (blanks ? max_u64(least, 3) : least))
        return looking->set.count < looking->set.most;
    return look->rows == 1 && looking->names == NO_RECORD && looking->header == TEXT_HEADER_AUTO &&
           (look_record_has(looking, looking->row, CELL_NAME | CELL_AMOUNT | CELL_EMPTY) ||
            look_numbers_of(looking, looking->row).years);
}

static void see_rows(struct looking *looking, const char *text)
{
    struct look *look = looking->look;
    const struct look_time *time;
    struct look_numbers first;
    bool mixed = false;

    if (look->count == 0)
        return;
    look_find_names(looking, text);
    if (looking->row >= looking->set.count || looking->first == looking->set.count)
        return;
    look->first_line = looking->set.records[looking->row].line;
    look->rows = looking->set.count - looking->row;
    if (look->rows > look_rows(&look->dialect))
        look->rows = look_rows(&look->dialect);
    look->is_table = is_sure(looking);
    look_find_times(looking);
    for (unsigned i = 0; i < look->count; i++) {
        look->columns[i].turns = takes_turns(looking, i);
        mixed = mixed || look->columns[i].turns;
    }
    time = look_rows_time(look);
    if (look->dialect.sorts && !mixed && time->goes_back && !time->set_back)
        look->dialect.late = INT64_MAX;
    first = look_numbers_of(looking, looking->row);
    look->counted = looking->names == NO_RECORD && looking->header == TEXT_HEADER_AUTO &&
                    first.count > 1 && first.step == 1 &&
                    (first.words || first.first == 0 || (first.count > 2 && first.first > 1000)) &&
                    !look_record_has(looking, looking->row, CELL_DATE);
}

/* ---- the look ---- */

/* Skips the mark of UTF-8, and lines by an option or by the logger's own header. False if more text
 * is needed. */
static bool pass_beginning(struct looking *looking)
{
    struct text_cursor *cursor = &looking->cursor;
    struct look *look = looking->look;
    uint64_t lines = look->dialect.skip_lines;
    const char *first;

    if (cursor->end - cursor->at >= 3 && memcmp(cursor->at, "\xef\xbb\xbf", 3) == 0)
        cursor->at += 3;
    first = cursor->at;
    if (cursor->end - first > 12 &&
        (memcmp(first, "\"TOA5\"", 6) == 0 || memcmp(first, "TOA5,", 5) == 0)) {
        look->maker = "a Campbell logger (TOA5)";
        looking->header = 3;
        lines += lines == 0;
    } else if (cursor->end - first > 12 && memcmp(first, "\"Plot Title:", 12) == 0) {
        look->maker = "a HOBO logger";
        looking->header = 1;
        looking->has_events = true;
        lines += lines == 0;
    } else if (cursor->end - first > 12 && memcmp(first, "* Sea-Bird ", 11) == 0) {
        look->maker = "a Sea-Bird instrument";
        looking->header = 0;
        first = memmem(first, (size_t)(cursor->end - first), "\n*END*", 6);
        if (first == NULL)
            return false;
        for (const char *at = cursor->at; at <= first; at++)
            lines += *at == '\n';
        lines += lines >= 1;
    }
    if (look->dialect.header != TEXT_HEADER_AUTO)
        looking->header = look->dialect.header;
    if (look->maker != NULL && look->dialect.delimiter == '\0')
        look->dialect.delimiter = (char)(looking->header == 0 ? ' ' : ',');
    for (; lines > 0 && cursor->at < cursor->end; lines--) {
        cursor->at = (const char *)memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at)) + 1;
        cursor->line++;
    }
    return lines == 0;
}

/* Takes the delimiter from "sep=;", which Excel reads and writes as the first line, unless the user
 * gives it. */
static void take_separator(struct looking *looking)
{
    struct text_dialect *dialect = &looking->look->dialect;
    const char *line = looking->cursor.at;
    const char *end;

    if (looking->cursor.end - line < 6 || strncasecmp(line, "sep=", 4) != 0 || line[4] == '\n')
        return;
    end = line + 5 + strspn(line + 5, "\r");
    if (*end != '\n')
        return;
    if (dialect->delimiter == '\0')
        dialect->delimiter = line[4];
    looking->cursor.at = end + 1;
    looking->cursor.line++;
}

/* The number of lines before the table, if a line does not belong to it. */
static uint64_t lines_before(const struct looking *looking)
{
    const unsigned top = looking->names != NO_RECORD ? looking->names : looking->row;
    const uint64_t skipped = looking->look->dialect.skip_lines;

    if (top >= looking->set.count || (top == 0 && looking->look->maker == NULL))
        return 0;
    return looking->set.records[top].line - 1 - skipped;
}

enum text_next look_take(struct look *look, const char *name, const char *text, size_t size,
                         bool whole, char usual, unsigned least, const struct text_dialect *dialect,
                         struct error *error)
{
    struct looking looking = {
        .look = look,
        .name = name,
        .cursor = {.at = text, .end = text + size, .line = 1},
        .header = dialect->header,
        .usual = usual,
        .whole = whole,
        .names = NO_RECORD,
        .units = NO_RECORD,
        .set.most = look_rows(dialect) + LINES_ABOVE,
        .error = error,
    };
    enum text_next next = TEXT_RECORD;

    *look = (struct look){.dialect = *dialect, .at = text + size, .line = 1};
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        error_set(error, ERROR_FILE, name,
                  "is text in UTF-16: convert it first: iconv -f UTF-16 -t UTF-8");
        return TEXT_FAULT;
    }
    if (!pass_beginning(&looking) && !whole)
        return TEXT_OPEN;
    take_separator(&looking);
    if (look_choose_delimiter(&looking, usual) != 0 || look_choose_signs(&looking) != 0 ||
        find_rows(&looking) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD) {
        look->passed = lines_before(&looking);
        see_rows(&looking, text);
        if (!whole && size < LOOK_BYTES && is_open(&looking, usual, least))
            next = TEXT_OPEN;
    }
    free(looking.set.cells);
    free(looking.set.records);
    if (next != TEXT_RECORD)
        look_free(look);
    return next;
}

void look_free(struct look *look)
{
    free(look->columns);
    memory_text_free(&look->header);
    look->columns = NULL;
    look->count = 0;
}
