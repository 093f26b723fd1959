/* The look in words: for -v, and for the tests. */
#include <stdio.h>

#include "format/look/look_priv.h"

static const char *delimiter_word(char delimiter)
{
    return delimiter == ','    ? "commas"
           : delimiter == ';'  ? "semicolons"
           : delimiter == '\t' ? "tabs"
           : delimiter == '|'  ? "bars"
           : delimiter == ' '  ? "blanks"
                               : "its delimiter";
}

static const char *sign_word(char sign)
{
    return sign == ',' ? "commas" : sign == '.' ? "points" : "blanks";
}

static void put_field(struct memory_text *words, const struct text_field *field)
{
    char shown[TEXT_SHOWN_ROOM];

    (void)memory_text_print(words, "'%s'", text_show_field(field, shown));
}

static void show_lines(const struct look *look, struct memory_text *words)
{
    if (look->maker != NULL)
        (void)memory_text_print(words, "written by: %s\n", look->maker);
    (void)memory_text_print(words, "columns: %u, between %s", look->count,
                            delimiter_word(look->dialect.delimiter));
    if (look->dialect.decimal == ',')
        (void)memory_text_put(words, ", decimal commas");
    if (look->dialect.thousands != '\0')
        (void)memory_text_print(words, ", %s between thousands",
                                sign_word(look->dialect.thousands));
    (void)memory_text_put(words, "\n");
    if (look->passed > 0)
        (void)memory_text_print(words, "lines before it: %llu\n", (unsigned long long)look->passed);
    if (look->names_line > 0)
        (void)memory_text_print(words, "names: line %llu%s\n", (unsigned long long)look->names_line,
                                look->commented ? ", a comment" : "");
    if (look->units_line > 0)
        (void)memory_text_print(words, "units: line %llu\n", (unsigned long long)look->units_line);
    (void)memory_text_print(words, "first row: line %llu\n", (unsigned long long)look->first_line);
}

/* The columns of one kind. */
static void show_kind(const struct look *look, enum look_kind kind, const char *title,
                      struct memory_text *words)
{
    unsigned shown = 0;

    for (unsigned i = 0; i < look->count; i++) {
        const struct look_column *column = &look->columns[i];

        if (column->kind != kind)
            continue;
        (void)memory_text_print(words, "%s%u", shown++ == 0 ? title : ", ", i + 1);
        if (column->name.start != column->name.end) {
            (void)memory_text_put(words, " ");
            put_field(words, &column->name);
        }
        if (column->unit.start != column->unit.end) {
            (void)memory_text_put(words, " in ");
            put_field(words, &column->unit);
        }
        if (column->turns)
            (void)memory_text_put(words, " (words that take turns)");
    }
    if (shown > 0)
        (void)memory_text_put(words, "\n");
}

static void show_times(const struct look *look, struct memory_text *words)
{
    for (unsigned i = 0; i < look->time_count; i++) {
        const struct look_time *time = &look->times[i];
        char forms[TIME_WORDS];

        (void)memory_text_print(words, "times: %u", time->column[0] + 1);
        if (time->count > 1)
            (void)memory_text_print(words, " and %u", time->column[1] + 1);
        time_readings_say(&time->readings, forms);
        (void)memory_text_print(words, ", %s%s",
                                time->numeric      ? "epoch in "
                                : forms[0] != '\0' ? forms
                                                   : "ISO 8601",
                                time->numeric ? time_unit_names[time->unit] : "");
        if (time->step > 0)
            (void)memory_text_print(words, ", every %.9g s", (double)time->step / MOMENT_SECOND);
        (void)memory_text_put(words, time->goes_back ? ", not in order\n" : "\n");
    }
}

void look_show(const struct look *look, struct memory_text *words)
{
    if (look->count == 0 || look->first_line == 0) {
        (void)memory_text_put(words, "no rows\n");
        return;
    }
    show_lines(look, words);
    show_kind(look, LOOK_NUMBERS, "numbers: ", words);
    show_kind(look, LOOK_DATES, "dates: ", words);
    show_kind(look, LOOK_TEXT, "text: ", words);
    show_times(look, words);
    (void)memory_text_put(words, look->is_table ? "" : "may be no table\n");
}
