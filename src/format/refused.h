/* What is recognised and not read here: packed files, archives, pictures, documents, text, sound
 * for other programs. Taken for raw samples it would give nonsense without a word. Private to this
 * room. */
#ifndef GPUENV_FORMAT_REFUSED_H
#define GPUENV_FORMAT_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "bytes/input.h"
#include "format/format.h"

struct refused {
    struct format_magic magic; /* without words: the end of a list */

    /* What else has to hold, given all bytes that were seen. `ended`: there are no others. Or NULL.
     */
    bool (*confirm)(const unsigned char *bytes, size_t size, bool ended);

    /* What the message says behind the words of the magic: what to do. */
    const char *advice;
    const char *behind; /* where the name of the input follows the advice: what follows that */
    enum error_code code;
    const char *file; /* what stands for standard input in such a command; NULL: "-" */
};

/* Text, which has no first bytes. It stands in no table: only the beginning of an input is compared
 * with it. */
extern const struct format format_plain_text;

/* Sets the error. */
int refuse(const struct input *input, const struct refused *refused, const char *words,
           struct error *error);

#endif
