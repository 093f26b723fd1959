#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_text.h"
#include "cli/messages.h"

enum { TEXT_COLUMN = 25, TEXT_COLUMNS = 54 };

/* How much of a text the next line takes: words up to TEXT_COLUMNS. */
static size_t line_length(const char *text)
{
    size_t length = strlen(text);

    while (length > TEXT_COLUMNS) {
        do
            length--;
        while (length > 0 && text[length] != ' ');
    }
    return length > 0 ? length : strcspn(text, " ");
}

/* The names and, beside them, the text; below them if they are too long. */
static void print_row(FILE *file, const struct option_row *row)
{
    char letter[8] = "    ";
    const char *text = row->help;
    int column = 0;

    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    column = fprintf(file, "  %s--%s%s%s", letter, row->name, row->value != NULL ? " " : "",
                     row->value != NULL ? row->value : "");
    while (*text != '\0') {
        size_t length = line_length(text);

        if (column >= TEXT_COLUMN) {
            fputc('\n', file);
            column = 0;
        }
        fprintf(file, "%*s%.*s", TEXT_COLUMN - column, "", (int)length, text);
        text += length + strspn(text + length, " ");
        column = TEXT_COLUMN;
    }
    fputc('\n', file);
}

char *help_text(const struct command *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        return NULL;
    fputs(command->usage, file);
    for (size_t i = 0; i < command->count; i++) {
        if (command->rows[i].name == NULL)
            fprintf(file, "\n%s:\n", command->rows[i].help);
        else
            print_row(file, &command->rows[i]);
    }
    fprintf(file, "\n%s", command->notes);
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
