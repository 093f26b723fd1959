#include "tool/command.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/likely.h"
#include "base/list.h"
#include "base/memory_text.h"
#include "base/min_max.h"
#include "tool/messages.h"
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

/* What is used here for an option of other programs, with one dash or two. NULL: nothing. */
static const char *find_elsewhere(const struct option_table *command, const char *name,
                                  size_t length)
{
    return command->elsewhere != NULL ? values_elsewhere(command->elsewhere, name, length) : NULL;
}

/* The value of an option of other programs, if it is a time: behind its =, or the next word. */
static const char *time_of(const char *option, const char *next)
{
    const char *equals = strchr(option, '=');
    const char *value = equals != NULL ? equals + 1 : next;

    return value != NULL && isdigit((unsigned char)value[0]) && strlen(value) < VALUES_SHOWN
               ? value
               : "TIME";
}

/* An option with its dashes, of `length` characters, and the word behind it. `here` NULL: nothing
 * is said of it. A TIME in it stands for the value. */
static int complain_of_option(const char *option, size_t length, const char *here, const char *next,
                              struct error *error)
{
    const char *at = here == NULL ? NULL : strstr(here, "TIME");

    if (at != NULL)
        return error_set(error, ERROR_COMMAND, NULL, "%.*s: unknown option: %.*s%s%s", (int)length,
                         option, (int)(at - here), here, time_of(option, next), at + 4);
    return error_set(error, ERROR_COMMAND, NULL, "%.*s: unknown option%s%s", (int)length, option,
                     here != NULL ? ": " : "", here != NULL ? here : "");
}

/* *.wav may name files that begin with a dash. */
static int complain_of_file(const char *word, struct error *error)
{
    return error_set(error, ERROR_COMMAND, NULL,
                     "%s: is taken for options: the file of this name is ./%s", word, word);
}

/* A letter that is not known, in a word of one dash: perhaps all of it is one name. */
static int complain_of_letter(const struct option_table *command, const char *word, char letter,
                              const struct option *known, const char *next, struct error *error)
{
    const size_t length = word[0] == '-' ? strcspn(word + 1, "=") : 0;
    const char *here = length > 1 ? find_elsewhere(command, word + 1, length) : NULL;

    if (here != NULL)
        return complain_of_option(word, length + 1, here, next, error);
    for (const struct option *option = known; length > 2 && option->name != NULL; option++) {
        if (strlen(option->name) == length && strncmp(option->name, word + 1, length) == 0)
            return error_set(error, ERROR_COMMAND, NULL, "-%s: unknown option: did you mean --%s?",
                             option->name, option->name);
    }
    return complain_of_option((char[]){'-', letter, '\0'}, 2, find_elsewhere(command, &letter, 1),
                              next, error);
}

/* getopt_long() does not say whether a long name was unknown or ambiguous. */
static int complain_of_name(const struct option_table *command, const char *word,
                            const struct option *known, const char *next, struct error *error)
{
    size_t length = strcspn(word + 2, "=");
    const char *here = find_elsewhere(command, word + 2, length);
    struct likely nearest;
    char likely[256] = "";
    unsigned count = 0;

    if (here != NULL)
        return complain_of_option(word, length + 2, here, next, error);
    likely_begin(&nearest, word + 2, length);
    for (const struct option *option = known; option->name != NULL; option++) {
        likely_of(&nearest, option->name, strlen(option->name));
        if (strncmp(option->name, word + 2, length) != 0)
            continue;
        values_append(likely, sizeof likely, count++ > 0 ? ", --" : "--");
        values_append(likely, sizeof likely, option->name);
    }
    if (count < 2 && nearest.word != NULL)
        return error_set(error, ERROR_COMMAND, NULL, "%.*s: unknown option: did you mean --%.*s?",
                         (int)length + 2, word, (int)nearest.length, nearest.word);
    if (count < 2 || length == 0)
        return complain_of_option(word, min_u64(length, VALUES_SHOWN) + 2, NULL, NULL, error);
    return error_set(error, ERROR_COMMAND, NULL, "%.*s: could be any of %s", (int)length + 2, word,
                     likely);
}

