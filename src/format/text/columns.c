#include "format/text/columns_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "format/text/header_priv.h"

/* What columns are chosen from. */
struct column_choice {
    struct text_columns *columns;
    const struct text_lines *lines;
    struct text_header header;
    struct text_look row;   /* without columns: there is none */
    unsigned count;         /* columns; 0: not known yet */
    unsigned shift;         /* columns before the first that has a name */
    struct text_keys names; /* in the header, if a list may have some */
    unsigned (*named)[2];   /* by the number of the name, the first and another column with it */
    struct error *error;
};

/* The field of a line of the header for a column, from the first column on; an empty one where it
 * has none. */
static struct text_field next_name(const struct column_choice *choice, unsigned column,
                                   struct text_cursor *cursor)
{
    static const char nothing[] = "";
    struct text_field name = {.start = nothing, .end = nothing};

    if (column >= choice->shift && column - choice->shift < choice->header.first.columns)
        (void)text_take_field(choice->lines, cursor, &name);
    return name;
}

/* Does a name seem to be several: "temp hum" of which the first is one, "2-4", "2..4" or "2:4"? */
static bool is_list(const struct column_choice *choice, const char *name)
{
    static const char digits[] = "0123456789";
    const struct text_field first = {.start = name, .end = name + strcspn(name, " ")};
    const char *between = name + strspn(name, digits);
    const char *last = between + strspn(between, "-:.");

    if (*first.end == ' ')
        return text_keys_look(&choice->names, &first) != NULL;
    return between > name && last > between &&
           strncmp(between, ".", (size_t)(last - between)) != 0 && *last != '0' &&
           strspn(last, digits) == strlen(last);
}

static bool is_utf8(const char *text)
{
    size_t length = 1;
    uint32_t code;

    for (; *text != '\0' && length > 0; text += length)
        length = utf8_length((const unsigned char *)text, &code);
    return length > 0;
}

/* What may be wrong with an item that is none of these names, each in single quotes; or NULL. */
static const char *item_hint(const char *name, const char *names)
{
    char longer[TEXT_SHOWN_ROOM + 2];

    (void)snprintf(longer, sizeof longer, "'%s,", name);
    if (strstr(names, "', '") != NULL && strstr(names, longer) != NULL)
        return ": a name with a comma needs quotes in the list, as in '\"a, b\"'";
    if (utf8_count(name) < strlen(name) && !is_utf8(names))
        return ": it is not in UTF-8: convert it first: iconv -f LATIN1 -t UTF-8";
    return NULL;
}

/* The error lists the existing columns, as far as there is room. */
static int no_column(const struct column_choice *choice, const char *name)
{
    enum { NAMES = 160 };
    struct text_cursor cursor = choice->header.first.start;
    char names[NAMES + TEXT_SHOWN + 32]; /* with the last name, and how many are left out */
    const char *hint;
    size_t used = 0;
    unsigned column;

    for (column = 0; column < choice->header.first.columns && used < NAMES; column++) {
        struct text_field field;
        char shown[TEXT_SHOWN_ROOM];

        (void)text_take_field(choice->lines, &cursor, &field);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'",
                                 column > 0 ? ", " : "", text_show_field(&field, shown));
    }
    if (column < choice->header.first.columns)
        snprintf(names + used, sizeof names - used, " and %u more",
                 choice->header.first.columns - column);
    hint = item_hint(name, names);
    return error_set(choice->error, choice->header.first.code, choice->lines->name,
                     "has no column '%s': it has %s%s", name, names,
                     hint != NULL            ? hint
                     : is_list(choice, name) ? ": a list has commas, as in 2,3"
                                             : "");
}

/* The column with this name, from 1. 0 is an error. */
static unsigned find_name(const struct column_choice *choice, const struct text_field *item)
{
    const char *name = choice->lines->name;
    const struct text_key *key = text_keys_look(&choice->names, item);
    const unsigned *named = key == NULL ? NULL : choice->named[key->key.number];
    char shown[TEXT_SHOWN_ROOM];

    text_show_field(item, shown);
    if (named != NULL && named[1] == 0)
        return named[0] + choice->shift;
    if (named != NULL)
        error_set(choice->error, ERROR_FILE, name,
                  "columns %u and %u both have the name '%s': choose one by its number",
                  named[0] + choice->shift, named[1] + choice->shift, shown);
    else if (choice->header.first.columns == 0)
        error_set(choice->error, ERROR_FILE, name,
                  "its first line, %llu, names no columns: choose '%s' by its number",
                  (unsigned long long)choice->row.start.line, shown);
    else
        no_column(choice, shown);
    return 0;
}

