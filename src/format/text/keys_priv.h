/* The keys of rows: which series each belongs to. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_KEYS_PRIV_H
#define GPUENV_FORMAT_TEXT_KEYS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/source.h"
#include "format/text/fields_priv.h"
#include "sample/moment.h"

enum {
    TEXT_KEYS_MOST = 1000000,
    TEXT_KEY_BYTES = 1024, /* of a key, at most */
};

/* Where a series is in time. */
struct text_series {
    bool begun;           /* it has had a row, */
    bool timed;           /* with which the next ones must be in order, */
    bool fine;            /* a step between its times was shorter than an hour */
    struct moment newest; /* the latest time */
};

struct text_key {
    struct row_key key;     /* its name lies behind it, */
    struct text_field name; /* and is also this */
    uint64_t hash;
    struct text_series series;
    struct text_key *next; /* in the order in which they appeared */
};

/* All zero: none. */
struct text_keys {
    struct text_key **places; /* a hash table */
    size_t capacity;          /* a power of two, or 0 */
    struct text_key *first;
    struct text_key *last;
    uint32_t count;
};

/* Finds a key, or adds it. Returns NULL, with errno set, if memory runs out. */
struct text_key *text_keys_find(struct text_keys *keys, const struct text_field *name);

/* Finds a key. Returns NULL if there is no such key. */
struct text_key *text_keys_look(const struct text_keys *keys, const struct text_field *name);

/* From now on, rows need not be in order with those before them. */
void text_keys_begin(struct text_keys *keys);
void text_keys_free(struct text_keys *keys);

#endif