/* `answer` is the result of getopt_long(), '?' or ':'. */
static int complain(const struct option_table *command, int answer, char **argv,
                    const struct option *known, struct error *error)
{
    const char *word = argv[optind - 1];
    unsigned char letter = (unsigned char)optopt;

    if (answer == ':' && strncmp(word, "--", 2) == 0)
        return error_set(error, ERROR_COMMAND, NULL, "%s: needs a value", word);
    if (answer == ':')
        return error_set(error, ERROR_COMMAND, NULL, "-%c: needs a value", optopt);
    if (optopt == 0)
        return access(word, F_OK) == 0
                   ? complain_of_file(word, error)
                   : complain_of_name(command, word, known, argv[optind], error);
    /* For a known option: it was written long, with a value that it does not take. */
    if (find_row(command, optopt) != NULL)
        return error_set(error, ERROR_COMMAND, NULL, "%.*s: takes no value", VALUES_SHOWN, word);
    /* Part of a multi-byte character would garble the message. */
    if (letter <= ' ' || letter >= 0x7f)
        return error_set(error, ERROR_COMMAND, NULL, "-\\x%02x: unknown option", letter);
    /* A word of several letters is passed only when the last of them has been read. */
    if (argv[optind] != NULL && argv[optind][0] == '-' && argv[optind][1] != '-' &&
        strchr(argv[optind], optopt) != NULL)
        word = argv[optind];
    return access(word, F_OK) == 0
               ? complain_of_file(word, error)
               : complain_of_letter(command, word, (char)letter, known,
                                    argv[optind - 1] == word ? argv[optind] : argv[optind + 1],
                                    error);
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

/* A value that is wrong may be one that has another name here, or be in a list. */
static int store(const struct option_row *row, const struct option_value *value, void *options,
                 struct error *error)
{
    if (store_value(row, value, options, error) != 0) {
        for (const char *rest = value->text; rest != NULL;) {
            const char *word = rest;
            const size_t length = list_item(&rest);
            char meant[32];

            if (values_meant(row->meant, row->words, word, length, meant, sizeof meant))
                return settings_refuse(error, value, "%.*s%sis called %s here",
                                       length == strlen(value->text) ? 0 : (int)length, word,
                                       length == strlen(value->text) ? "" : " ", meant);
        }
        return -1;
    }
    if (row->given > 0)
        *(bool *)((char *)options + row->given) = true;
    if (row->named > 0)
        *(const char **)((char *)options + row->named) = row->name;
    return 0;
}

/* A value behind its letter, in one word: "-w=3" and "-window" are not meant so. */
static int check_attached(const struct option_table *command, const char *word, const char *value,
                          const struct option *known, struct error *error)
{
    const char *here = find_elsewhere(command, word + 1, strlen(word + 1));

    if (here != NULL)
        return complain_of_option(word, strlen(word), here, NULL, error);
    if (*value == '=')
        return error_set(error, ERROR_COMMAND, NULL, "%.*s: leave the = out: %.2s %.*s",
                         VALUES_SHOWN, word, word, VALUES_SHOWN, value + 1);
    for (const struct option *option = known; option->name != NULL; option++) {
        if (strcmp(option->name, word + 1) == 0)
            return error_set(error, ERROR_COMMAND, NULL, "%s: unknown option: did you mean -%s?",
                             word, word);
    }
    return 0;
}

/* An abbreviation that is an option of other programs. `optarg` is that of getopt_long(). */
static int check_abbreviation(const struct option_table *command, const char *name, char **argv,
                              struct error *error)
{
    const bool apart = optarg != NULL && optarg == argv[optind - 1];
    const char *word = argv[optind - (apart ? 2 : 1)];
    const size_t length = strcspn(word, "=");
    const char *here = find_elsewhere(command, word + 2, length - 2);

    if (here == NULL || length - 2 == strlen(name))
        return 0;
    return complain_of_option(word, length, here, apart ? optarg : NULL, error);
}

/* An option of its section is given. */
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
    struct known_option known;
    int answer;
    int place = -1;

    fill(&known, command);
    optind = 0; /* resets glibc's getopt_long() */
    opterr = 0;
    while ((answer = getopt_long(argc, argv, known.letters, known.options, &place)) != -1) {
        const struct option_row *row;
        struct option_value value = {.text = optarg};

        if (answer == '?' || answer == ':')
            return complain(command, answer, argv, known.options, error);
        row = find_row(command, answer);
        if (place < 0 && optarg != NULL && optarg != argv[optind - 1] &&
            check_attached(command, argv[optind - 1], optarg, known.options, error) != 0)
            return -1;
        if (place >= 0 && check_abbreviation(command, row->name, argv, error) != 0)
            return -1;
        if (place >= 0)
            snprintf(value.option, sizeof value.option, "--%s", row->name);
        else
            snprintf(value.option, sizeof value.option, "-%c", answer);
        if (store(row, &value, options, error) != 0)
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

/* The names and, beside them, the text; below them if they are too long. */
static void print_row(struct memory_text *text, const struct option_row *row)
{
    char letter[8] = "    ";
    const char *help = row->help;
    const size_t begin = text->used;
    int column;

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

char *help_text(const struct option_table *command)
{
    struct memory_text text = {.bytes = NULL};

    memory_text_put(&text, command->usage);
    for (size_t i = 0; i < command->count; i++) {
        if (command->rows[i].name == NULL)
            memory_text_print(&text, "\n%s:\n", command->rows[i].help);
        else
            print_row(&text, &command->rows[i]);
    }
    memory_text_print(&text, "\n%s", command->notes);
    return memory_text_take(&text, NULL);
}

int help_print(const struct option_table *command, struct error *error)
{
    char *text = help_text(command);
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

    snprintf(text, sizeof text, "%s %s\n", command->program, GPUENV_VERSION);
    return messages_print(text, error);
}
