/* SPDX-License-Identifier: MIT */
/* An error as the program prints it. */
#ifndef GPUENV_TESTS_WORDS_H
#define GPUENV_TESTS_WORDS_H

#include <string.h>

#include "tool/error_words.h"

/* Valid until the fourth call from now. */
static inline const char *words_of(const struct error *error)
{
    static _Thread_local char words[4][ERROR_WORDS];
    static _Thread_local unsigned next;

    return error_words(error, words[next++ % 4]);
}

/* The error is printed like this. With check.h. */
#define CHECK_WORDS(error, due) CHECK_THAT(strcmp(words_of(error), due) == 0, "%s", words_of(error))

#endif
