/* SPDX-License-Identifier: MIT */
/* Parses one value of the command line: from text to number or word, or an error that names the
 * option, the value and the reason. */
#ifndef GPUENV_TOOL_VALUES_H
#define GPUENV_TOOL_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/rate.h"
#include "job/settings.h"

/* Appends to a string in a buffer of `size` bytes; truncates what does not fit. */
void values_append(char *string, size_t size, const char *more);

/* The index of a word of `length` characters in a NULL-terminated list; -1 if it is not there. */
int values_find(const char *const *words, const char *word, size_t length);

/* The words of a list, with commas between them, to be freed. Returns NULL if memory runs out. */
char *values_list(const char *const *words);

/* One of the words of a list: its index, or -1. */
int values_word(const struct option_value *value, const char *const *words, struct error *error);

/* A whole number from `least` to `most`: 512, 10k, 2.5M, 1e6. */
int values_whole(const struct option_value *value, uint64_t least, uint64_t most, uint64_t *number,
                 struct error *error);

/* Reads a whole number of `length` characters of a text. */
bool values_number(const char *text, size_t length, uint64_t least, uint64_t most,
                   uint64_t *number);

/* Two whole numbers with a sign between them: 1200x600. */
bool values_pair(const char *text, char sign, uint64_t least, uint64_t most, uint64_t number[2]);

/* Frames, or a time: 512, 10k, 10ms, 1.5s. Not 0 frames, unless `what` is NULL; otherwise it names
 * the thing, such as "a window". */
int values_length(const struct option_value *value, const char *what, struct span *span,
                  struct error *error);

/* Frames a second: 48000, 44.1k, 2.4e6, 1/60; or the time of one frame: 60s. `ratio` is set for
 * fractions and times: their rates may not be decimals. */
int values_rate(const struct option_value *value, double *rate, struct rate_ratio *ratio,
                struct error *error);

/* Any text. Not an empty one, unless `what` is NULL; otherwise it names the thing, such as "a file
 * name". */
int values_text(const struct option_value *value, const char *what, const char **text,
                struct error *error);

#endif
