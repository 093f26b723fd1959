/* Strings as JSON writes them. */
#ifndef GPUENV_BASE_JSON_H
#define GPUENV_BASE_JSON_H

#include <stddef.h>

enum { JSON_PIECE_MOST = 8 };

/* Takes the next character off the string and gives what stands for it between quotes. Returns the
 * bytes of that; 0 at the string's end. File names are bytes, JSON is Unicode: each byte that is
 * not part of a character becomes U+FFFD. */
size_t json_piece(const char **string, char piece[JSON_PIECE_MOST]);

#endif