/* The column of an item, from 1. 0 is an error. */
static unsigned find_column(const struct column_choice *choice, const struct text_field *item)
{
    unsigned column = text_item_number(item);
    char shown[TEXT_SHOWN_ROOM];

    if (column == 0)
        return find_name(choice, item);
    if (column <= choice->count)
        return column;
    error_set(choice->error, ERROR_FILE, choice->lines->name,
              "has only %u column%s: there is no column %s", choice->count,
              choice->count == 1 ? "" : "s", text_show_field(item, shown));
    return 0;
}

bool text_columns_is_label(const struct text_columns *columns, unsigned column)
{
    for (unsigned i = 0; i < columns->time.count; i++) {
        if (columns->time.column[i] == column)
            return true;
    }
    return columns->by == column + 1;
}

/* The columns of a list, which may be NULL, become channels, or those of the `times`. */
static int choose_listed(const struct column_choice *choice, const char *list, bool times)
{
    struct text_columns *columns = choice->columns;
    struct text_field item;

    while (text_next_item(&list, &item)) {
        unsigned column = find_column(choice, &item);

        if (column == 0)
            return -1;
        if (times) {
            columns->time.column[columns->time.count++] = column - 1;
        } else if (columns->channel_of[column - 1] == TEXT_UNWANTED) {
            columns->channel_of[column - 1] = columns->channels++;
        } else {
            return error_set(choice->error, ERROR_FILE, choice->lines->name,
                             "column %u is chosen twice", column);
        }
    }
    return 0;
}

/* The columns of the times and of the keys. */
static int choose_labels(const struct column_choice *choice)
{
    const char *by = choice->lines->dialect->by;
    struct text_field item;
    unsigned column;

    choice->columns->time.count = 0;
    choice->columns->by = 0;
    if (choose_listed(choice, choice->lines->dialect->time, true) != 0)
        return -1;
    if (!text_next_item(&by, &item))
        return 0;
    column = find_column(choice, &item);
    if (column > 0 && text_columns_is_label(choice->columns, column - 1))
        return error_set(choice->error, ERROR_KEYS, choice->lines->name,
                         "column %u has the times, not keys", column);
    choice->columns->by = column;
    return column > 0 ? 0 : -1;
}

static int no_memory(const struct column_choice *choice)
{
    return error_system(choice->error, ERROR_FILE, choice->lines->name, ENOMEM);
}

/* The columns up to the last one that has a name or a field in the row: spreadsheets write empty
 * ones behind them. Without a header, all of them. */
static unsigned used_columns(const struct column_choice *choice)
{
    struct text_cursor names = choice->header.first.start;
    struct text_cursor fields = choice->row.start;
    unsigned used = 1;

    if (choice->header.first.columns == 0 || choice->row.columns != choice->count)
        return choice->count;
    for (unsigned i = 0; i < choice->count; i++) {
        const struct text_field name = next_name(choice, i, &names);
        struct text_field field;

        (void)text_take_field(choice->lines, &fields, &field);
        if (name.start < name.end || field.start < field.end || field.quoted)
            used = i + 1;
    }
    return used;
}

