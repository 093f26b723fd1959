/* Readers and writers of text in columns. Private to this room. */
#ifndef GPUENV_FORMAT_TEXT_TEXT_H
#define GPUENV_FORMAT_TEXT_TEXT_H

#include "format/format.h"

int text_open_source(struct input *input, const struct source_request *request,
                     const struct recognised *found, struct source **source, struct error *error);

/* Puts a column with the delimiter behind it, in quotes where it holds a delimiter, a quote or the
 * end of a line: at most twice as many bytes, and three. Returns the end. */
char *text_put_column(char *at, char delimiter, const char *words, size_t length);

#endif
