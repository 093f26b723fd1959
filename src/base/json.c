#include "base/json.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character that `text` begins with; 0 when it does not begin with one. Too
 * long forms, surrogates and what lies past U+10FFFF are none. */
static size_t utf8_length(const unsigned char *text)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned long code = text[0];
    size_t length = 0;

    if (code < 0x80)
        return 1;
    length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
    if (code < 0xc0 || code >= 0xf8)
        return 0;
    code &= 0x7fU >> length;
    for (size_t i = 1; i < length; i++) {
        /* The byte that ends the string is none of these either. */
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fU);
    }
    if (code < least[length] || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
        return 0;
    return length;
}

static size_t escape(unsigned char byte, char piece[JSON_PIECE_MOST])
{
    static const char named[][2] = {
        {'"', '"'}, {'\\', '\\'}, {'\n', 'n'}, {'\t', 't'}, {'\r', 'r'}};

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if ((unsigned char)named[i][0] == byte) {
            piece[0] = '\\';
            piece[1] = named[i][1];
            return 2;
        }
    }
    if (byte < ' ' || byte == 0x7f)
        return (size_t)snprintf(piece, JSON_PIECE_MOST, "\\u%04x", byte);
    piece[0] = (char)byte;
    return 1;
}

size_t json_piece(const char **string, char piece[JSON_PIECE_MOST])
{
    const unsigned char *text = (const unsigned char *)*string;
    size_t length;

    if (*text == '\0')
        return 0;
    length = utf8_length(text);
    *string += length > 0 ? length : 1;
    if (length == 0)
        return (size_t)snprintf(piece, JSON_PIECE_MOST, "\\ufffd");
    if (length == 1)
        return escape(*text, piece);
    memcpy(piece, text, length);
    return length;
}
