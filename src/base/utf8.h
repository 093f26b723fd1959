/* Characters of UTF-8 in strings that may hold anything, as names of files do. */
#ifndef GPUENV_BASE_UTF8_H
#define GPUENV_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that the string begins with, and its code point; the byte that ends
 * the string is one. 0: it begins with none. Too long forms, surrogates and what lies past U+10FFFF
 * are none. */
size_t utf8_length(const unsigned char *string, uint32_t *code);

#endif
