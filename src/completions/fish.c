/* fish: a line for each option. */
#include <ctype.h>

#include "completions/faces.h"

/* A function for the words that the program prints for an option. */
static void print_asking(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];

    faces_function(command, row->name, function, sizeof function);
    fprintf(file, "\nfunction __%s\n    begin\n", function);
    for (size_t i = 0; row->words[i] != NULL; i++)
        fprintf(file, "        %s %s\n", command->program, row->words[i]);
    fputs("    end 2>/dev/null | string replace -r ' .*' ''\nend\n", file);
}

static void print_value(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];

    switch (row->offer) {
    case OFFER_NOTHING:
        fputs(" -x", file);
        break;
    case OFFER_WORDS:
        fputs(" -x -a '", file);
        faces_print_words(row->words, file);
        fputs("'", file);
        break;
    case OFFER_LIST:
        fputs(" -x -a '(__fish_append , ", file);
        faces_print_words(row->words, file);
        fputs(")'", file);
        break;
    case OFFER_PRINTED:
        faces_function(command, row->name, function, sizeof function);
        fprintf(file, " -x -a '(__fish_append , (__%s))'", function);
        break;
    case OFFER_FILES:
        fputs(" -r -F", file);
        break;
    case OFFER_DIRECTORIES:
        fputs(" -x -a '(__fish_complete_directories)'", file);
        break;
    }
}

static void print_option(const struct command *command, const struct option_row *row, FILE *file)
{
    fprintf(file, "complete -c %s", command->program);
    if (row->letter != 0)
        fprintf(file, " -s %c", row->letter);
    fprintf(file, " -l %s", row->name);
    if (row->value != NULL)
        print_value(command, row, file);
    fprintf(file, " -d '%c%s", toupper((unsigned char)row->brief[0]), row->brief + 1);
    if (row->example != NULL)
        fprintf(file, " (%s)", row->example);
    fputs("'\n", file);
}

void faces_fish(const struct command *command, FILE *file)
{
    const struct option_row *row;

    faces_print_origin(command, "fish", file);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->offer == OFFER_PRINTED)
            print_asking(command, row, file);
    }
    fputc('\n', file);
    if (command->operand == NULL)
        fprintf(file, "complete -c %s -f\n", command->program);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++)
        print_option(command, row, file);
}
