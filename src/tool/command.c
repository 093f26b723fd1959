/* SPDX-License-Identifier: MIT */
#include "tool/command.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/likely.h"
#include "base/list.h"
#include "base/memory_text.h"
#include "base/min_max.h"
#include "lib/gpuenv.h"
#include "tool/messages.h"
#include "tool/others_priv.h"
#include "tool/values.h"

/* What getopt_long() returns for an option without a letter is the number of its row plus this:
 * more than any character. */
enum { NUMBERS_FROM = 256 };

static int number_of(const struct option_table *command, const struct option_row *row)
{
    return row->letter != 0 ? row->letter : NUMBERS_FROM + (int)(row - command->rows);
}

/* Finds the row of an option by its number. Returns NULL if no option has it. */
static const struct option_row *find_row(const struct option_table *command, int number)
{
    for (size_t i = 0; i < command->count; i++) {
        if (command->rows[i].name != NULL && number_of(command, &command->rows[i]) == number)
            return &command->rows[i];
    }
    return NULL;
}

/* The table for getopt_long(). */
struct known_option {
    struct option options[COMMAND_ROWS_MOST + 1];
    char letters[2 * COMMAND_ROWS_MOST + 2];
};

static void fill(struct known_option *known, const struct option_table *command)
{
    struct option *option = known->options;
    char *letter = known->letters;

    *letter++ = ':'; /* distinguishes a missing value from an unknown option */
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->name == NULL)
            continue;
        *option++ = (struct option){
            .name = row->name,
            .has_arg = row->value != NULL ? required_argument : no_argument,
            .val = number_of(command, row),
        };
        if (row->letter == 0)
            continue;
        *letter++ = row->letter;
        if (row->value != NULL)
            *letter++ = ':';
    }
    *letter = '\0';
    *option = (struct option){.name = NULL};
}

/* Refuses an unknown option of `length` characters, with its dashes. `ours` may be NULL. */
static int complain_of_option(const struct others_line *line, const char *option, size_t length,
                              const char *ours, struct error *error)
{
    const char *value = option[length] != '\0' ? option + length + (option[length] == '=') : NULL;
    const char *own = NULL;
    char subject[2 * VALUES_SHOWN];

    snprintf(subject, sizeof subject, "%.*s", (int)length, option);
    if (ours == NULL)
        return USAGE(error, "%s: unknown option", subject);
    for (char *const *word = line->argv; value == NULL && *word != NULL; word++)
        value = *word == option && others_is_value(word[1]) ? word[1] : NULL;
    if (value != NULL)
        own = others_find(line->command->others, subject, value, strlen(value));
    return others_refuse(line, subject, ": unknown option", own != NULL ? own : ours, value, error);
}

/* *.wav may name files that begin with a dash. */
static int complain_of_file(const char *word, struct error *error)
{
    return USAGE(error, "%s: looks like options: the file of this name is ./%s", word, word);
}

static bool is_long(const struct option *known, const char *name, size_t length)
{
    while (known->name != NULL &&
           (strlen(known->name) != length || strncmp(known->name, name, length) != 0))
        known++;
    return known->name != NULL;
}

/* Refuses an unknown letter in a word of one dash, which may be meant as one name. */
static int complain_of_letter(const struct others_line *line, const char *word, char letter,
                              const struct option *known, struct error *error)
{
    const size_t length = word[0] == '-' ? strcspn(word + 1, "=") : 0;
    const char *ours = length > 1 ? others_option(line, word + 1, length) : NULL;

    if (length > 2 && is_long(known, word + 1, length))
        return USAGE(error, "-%.*s: unknown option: did you mean --%.*s?", (int)length, word + 1,
                     (int)length, word + 1);
    if (ours != NULL || (length > 1 && letter == word[1] && isalpha((unsigned char)word[2])))
        return complain_of_option(line, word, length + 1, ours, error);
    if (letter == word[1])
        return complain_of_option(line, word, 2, others_option(line, &letter, 1), error);
    return complain_of_option(line, (char[]){'-', letter, '\0'}, 2, NULL, error);
}

