/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the known word nearest to an unknown one. */
#ifndef GPUENV_BASE_LIKELY_H
#define GPUENV_BASE_LIKELY_H

#include <stddef.h>

struct likely {
    const char *typed;
    size_t typed_length;
    const char *word; /* the nearest word so far; NULL if none is near */
    size_t length;
    size_t distance; /* letters added, omitted, replaced, or swapped with the next */
};

void likely_begin(struct likely *likely, const char *typed, size_t length);

/* Considers a known word. Both it and the typed word must stay valid. */
void likely_of(struct likely *likely, const char *word, size_t length);

/* Considers a list of known words, each preceded by a blank. */
void likely_of_list(struct likely *likely, const char *words);

#endif
