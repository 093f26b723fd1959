/* SPDX-License-Identifier: MIT */
/* The lines of -T spans and -T labels. Private to this folder. */
#ifndef GPUENV_FORMAT_SPAN_LINES_PRIV_H
#define GPUENV_FORMAT_SPAN_LINES_PRIV_H

#include <stdint.h>

#include "sample/moment.h"

struct error;
struct memory_text;
struct sink;
struct sink_rows;

/* Begins an empty text with the header, if there is one; the name of a column of keys goes to the
 * output at once. */
int span_lines_begin(struct sink *sink, struct memory_text *text, struct error *error);

/* Adds the line of a span. The times of labels are counted from `origin` on. `extreme` is a key
 * (span_keys_priv.h). Returns -1, with errno set, if memory runs out. */
int span_lines_add(const struct sink *sink, struct memory_text *text, unsigned channel,
                   const struct sink_rows *rows, struct moment origin, int64_t extreme);

#endif