/* Chooses all columns without a word in the first row. `others` lists the rest. */
static int choose_numbers(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const unsigned used = used_columns(choice);
    struct text_cursor cursor = choice->row.start;
    struct text_field field;
    unsigned odd = choice->count; /* for the error: one that has a number in it, or the first */

    for (unsigned i = 0; i < choice->count; i++) {
        const bool there = i < choice->row.columns;
        const uint64_t line = cursor.line;
        enum error_code code;
        double value;

        if (there)
            (void)text_take_field(choice->lines, &cursor, &field);
        if (text_columns_is_label(columns, i))
            continue;
        if (i < used && (!there || text_value(choice->lines, &field, &value) != TEXT_WORD)) {
            columns->channel_of[i] = columns->channels++;
            continue;
        }
        code = text_field_code(choice->lines, &field, choice->count == 1);
        if (odd == choice->count || code == ERROR_THOUSANDS || code == ERROR_BIG_NUMBER ||
            (there && text_is_amount(choice->lines, &field)))
            odd = i;
        if (code != ERROR_THOUSANDS && code != ERROR_BIG_NUMBER && i < used && code != ERROR_FILE)
            return text_wrong_field(choice->lines, code, line, i + 1, &field, "is not a number",
                                    choice->error);
        memory_text_print(&columns->others, "%s%u", columns->others.used > 0 ? ", " : "", i + 1);
    }
    if (columns->others.failed)
        return no_memory(choice);
    columns->table.others = columns->others.bytes;
    if (columns->channels > 0)
        return 0;
    if (choice->row.columns <= columns->time.count + (columns->by > 0))
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has no column beside its times%s", columns->by > 0 ? " and keys" : "");
    text_look_take(choice->lines, &choice->row, odd, &field);
    return text_wrong_field(choice->lines, text_number_code(choice->lines, &field, false),
                            choice->row.start.line, odd + 1, &field,
                            "is not a number, and no other column has one", choice->error);
}

/* Some write "(hPa)" or "[hPa]"; those that show units put parentheses around them. */
static void remove_brackets(struct text_field *unit)
{
    const size_t length = (size_t)(unit->end - unit->start);

    if (length > 2 && ((*unit->start == '(' && unit->end[-1] == ')') ||
                       (*unit->start == '[' && unit->end[-1] == ']'))) {
        unit->start++;
        unit->end--;
    }
}

/* Keeps the text of the header, and takes the names and units of the columns from it. */
static int take_names(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const struct text_header *header = &choice->header;
    const bool have_units = header->units.columns > 0;
    struct text_cursor cursor = header->first.start;
    struct text_cursor units = header->units.start;
    char *word;

    if (header->first.columns == 0)
        return 0;
    columns->header_size = (size_t)(header->end - header->first.start.at);
    columns->names_size = (size_t)(header->first.behind.at - header->first.start.at);
    columns->shift = choice->shift;
    columns->header = malloc(columns->header_size);
    columns->words = malloc(columns->header_size + 2 * (size_t)choice->count); /* with a NUL each */
    columns->names = calloc(2 * (size_t)columns->channels + 1, sizeof *columns->names);
    if (columns->header == NULL || columns->words == NULL || columns->names == NULL)
        return no_memory(choice);
    memcpy(columns->header, header->first.start.at, columns->header_size);
    columns->table.header_lines[0] = header->first.start.line;
    columns->table.header_lines[1] = header->last;
    columns->table.names = columns->names;
    columns->table.units = have_units ? columns->names + columns->channels : NULL;
    word = columns->words;
    for (unsigned i = 0; i < choice->count; i++) {
        const unsigned channel = columns->channel_of[i];
        const struct text_field field = next_name(choice, i, &cursor);
        const char *name = word;

        word = text_copy(&field, word) + 1;
        if (channel != TEXT_UNWANTED)
            columns->names[channel] = name;
        for (unsigned j = 0; j < columns->time.count; j++) {
            if (columns->time.column[j] == i)
                columns->time_names[j] = name;
        }
        if (columns->by == i + 1)
            columns->table.by_name = name;
        if (have_units) {
            struct text_field unit = next_name(choice, i, &units);

            remove_brackets(&unit);
            if (channel != TEXT_UNWANTED)
                columns->names[columns->channels + channel] = word;
            word = text_copy(&unit, word) + 1;
        }
    }
    return 0;
}

/* A first row has one field more than the header. At its end an empty one is surplus; else R has
 * written names of rows before the others, in quotes or between blanks. */
static int take_surplus(struct column_choice *choice)
{
    struct text_field first;
    struct text_field last;
    double value;

    text_look_take(choice->lines, &choice->row, 0, &first);
    text_look_take(choice->lines, &choice->row, choice->count, &last);
    if (text_value(choice->lines, &last, &value) != TEXT_EMPTY) {
        if (!first.quoted && choice->lines->delimiter != ' ' && choice->lines->delimiter != '\t')
            return 0;
        choice->shift = 1;
    }
    choice->count++;
    return choose_labels(choice); /* names stand for other columns now */
}

/* The unit that the header says of the times, in their name or below it. TIME_S, too, if it says
 * none. */
