/* SPDX-License-Identifier: MIT */
/* Fields of text in columns. */
#ifndef GPUENV_BASE_CSV_H
#define GPUENV_BASE_CSV_H

#include <stddef.h>

/* Each function writes a field and returns its end. The first encloses it in quotes and doubles the
 * quotes in it, which takes up to 2 * length + 2 bytes. The second does so only if the field
 * contains the delimiter, a quote or a line end; the third also if readers would take it for a
 * comment, or drop a blank at an end. */
char *csv_quote(char *at, const char *field, size_t length);
char *csv_put(char *at, char delimiter, const char *field, size_t length);
char *csv_put_name(char *at, char delimiter, const char *name, size_t length);

#endif
