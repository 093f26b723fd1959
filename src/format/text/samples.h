/* Fields to samples. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_SAMPLES_H
#define GPUENV_FORMAT_TEXT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "format/text/fields.h"

enum { TEXT_SENTINELS = 16 };

struct text_values {
    char decimal;
    const char *missing; /* words, with commas between */
    size_t sentinels;    /* those of them that are numbers */
    double sentinel[TEXT_SENTINELS];
};

/* `missing` as in a text_dialect. */
void text_values_init(struct text_values *values, char decimal, const char *missing);

/* What is wrong with such a list; or NULL. */
const char *text_missing_fault(const char *missing);

enum text_verdict {
    TEXT_NUMBER,
    TEXT_MISSING, /* a word for it */
    TEXT_EMPTY,   /* missing as well */
    TEXT_WORD,    /* anything else */
};

/* Missing values are NaN. */
enum text_verdict text_value(const struct text_values *values, const struct text_field *field,
                             double *value);

/* Replaces numbers that stand for missing values. */
static inline void text_drop_sentinels(const struct text_values *values, double *frame,
                                       unsigned channels)
{
    for (size_t i = 0; i < values->sentinels; i++) {
        for (unsigned j = 0; j < channels; j++) {
            if (frame[j] == values->sentinel[i])
                frame[j] = __builtin_nan("");
        }
    }
}

/* The delimiter of csv: the comma or, if the first line has none, a semicolon, a tab or a bar. */
char text_find_delimiter(const char *line, char decimal);

/* The error code for a field that looks like another dialect, or ERROR_FILE. `alone`: its line has
 * no other field. */
enum error_code text_field_code(const struct text_lines *lines, const struct text_values *values,
                                const struct text_field *field, bool alone);

#endif
