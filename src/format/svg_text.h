/* XML text on its way to an output, in blocks. The first error stays, and what comes after it goes
 * nowhere, so only the end asks. Private to this room. */
#ifndef GPUENV_FORMAT_SVG_TEXT_H
#define GPUENV_FORMAT_SVG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "bytes/output.h"

enum { SVG_TEXT_BLOCK = 32 * 1024 };

struct svg_text {
    struct output *output;
    struct error *error;
    bool failed;
    size_t used;
    char block[SVG_TEXT_BLOCK];
};

void svg_text_begin(struct svg_text *text, struct output *output, struct error *error);

/* As printf, up to 2,000 bytes at a time. */
void svg_text_put(struct svg_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A name that may hold anything: at most `most` characters of it, as character data. What is no
 * UTF-8, or no character of XML, becomes U+FFFD; what is left out becomes an ellipsis. */
void svg_text_put_name(struct svg_text *text, const char *name, size_t most);

/* Returns 0 or -1. */
int svg_text_end(struct svg_text *text);

#endif
