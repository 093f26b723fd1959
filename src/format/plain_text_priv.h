/* SPDX-License-Identifier: MIT */
/* Text, which has no magic. Only the beginning of an input is checked for it. */
#ifndef GPUENV_FORMAT_PLAIN_TEXT_PRIV_H
#define GPUENV_FORMAT_PLAIN_TEXT_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "format/format.h"

/* This format is not in the table of formats. Its first row is for text that may be a table. */
extern const struct format format_plain_text;

enum { PLAIN_TEXT_LEAST = 16 }; /* bytes needed, unless the input has fewer */

/* Recognises text: returns its words and its advice; NULL if the bytes may be samples. `bytes` are
 * all that are available; `ended`: the input ends after them. */
const struct format_magic *plain_text(const unsigned char *bytes, size_t size, bool ended);

#endif
