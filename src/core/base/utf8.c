/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

size_t utf8_length(const unsigned char *string, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = string[0] >= 0xf0 ? 4 : string[0] >= 0xe0 ? 3 : 2;

    *code = string[0];
    if (string[0] < 0x80)
        return 1;
    if (string[0] < 0xc0 || string[0] >= 0xf8)
        return 0;
    *code &= 0x7fU >> length;
    for (size_t i = 1; i < length; i++) {
        /* This also stops at the byte that ends the string. */
        if ((string[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (string[i] & 0x3fU);
    }
    if (*code < least[length] || (*code >= 0xd800 && *code <= 0xdfff) || *code > 0x10ffff)
        return 0;
    return length;
}

bool utf8_is_bidi(uint32_t code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t utf8_show(const char *string, struct utf8_shown *shown)
{
    uint32_t code;
    size_t size = utf8_length((const unsigned char *)string, &code);

    if (size == 0) {
        code = (unsigned char)*string;
        size = 1;
    }
    *shown = (struct utf8_shown){string, size};
    if (code < ' ' || (code >= 0x7f && code < 0xa0) || utf8_is_bidi(code))
        *shown = (struct utf8_shown){"?", 1};
    return size;
}
