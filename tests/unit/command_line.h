/* SPDX-License-Identifier: MIT */
/* Splits a command line into words and parses it. */
#ifndef GPUENV_TESTS_COMMAND_LINE_H
#define GPUENV_TESTS_COMMAND_LINE_H

#include "check.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/options_priv.h"

enum { WORDS_MOST = 16 };

static char first_word[] = "gpuenv";

/* The last command line: options point into it. */
static struct {
    char text[4096];
    char *argv[WORDS_MOST + 1];
    int argc;
} line;

/* Splits a command line at '|', so that a word may be empty or contain spaces. getopt reorders the
 * words, so each call makes new ones. */
static inline int parse(const char *words, struct options *options, struct error *error)
{
    char *next = line.text;

    unsetenv("POSIXLY_CORRECT");
    snprintf(line.text, sizeof line.text, "%s", words);
    line.argc = 0;
    line.argv[line.argc++] = first_word;
    while (words[0] != '\0' && next != NULL && line.argc < WORDS_MOST) {
        line.argv[line.argc++] = next;
        next = strchr(next, '|');
        if (next != NULL)
            *next++ = '\0';
    }
    line.argv[line.argc] = NULL;
    return options_parse(options, line.argc, line.argv, error);
}

/* Parses a command line that must be accepted. */
static inline struct options good(const char *words)
{
    struct options options = {.action = OPTIONS_HELP};
    struct error error = {.reason = ""};
    int result = parse(words, &options, &error);

    CHECK_THAT(result == 0, "%s: %s", words, words_of(&error));
    return options;
}

#endif
