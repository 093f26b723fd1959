/* "Did you mean": the known word that is nearest to one that is unknown. */
#ifndef GPUENV_BASE_LIKELY_H
#define GPUENV_BASE_LIKELY_H

#include <stddef.h>

struct likely {
    const char *typed;
    size_t typed_length;
    const char *word; /* the nearest so far; NULL: none is near */
    size_t length;
    size_t distance; /* letters added, left out, exchanged, or swapped with the next */
};

void likely_begin(struct likely *likely, const char *typed, size_t length);

/* A known word. It and what was typed are pointed to. */
void likely_of(struct likely *likely, const char *word, size_t length);

/* Known words, each after a blank. */
void likely_of_list(struct likely *likely, const char *words);

#endif
