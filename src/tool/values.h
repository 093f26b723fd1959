/* Parses one value of the command line: from text to number or word, or an error that names the
 * option, the value and the reason. */
#ifndef GPUENV_TOOL_VALUES_H
#define GPUENV_TOOL_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/text/rate.h"
#include "job/settings.h"

/* An option as the user wrote it. */
struct value {
    const char *option; /* "-w" or "--window" */
    const char *text;
};

/* The most characters of a user's text that a message shows, so that the reason fits. */
enum { VALUES_SHOWN = 160 };

/* Sets "OPTION TEXT: reason" as a usage error. Returns -1. */
int values_refuse(struct error *error, const struct value *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to a string in a buffer of `size` bytes; truncates what does not fit. */
void values_append(char *string, size_t size, const char *more);

/* Writes the words of a NULL-terminated list, separated by commas. */
void values_join(const char *const *words, char *string, size_t size);

/* The index of a word of `length` characters in such a list; -1: none. */
int values_find(const char *const *words, const char *word, size_t length);

/* One of the words of a list: its index, or -1. */
int values_word(const struct value *value, const char *const *words, struct error *error);

/* A number that a text begins with: "1.5", "2.4e6". */
struct decimal {
    size_t length;   /* in characters; 0: there is none */
    size_t mantissa; /* the same without the exponent */
    uint64_t digits; /* the number is exactly digits * 10^(power + exponent) */
    int power;
    int exponent;
    bool fits; /* false: without redundant zeros, it has too many digits */
};

struct decimal values_decimal(const char *text);

/* A whole number from `least` to `most`: 512, 10k, 2.5M, 1e6. */
int values_whole(const struct value *value, uint64_t least, uint64_t most, uint64_t *number,
                 struct error *error);

/* The same, of `length` characters of a text. */
bool values_number(const char *text, size_t length, uint64_t least, uint64_t most,
                   uint64_t *number);

/* Two of these with a sign between them: 1200x600. */
bool values_pair(const char *text, char sign, uint64_t least, uint64_t most, uint64_t number[2]);

/* Frames, or a time: 512, 10k, 10ms, 1.5s. Not 0 frames, unless `what` is NULL; otherwise it names
 * the thing, such as "a window". */
int values_length(const struct value *value, const char *what, struct span *span,
                  struct error *error);

/* Frames a second: 48000, 44.1k, 2.4e6, 1/60; or the time of one frame: 60s. `ratio` is set for
 * fractions and times: their rates may not be decimals. */
int values_rate(const struct value *value, double *rate, struct rate_ratio *ratio,
                struct error *error);

/* Any text. Not an empty one, unless `what` is NULL; otherwise it names the thing, such as "a file
 * name". */
int values_text(const struct value *value, const char *what, const char **text,
                struct error *error);

#endif
