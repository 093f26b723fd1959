#include "cli/help.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "cli/messages.h"

enum { TEXT_COLUMN = 25, TEXT_COLUMNS = 54 };

/* "-w, --window LEN" in a buffer; "    --hop LEN" where there is no letter. */
static void format_names(const struct option_row *row, char *names, size_t size)
{
    char letter[8] = "    ";

    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(names, size, "%s--%s%s%s", letter, row->name, row->value != NULL ? " " : "",
             row->value != NULL ? row->value : "");
}

/* Goes to the column of the texts, from `column`; to the next line's where that is too late. */
static void indent(FILE *file, int column)
{
    if (column >= TEXT_COLUMN) {
        fputc('\n', file);
        column = 0;
    }
    fprintf(file, "%*s", TEXT_COLUMN - column, "");
}

/* How much of a text the next line takes: words up to TEXT_COLUMNS. */
static size_t line_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    size_t end = length;

    while (end > TEXT_COLUMNS) {
        do
            end--;
        while (end > 0 && text[end] != ' ');
    }
    return end > 0 ? end : length;
}

static void print_lines(FILE *file, const char *text)
{
    for (;;) {
        size_t length = line_length(text);

        fwrite(text, 1, length, file);
        if (text[length] == '\0')
            return;
        text += length + 1;
        fputc('\n', file);
        indent(file, 0);
    }
}

/* Everything but the end of the last line, on which the next option may be. Returns its columns. */
static int print_row(FILE *file, const struct option_row *row, int column)
{
    char names[80];

    format_names(row, names, sizeof names);
    switch (row->place) {
    case PLACE_LINE:
        fprintf(file, "%s  %s", column > 0 ? "\n" : "", names);
        column = 2 + (int)strlen(names);
        break;
    case PLACE_AFTER:
        column += fprintf(file, ", %s", names + strspn(names, " "));
        break;
    case PLACE_BESIDE:
        indent(file, column);
        column = TEXT_COLUMN + fprintf(file, "%s", names);
        break;
    case PLACE_WITHIN:
        return column;
    }
    if (row->help != NULL) {
        indent(file, column);
        print_lines(file, row->help);
    }
    return column;
}

static void print_command(FILE *file, const struct command *command)
{
    fputs(command->usage, file);
    for (size_t i = 0; command->sections[i] != NULL; i++) {
        const struct option_section *section = command->sections[i];
        int column = 0;

        fprintf(file, "\n%s:\n", section->title);
        for (size_t j = 0; j < section->count; j++)
            column = print_row(file, &section->rows[j], column);
        fputc('\n', file);
    }
    fprintf(file, "\n%s", command->notes);
}

char *help_text(const struct command *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        return NULL;
    print_command(file, command);
    return memory_text_close(file, &text);
}

int help_print(const struct command *command, struct error *error)
{
    char *text = help_text(command);
    int result;

    if (text == NULL)
        return error_system(error, ERROR_RESOURCE, "--help", errno);
    result = messages_print(text, error);
    free(text);
    return result;
}

int help_print_version(const struct command *command, struct error *error)
{
    char text[80];

    snprintf(text, sizeof text, "%s %s\n", command->program, GPUENV_VERSION);
    return messages_print(text, error);
}
