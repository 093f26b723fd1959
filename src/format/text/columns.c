#include "format/text/columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of columns ---- */

struct item {
    const char *start; /* without quotes */
    size_t length;
    bool quoted;
};

/* The next item of a list; false: it has no more. */
static bool next_item(const char **list, struct item *item)
{
    const char *at = *list;

    if (at == NULL)
        return false;
    item->quoted = *at == '"';
    item->start = at + item->quoted;
    if (item->quoted) {
        for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++)
            at += *at == '"';
        item->length = (size_t)(at - item->start);
        at += *at == '"';
        at += strcspn(at, ",");
    } else {
        item->length = strcspn(at, ",");
        at += item->length;
    }
    *list = *at == ',' ? at + 1 : NULL;
    return true;
}

/* Its number, or 0. A number that is too large becomes one beyond the columns of any text. */
static unsigned item_number(const struct item *item)
{
    unsigned number = 0;

    for (size_t i = 0; i < item->length; i++) {
        if (item->quoted || item->start[i] < '0' || item->start[i] > '9')
            return 0;
        if (number <= UINT32_MAX / 16)
            number = number * 10 + (unsigned)(item->start[i] - '0');
    }
    return number;
}

int text_columns_check(const char *list, unsigned most, struct error *error)
{
    struct item item;
    unsigned count = 0;

    while (next_item(&list, &item)) {
        if (item.length == 0)
            return error_set(error, ERROR_COLUMNS, NULL, "a column without a number or a name");
        if (!item.quoted && strspn(item.start, "0") >= item.length)
            return error_set(error, ERROR_COLUMNS, NULL, "there is no column 0: they count from 1");
        if (++count > most)
            return error_set(error, ERROR_COLUMNS, NULL, "more than %u columns", most);
    }
    return 0;
}

/* ---- records ---- */

/* What a record looks like. */
struct look {
    struct text_cursor start;
    struct text_cursor behind;
    unsigned columns;
    bool numbers; /* it has some, or words for missing ones */
    bool words;
    bool dates;
    enum error_code odd;  /* of the first field that looks like another dialect */
    enum error_code code; /* of its only field */
};

/* Looks at the next record. */
static enum text_next look_at(struct look *look, const struct text_lines *lines,
                              const struct text_cursor *cursor, struct error *error)
{
    struct text_field field;
    enum text_next next;

    *look = (struct look){.start = *cursor, .odd = ERROR_FILE, .code = ERROR_FILE};
    if (text_pass_idle_lines(lines, &look->start, error) != 0)
        return TEXT_FAULT;
    look->behind = look->start;
    if (look->start.at >= look->start.end)
        return TEXT_OPEN;
    do {
        uint64_t line = look->behind.line;
        enum text_verdict verdict;
        struct time_form form;
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
        if (look->odd == ERROR_FILE && verdict == TEXT_WORD)
            look->odd = text_field_code(lines, &field, false);
        look->dates = look->dates || (verdict == TEXT_WORD &&
                                      time_form_find(&form, TIME_S, NULL, field.start, field.end));
    } while (next == TEXT_FIELD);
    if (look->columns == 1)
        look->code = text_field_code(lines, &field, true);
    return next;
}

/* A field of a record. */
static void take_field_of(const struct text_lines *lines, const struct look *look, unsigned column,
                          struct text_field *field)
{
    struct text_cursor cursor = look->start;

    for (unsigned i = 0; i <= column; i++)
        (void)text_take_field(lines, &cursor, field);
}

/* What columns are chosen from. */
struct choice {
    struct text_columns *columns;
    const struct text_lines *lines;
    struct look header; /* without columns: there is none */
    struct look row;    /* the same */
    unsigned count;     /* columns; 0: not known yet */
    struct error *error;
};

/* The error lists the existing columns, as far as there is room. */
static int no_column(const struct choice *choice, const char *name)
{
    enum { NAMES = 160 };
    struct text_cursor cursor = choice->header.start;
    char names[NAMES + TEXT_SHOWN + 32]; /* with the last name, and how many are left out */
    size_t used = 0;
    unsigned column;

    for (column = 0; column < choice->count && used < NAMES; column++) {
        struct text_field field;
        char shown[TEXT_SHOWN_ROOM];

        (void)text_take_field(choice->lines, &cursor, &field);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'",
                                 column > 0 ? ", " : "", text_show_field(&field, shown));
    }
    if (column < choice->count)
        snprintf(names + used, sizeof names - used, " and %u more", choice->count - column);
    return error_set(choice->error, choice->header.code, choice->lines->name,
                     "has no column '%s': it has %s", name, names);
}