/* getopt_long() does not say whether a long name was unknown or ambiguous. */
static int complain_of_name(const struct others_line *line, const char *word,
                            const struct option *known, struct error *error)
{
    size_t length = strcspn(word + 2, "=");
    const char *ours = others_option(line, word + 2, length);
    struct likely nearest;
    char likely[256] = "";
    unsigned count = 0;

    if (ours != NULL)
        return complain_of_option(line, word, length + 2, ours, error);
    likely_begin(&nearest, word + 2, length);
    for (const struct option *option = known; option->name != NULL; option++) {
        likely_of(&nearest, option->name, strlen(option->name));
        if (strncmp(option->name, word + 2, length) != 0)
            continue;
        values_append(likely, sizeof likely, count++ > 0 ? ", --" : "--");
        values_append(likely, sizeof likely, option->name);
    }
    if (count < 2 && nearest.word != NULL)
        return USAGE(error, "%.*s: unknown option: did you mean --%.*s?", (int)length + 2, word,
                     (int)nearest.length, nearest.word);
    if (count < 2 || length == 0)
        return complain_of_option(line, word, min_u64(length, VALUES_SHOWN) + 2, NULL, error);
    return USAGE(error, "%.*s: could be any of %s", (int)length + 2, word, likely);
}

/* Refuses an option without its value. `word` is the word of the line that has the option. */
static int complain_of_no_value(const struct others_line *line, const char *option,
                                const char *word, struct error *error)
{
    const struct others_line whole = {line->command, line->argv, true};

    if (strcmp(option, "--stats") == 0)
        return others_refuse(&whole, option, ": needs a value", "the summary has them@!", word,
                             error);
    return USAGE(error, "%s: needs a value", option);
}

/* `answer` is the result of getopt_long(), '?' or ':'. */
static int complain(const struct others_line *line, int answer, const struct option *known,
                    struct error *error)
{
    char *const *argv = line->argv;
    const char *word = argv[optind - 1];
    unsigned char letter = (unsigned char)optopt;

    if (answer == ':')
        return complain_of_no_value(
            line, strncmp(word, "--", 2) == 0 ? word : (char[]){'-', (char)optopt, '\0'}, word,
            error);
    if (optopt == 0)
        return access(word, F_OK) == 0 ? complain_of_file(word, error)
                                       : complain_of_name(line, word, known, error);
    /* A known option was written long, with a value that it does not take. */
    if (find_row(line->command, optopt) != NULL)
        return USAGE(error, "%.*s: takes no value", VALUES_SHOWN, word);
    /* Part of a multi-byte character would garble the message. */
    if (letter <= ' ' || letter >= 0x7f)
        return USAGE(error, "-\\x%02x: unknown option", letter);
    /* A word of several letters is passed only when the last of them has been read. */
    if (argv[optind] != NULL && argv[optind][0] == '-' && argv[optind][1] != '-' &&
        strchr(argv[optind], optopt) != NULL)
        word = argv[optind];
    return access(word, F_OK) == 0 ? complain_of_file(word, error)
                                   : complain_of_letter(line, word, (char)letter, known, error);
}

_Static_assert(sizeof(enum option_kind) == sizeof(unsigned), "enumerations are stored as unsigned");

/* Stores what the option stands for. */
static int store_value(const struct option_row *row, const struct option_value *value,
                       void *options, struct error *error)
{
    void *field = (char *)options + row->field;
    uint64_t number;
    int place;

    switch (row->kind) {
    case OPTION_OWN:
        return row->set(field, value, error);
    case OPTION_TEXT:
        if (row->words != NULL && values_word(value, row->words, error) < 0)
            return -1;
        return values_text(value, row->what, field, error);
    case OPTION_NUMBER:
        if (values_whole(value, row->least, row->most, &number, error) != 0)
            return -1;
        *(unsigned *)field = (unsigned)number;
        return 0;
    case OPTION_WHOLE:
        return values_whole(value, row->least, row->most, field, error);
    case OPTION_LENGTH:
        return values_length(value, row->what, field, error);
    case OPTION_WORD:
    case OPTION_SECOND:
        place = values_word(value, row->words, error);
        if (place < 0)
            return -1;
        if (row->kind == OPTION_WORD)
            *(unsigned *)field = (unsigned)place;
        else
            *(bool *)field = place == 1;
        return 0;
    case OPTION_ON:
    case OPTION_OFF:
        *(bool *)field = row->kind == OPTION_ON;
        return 0;
    case OPTION_CHOICE:
        *(unsigned *)field = row->choice;
        return 0;
    }
    return -1;
}

/* A word of a list that is written in another case; NULL if there is none. */
static const char *find_case(const char *const *words, const char *word, size_t length)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
            return strncmp(words[i], word, length) == 0 ? NULL : words[i];
    }
    return NULL;
}

static int refuse_value(const struct others_line *line, const struct option_value *value,
                        const char *ours, struct error *error)
{
    const char *dots = strlen(value->text) > VALUES_SHOWN ? "..." : "";
    char subject[2 * VALUES_SHOWN];

    snprintf(subject, sizeof subject, "%s %.*s%s", value->option, VALUES_SHOWN, value->text, dots);
    return others_refuse(line, subject, "", ours, value->text, error);
}

