/* SPDX-License-Identifier: MIT */
/* Errors as lines for people: rooms below do not know option names. */
#ifndef GPUENV_TOOL_ERROR_WORDS_H
#define GPUENV_TOOL_ERROR_WORDS_H

#include "base/error.h"

/* Formats an error as a line: "OPTION SUBJECT: REASON HINT"; only the reason is always present.
 * Returns `words`. */
const char *error_words(const struct error *error, char words[ERROR_WORDS]);

#endif
