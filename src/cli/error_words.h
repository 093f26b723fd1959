/* An error as a line for people: the option that it is about, its subject, the reason, and a hint.
 * Below cli no room knows the names of options. */
#ifndef GPUENV_CLI_ERROR_WORDS_H
#define GPUENV_CLI_ERROR_WORDS_H

#include "base/error.h"

enum { ERROR_WORDS = 2 * ERROR_SUBJECT + ERROR_REASON + 256 };

/* "OPTION SUBJECT: REASON HINT", of which only the reason is always there. Returns `words`. */
const char *error_words(const struct error *error, char words[ERROR_WORDS]);

#endif
