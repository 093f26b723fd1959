/* SPDX-License-Identifier: MIT */
/* JSON strings. */
#ifndef GPUENV_BASE_JSON_H
#define GPUENV_BASE_JSON_H

#include <stddef.h>

#include "base/memory_text.h"

enum { JSON_PIECE_MOST = 8 };

/* Takes the next character off the string and stores its JSON form, without quotes. Returns the
 * length of that form; 0 at the end of the string. File names are bytes, JSON is Unicode: each byte
 * that is not part of a UTF-8 character becomes U+FFFD. */
size_t json_piece(const char **string, char piece[JSON_PIECE_MOST]);

/* Adds the string in quotes; adds null if it is NULL. */
void json_put(struct memory_text *text, const char *string);

#endif
