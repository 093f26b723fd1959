/* SPDX-License-Identifier: MIT */
#include "format/text/columns_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* The use of the columns of a list. */
enum column_use { AS_CHANNELS, AS_TIMES, AS_NONE };

/* The header and options from which columns are chosen. */
struct column_choice {
    struct text_columns *columns;
    const struct text_lines *lines;
    const struct look *look;
    const struct text_dialect *options;
    unsigned (*named)[2]; /* the first two columns of each name, from 1; 0 if there is none */
    struct error *error;
};

static int no_memory(const struct column_choice *choice)
{
    return error_system(choice->error, ERROR_FILE, choice->lines->name, ENOMEM);
}

/* Takes the names of the columns, and makes those of the header known to find_named(). */
static int take_names(struct column_choice *choice)
{
    const struct look *look = choice->look;
    struct text_columns *columns = choice->columns;

    columns->count = look->count;
    columns->column = calloc(look->count, sizeof *columns->column);
    choice->named = calloc(look->count, sizeof *choice->named);
    if (columns->column == NULL || choice->named == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < look->count; i++) {
        const struct text_field *name = &look->columns[i].name;
        const struct text_key *key = text_keys_find(&columns->texts, name);
        unsigned *named;

        if (key == NULL)
            return no_memory(choice);
        columns->column[i] = (struct text_column){.channel = TEXT_UNWANTED, .name = key->key.name};
        named = choice->named[key->key.number];
        if (name->start != NULL && i >= look->shift && named[1] == 0)
            named[named[0] > 0] = i + 1;
    }
    return 0;
}

/* The first two columns with this name, from 1; 0 if there is none. */
static const unsigned *find_named(const struct column_choice *choice, const struct text_field *name)
{
    static const unsigned none[2];
    const struct text_key *key = text_keys_look(&choice->columns->texts, name);

    return key == NULL ? none : choice->named[key->key.number];
}

/* Does a name seem to be a list of columns: "temp hum" whose first word is a name, "2-4", "2..4" or
 * "2:4"? */
static bool is_list(const struct column_choice *choice, const char *name)
{
    static const char digits[] = "0123456789";
    const struct text_field first = {.start = name, .end = name + strcspn(name, " ")};
    const char *between = name + strspn(name, digits);
    const char *last = between + strspn(between, "-:.");

    if (*first.end == ' ')
        return find_named(choice, &first)[0] > 0;
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

/* A hint for an item that is none of these names, each in single quotes; may be NULL. */
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
    /* There is room for the last name, and for the number of names that are left out. */
    char names[NAMES + TEXT_SHOWN + 32] = "";
    const char *hint;
    size_t used = 0;
    unsigned column;

    for (column = choice->look->shift; column < choice->look->count && used < NAMES; column++) {
        char shown[TEXT_SHOWN_ROOM];

        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", used > 0 ? ", " : "",
                                 text_show_field(&choice->look->columns[column].name, shown));
    }
    if (column < choice->look->count)
        snprintf(names + used, sizeof names - used, " and %u more", choice->look->count - column);
    hint = item_hint(name, names);
    return error_set(choice->error, ERROR_FILE, choice->lines->name,
                     "has no column '%s': it has %s%s", name, names,
                     hint != NULL            ? hint
                     : is_list(choice, name) ? ": a list has commas, as in 2,3"
                                             : "");
}

/* The column with this name, counted from 1; 0 after an error. */
static unsigned find_name(const struct column_choice *choice, const struct text_field *item)
{
    const char *name = choice->lines->name;
    const unsigned *named = find_named(choice, item);
    char shown[TEXT_SHOWN_ROOM];

    text_show_field(item, shown);
    if (named[0] > 0 && named[1] == 0)
        return named[0];
    if (named[0] > 0)
        error_set(choice->error, ERROR_FILE, name,
                  "columns %u and %u both have the name '%s': choose one by its number", named[0],
                  named[1], shown);
    else if (choice->look->names_line == 0)
        error_set(choice->error, ERROR_FILE, name,
                  "its first line, %llu, names no columns: choose '%s' by its number",
                  (unsigned long long)choice->look->line, shown);
    else
        no_column(choice, shown);
    return 0;
}

