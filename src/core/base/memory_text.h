/* SPDX-License-Identifier: MIT */
/* Text composed in memory. If memory runs out, the text is marked as failed for good, so that only
 * its end has to be checked. (A stream of open_memstream() loses characters silently.) */
#ifndef GPUENV_BASE_MEMORY_TEXT_H
#define GPUENV_BASE_MEMORY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A struct of zeros is an empty text. */
struct memory_text {
    char *bytes; /* a zero byte follows them, except after memory_text_reserve() */
    size_t used;
    size_t capacity;
    bool failed; /* memory has run out, and bytes are missing */
};

/* Makes room for `size` more bytes, behind `used`. Like all functions below that return an int,
 * returns -1, with errno set, if memory runs out, or has run out before. */
int memory_text_reserve(struct memory_text *text, size_t size);

/* These add bytes, a string, a string made safe for a terminal, and the output of printf(). */
int memory_text_add(struct memory_text *text, const char *bytes, size_t size);
int memory_text_put(struct memory_text *text, const char *string);
int memory_text_show(struct memory_text *text, const char *string); /* by utf8_show() */
int memory_text_print(struct memory_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the text, to be freed, and leaves an empty one. Returns NULL, with errno set, if the text
 * has failed. Sets `*size` to the number of its bytes; `size` may be NULL. */
char *memory_text_take(struct memory_text *text, size_t *size);

void memory_text_free(struct memory_text *text);

#endif
