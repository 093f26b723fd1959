/* SPDX-License-Identifier: MIT */
/* Checks for any option table. */
#ifndef GPUENV_TESTS_COMMAND_ROWS_H
#define GPUENV_TESTS_COMMAND_ROWS_H

#include "check.h"
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "job/settings.h"
#include "tool/command.h"

/* A right value, --NAME=VALUE. Of options that are not listed, the first of their words, or 3. */
struct right_value {
    const char *name;
    const char *value;
    bool words; /* any word is right */
};

/* What parsing and --help rely on. */
static inline void check_row(const struct option_row *row)
{
    const char *name = row->name;

    CHECK_THAT(strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name), "%s", name);
    CHECK_THAT(strlen(name) + 2 < sizeof((struct option_value *)0)->option, "%s", name);
    CHECK_THAT(row->letter == 0 || isalnum((unsigned char)row->letter), "--%s", name);
    CHECK_THAT((row->kind == OPTION_OWN) == (row->set != NULL), "--%s", name);
    CHECK_THAT((row->value == NULL) == (row->kind >= OPTION_ON), "--%s", name);
    CHECK_THAT(row->words != NULL || (row->kind != OPTION_WORD && row->kind != OPTION_SECOND),
               "--%s", name);
    CHECK_THAT(row->kind != OPTION_NUMBER || row->least < row->most, "--%s", name);
    CHECK_THAT(row->help != NULL && strchr(row->help, '\n') == NULL, "--%s", name);
}

static inline void check_table(const struct option_table *command)
{
    bool letters[256] = {false};

    CHECK(command->count > 0);
    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];

        if (row->name == NULL)
            continue;
        check_row(row);
        for (size_t k = 0; k < i; k++)
            CHECK_THAT(command->rows[k].name == NULL ||
                           strcmp(command->rows[k].name, row->name) != 0,
                       "--%s", row->name);
        CHECK_THAT(row->letter == 0 || !letters[(unsigned char)row->letter], "-%c", row->letter);
        letters[(unsigned char)row->letter] = true;
    }
}

/* One option alone: `letter` as -xVALUE, otherwise as --NAME=VALUE, or without a value if that is
 * NULL. `options` is the struct of the program. */
static inline int walk_one(const struct option_table *command, const struct option_row *row,
                           bool letter, const char *value, void *options, struct error *error)
{
    char program[] = "program";
    char word[128];
    char text[128];
    char *argv[] = {program, word, NULL, NULL};
    int operands;

    if (letter)
        snprintf(word, sizeof word, "-%c", row->letter);
    else
        snprintf(word, sizeof word, "--%s%s%s", row->name, value != NULL ? "=" : "",
                 value != NULL ? value : "");
    if (letter && value != NULL) {
        snprintf(text, sizeof text, "%s", value);
        argv[2] = text;
    }
    *error = (struct error){.reason = ""};
    return command_parse(command, argv[2] != NULL ? 3 : 2, argv, options, &operands, error);
}

/* A value must be refused with one line that names the option. */
static inline void check_refused(const struct option_table *command, const struct option_row *row,
                                 bool letter, const char *value, const char *reason, void *options)
{
    struct error error;
    char begin[64];

    if (letter)
        snprintf(begin, sizeof begin, "-%c", row->letter);
    else
        snprintf(begin, sizeof begin, "--%s", row->name);
    CHECK_THAT(walk_one(command, row, letter, value, options, &error) == -1, "%s: taken", begin);
    CHECK_THAT(error.status == STATUS_USAGE && !error.quiet, "%s", begin);
    CHECK_THAT(strncmp(words_of(&error), begin, strlen(begin)) == 0, "%s: %s", begin,
               words_of(&error));
    CHECK_THAT(strchr(words_of(&error), '\n') == NULL, "%s", words_of(&error));
    CHECK_THAT(strstr(words_of(&error), reason) != NULL, "%s", words_of(&error));
}

static inline struct right_value right_value(const struct option_row *row,
                                             const struct right_value *right)
{
    const bool listed = row->words != NULL && strpbrk(row->words[0], "=.") == NULL;

    for (; right->name != NULL; right++) {
        if (strcmp(right->name, row->name) == 0)
            return *right;
    }
    return (struct right_value){row->name, listed ? row->words[0] : "3",
                                row->kind == OPTION_TEXT && row->words == NULL};
}

/* What completions offer is right, but for what a value or a name only begins or ends with. */
static inline void check_words(const struct option_table *command, const struct option_row *row,
                               void *options)
{
    struct error error;

    for (size_t i = 0; row->words != NULL && row->words[i] != NULL; i++) {
        if (strpbrk(row->words[i], "=.") == NULL)
            CHECK_THAT(walk_one(command, row, false, row->words[i], options, &error) == 0, "%s",
                       words_of(&error));
    }
}

/* Every row by its name and by its letter: with a right value, with wrong ones, with a superfluous
 * one, and without one. The empty text is wrong for all options except the one named by `any`.
 * `right` ends with a row without a name. */
static inline void check_values(const struct option_table *command, const struct right_value *right,
                                const char *any, void *options)
{
    struct error error;

    for (size_t i = 0; i < command->count; i++) {
        const struct option_row *row = &command->rows[i];
        struct right_value due;
        const char *value;

        if (row->name == NULL)
            continue;
        due = right_value(row, right);
        value = row->value != NULL ? due.value : NULL;

        for (int letter = 0; letter <= (row->letter != 0 ? 1 : 0); letter++) {
            CHECK_THAT(walk_one(command, row, letter, value, options, &error) == 0, "%s",
                       words_of(&error));
            if (row->value == NULL)
                continue;
            check_words(command, row, options);
            check_refused(command, row, letter, NULL, ": needs a value", options);
            if (strcmp(row->name, any) != 0)
                check_refused(command, row, letter, "", " '': ", options);
            if (!due.words)
                check_refused(command, row, letter, "sideways", " sideways: ", options);
        }
        if (row->value == NULL)
            check_refused(command, row, false, "x", "=x: takes no value", options);
    }
}

#endif