/* The column of an item, counted from 1; 0 after an error. */
static unsigned find_column(const struct column_choice *choice, const struct text_field *item)
{
    unsigned column = text_item_number(item);
    char shown[TEXT_SHOWN_ROOM];

    if (column == 0)
        return find_name(choice, item);
    if (column <= choice->look->count)
        return column;
    error_set(choice->error, ERROR_FILE, choice->lines->name,
              "has only %u column%s: there is no column %s", choice->look->count,
              choice->look->count == 1 ? "" : "s", text_show_field(item, shown));
    return 0;
}

/* Is the column one of times or keys? */
static bool is_label(const struct text_columns *columns, unsigned column)
{
    for (unsigned i = 0; i < columns->time.count; i++) {
        if (columns->time.column[i] == column)
            return true;
    }
    return columns->by == column + 1;
}

/* Makes the columns of a list, which may be NULL, channels, columns of times, or neither. */
static int choose_listed(const struct column_choice *choice, const char *list, enum column_use use)
{
    struct text_columns *columns = choice->columns;
    struct text_field item;

    while (text_next_item(&list, &item)) {
        unsigned column = find_column(choice, &item);

        if (column == 0)
            return -1;
        if (use == AS_TIMES) {
            columns->time.column[columns->time.count++] = column - 1;
        } else if (use == AS_NONE) {
            columns->column[column - 1].channel = TEXT_LEFT_OUT;
        } else if (columns->column[column - 1].channel == TEXT_UNWANTED) {
            columns->column[column - 1].channel = columns->channels++;
        } else {
            return error_set(choice->error, ERROR_FILE, choice->lines->name,
                             "column %u is chosen twice", column);
        }
    }
    return 0;
}

/* Chooses the columns of times and of keys. */
static int choose_labels(const struct column_choice *choice)
{
    const char *by = choice->lines->dialect->by;
    struct text_field item;
    unsigned column;

    choice->columns->time.count = choice->look->takes_time ? choice->look->times[0].count : 0;
    memcpy(choice->columns->time.column, choice->look->times[0].column,
           sizeof choice->look->times[0].column);
    choice->columns->by = 0;
    if (choose_listed(choice, choice->lines->dialect->time, AS_TIMES) != 0)
        return -1;
    if (!text_next_item(&by, &item))
        return 0;
    column = find_column(choice, &item);
    if (column > 0 && is_label(choice->columns, column - 1))
        return error_set(choice->error, ERROR_ROWS, choice->lines->name,
                         "column %u has the times, not keys" TEXT_OTHER_KEYS, column);
    choice->columns->by = column;
    return column > 0 ? 0 : -1;
}

/* The number of columns without those at the end that have neither names nor fields: surplus
 * delimiters make them. */
static unsigned used_columns(const struct look *look)
{
    unsigned used = look->count;

    for (; used > 0 && look->first_line > 0; used--) {
        const struct look_column *last = &look->columns[used - 1];

        if (last->name.start < last->name.end || last->numbers + last->dates + last->words > 0)
            break;
    }
    return used;
}

/* The error where no column has numbers: about a field that nearly is a number, or the first
 * field. */
static int no_numbers(const struct column_choice *choice)
{
    const struct look *look = choice->look;
    static const char nothing[] = "";
    struct text_field odd = {.start = nothing, .end = nothing};
    unsigned column = 0;

    for (unsigned i = 0; i < look->count; i++) {
        if (!is_label(choice->columns, i) && look->columns[i].first.start != NULL &&
            (column == 0 ||
             (look->columns[i].amounts > 0 && look->columns[column - 1].amounts == 0)))
            column = i + 1;
    }
    if (column > 0)
        odd = look->columns[column - 1].first;
    return text_no_number(choice->lines, look->line, column, &odd, ", and no other column has one",
                          choice->error);
}

/* Is it a column of numbers by the look or, if no column is, a column with some numbers? */
static bool has_numbers(const struct column_choice *choice, unsigned column, bool some)
{
    const struct look_column *at = &choice->look->columns[column];

    return column < used_columns(choice->look) && !is_label(choice->columns, column) &&
           choice->columns->column[column].channel != TEXT_LEFT_OUT &&
           (some ? at->numbers > 0 : at->kind == LOOK_NUMBERS);
}

