/* What an input is, by its first bytes. Private to this room. */
#ifndef GPUENV_FORMAT_RECOGNISE_H
#define GPUENV_FORMAT_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bytes/input.h"
#include "format/format.h"

struct recognised {
    const struct format *format;   /* NULL: it is none that we know */
    const char *words;             /* for messages: "a FLAC file" */
    const struct refused *refused; /* NULL: it can be read here */
};

/* Looks at the next bytes, at no more than it takes to be sure. Those of a container that is cut
 * off before its first bytes are complete are not recognised. */
int recognise(struct input *input, struct recognised *found, struct error *error);

/* The same at the beginning of an input: what the first few bytes do not tell, all that are there
 * may, and text is recognised. It waits for no more than recognise() does. */
int recognise_beginning(struct input *input, struct recognised *found, struct error *error);

/* The same for bytes that are at hand. `ended`: no others follow. Where it finds nothing and
 * `*more` is not 0, so many bytes would tell. */
struct recognised recognise_bytes(const unsigned char *bytes, size_t size, bool ended,
                                  size_t *more);

/* The same with text, for all bytes that are there at the beginning of an input. */
struct recognised recognise_all(const unsigned char *bytes, size_t size, bool ended);

/* The error for another file behind the frames of the first: `words`, "a FLAC file". */
int recognise_another(const struct input *input, const char *words, uint64_t frames,
                      struct error *error);

/* Is it text (format/plain_text.c)? "text", "JSON text"; NULL: it may be samples. `bytes` are all
 * that are there; `ended`: no others follow. */
enum { PLAIN_TEXT_LEAST = 16 }; /* bytes to tell, unless an input has fewer */
const char *plain_text(const unsigned char *bytes, size_t size, bool ended);

#endif
