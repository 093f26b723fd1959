/* SPDX-License-Identifier: MIT */
/* The look in words: for -v, for the tests, and for the error where a look at more rows
 * disagrees. */
#include <stdio.h>
#include <string.h>

#include "format/look/look_priv.h"

/* The name of a sign between columns or thousands. */
static const char *sign_word(char sign)
{
    return sign == ','    ? "commas"
           : sign == ';'  ? "semicolons"
           : sign == '\t' ? "tabs"
           : sign == '|'  ? "bars"
           : sign == '.'  ? "points"
           : sign == ' '  ? "blanks"
                          : "its delimiter";
}

static void put_field(struct memory_text *words, const struct text_field *field)
{
    char shown[TEXT_SHOWN_ROOM];

    memory_text_print(words, "'%s'", text_show_field(field, shown));
}

/* Puts a column: "3 'note'". */
static void put_column(const struct look *look, unsigned column, struct memory_text *words)
{
    const struct text_field *name = &look->columns[column].name;

    memory_text_print(words, name->start == name->end ? "%u" : "%u ", column + 1);
    if (name->start != name->end)
        put_field(words, name);
}

static void show_lines(const struct look *look, struct memory_text *words)
{
    if (look->maker != NULL)
        memory_text_print(words, "written by: %s\n", look->maker);
    memory_text_print(words, "columns: %u, between %s", look->count,
                      sign_word(look->dialect.delimiter));
    if (look->dialect.decimal == ',')
        memory_text_put(words, ", decimal commas");
    if (look->dialect.thousands != '\0')
        memory_text_print(words, ", %s between thousands", sign_word(look->dialect.thousands));
    memory_text_put(words, "\n");
    if (look->passed > 0)
        memory_text_print(words, "lines before it: %llu\n", (unsigned long long)look->passed);
    if (look->names_line > 0)
        memory_text_print(words, "names: line %llu%s\n", (unsigned long long)look->names_line,
                          look->commented ? ", a comment" : "");
    if (look->units_line > 0)
        memory_text_print(words, "units: line %llu\n", (unsigned long long)look->units_line);
    memory_text_print(words, "first row: line %llu\n", (unsigned long long)look->first_line);
}

/* Shows the columns of one kind. */
static void show_kind(const struct look *look, enum look_kind kind, const char *title,
                      struct memory_text *words)
{
    unsigned shown = 0;

    for (unsigned i = 0; i < look->count; i++) {
        const struct look_column *column = &look->columns[i];

        if (column->kind != kind)
            continue;
        memory_text_put(words, shown++ == 0 ? title : ", ");
        put_column(look, i, words);
        if (column->unit.start != column->unit.end) {
            memory_text_put(words, " in ");
            put_field(words, &column->unit);
        }
        if (column->turns && look->time_count > 0)
            memory_text_put(words, " (of several series)");
    }
    if (shown > 0)
        memory_text_put(words, "\n");
}

static void show_times(const struct look *look, struct memory_text *words)
{
    for (unsigned i = 0; i < look->time_count; i++) {
        const struct look_time *time = &look->times[i];
        const struct time_form *form = &time->readings.form[0];
        const bool epoch = form->kind == TIME_NUMBER;
        char forms[TIME_WORDS];

        memory_text_print(words, "times: %u", time->column[0] + 1);
        if (time->count > 1)
            memory_text_print(words, " and %u", time->column[1] + 1);
        time_readings_say(&time->readings, forms);
        memory_text_print(words, ", %s%s",
                          epoch              ? "epoch in "
                          : forms[0] != '\0' ? forms
                                             : "ISO 8601",
                          epoch ? time_unit_names[form->unit] : "");
        if (time->step > 0)
            memory_text_print(words, ", every %.9g s", (double)time->step / MOMENT_SECOND);
        memory_text_put(words, time->goes_back ? ", not in order\n" : "\n");
    }
}