/* Does the item name this field? Both may contain doubled quotes. */
static bool is_named(const struct text_field *field, const struct item *item)
{
    const char *at = field->start;

    for (size_t i = 0; i < item->length; i++, at++) {
        if (at == field->end || *at != item->start[i])
            return false;
        i += item->quoted && item->start[i] == '"';
        at += field->quoted && *at == '"';
    }
    return at == field->end;
}

/* The column with this name, from 1. 0 is an error. */
static unsigned find_name(const struct choice *choice, const struct item *item)
{
    const char *name = choice->lines->name;
    struct text_cursor cursor = choice->header.start;
    unsigned found = 0;
    char shown[TEXT_SHOWN_ROOM];

    text_show(item->start, item->length, shown);
    if (choice->header.columns == 0) {
        error_set(choice->error, ERROR_FILE, name,
                  "its first line, %llu, names no columns: choose '%s' by its number",
                  (unsigned long long)choice->row.start.line, shown);
        return 0;
    }
    for (unsigned column = 1; column <= choice->count; column++) {
        struct text_field field;

        (void)text_take_field(choice->lines, &cursor, &field);
        if (!is_named(&field, item))
            continue;
        if (found > 0) {
            error_set(choice->error, ERROR_FILE, name,
                      "columns %u and %u both have the name '%s': choose one by its number", found,
                      column, shown);
            return 0;
        }
        found = column;
    }
    if (found == 0)
        no_column(choice, shown);
    return found;
}

/* The column of an item, from 1. 0 is an error. */
static unsigned find_column(const struct choice *choice, const struct item *item)
{
    unsigned column = item_number(item);
    char shown[TEXT_SHOWN_ROOM];

    if (column == 0)
        return find_name(choice, item);
    if (column <= choice->count)
        return column;
    error_set(choice->error, ERROR_FILE, choice->lines->name,
              "has %u column%s, and so no column %s", choice->count, choice->count == 1 ? "" : "s",
              text_show(item->start, item->length, shown));
    return 0;
}

static bool is_time(const struct text_columns *columns, unsigned column)
{
    for (unsigned i = 0; i < columns->times; i++) {
        if (columns->time[i] == column)
            return true;
    }
    return false;
}

/* The columns of a list, which may be NULL, become channels, or those of the `times`. */
static int choose_listed(const struct choice *choice, const char *list, bool times)
{
    struct text_columns *columns = choice->columns;
    struct item item;

    while (next_item(&list, &item)) {
        unsigned column = find_column(choice, &item);

        if (column == 0)
            return -1;
        if (times) {
            columns->time[columns->times++] = column - 1;
        } else if (columns->channel_of[column - 1] == TEXT_UNWANTED) {
            columns->channel_of[column - 1] = columns->channels++;
        } else {
            return error_set(choice->error, ERROR_FILE, choice->lines->name,
                             "column %u is chosen twice", column);
        }
    }
    return 0;
}

static int no_memory(const struct choice *choice)
{
    return error_system(choice->error, ERROR_FILE, choice->lines->name, ENOMEM);
}