/* Chooses all columns that have numbers. `others` lists the rest. */
static int choose_numbers(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const struct look *look = choice->look;
    bool some = true;

    for (unsigned i = 0; i < look->count; i++)
        some = some && !has_numbers(choice, i, false);
    columns->all = !some;
    for (unsigned i = 0; i < look->count; i++) {
        columns->column[i].channel =
            has_numbers(choice, i, some) ? columns->channels++ : TEXT_UNWANTED;
        if (columns->column[i].channel == TEXT_UNWANTED && !is_label(columns, i))
            memory_text_print(&columns->others, "%s%u", columns->others.used > 0 ? ", " : "",
                              i + 1);
    }
    if (columns->others.failed)
        return no_memory(choice);
    columns->table.others = columns->others.bytes;
    if (columns->channels > 0)
        return 0;
    if (look->count <= columns->time.count + (columns->by > 0))
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has no column besides its times%s", columns->by > 0 ? " and keys" : "");
    return no_numbers(choice);
}

/* Removes the brackets of "(hPa)" or "[hPa]": outputs put units in parentheses themselves. */
static void remove_brackets(struct text_field *unit)
{
    const size_t length = (size_t)(unit->end - unit->start);

    if (length > 2 && ((*unit->start == '(' && unit->end[-1] == ')') ||
                       (*unit->start == '[' && unit->end[-1] == ']'))) {
        unit->start++;
        unit->end--;
    }
}

/* Prepares to count the words of columns of text. */
static int count_words(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;

    if (!choice->options->counts_words)
        return 0;
    columns->counts = text_words_open(columns->count);
    if (columns->counts == NULL)
        return no_memory(choice);
    columns->table.words = columns->counts;
    for (unsigned i = 0; i < columns->count; i++) {
        if (choice->look->columns[i].kind == LOOK_TEXT &&
            columns->column[i].channel == TEXT_UNWANTED && !is_label(columns, i))
            columns->column[i].channel = TEXT_COUNTED;
    }
    return 0;
}

/* Keeps the results of the look for the source's table. */
static int keep_look(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const struct look *look = choice->look;

    columns->table.header_lines[0] = look->names_line;
    columns->table.header_lines[1] = look->commented ? look->names_line : look->line - 1;
    columns->table.counted = look->counted;
    columns->table.sorts = look->dialect.late > choice->options->late;
    look_show(look, &columns->look);
    if (columns->counts == NULL)
        look_show_words(look, &columns->look);
    look_remark(look, choice->options, columns->time.column, columns->time.count, columns->all,
                &columns->remark);
    if (columns->look.failed || columns->remark.failed || look->header.failed)
        return no_memory(choice);
    columns->table.look = columns->look.bytes;
    columns->table.remark = columns->remark.bytes;
    columns->header = look->header.bytes;
    return 0;
}

/* Names the channels, with their units, and the columns of times and keys. */
static int name_channels(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const struct look *look = choice->look;

    columns->names = calloc(2 * (size_t)columns->channels + 1, sizeof *columns->names);
    if (columns->names == NULL)
        return no_memory(choice);
    for (unsigned i = 0; i < look->count; i++) {
        struct text_field unit = look->columns[i].unit;
        const unsigned channel = columns->column[i].channel;
        const struct text_key *key;

        columns->has_units = columns->has_units || unit.start < unit.end;
        if (channel >= columns->channels)
            continue;
        remove_brackets(&unit);
        key = text_keys_find(&columns->texts, &unit);
        if (key == NULL)
            return no_memory(choice);
        columns->names[channel] = columns->column[i].name;
        columns->names[columns->channels + channel] = key->key.name;
    }
    for (unsigned i = 0; i < columns->time.count && look->names_line > 0; i++)
        columns->time_names[i] = columns->column[columns->time.column[i]].name;
    if (columns->by > 0 && look->names_line > 0)
        columns->table.by_name = columns->column[columns->by - 1].name;
    columns->named = look->names_line > 0 || look->maker != NULL;
    return keep_look(choice);
}