enum { LIST_MOST = 4096 };

/* Replaces words of other programs by ours. A LIST with such words is copied to `list`, which ends
 * with the caller: setters of these options keep no text. */
static int take_others(const struct others_line *line, const struct option_row *row,
                       struct option_value *value, char list[LIST_MOST], struct error *error)
{
    const bool is_list = strcmp(row->value, "LIST") == 0;
    const char *taken = value->text;

    *list = '\0';
    for (const char *rest = value->text; rest != NULL;) {
        const char *word = rest;
        const size_t length = is_list ? list_item(&rest) : strlen(word);
        const char *ours = others_find(line->command->others, row->name, word, length);

        rest = is_list ? rest : NULL;
        if (ours != NULL && *ours++ != '=')
            return refuse_value(line, value, ours - 1, error);
        if (ours == NULL)
            ours = find_case(row->words, word, length);
        if (ours != NULL)
            taken = word == value->text && rest == NULL ? ours : list;
        values_append(list, LIST_MOST, word == value->text ? "" : ",");
        if (ours != NULL)
            values_append(list, LIST_MOST, ours);
        else
            strncat(list, word, min_u64(length, LIST_MOST - strlen(list) - 1));
    }
    if (taken == list && strlen(list) == LIST_MOST - 1)
        return settings_refuse(error, value, "is too long");
    value->text = taken;
    return 0;
}

/* Refuses a word after an option without a value, if the option of another program takes it. */
static int check_flag(const struct others_line *line, const struct option_row *row,
                      const struct option_value *value, struct error *error)
{
    const char *next = line->argv[optind];
    const char *ours = next == NULL || access(next, F_OK) == 0
                           ? NULL
                           : others_find(line->command->others, row->name, next, strlen(next));

    return ours == NULL ? 0 : others_refuse(line, value->option, "", ours, next, error);
}

static int store(const struct others_line *line, const struct option_row *row,
                 struct option_value *value, void *options, struct error *error)
{
    const char *refused = others_find(line->command->others, row->name, "*", 1);
    const struct option_value typed = *value;
    char list[LIST_MOST];

    if (typed.text == NULL ? check_flag(line, row, value, error) != 0
                           : take_others(line, row, value, list, error) != 0)
        return -1;
    if (store_value(row, value, options, error) != 0)
        return refused != NULL && typed.text != NULL && typed.text == line->argv[optind - 1] &&
                       isalpha((unsigned char)*typed.text)
                   ? refuse_value(line, &typed, refused, error)
                   : -1;
    if (row->given > 0)
        *(bool *)((char *)options + row->given) = true;
    if (row->named > 0)
        *(const char **)((char *)options + row->named) = row->name;
    return 0;
}

/* Refuses a word of one dash, such as "-w=3", "-window" or "-vn", that is not meant as a letter and
 * its value. `value` follows the letter; it may be NULL. */
static int check_attached(const struct others_line *line, const char *word, const char *value,
                          const struct option *known, struct error *error)
{
    const char *ours = word[0] == '-' && word[1] != '-' && word[1] != '\0' && word[2] != '\0'
                           ? others_option(line, word + 1, strlen(word + 1))
                           : NULL;

    if (ours != NULL)
        return complain_of_option(line, word, strlen(word), ours, error);
    if (value != NULL && *value == '=')
        return USAGE(error, "%.*s: leave the = out: %.2s %.*s", VALUES_SHOWN, word, word,
                     VALUES_SHOWN, value + 1);
    for (const struct option *option = known; value != NULL && option->name != NULL; option++) {
        if (strcmp(option->name, word + 1) == 0)
            return USAGE(error, "%s: unknown option: did you mean -%s?", word, word);
    }
    return 0;
}

/* Refuses an abbreviation that is an option of other programs. `optarg` is set by getopt_long(). */
static int check_abbreviation(const struct others_line *line, const char *name, struct error *error)
{
    const bool apart = optarg != NULL && optarg == line->argv[optind - 1];
    const char *word = line->argv[optind - (apart ? 2 : 1)];
    const size_t length = strcspn(word, "=");
    const char *ours = others_option(line, word + 2, length - 2);

    return ours == NULL || length - 2 == strlen(name)
               ? 0
               : complain_of_option(line, word, length, ours, error);
}