void look_show(const struct look *look, struct memory_text *words)
{
    if (look->count == 0 || look->first_line == 0) {
        memory_text_put(words, "no rows\n");
        return;
    }
    show_lines(look, words);
    show_kind(look, LOOK_NUMBERS, "numbers: ", words);
    show_kind(look, LOOK_DATES, "dates: ", words);
    show_kind(look, LOOK_TEXT, "text: ", words);
    show_times(look, words);
    memory_text_put(words, look->is_table || look->maker != NULL ? "" : "may be no table\n");
}

void look_put_words(struct memory_text *text, unsigned column, const struct text_field *words,
                    unsigned count)
{
    memory_text_print(text, "words of %u: ", column + 1);
    for (unsigned i = 0; i < count && i < LOOK_WORDS_SHOWN; i++) {
        memory_text_put(text, i > 0 ? ", " : "");
        put_field(text, &words[i]);
    }
    memory_text_put(text, count > LOOK_WORDS_SHOWN ? ", ..." : "");
}

void look_show_words(const struct look *look, struct memory_text *words)
{
    for (unsigned i = 0; i < look->count; i++) {
        const struct look_column *column = &look->columns[i];

        if (column->kind != LOOK_TEXT || column->different == 0)
            continue;
        look_put_words(words, i, column->word, column->different);
        if (column->different > LOOK_WORDS)
            memory_text_print(words, " (more than %d in %u rows)\n", LOOK_WORDS, look->rows);
        else
            memory_text_print(words, " (%u in %u rows)\n", column->different, look->rows);
    }
}

/* ---- remarks */

/* Begins the next remark. */
static void begin_part(struct memory_text *words, const char *begin)
{
    memory_text_put(words, words->used > 0 ? "; " : "");
    memory_text_put(words, begin);
}

/* Remarks on columns that are not read, though some of their fields are numbers, or nearly so. */
static void remark_numbers(const struct look *look, struct memory_text *words)
{
    unsigned count = 0;

    for (unsigned i = 0; i < look->count; i++) {
        const struct look_column *column = &look->columns[i];

        if (column->kind != LOOK_TEXT || column->numbers + column->amounts == 0)
            continue;
        if (count++ == 0)
            begin_part(words, "columns with more words than numbers are passed over: ");
        else
            memory_text_put(words, ", ");
        put_column(look, i, words);
    }
    if (count > 0)
        memory_text_put(words, " (see --columns, --missing)");
}

static bool is_among(unsigned column, const unsigned *columns, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (columns[i] == column)
            return true;
    }
    return false;
}

/* Remarks on a column of words that take turns beside times, and on a clock beside a date. */
static void remark_times(const struct look *look, const struct text_dialect *options,
                         const unsigned *times, unsigned count, struct memory_text *words)
{
    for (unsigned i = 0; i < look->count && options->by == NULL; i++) {
        if (!look->columns[i].turns || is_among(i, times, count))
            continue;
        begin_part(words, "several series seem to have their names in column ");
        put_column(look, i, words);
        memory_text_put(words, ": --by makes a series of each");
        break;
    }
    for (unsigned i = 0; i < look->time_count; i++) {
        const struct look_time *both = &look->times[i];

        if (both->count < 2 || count > 1 || both->column[0] != times[0])
            continue;
        begin_part(words, "the time of day is in column ");
        put_column(look, both->column[1], words);
        memory_text_put(words, ": --time takes both (date,clock)");
    }
}

