/* SPDX-License-Identifier: MIT */
/* Text composed in memory. What does not fit marks the text as failed for good, so that only its
 * end has to be checked. (A stream of open_memstream() loses characters without a word.) */
#ifndef GPUENV_BASE_MEMORY_TEXT_H
#define GPUENV_BASE_MEMORY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: an empty text. */
struct memory_text {
    char *bytes; /* a zero byte follows them, except after memory_text_reserve() */
    size_t used;
    size_t capacity;
    bool failed; /* memory has run out: bytes are missing */
};

/* Makes room for `size` more bytes, behind `used`. Like all functions below that return an int,
 * returns -1, with errno set, if memory runs out, or has run out before. */
int memory_text_reserve(struct memory_text *text, size_t size);

/* These add bytes, a string, and what printf() would write. */
int memory_text_add(struct memory_text *text, const char *bytes, size_t size);
int memory_text_put(struct memory_text *text, const char *string);
int memory_text_show(struct memory_text *text, const char *string); /* as utf8_show() does */
int memory_text_print(struct memory_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the text, to be freed, and leaves an empty one. NULL, with errno set, if it has failed.
 * `size`, which may be NULL, is set to its bytes. */
char *memory_text_take(struct memory_text *text, size_t *size);

void memory_text_free(struct memory_text *text);

#endif
