/* Formats an error as a line: the option that it concerns, its subject, the reason, and a hint.
 * Rooms below cli do not know option names. */
#ifndef GPUENV_CLI_ERROR_WORDS_H
#define GPUENV_CLI_ERROR_WORDS_H

#include "base/error.h"

enum { ERROR_WORDS = 2 * ERROR_SUBJECT + ERROR_REASON + 256 };

/* "OPTION SUBJECT: REASON HINT"; only the reason is always present. Returns `words`. */
const char *error_words(const struct error *error, char words[ERROR_WORDS]);

#endif
