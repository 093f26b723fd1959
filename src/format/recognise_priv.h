/* SPDX-License-Identifier: MIT */
/* Recognises an input by its first bytes. */
#ifndef GPUENV_FORMAT_RECOGNISE_PRIV_H
#define GPUENV_FORMAT_RECOGNISE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/format.h"
#include "io/input.h"

/* Looks at no more of the next bytes than needed to be sure. A container that is truncated inside
 * its magic is not recognised. */
int recognise(struct input *input, struct recognised *found, struct error *error);

/* Recognises the beginning of an input: if the first few bytes do not decide, all available ones
 * are examined, also for text. Waits for no more bytes than recognise() does. */
int recognise_beginning(struct input *input, struct recognised *found, struct error *error);

/* Fails if the input begins like another container than the user names. */
int recognise_named(struct input *input, const struct format *named, struct error *error);

/* What recognise() does, for bytes in memory. `ended`: the input ends after them. If it finds
 * nothing and `*more` is not 0, it needs `*more` bytes. */
struct recognised recognise_bytes(const unsigned char *bytes, size_t size, bool ended,
                                  size_t *more);

/* Recognises text, too, by all available bytes at the beginning of an input. */
struct recognised recognise_all(const unsigned char *bytes, size_t size, bool ended);

/* Recognises a readable file by the next bytes of the input that are there. Consumes nothing, waits
 * for nothing. */
struct recognised recognise_glimpse(const struct input *input);

/* The error for another file behind the frames of the first: `words` name it, "a FLAC file". */
int recognise_another(const struct input *input, const char *words, uint64_t frames,
                      struct error *error);

/* The error for a file that is rejected, or recognised only by its name (format->by_name), with its
 * advice. Returns -1. */
int recognise_refuse(const struct input *input, const struct recognised *found,
                     struct error *error);

/* ---- text, which has no magic: only the beginning of an input is checked for it */

/* This format is not in the table of formats. Its first row is for text that may be a table. */
extern const struct format format_plain_text;

enum { PLAIN_TEXT_LEAST = 16 }; /* bytes needed, unless the input has fewer */

/* Recognises text: returns its words and its advice; NULL if the bytes may be samples. `bytes` are
 * all that are available; `ended`: the input ends after them. */
const struct format_magic *plain_text(const unsigned char *bytes, size_t size, bool ended);

#endif
