/* bash: functions for each kind of value, one that knows the values of each option, and the one
 * that bash calls. */
#include <string.h>

#include "completions/faces.h"

enum { COLUMNS = 99 };

/* A function for each kind of value. */
static void print_helpers(const char *name, FILE *file)
{
    fprintf(file,
            "\n"
            "_%s_words() # WORDS CURRENT\n"
            "{\n"
            "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$2\")\n"
            "    # A value follows the sign in the same word.\n"
            "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
            "}\n"
            "\n"
            "_%s_list() # WORDS CURRENT [ALONE]: words with commas between them, each once\n"
            "{\n"
            "    local rest=${2##*,} word words=\n"
            "    local before=${2%%\"$rest\"}\n"
            "\n"
            "    for word in $1; do\n"
            "        case ,$before in\n"
            "        *,\"$word\",* | *,\"${3:-,}\",*) ;;\n"
            "        *) [[ -n $before && $word == \"${3-}\" ]] || words+=\" $word\" ;;\n"
            "        esac\n"
            "    done\n"
            "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$rest\")\n"
            "    compopt -o nospace 2>/dev/null\n"
            "}\n"
            "\n"
            "_%s_files() # CURRENT\n"
            "{\n"
            "    compopt -o filenames 2>/dev/null\n"
            "    mapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
            "}\n"
            "\n"
            "_%s_directories() # CURRENT\n"
            "{\n"
            "    compopt -o filenames 2>/dev/null\n"
            "    mapfile -t COMPREPLY < <(compgen -d -- \"$1\")\n"
            "}\n",
            name, name, name, name);
}

/* The words that the program prints for an option. */
static void print_asking(const struct command *command, const struct option_row *row, FILE *file)
{
    char function[80];

    faces_function(command, row->name, function, sizeof function);
    fprintf(file, "\n_%s()\n{\n    {\n", function);
    for (size_t i = 0; row->words[i] != NULL; i++)
        fprintf(file, "        \"${COMP_WORDS[0]}\" %s\n", row->words[i]);
    fputs("    } 2>/dev/null | cut -d ' ' -f 1\n}\n", file);
}

static void print_value(const struct command *command, const char *name,
                        const struct option_row *row, FILE *file)
{
    char function[80];

    fputs("    ", file);
    if (row->letter != 0)
        fprintf(file, "-%c | ", row->letter);
    fprintf(file, "--%s) ", row->name);
    switch (row->offer) {
    case OFFER_NOTHING:
        break;
    case OFFER_WORDS:
    case OFFER_LIST:
        fprintf(file, "_%s_%s \"", name, row->offer == OFFER_LIST ? "list" : "words");
        faces_print_words(row->words, file);
        fputs("\" \"$2\" ", file);
        if (row->alone != NULL)
            fprintf(file, "%s ", row->alone);
        break;
    case OFFER_PRINTED:
        faces_function(command, row->name, function, sizeof function);
        fprintf(file, "_%s_list \"$(_%s)\" \"$2\" ", name, function);
        break;
    case OFFER_FILES:
        fprintf(file, "_%s_files \"$2\" ", name);
        break;
    case OFFER_DIRECTORIES:
        fprintf(file, "_%s_directories \"$2\" ", name);
        break;
    }
    fputs(";;\n", file);
}

/* All names, in lines that are not too long. */
static void print_names(const struct command *command, FILE *file)
{
    const struct option_row *row;
    int column = fprintf(file, "    local options=\"");

    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (column + 3 + (int)strlen(row->name) > COLUMNS)
            column = fprintf(file, "\n        ") - 1;
        else if (i > 0)
            column += fprintf(file, " ");
        column += fprintf(file, "--%s", row->name);
    }
    fputs("\"\n", file);
}

/* Offers what the value of an option may be. */
static void print_values_function(const struct command *command, const char *name, FILE *file)
{
    const struct option_row *row;

    fprintf(file,
            "\n"
            "_%s_values() # OPTION CURRENT: false where the option takes no value\n"
            "{\n"
            "    case $1 in\n",
            name);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->value != NULL)
            print_value(command, name, row, file);
    }
    fputs("    *) return 1 ;;\n"
          "    esac\n"
          "    return 0\n"
          "}\n",
          file);
}

/* Called for the word at the cursor. */
static void print_entry(const struct command *command, const char *name, FILE *file)
{
    fprintf(file,
            "\n"
            "_%s()\n"
            "{\n"
            "    local current=${COMP_WORDS[COMP_CWORD]}\n"
            "    local previous=${COMP_WORDS[COMP_CWORD - 1]}\n",
            name);
    print_names(command, file);
    fprintf(file,
            "\n"
            "    COMPREPLY=()\n"
            "    # bash takes --name=value for three words.\n"
            "    if [[ $current == \"=\" ]]; then\n"
            "        current=\n"
            "    elif [[ $previous == \"=\" && $COMP_CWORD -gt 1 ]]; then\n"
            "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
            "    fi\n"
            "    if _%s_values \"$previous\" \"$current\"; then\n"
            "        return\n"
            "    fi\n",
            name);
    if (command->operand != NULL)
        fprintf(file,
                "    if [[ $current != -* ]]; then\n"
                "        _%s_files \"$current\"\n"
                "        return\n"
                "    fi\n",
                name);
    fprintf(file,
            "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
            "}\n"
            "\n"
            "complete -F _%s %s\n",
            name, command->program);
}

void faces_bash(const struct command *command, FILE *file)
{
    const struct option_row *row;
    char name[80];

    faces_function(command, NULL, name, sizeof name);
    faces_print_origin(command, "bash", file);
    fputs("# shellcheck shell=bash\n", file);
    print_helpers(name, file);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->offer == OFFER_PRINTED)
            print_asking(command, row, file);
    }
    print_values_function(command, name, file);
    print_entry(command, name, file);
}
