/* zsh: the words of _arguments. */
#include <stdbool.h>
#include <string.h>

#include "completions/faces.h"

/* Between colons: those of the text get a backslash. */
static void print_text(const char *text, FILE *file)
{
    for (; *text != '\0'; text++)
        fprintf(file, "%s%c", *text == ':' ? "\\" : "", *text);
}

/* A function for the words that the program prints for an option. */
static void print_asking(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];

    faces_function(command, row->name, function, sizeof function);
    fprintf(file, "\n_%s()\n{\n    local -a names\n    names=(${(f)\"$({\n", function);
    for (size_t i = 0; row->words[i] != NULL; i++)
        fprintf(file, "        $words[1] %s\n", row->words[i]);
    fprintf(file,
            "    } 2>/dev/null | cut -d ' ' -f 1 | sort -u)\"})\n"
            "    _values -s , \"%s\" $names\n"
            "}\n",
            row->hint);
}

static void print_name(const struct option_row *row, const char *before, FILE *file)
{
    fputs(before, file);
    if (row->letter != 0)
        fprintf(file, "-%c ", row->letter);
    fprintf(file, "--%s", row->name);
}

/* "(-L --little-endian -B --big-endian)": the options that may not follow. zsh knows by itself that
 * a long name alone does not come twice. */
static void print_excluded(const struct command *command, const struct option_row *row, FILE *file)
{
    const struct option_row *other;
    const char *before = "(";

    if (row->ends) {
        fputs("(- *)", file);
        return;
    }
    for (size_t i = 0; (other = command_row(command, i)) != NULL; i++) {
        if ((other == row && row->letter != 0) ||
            (row->against != NULL && strcmp(other->name, row->against) == 0)) {
            print_name(other, before, file);
            before = " ";
        }
    }
    if (before[0] == ' ')
        fputc(')', file);
}

static void print_words(const struct option_row *row, FILE *file)
{
    /* A value follows the sign in the same word. */
    bool blank = strchr(row->words[0], '=') == NULL;

    fputs(blank ? "(" : "compadd -S \"\" - ", file);
    for (size_t i = 0; row->words[i] != NULL; i++) {
        fputs(i > 0 ? " " : "", file);
        print_text(row->words[i], file);
    }
    fputs(blank ? ")" : "", file);
}

/* zsh offers each word once. "(none)" in front of a word: not beside that one. */
static void print_list(const struct option_row *row, FILE *file)
{
    for (size_t i = 0; row->words[i] != NULL; i++) {
        if (row->alone == NULL) {
            fprintf(file, " %s", row->words[i]);
        } else if (strcmp(row->words[i], row->alone) != 0) {
            fprintf(file, " \"(%s)%s\"", row->alone, row->words[i]);
        } else {
            fputs(" \"(", file);
            faces_print_words(row->words, file);
            fprintf(file, ")%s\"", row->words[i]);
        }
    }
}

/* ":HINT (EXAMPLE):ACTION" */
static void print_value(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];

    fputc(':', file);
    print_text(row->hint, file);
    if (row->example != NULL) {
        fputs(" (", file);
        print_text(row->example, file);
        fputc(')', file);
    }
    fputc(':', file);
    switch (row->offer) {
    case OFFER_NOTHING:
        break;
    case OFFER_WORDS:
        print_words(row, file);
        break;
    case OFFER_LIST:
        fprintf(file, "_values -s , \"%s\"", row->hint);
        print_list(row, file);
        break;
    case OFFER_PRINTED:
        faces_function(command, row->name, function, sizeof function);
        fprintf(file, "_%s", function);
        break;
    case OFFER_FILES:
        fputs("_files", file);
        for (size_t i = 0; row->words != NULL && row->words[i] != NULL; i++)
            fprintf(file, "%s%s%s", i == 0 ? " -g \"*.(" : "|", row->words[i],
                    row->words[i + 1] == NULL ? ")\"" : "");
        break;
    case OFFER_DIRECTORIES:
        fputs("_files -/", file);
        break;
    }
}

static void print_option(const struct command *command, const struct option_row *row, FILE *file)
{
    const char *sign = row->value != NULL ? "=" : "";

    fputs(" \\\n    '", file);
    print_excluded(command, row, file);
    if (row->letter != 0)
        fprintf(file, "'{-%c%s,--%s%s}'", row->letter, row->value != NULL ? "+" : "", row->name,
                sign);
    else
        fprintf(file, "--%s%s", row->name, sign);
    fprintf(file, "[%s]", row->brief);
    if (row->value != NULL)
        print_value(command, row, file);
    fputc('\'', file);
}

void faces_zsh(const struct command *command, FILE *file)
{
    const struct option_row *row;

    fprintf(file, "#compdef %s\n", command->program);
    faces_print_origin(command, "zsh", file);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->offer == OFFER_PRINTED)
            print_asking(command, row, file);
    }
    fputs("\n_arguments -s -S", file);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++)
        print_option(command, row, file);
    if (command->operand != NULL)
        fprintf(file, " \\\n    '*:%s:_files'", command->operand);
    fputc('\n', file);
}
