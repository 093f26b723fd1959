/* Words in a column of text. */
#ifndef GPUENV_FORMAT_TEXT_WORDS_H
#define GPUENV_FORMAT_TEXT_WORDS_H

#include <stddef.h>

/* Puts words, in quotes where they hold the delimiter, a quote or the end of a line; twice as many
 * bytes, and two, are enough. Returns the end. */
char *text_put_words(char *at, char delimiter, const char *words, size_t length);

#endif