/* Chooses all columns without a word in the first row. `others` lists the rest. */
static int choose_numbers(const struct choice *choice)
{
    enum { ROOM = 16 }; /* of a number, with a comma */
    struct text_columns *columns = choice->columns;
    struct text_cursor cursor = choice->row.start;
    struct text_field field;
    char *at = malloc((size_t)choice->count * ROOM);

    columns->others = at;
    if (at == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < choice->count; i++) {
        const bool there = i < choice->row.columns;
        const uint64_t line = cursor.line;
        enum error_code code;
        double value;

        if (there)
            (void)text_take_field(choice->lines, &cursor, &field);
        if (is_time(columns, i))
            continue;
        if (!there || text_value(choice->lines, &field, &value) != TEXT_WORD) {
            columns->channel_of[i] = columns->channels++;
            continue;
        }
        code = text_field_code(choice->lines, &field, choice->count == 1);
        if (code != ERROR_FILE)
            return text_wrong_field(choice->lines, code, line, i + 1, &field, "is no number",
                                    choice->error);
        at += snprintf(at, ROOM, "%s%u", at > columns->others ? ", " : "", i + 1);
    }
    if (at == columns->others) {
        free(at);
        columns->others = NULL;
    }
    if (columns->channels > 0)
        return 0;
    if (choice->row.columns <= columns->times)
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has no column beside its times");
    take_field_of(choice->lines, &choice->row, 0, &field);
    return text_wrong_field(choice->lines, ERROR_NO_NUMBER, choice->row.start.line, 1, &field,
                            "is no number, and no other column has one", choice->error);
}

/* With doubled quotes made single; to be freed. False: out of memory. */
static bool copy_field(const struct text_field *field, char **copy)
{
    char *to = malloc((size_t)(field->end - field->start) + 1);

    *copy = to;
    if (to == NULL)
        return false;
    for (const char *at = field->start; at < field->end; at++) {
        *to++ = *at;
        at += field->quoted && *at == '"';
    }
    *to = '\0';
    return true;
}

/* The names of the channels and of the times. */
static int take_names(const struct choice *choice)
{
    struct text_columns *columns = choice->columns;
    struct text_cursor cursor = choice->header.start;

    if (choice->header.columns == 0)
        return 0;
    columns->names = calloc(columns->channels + 1, sizeof *columns->names);
    if (columns->names == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < choice->count; i++) {
        unsigned channel = columns->channel_of[i];
        struct text_field field;

        (void)text_take_field(choice->lines, &cursor, &field);
        if (channel != TEXT_UNWANTED && !copy_field(&field, &columns->names[channel]))
            return no_memory(choice);
        for (unsigned j = 0; j < columns->times; j++) {
            if (columns->time[j] == i && !copy_field(&field, &columns->time_names[j]))
                return no_memory(choice);
        }
    }
    return 0;
}

/* Finds how the times of the row are written. */
static bool find_form(const struct choice *choice, struct text_time *time)
{
    const struct text_dialect *dialect = choice->lines->dialect;
    struct text_columns *columns = choice->columns;
    struct text_field fields[TEXT_TIMES];

    for (unsigned i = 0; i < columns->times; i++)
        take_field_of(choice->lines, &choice->row, columns->time[i], &fields[i]);
    text_time_join(time, fields, columns->times);
    columns->date_blanks = 0;
    for (const char *at = fields[0].start; at < fields[0].end; at++)
        columns->date_blanks += *at == ' ';
    return time_form_find(&columns->form, dialect->time_unit, dialect->time_format,
                          time->text.start, time->text.end) &&
           (!dialect->time_unit_given || columns->form.kind == TIME_NUMBER);
}

/* Finds the first row; the first good one, if bad lines are not errors. */
static enum text_next find_row(struct choice *choice, struct text_cursor cursor, bool last)
{
    const struct look *row = &choice->row;
    const bool lenient = choice->lines->dialect->bad_lines != TEXT_BAD_ERROR;

    for (;;) {
        struct look look;
        enum text_next next = look_at(&look, choice->lines, &cursor, choice->error);
        struct text_time time;

        if (next == TEXT_OPEN && last) {
            choice->columns->form =
                (struct time_form){.kind = TIME_NUMBER, .unit = choice->lines->dialect->time_unit};
            return choice->count > 0 ? TEXT_RECORD : TEXT_OPEN;
        }
        if (next != TEXT_RECORD)
            return next;
        choice->row = look;
        if (choice->count == 0) {
            choice->count = row->columns;
            if (choose_listed(choice, choice->lines->dialect->time, true) != 0)
                return TEXT_FAULT;
        }
        cursor = row->behind;
        if (row->columns != choice->count && lenient)
            continue;
        if (row->columns < choice->count || choice->columns->times == 0 || find_form(choice, &time))
            return TEXT_RECORD;
        if (!lenient) {
            text_wrong_field(choice->lines, ERROR_TIME, row->start.line,
                             choice->columns->time[0] + 1, &time.text, "is no time", choice->error);
            return TEXT_FAULT;
        }
    }
}