static enum time_unit find_unit(const struct column_choice *choice)
{
    const struct text_look *const looks[] = {&choice->header.first, &choice->header.units};
    const unsigned column = choice->columns->time.column[0] - choice->shift;
    enum time_unit said = TIME_S;

    for (unsigned i = 0; i < 2 && choice->columns->time.column[0] >= choice->shift; i++) {
        struct text_field field;

        if (said != TIME_S || column >= looks[i]->columns)
            continue;
        text_look_take(choice->lines, looks[i], column, &field);
        said = time_unit_said(field.start, field.end);
    }
    return said;
}

/* Finds the first row; the first good one, if bad lines are not errors. Where there is none, all
 * lines will be bad. */
static enum text_next find_row(struct column_choice *choice, struct text_cursor cursor, bool last)
{
    const struct text_look *row = &choice->row;
    const struct text_dialect *dialect = choice->lines->dialect;
    const bool lenient = dialect->bad_lines != TEXT_BAD_ERROR;

    for (unsigned lines = 0;; lines++) {
        struct text_look look;
        enum text_next next = text_look_at(&look, choice->lines, &cursor, choice->error);

        if ((next == TEXT_OPEN && last) || lines == TEXT_BAD_MOST) {
            choice->columns->time.form =
                (struct time_form){.kind = dialect->time_format != NULL ? TIME_FORMAT : TIME_NUMBER,
                                   .unit = dialect->time_unit,
                                   .format = dialect->time_format};
            return choice->count > 0 ? TEXT_RECORD : TEXT_OPEN;
        }
        if (next != TEXT_RECORD)
            return next;
        choice->row = look;
        if (choice->count == 0) {
            choice->count = row->columns;
            if (choose_labels(choice) != 0)
                return TEXT_FAULT;
        }
        cursor = row->behind;
        if (row->columns == choice->count + 1 && choice->header.first.columns == choice->count &&
            take_surplus(choice) != 0)
            return TEXT_FAULT;
        if (row->columns != choice->count && lenient)
            continue;
        if (row->columns < choice->count || choice->columns->time.count == 0)
            return TEXT_RECORD;
        next = text_first_time(&choice->columns->time, choice->lines, row, find_unit(choice),
                               choice->error);
        if (next != TEXT_OPEN)
            return next;
        if (lenient)
            continue;
        if (choice->error->code == ERROR_TIME && choice->header.first.columns > 0 && row->words &&
            !row->numbers) {
            choice->error->code = ERROR_MORE_HEADER;
            choice->error->number = (int)(row->start.line - choice->header.first.start.line) + 1;
        }
        return TEXT_FAULT;
    }
}

/* Lists the columns that seem to hold times: dates, or numbers under a name that says so. */
static void list_dates(const struct column_choice *choice)
{
    enum { AMONG = 64 };
    static const char *const names[] = {"time", "date", "stamp", "epoch"};
    char *dates = choice->columns->dates;
    size_t used = 0;

    for (unsigned i = 0; i < choice->row.columns && i < choice->count && i < AMONG; i++) {
        struct text_field field;
        char name[TEXT_SHOWN_ROOM];
        bool found;

        text_look_take(choice->lines, &choice->row, i, &field);
        found = text_is_date(&field);
        text_columns_name(choice->columns, choice->lines, i, name);
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            found = found || strcasestr(name, names[j]) != NULL;
        if (!found || used + sizeof name + 8 > TEXT_DATES)
            continue;
        if (name[0] != '\0')
            used += (size_t)sprintf(dates + used, "%s'%s'", used > 0 ? ", " : "", name);
        else
            used += (size_t)sprintf(dates + used, "%s%u", used > 0 ? ", " : "", i + 1);
    }
    choice->columns->table.dates = used > 0 ? dates : NULL;
}

/* Finds the columns that are the next channels, side by side. */
static void find_runs(struct text_columns *columns)
{
    for (unsigned i = columns->count; i-- > 0;) {
        const unsigned channel = columns->channel_of[i];
        const bool goes_on = i + 1 < columns->count && columns->channel_of[i + 1] == channel + 1;

        columns->plain[i] = 0;
        if (channel != TEXT_UNWANTED && !text_columns_is_label(columns, i))
            columns->plain[i] = 1 + (goes_on ? columns->plain[i + 1] : 0);
    }
}

