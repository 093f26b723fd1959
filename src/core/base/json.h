/* SPDX-License-Identifier: MIT */
/* JSON strings. */
#ifndef GPUENV_BASE_JSON_H
#define GPUENV_BASE_JSON_H

#include "base/memory_text.h"

/* Adds the string in quotes; adds null if it is NULL. File names are bytes, JSON is Unicode: each
 * byte that is not part of a UTF-8 character becomes U+FFFD. */
void json_put(struct memory_text *text, const char *string);

#endif