static int choose(const struct choice *choice)
{
    struct text_columns *columns = choice->columns;
    int result;

    columns->channel_of = malloc(choice->count * sizeof *columns->channel_of);
    columns->is_plain = malloc(choice->count * sizeof *columns->is_plain);
    if (columns->channel_of == NULL || columns->is_plain == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < choice->count; i++)
        columns->channel_of[i] = TEXT_UNWANTED;
    result = choice->lines->dialect->columns != NULL
                 ? choose_listed(choice, choice->lines->dialect->columns, false)
                 : choose_numbers(choice);
    if (result != 0)
        return -1;
    if (columns->channels > TEXT_CHANNELS_MOST)
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has %u columns, more than %d: choose some of them", columns->channels,
                         TEXT_CHANNELS_MOST);
    columns->code = choice->header.columns > 0 ? choice->header.code : choice->row.code;
    columns->count = choice->count;
    for (unsigned i = 0; i < columns->count; i++)
        columns->is_plain[i] = columns->channel_of[i] != TEXT_UNWANTED && !is_time(columns, i);
    columns->run = columns->count;
    for (unsigned channel = columns->channels; columns->run > 0 && channel > 0; channel--) {
        if (columns->channel_of[columns->run - 1] != channel - 1 ||
            !columns->is_plain[columns->run - 1])
            break;
        columns->run--;
    }
    return take_names(choice);
}

/* ---- the header ---- */

/* Skips the header, if there is one, and keeps its first record. */
static enum text_next take_header(struct choice *choice, struct text_cursor *cursor, bool last)
{
    const uint32_t lines = choice->lines->dialect->header;
    struct look first;
    struct look next_one;
    enum text_next next;

    if (lines == 0)
        return TEXT_RECORD;
    next = look_at(&first, choice->lines, cursor, choice->error);
    if (next != TEXT_RECORD)
        return next == TEXT_OPEN && last ? TEXT_RECORD : next;
    /* If rows have times, a line with a date is a row with missing samples. */
    if (lines == TEXT_HEADER_AUTO &&
        (!first.words || first.numbers || first.odd == ERROR_DECIMAL_COMMA ||
         first.odd == ERROR_SEMICOLONS || (first.dates && choice->lines->dialect->time != NULL)))
        return TEXT_RECORD;
    choice->header = first;
    choice->count = first.columns;
    *cursor = first.behind;
    for (uint32_t i = 1; i < lines; i++) {
        next = look_at(&next_one, choice->lines, cursor, choice->error);
        if (next == TEXT_OPEN && last)
            break;
        if (next != TEXT_RECORD)
            return next;
        /* A line of units. */
        if (lines == TEXT_HEADER_AUTO &&
            (!next_one.words || next_one.numbers || next_one.dates || next_one.odd != ERROR_FILE ||
             next_one.columns != first.columns))
            break;
        *cursor = next_one.behind;
        if (lines == TEXT_HEADER_AUTO)
            break;
    }
    return TEXT_RECORD;
}

enum text_next text_columns_find(struct text_columns *columns, const struct text_lines *lines,
                                 struct text_cursor *cursor, bool last, struct error *error)
{
    struct choice choice = {.columns = columns, .lines = lines, .error = error};
    struct text_cursor behind = *cursor;
    enum text_next next = take_header(&choice, &behind, last);

    if (next == TEXT_RECORD && choice.count > 0 &&
        choose_listed(&choice, lines->dialect->time, true) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD)
        next = find_row(&choice, behind, last);
    if (next == TEXT_RECORD && choose(&choice) != 0)
        next = TEXT_FAULT;
    if (next == TEXT_RECORD)
        *cursor = behind;
    else
        text_columns_free(columns);
    return next;
}

void text_columns_free(struct text_columns *columns)
{
    for (unsigned i = 0; columns->names != NULL && i < columns->channels; i++)
        free(columns->names[i]);
    free(columns->names);
    free(columns->channel_of);
    free(columns->is_plain);
    free(columns->time_names[0]);
    free(columns->time_names[1]);
    free(columns->others);
    *columns = (struct text_columns){.count = 0};
}
