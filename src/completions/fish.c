/* fish: a line for each option. */
#include <ctype.h>
#include <stdbool.h>

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

/* A function for lists: it offers each word once, and the one that goes with no other first only.
 */
static void print_list_function(const char *name, FILE *file)
{
    fprintf(file,
            "\nfunction __%s_list --argument-names alone\n"
            "    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' |"
            " string replace -rf '^(.*,)[^,]*$' '$1')\n"
            "    set -l given (string split , -- \"$before\")\n"
            "    contains -- \"$alone\" $given; and test -n \"$alone\"; and return\n"
            "    for word in $argv[2..-1]\n"
            "        contains -- $word $given; and continue\n"
            "        test -n \"$before\" -a \"$word\" = \"$alone\"; and continue\n"
            "        echo \"$before$word\"\n"
            "    end\n"
            "end\n",
            name);
}

static bool has_lists(const struct command *command)
{
    const struct option_row *row;

    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->offer == OFFER_LIST || row->offer == OFFER_PRINTED)
            return true;
    }
    return false;
}

static void print_value(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];
    char program[80];

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
        faces_function(command, NULL, function, sizeof function);
        fprintf(file, " -x -a '(__%s_list \"%s\" ", function, row->alone != NULL ? row->alone : "");
        faces_print_words(row->words, file);
        fputs(")'", file);
        break;
    case OFFER_PRINTED:
        faces_function(command, NULL, program, sizeof program);
        faces_function(command, row->name, function, sizeof function);
        fprintf(file, " -x -a '(__%s_list \"\" (__%s))'", program, function);
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

    char name[80];

    faces_print_origin(command, "fish", file);
    faces_function(command, NULL, name, sizeof name);
    if (has_lists(command))
        print_list_function(name, file);
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
