/* SPDX-License-Identifier: MIT */
/* UTF-8 characters in strings that may contain any bytes, such as file names. */
#ifndef GPUENV_BASE_UTF8_H
#define GPUENV_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the first character, and its code point. The terminating zero counts as a
 * character. Returns 0 if the string does not begin with a valid character: overlong forms,
 * surrogates and code points above U+10FFFF are invalid. */
size_t utf8_length(const unsigned char *string, uint32_t *code);

/* Does the character change the order in which others are shown (U+202E), so that a name could seem
 * to have another ending, or separate lines? */
bool utf8_is_bidi(uint32_t code);

/* The first character of a string that is not empty, made safe for a terminal: a line break would
 * split a message, an escape sequence could do worse. A control character (C0 or C1), or a
 * character that changes the order of others, becomes "?". A byte that is not part of UTF-8 is
 * treated as an 8-bit character. Returns the number of bytes consumed. */
struct utf8_shown {
    const char *bytes;
    size_t size;
};
size_t utf8_show(const char *string, struct utf8_shown *shown);

/* The number of characters, of valid UTF-8. */
static inline size_t utf8_count(const char *string)
{
    size_t count = 0;

    for (; *string != '\0'; string++)
        count += ((unsigned char)*string & 0xc0) != 0x80;
    return count;
}

#endif
