/* SPDX-License-Identifier: MIT */
/* Prints the completion of a program for a shell, from the table of its options: completions
 * bash|fish|zsh. It is built for each program. The build appends functions.bash or functions.fish,
 * whose functions the lines call. */
#include <stdio.h>
#include <string.h>

#include "tool/command.h"
#include "tool/values.h"

extern const struct option_table COMPLETED; /* see CMakeLists.txt */

/* The kinds of values: any text; one of some words; a word that the value goes on after; words with
 * commas between them; the name of a file, maybe with one of some endings; that of a folder. */
enum kind { ANY, WORDS, STEMS, LIST, FILES, ENDINGS, FOLDERS, KINDS };

enum shell { BASH, FISH, ZSH, SHELLS };

/* How the shells complete a kind: text before and after the words. `after` is NULL where a shell
 * takes no words. */
static const struct action {
    const char *before;
    const char *after;
} actions[KINDS][SHELLS] = {
    [ANY] = {{"", NULL}, {" -x", NULL}, {"", NULL}},
    [WORDS] = {{" _gpuenv_words \"$2\"", ""}, {" -x -a '", "'"}, {"(", ")"}},
    [STEMS] = {{" _gpuenv_words \"$2\"", ""}, {" -x -a '", "'"}, {"compadd -S \"\" -", ""}},
    [LIST] = {{" _gpuenv_list \"$2\"", ""},
              {" -x -a '(__gpuenv_list", ")'"},
              {"_values -s , \"words\"", ""}},
    [FILES] = {{" _gpuenv_files \"$2\" -f", NULL}, {" -r -F", NULL}, {"_files", NULL}},
    [ENDINGS] = {{" _gpuenv_files \"$2\" -f", NULL}, {" -r -F", NULL}, {"_files -g \"", "\""}},
    [FOLDERS] = {{" _gpuenv_files \"$2\" -d", NULL},
                 {" -x -a '(__fish_complete_directories)'", NULL},
                 {"_files -/", NULL}},
};

static void print_value(enum shell shell, const struct option_row *row)
{
    char words[2048] = "";
    enum kind kind = ANY;

    for (size_t i = 0; row->words != NULL && row->words[i] != NULL; i++) {
        values_append(words, sizeof words, row->words[i][0] == '.' ? " *" : " ");
        values_append(words, sizeof words, row->words[i]);
    }
    if (row->list != NULL)
        row->list(words + strlen(words), sizeof words - strlen(words));
    if (row->value == NULL)
        kind = WORDS;
    else if (strcmp(row->value, "FILE") == 0)
        kind = words[0] != '\0' ? ENDINGS : FILES;
    else if (strcmp(row->value, "DIR") == 0)
        kind = FOLDERS;
    else if (words[0] != '\0' && words[strlen(words) - 1] == '=')
        kind = STEMS;
    else if (words[0] != '\0')
        kind = strcmp(row->value, "LIST") == 0 || strcmp(row->value, "NAMES") == 0 ? LIST : WORDS;
    fputs(actions[kind][shell].before, stdout);
    if (actions[kind][shell].after != NULL)
        printf("%s%s", words, actions[kind][shell].after);
}

/* Text between single quotes, with a backslash before each of the characters `special`. */
static void print_quoted(const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf(strchr(special, *text) != NULL ? "\\%c" : "%c", *text);
    }
}

/* ---- bash ---- */

static void print_bash(const struct option_table *command)
{
    printf("# Completion of %s for bash.\n\n"
           "_%s_values() # OPTION WORD: false if the option takes no value\n"
           "{\n    case $1 in\n",
           command->program, COMPLETED_NAME);
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->value == NULL && row->words == NULL)
            continue;
        printf(row->letter != 0 ? "    -%c | " : "    ", row->letter);
        printf("--%s)", row->name);
        print_value(BASH, row);
        puts(" ;;");
    }
    printf("    *) return 1 ;;\n    esac\n    return 0\n}\n\n"
           "_%s()\n{\n    _gpuenv_complete _%s_values '%s'",
           COMPLETED_NAME, COMPLETED_NAME, command->files ? "files" : "");
    for (size_t i = 0; i < command->count; i++) {
        if (command->rows[i].name != NULL)
            printf(" --%s", command->rows[i].name);
    }
    printf("\n}\n\ncomplete -F _%s %s\n\n", COMPLETED_NAME, command->program);
}

/* ---- fish ---- */

static void print_fish(const struct option_table *command)
{
    printf("# Completion of %s for fish.\n\n", command->program);
    if (!command->files)
        printf("complete -c %s -f\n", command->program);
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->name == NULL)
            continue;
        printf("complete -c %s -l %s", command->program, row->name);
        if (row->letter != 0)
            printf(" -s %c", row->letter);
        if (row->value != NULL || row->words != NULL)
            print_value(FISH, row);
        fputs(" -d '", stdout);
        print_quoted(row->help, "\\");
        puts("'");
    }
    putchar('\n');
}

/* ---- zsh ---- */

/* Prints the names of an option and of the options that exclude it, because they set its field. */
static void print_excluded(const struct option_table *command, const struct option_row *row)
{
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *other = &command->rows[i];

        if (other != row && (other->name == NULL || other->value != NULL || row->value != NULL ||
                             other->field != row->field))
            continue;
        if (other->letter != 0)
            printf(" -%c", other->letter);
        printf(" --%s", other->name);
    }
}

static void print_zsh_row(const struct option_table *command, const struct option_row *row)
{
    const bool takes = row->value != NULL;

    fputs(" \\\n    '(", stdout);
    if (row->ends)
        fputs("- *", stdout);
    else
        print_excluded(command, row);
    if (row->letter != 0)
        printf(")'{-%c%s,--%s%s}'[", row->letter, takes ? "+" : "", row->name, takes ? "=" : "");
    else
        printf(")--%s%s[", row->name, takes ? "=" : "");
    print_quoted(row->help, "[]:\\");
    putchar(']');
    if (takes || row->words != NULL) {
        fputs(takes ? ":" : "::", stdout);
        print_quoted(row->help, "[]:\\");
        putchar(':');
        print_value(ZSH, row);
    }
    putchar('\'');
}

static void print_zsh(const struct option_table *command)
{
    printf("#compdef %s\n# Completion of %s for zsh.\n\n_arguments -s -S", command->program,
           command->program);
    for (size_t i = 0; i < command->count; i++) {
        if (command->rows[i].name != NULL)
            print_zsh_row(command, &command->rows[i]);
    }
    puts(command->files ? " \\\n    '*:input file:_files'" : "");
}

int main(int argc, char **argv)
{
    const char *shell = argc == 2 ? argv[1] : "";

    if (strcmp(shell, "bash") == 0)
        print_bash(&COMPLETED);
    else if (strcmp(shell, "fish") == 0)
        print_fish(&COMPLETED);
    else
        print_zsh(&COMPLETED);
    return fflush(stdout) != 0 || ferror(stdout);
}
