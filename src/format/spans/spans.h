/* SPDX-License-Identifier: MIT */
/* -T spans, which several files may write to one table. */
#ifndef GPUENV_FORMAT_SPANS_H
#define GPUENV_FORMAT_SPANS_H

#include <stdbool.h>
#include <stddef.h>

struct span_rule;

enum { SPANS_HEADER = 128 };

/* Writes the header line and returns its length. `keyed`: it begins with a column `key`; `timed`:
 * there are columns of times; `files`: there is a column of the names of files. */
size_t spans_put_header(char text[SPANS_HEADER], const struct span_rule *rule, bool keyed,
                        bool timed, bool files);

#endif
