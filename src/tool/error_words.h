/* Errors as lines for people: rooms below do not know option names. */
#ifndef GPUENV_TOOL_ERROR_WORDS_H
#define GPUENV_TOOL_ERROR_WORDS_H

#include <stdbool.h>

#include "base/error.h"

/* Formats an error as a line: "OPTION SUBJECT: REASON HINT"; only the reason is always present.
 * Returns `words`. */
const char *error_words(const struct error *error, char words[ERROR_WORDS]);

/* What a word was perhaps meant as that is taken for the name of an input. False: it is a name. */
enum { ERROR_MEANT = 160 };
bool error_meant(const char *word, char meant[ERROR_MEANT]);

#endif
