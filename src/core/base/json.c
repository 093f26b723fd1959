/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { JSON_PIECE_MOST = 8 };

/* Escapes a byte that is not 0. */
static size_t escape(unsigned char byte, char piece[JSON_PIECE_MOST])
{
    static const char special[] = "\"\\\n\t\r";
    const char *at = strchr(special, byte);

    if (at != NULL)
        return (size_t)snprintf(piece, JSON_PIECE_MOST, "\\%c", "\"\\ntr"[at - special]);
    if (byte < ' ' || byte == 0x7f)
        return (size_t)snprintf(piece, JSON_PIECE_MOST, "\\u%04x", byte);
    piece[0] = (char)byte;
    return 1;
}

/* Takes the next character off the string and stores its JSON form, without quotes. Returns the
 * length of that form; 0 at the end of the string. */
static size_t take_piece(const char **string, char piece[JSON_PIECE_MOST])
{
    const unsigned char *text = (const unsigned char *)*string;
    uint32_t code;
    size_t length;

    if (*text == '\0')
        return 0;
    length = utf8_length(text, &code);
    *string += length > 0 ? length : 1;
    if (length == 0)
        return (size_t)snprintf(piece, JSON_PIECE_MOST, "\\ufffd");
    if (length == 1)
        return escape(*text, piece);
    memcpy(piece, text, length);
    return length;
}

void json_put(struct memory_text *text, const char *string)
{
    char piece[JSON_PIECE_MOST];
    size_t size;

    if (string == NULL) {
        memory_text_put(text, "null");
        return;
    }
    memory_text_put(text, "\"");
    while ((size = take_piece(&string, piece)) > 0)
        memory_text_add(text, piece, size);
    memory_text_put(text, "\"");
}
