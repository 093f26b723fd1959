/* Characters of UTF-8 in strings that may hold anything, as names of files do. */
#ifndef GPUENV_BASE_UTF8_H
#define GPUENV_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that the string begins with, and its code point; the byte that ends
 * the string is one. 0: it begins with none. Too long forms, surrogates and what lies past U+10FFFF
 * are none. */
size_t utf8_length(const unsigned char *string, uint32_t *code);

/* The character that a string begins with, which is not at its end, as a terminal may be sent it: a
 * line break would make two lines of one message, an escape sequence could do worse. A control
 * character, of C0 or C1, becomes "?". A byte that is not part of UTF-8 is taken for a character of
 * 8 bits. Returns its bytes in the string. */
struct utf8_shown {
    const char *bytes;
    size_t size;
};
size_t utf8_show(const char *string, struct utf8_shown *shown);

#endif
