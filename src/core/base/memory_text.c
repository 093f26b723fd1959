/* SPDX-License-Identifier: MIT */
#include "base/memory_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

static int fail(struct memory_text *text)
{
    text->failed = true;
    errno = ENOMEM;
    return -1;
}

int memory_text_reserve(struct memory_text *text, size_t size)
{
    char *bytes;

    if (text->failed)
        return fail(text);
    /* A zero byte follows the text. */
    bytes = array_grow(text->bytes, &text->capacity, text->used + size + 1, 1);
    if (bytes == NULL)
        return fail(text);
    text->bytes = bytes;
    return 0;
}

int memory_text_add(struct memory_text *text, const char *bytes, size_t size)
{
    if (memory_text_reserve(text, size) != 0)
        return -1;
    if (size > 0)
        memcpy(text->bytes + text->used, bytes, size);
    text->used += size;
    text->bytes[text->used] = '\0';
    return 0;
}

int memory_text_put(struct memory_text *text, const char *string)
{
    return memory_text_add(text, string, strlen(string));
}

int memory_text_show(struct memory_text *text, const char *string)
{
    while (*string != '\0') {
        struct utf8_shown shown;

        string += utf8_show(string, &shown);
        (void)memory_text_add(text, shown.bytes, shown.size);
    }
    return memory_text_reserve(text, 0);
}

int memory_text_print(struct memory_text *text, const char *format, ...)
{
    va_list arguments;
    int size = 0;

    for (int i = 0; i < 2; i++) {
        if (memory_text_reserve(text, (size_t)size) != 0)
            return -1;
        va_start(arguments, format);
        size = vsnprintf(text->bytes + text->used, text->capacity - text->used, format, arguments);
        va_end(arguments);
        if (size < 0)
            return fail(text);
        if ((size_t)size < text->capacity - text->used)
            break;
    }
    text->used += (size_t)size;
    return 0;
}

char *memory_text_take(struct memory_text *text, size_t *size)
{
    char *bytes;

    if (text->failed || memory_text_reserve(text, 0) != 0) {
        memory_text_free(text);
        errno = ENOMEM;
        return NULL;
    }
    bytes = text->bytes;
    bytes[text->used] = '\0';
    if (size != NULL)
        *size = text->used;
    *text = (struct memory_text){.bytes = NULL};
    return bytes;
}

void memory_text_free(struct memory_text *text)
{
    free(text->bytes);
    *text = (struct memory_text){.bytes = NULL};
}