/* The name of a column as an option takes it, without quotes; NULL if it needs some, or if another
 * column has it, too. */
static const char *plain_name(const struct column_choice *choice, unsigned column)
{
    const char *name = choice->columns->column[column].name;

    return (unsigned char)*name > '9' && strpbrk(name, "\",") == NULL &&
                   find_named(choice, &choice->look->columns[column].name)[1] == 0
               ? name
               : NULL;
}

/* Lists the columns of times that the look found. */
static void list_dates(const struct column_choice *choice)
{
    const struct look *look = choice->look;
    char *dates = choice->columns->dates;
    size_t used = 0;

    for (unsigned i = 0; i < look->time_count; i++) {
        for (unsigned j = 0; j < look->times[i].count; j++) {
            const unsigned column = look->times[i].column[j];
            const char *name = choice->columns->column[column].name;

            if (used + TEXT_SHOWN_ROOM + 8 > TEXT_DATES || strlen(name) > TEXT_SHOWN)
                break;
            used += (size_t)sprintf(dates + used, *name != '\0' ? "%s'%s'" : "%s%s%u",
                                    used == 0 ? ""
                                    : j > 0   ? ","
                                              : ", ",
                                    *name != '\0' ? name : "", column + 1);
        }
    }
    choice->columns->table.dates = used > 0 ? dates : NULL;
    if (used > 0 && look->times[0].count == 1)
        choice->columns->table.date = plain_name(choice, look->times[0].column[0]);
}

/* Finds runs of columns that are channels side by side. */
static void find_runs(struct text_columns *columns)
{
    for (unsigned i = columns->count; i-- > 0;) {
        const unsigned channel = columns->column[i].channel;
        const bool goes_on =
            i + 1 < columns->count && columns->column[i + 1].channel == channel + 1;

        columns->column[i].plain = 0;
        if (channel < columns->channels && !is_label(columns, i))
            columns->column[i].plain = 1 + (goes_on ? columns->column[i + 1].plain : 0);
    }
}

static int choose(const struct column_choice *choice)
{
    struct text_columns *columns = choice->columns;
    const struct text_dialect *dialect = choice->lines->dialect;
    int result;

    if (choose_labels(choice) != 0 || choose_listed(choice, dialect->not_columns, AS_NONE) != 0)
        return -1;
    result = dialect->columns != NULL ? choose_listed(choice, dialect->columns, AS_CHANNELS)
                                      : choose_numbers(choice);
    if (result != 0)
        return -1;
    if (columns->channels > TEXT_CHANNELS_MOST)
        return error_set(choice->error, ERROR_FILE, choice->lines->name,
                         "has %u columns, more than %d: choose some of them", columns->channels,
                         TEXT_CHANNELS_MOST);
    find_runs(columns);
    if (count_words(choice) != 0 || name_channels(choice) != 0)
        return -1;
    list_dates(choice);
    if (columns->time.count == 0)
        return 0;
    columns->time.keyed = columns->by > 0;
    columns->table.times = &columns->time.form;
    columns->table.begin = &columns->time.begin;
    columns->time.begin.seconds = INT64_MIN;
    columns->table.time_columns = columns->time.count;
    columns->table.time_names = columns->time_names;
    columns->table.time_blanks = columns->time.blanks;
    return text_first_time(&columns->time, choice->lines, choice->look, choice->error);
}

int text_columns_choose(struct text_columns *columns, const struct text_lines *lines,
                        const struct look *look, const struct text_dialect *options,
                        struct error *error)
{
    struct column_choice choice = {
        .columns = columns, .lines = lines, .look = look, .options = options, .error = error};
    const int result = take_names(&choice) == 0 ? choose(&choice) : -1;

    if (result != 0)
        text_columns_free(columns);
    free(choice.named);
    return result;
}

void text_columns_free(struct text_columns *columns)
{
    free(columns->names);
    text_keys_free(&columns->texts);
    free(columns->column);
    memory_text_free(&columns->others);
    memory_text_free(&columns->look);
    memory_text_free(&columns->remark);
    text_words_close(columns->counts);
    *columns = (struct text_columns){.count = 0};
}
