#include "format/svg_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"

enum { PUT_MOST = 2048 };

void svg_text_begin(struct svg_text *text, struct output *output, struct error *error)
{
    text->output = output;
    text->error = error;
    text->failed = false;
    text->used = 0;
}

static void flush(struct svg_text *text)
{
    if (!text->failed)
        text->failed = output_write(text->output, text->block, text->used, text->error) != 0;
    text->used = 0;
}

void svg_text_put(struct svg_text *text, const char *format, ...)
{
    va_list arguments;
    int size;

    if (SVG_TEXT_BLOCK - text->used < PUT_MOST)
        flush(text);
    va_start(arguments, format);
    size = vsnprintf(text->block + text->used, PUT_MOST, format, arguments);
    va_end(arguments);
    if (size > 0)
        text->used += size < PUT_MOST ? (size_t)size : PUT_MOST - 1;
}

int svg_text_end(struct svg_text *text)
{
    flush(text);
    return text->failed ? -1 : 0;
}

/* The bytes of the character that stands here, or 0 when it is none, or not for XML. */
static size_t character_size(const unsigned char *at)
{
    uint32_t code;
    size_t size = utf8_length(at, &code);

    return code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff ? 0 : size;
}

void svg_text_put_name(struct svg_text *text, const char *name, size_t most)
{
    const unsigned char *at = (const unsigned char *)name;

    for (size_t count = 0; *at != '\0'; count++) {
        size_t size = character_size(at);

        if (count == most) {
            svg_text_put(text, "\u2026");
            return;
        }
        if (size == 0)
            svg_text_put(text, "\ufffd");
        else if (*at == '&')
            svg_text_put(text, "&amp;");
        else if (*at == '<')
            svg_text_put(text, "&lt;");
        else if (*at == '>')
            svg_text_put(text, "&gt;");
        else
            svg_text_put(text, "%.*s", (int)size, (const char *)at);
        at += size == 0 ? 1 : size;
    }
}
