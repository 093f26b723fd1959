/* Files that are recognised and rejected: compressed files, archives, pictures, documents, text,
 * audio that other programs read. Read as raw samples they would silently give garbage. Private to
 * this room. */
#ifndef GPUENV_FORMAT_REFUSED_H
#define GPUENV_FORMAT_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "bytes/input.h"
#include "format/format.h"

struct refused {
    struct format_magic magic; /* without words: the end of a list */
    format_look *look;         /* what else must be right; or NULL */

    /* follows the words of the magic in the message: what to do */
    const char *advice;
    const char *behind; /* text after the input's name, if the name follows the advice */
    enum error_code code;
    const char *file; /* stands for standard input in such a command; NULL: "-" */
};

/* Text, which has no magic. Not in a table: only the beginning of an input is checked for it. */
extern const struct format format_plain_text;

/* Sets the error. Returns -1. */
int refuse(const struct input *input, const struct refused *refused, const char *words,
           struct error *error);

#endif