void look_remark(const struct look *look, const struct text_dialect *options, const unsigned *times,
                 unsigned count, bool all, struct memory_text *words)
{
    const bool decimal = look->dialect.decimal == ',' && options->decimal == '\0';
    const bool thousands = look->dialect.thousands != '\0' && options->thousands == '\0';

    if (look->maker != NULL && options->skip_lines == 0)
        memory_text_print(words, "is read as the file of %s", look->maker);
    if (look->passed > 0 && look->maker == NULL)
        memory_text_print(words, "%llu line%s before its table %s passed over",
                          (unsigned long long)look->passed, look->passed == 1 ? "" : "s",
                          look->passed == 1 ? "is" : "are");
    for (unsigned i = 0; look->takes_time && i < count; i++) {
        if (i == 0)
            begin_part(words, "the times of its rows are in column ");
        else
            memory_text_put(words, " and ");
        put_column(look, times[i], words);
    }
    if (look->dialect.late > options->late)
        begin_part(words, "its rows are not in order of time, and are sorted");
    if (count == 0 && look->dialect.times == TEXT_TIMES_FORWARD && !look->dialect.any_order &&
        look->time_count == 1 && look->times[0].goes_back)
        begin_part(words,
                   look->times[0].set_back
                       ? "its times do not go forward, so rows are counted: if the clock was set "
                         "back, --time-zone (Europe/Berlin) tells its two hours apart"
                       : "its times do not go forward, so rows are counted: --late all sorts them");
    if (look->months && count > 0)
        begin_part(words, "its decimal years are the first days of months");
    if (look->shift > 0 && look->dialect.delimiter != ' ' && look->dialect.delimiter != '\t')
        begin_part(words, "its header has one name fewer than its rows have columns: "
                          "the first has none");
    if (decimal || thousands)
        begin_part(words, "its numbers have ");
    if (decimal)
        memory_text_put(words, thousands ? "decimal commas, and " : "decimal commas");
    if (thousands)
        memory_text_print(words, "%s between thousands", sign_word(look->dialect.thousands));
    if (all)
        remark_numbers(look, words);
    if (count > 0)
        remark_times(look, options, times, count, words);
}

/* ---- a look at more rows must agree */

/* The option that decides what two looks find differently; NULL if they agree, but for the kinds of
 * columns. */
static const char *option_between(const struct look *was, const struct look *is)
{
    if (was->dialect.delimiter != is->dialect.delimiter)
        return "--delimiter";
    if (was->dialect.decimal != is->dialect.decimal)
        return "--decimal";
    if (was->dialect.thousands != is->dialect.thousands)
        return "--thousands";
    if (was->names_line != is->names_line || was->units_line != is->units_line ||
        was->line != is->line || was->shift != is->shift)
        return "--header";
    if (was->count != is->count)
        return "--delimiter";
    if (was->takes_time != is->takes_time ||
        (was->takes_time && (was->times[0].count != is->times[0].count ||
                             was->times[0].column[0] != is->times[0].column[0])))
        return "--time";
    if (was->dialect.time != NULL &&
        (was->seems != is->seems || was->months != is->months || was->digits != is->digits))
        return "--time-unit";
    return NULL;
}

int look_compare(const struct look *was, const struct look *is, const char *name,
                 struct error *error)
{
    struct memory_text differs = {.bytes = NULL};
    const char *option = option_between(was, is);

    for (unsigned i = 0; option == NULL && was->dialect.columns == NULL && i < was->count; i++) {
        const bool numbers = is->columns[i].kind == LOOK_NUMBERS;

        if ((was->columns[i].kind == LOOK_NUMBERS) == numbers)
            continue;
        option = "--columns";
        memory_text_put(&differs, ", where column ");
        put_column(is, i, &differs);
        memory_text_put(&differs, numbers ? " has numbers" : " has more words than numbers");
    }
    if (option != NULL)
        error_set(error, ERROR_FILE, name,
                  "its first %u row%s suggest%s something else than its first %u%s: give %s, or "
                  "--look %u to wait for so many rows",
                  was->rows, was->rows == 1 ? "" : "s", was->rows == 1 ? "s" : "", is->rows,
                  differs.bytes != NULL ? differs.bytes : "", option, is->rows);
    memory_text_free(&differs);
    return option == NULL ? 0 : -1;
}
