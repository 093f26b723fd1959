/* Fields of text in columns. */
#ifndef GPUENV_BASE_CSV_H
#define GPUENV_BASE_CSV_H

#include <stddef.h>

/* Each writes a field and returns its end: in quotes, with the quotes in it doubled, so that it has
 * at most twice as many bytes, and two; or so only where it holds the delimiter, a quote or the end
 * of a line. */
char *csv_quote(char *at, const char *field, size_t length);
char *csv_put(char *at, char delimiter, const char *field, size_t length);

#endif