static int choose(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    int result;

    columns->channel_of = malloc(choice->count * sizeof *columns->channel_of);
    columns->plain = malloc(choice->count * sizeof *columns->plain);
    if (columns->channel_of == NULL || columns->plain == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < choice->count; i++)
        columns->channel_of[i] = TEXT_UNWANTED;
    columns->all = choice->lines->dialect->columns == NULL;
    columns->table.counted = choice->header.counted;
    result = choice->lines->dialect->columns != NULL
                 ? choose_listed(choice, choice->lines->dialect->columns, false)
                 : choose_numbers(choice);
    if (result != 0)
        return -1;
    if (columns->channels > TEXT_CHANNELS_MOST)
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has %u columns, more than %d: choose some of them", columns->channels,
                         TEXT_CHANNELS_MOST);
    if (choice->count == 1 && choice->header.first.columns == 1 &&
        choice->header.first.code == ERROR_COMMAS)
        return error_set(choice->error, ERROR_COMMAS, choice->lines->name, "line %llu: has commas",
                         (unsigned long long)choice->header.first.start.line);
    columns->code = choice->header.first.columns > 0 ? choice->header.first.code : choice->row.code;
    columns->count = choice->count;
    find_runs(columns);
    if (take_names(choice) != 0)
        return -1;
    list_dates(choice);
    if (columns->time.count == 0)
        return 0;
    columns->time.keyed = columns->by > 0;
    columns->time.header_end = columns->table.header_lines[1];
    columns->table.times = &columns->time.form;
    columns->table.time_columns = columns->time.count;
    columns->table.time_names = columns->time_names;
    columns->table.time_blanks = columns->time.blanks;
    return 0;
}

/* Makes the names of the header known to find_name(), if a list may have some. */
static int index_names(struct column_choice *choice)
{
    const struct text_dialect *dialect = choice->lines->dialect;
    const unsigned count = choice->header.first.columns;
    struct text_cursor cursor = choice->header.first.start;

    if (count == 0 || (dialect->time == NULL && dialect->columns == NULL && dialect->by == NULL))
        return 0;
    choice->named = calloc(count, sizeof *choice->named);
    if (choice->named == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < count; i++) {
        struct text_field field;
        const struct text_key *key;
        unsigned *named;

        (void)text_take_field(choice->lines, &cursor, &field);
        key = text_keys_find(&choice->names, &field);
        if (key == NULL)
            return no_memory(choice);
        named = choice->named[key->key.number];
        if (named[1] == 0)
            named[named[0] > 0] = i + 1;
    }
    return 0;
}

enum text_next text_columns_find(struct text_columns *columns, const struct text_lines *lines,
                                 const struct text_cursor *comment, struct text_cursor *cursor,
                                 bool last, struct error *error)
{
    struct column_choice choice = {.columns = columns, .lines = lines, .error = error};
    struct text_cursor behind = *cursor;
    enum text_next next = text_header_find(&choice.header, lines, comment, &behind, last, error);

    choice.count = next == TEXT_RECORD ? choice.header.first.columns : 0;
    if (next == TEXT_RECORD && index_names(&choice) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD && choice.count > 0 && choose_labels(&choice) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD)
        next = find_row(&choice, behind, last);
    if (next == TEXT_RECORD && choose(&choice) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD)
        *cursor = behind;
    else
        text_columns_free(columns);
    text_keys_free(&choice.names);
    free(choice.named);
    return next;
}

void text_columns_name(const struct text_columns *columns, const struct text_lines *lines,
                       unsigned column, char shown[TEXT_SHOWN_ROOM])
{
    const char *const header = columns->header != NULL ? columns->header : "";
    struct text_cursor cursor = {.at = header, .end = header + columns->names_size};
    struct text_field field = {.start = header, .end = header};
    enum text_next next = columns->header != NULL ? TEXT_FIELD : TEXT_RECORD;

    for (unsigned i = columns->shift; i < column && next == TEXT_FIELD; i++)
        next = text_take_field(lines, &cursor, &field);
    if (next == TEXT_FIELD && column >= columns->shift)
        (void)text_take_field(lines, &cursor, &field);
    else
        field.end = field.start;
    text_show_field(&field, shown);
}

void text_columns_free(struct text_columns *columns)
{
    free(columns->names);
    free(columns->words);
    free(columns->header);
    free(columns->channel_of);
    free(columns->plain);
    memory_text_free(&columns->others);
    *columns = (struct text_columns){.count = 0};
}