/* Notes for the heading above an option that the option is given. */
static void mark_heading(const struct option_table *command, const struct option_row *row,
                         void *options)
{
    while (row > command->rows && row->name != NULL)
        row--;
    if (row->name == NULL && row->given > 0)
        *(bool *)((char *)options + row->given) = true;
}

int command_parse(const struct option_table *command, int argc, char **argv, void *options,
                  int *operands, struct error *error)
{
    const struct others_line line = {.command = command, .argv = argv};
    struct known_option known;
    int answer;
    int place = -1;

    if (others_refuse_command(&line, error) != 0)
        return -1;
    fill(&known, command);
    optind = 0; /* resets glibc's getopt_long() */
    opterr = 0;
    while ((answer = getopt_long(argc, argv, known.letters, known.options, &place)) != -1) {
        const struct option_row *row;
        struct option_value value = {.text = optarg};
        const char *word = argv[optind];

        if (answer == '?' || answer == ':')
            return complain(&line, answer, known.options, error);
        row = find_row(command, answer);
        /* getopt_long() leaves a word only after its last letter. */
        if (optarg != NULL || word == NULL || word[0] != '-' || word[1] != answer)
            word = argv[optind - 1];
        if (place < 0 && word != optarg &&
            check_attached(&line, word, optarg, known.options, error) != 0)
            return -1;
        if (place >= 0 && check_abbreviation(&line, row->name, error) != 0)
            return -1;
        if (place >= 0)
            snprintf(value.option, sizeof value.option, "--%s", row->name);
        else
            snprintf(value.option, sizeof value.option, "-%c", answer);
        /* A long option in the place of a value: the value was forgotten. */
        if (optarg != NULL && optarg == argv[optind - 1] && strncmp(optarg, "--", 2) == 0 &&
            is_long(known.options, optarg + 2, strlen(optarg + 2)))
            return complain_of_no_value(&line, value.option, argv[optind - 2], error);
        if (store(&line, row, &value, options, error) != 0)
            return -1;
        mark_heading(command, row, options);
        if (row->ends)
            break;
        place = -1;
    }
    *operands = optind;
    return 0;
}

/* ---- --help and --version ---- */

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

/* Prints the names and, beside them, the text, or its part before a semicolon. The text stands
 * below names that are too long. */
static void print_row(struct memory_text *text, const struct option_row *row, bool whole)
{
    char words[1024];
    char letter[8] = "    ";
    const char *help = words;
    const size_t begin = text->used;
    int column;

    snprintf(words, sizeof words, "%.*s", (int)strcspn(row->help, whole ? "" : ";"), row->help);
    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    memory_text_print(text, "  %s--%s%s%s", letter, row->name, row->value != NULL ? " " : "",
                      row->value != NULL ? row->value : "");
    column = (int)(text->used - begin);
    while (*help != '\0') {
        size_t length = line_length(help);

        if (column >= TEXT_COLUMN) {
            memory_text_put(text, "\n");
            column = 0;
        }
        memory_text_print(text, "%*s%.*s", TEXT_COLUMN - column, "", (int)length, help);
        help += length + strspn(help + length, " ");
        column = TEXT_COLUMN;
    }
    memory_text_put(text, "\n");
}

bool command_is_rare(const struct option_table *command, const char *typed)
{
    const size_t size = strcspn(typed, " :=");
    bool rare = typed[0] == '-';

    for (size_t i = 0; i < command->count && size >= 2; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->common && (size == 2 ? typed[1] == row->letter
                                      : strlen(row->name) == size - 2 &&
                                            memcmp(typed + 2, row->name, size - 2) == 0))
            rare = false;
    }
    return rare;
}

char *help_text(const struct option_table *command, bool all)
{
    struct memory_text text = {.bytes = NULL};
    const char *heading = NULL;

    memory_text_put(&text, command->usage);
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->name == NULL)
            heading = row->help;
        else if (all || row->common) {
            if (heading != NULL)
                memory_text_print(&text, "%s%s:\n", all || i == 1 ? "\n" : "", heading);
            heading = NULL;
            print_row(&text, row, all);
        }
    }
    memory_text_print(&text, "\n%s", command->notes);
    return memory_text_take(&text, NULL);
}

int help_print(const struct option_table *command, bool all, struct error *error)
{
    char *text = help_text(command, all);
    int result;

    if (text == NULL)
        return error_system(error, ERROR_RESOURCE, "--help", errno);
    result = messages_print(text, error);
    free(text);
    return result;
}

int help_print_version(const struct option_table *command, struct error *error)
{
    char text[80];

    snprintf(text, sizeof text, "%s %s%s\n", command->program, gpuenv_version(), tool_commit);
    return messages_print(text, error);
}
