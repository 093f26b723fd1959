#include "format/svg/svg_text.h"

#include <stdint.h>

#include "base/utf8.h"

/* The length of the character at this place, or 0 if it is invalid or not allowed in XML. */
static size_t character_size(const unsigned char *at)
{
    uint32_t code;
    size_t size = utf8_length(at, &code);

    return code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff ? 0 : size;
}

void svg_text_put(FILE *file, const char *name, size_t most)
{
    const unsigned char *at = (const unsigned char *)name;

    for (size_t count = 0; *at != '\0'; count++) {
        size_t size = character_size(at);

        if (count == most) {
            fputs("\u2026", file);
            return;
        }
        if (size == 0)
            fputs("\ufffd", file);
        else if (*at == '&')
            fputs("&amp;", file);
        else if (*at == '<')
            fputs("&lt;", file);
        else if (*at == '>')
            fputs("&gt;", file);
        else
            fwrite(at, 1, size, file);
        at += size == 0 ? 1 : size;
    }
}
