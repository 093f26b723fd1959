/* SPDX-License-Identifier: MIT */
/* The keys of rows: which series each belongs to; and the different words of columns of text, in
 * all rows of a table. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_KEYS_PRIV_H
#define GPUENV_FORMAT_TEXT_KEYS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory_text.h"
#include "format/source.h"
#include "format/text/fields_priv.h"
#include "sample/moment.h"

enum {
    TEXT_KEYS_MOST = 1000000,
    TEXT_KEY_BYTES = 1024, /* bytes of a key, at most */
};

/* Where a series is in time. */
struct text_series {
    bool begun;           /* the series has had a row */
    bool timed;           /* the next rows must not be before this row */
    bool fine;            /* a step between its times was shorter than an hour */
    struct moment newest; /* the latest time */
};

struct text_key {
    struct row_key key;     /* its name lies behind this struct */
    struct text_field name; /* the name as a field */
    uint64_t hash;
    struct text_series series;
    struct text_key *next; /* the next key, in the order in which they appeared */
};

/* All zero: there are no keys. */
struct text_keys {
    struct text_key **places; /* a hash table */
    size_t capacity;          /* 0 or a power of two */
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

/* ---- the words of columns ---- */

enum {
    TEXT_WORDS_MOST = 1000, /* words of a column that are counted */
    TEXT_WORD_BYTES = 256,  /* bytes of a word that are compared */
};

struct text_column_words {
    struct text_keys keys;         /* TEXT_WORDS_MOST + 1 keys mean that there are more */
    const struct text_key *joined; /* last key that text_words_join() has added; may be NULL */
};

struct text_words {
    unsigned columns;
    struct text_column_words column[];
};

/* Returns NULL, with errno set, if memory runs out. */
struct text_words *text_words_open(unsigned columns);
void text_words_close(struct text_words *words);

/* Adds a field, if it is a word. Returns -1 if memory runs out. */
int text_words_add(struct text_words *words, const struct text_lines *lines, unsigned column,
                   const struct text_field *field);

/* Adds the words of later rows; `later` can go on to collect words. Returns -1 if memory runs
 * out. */
int text_words_join(struct text_words *words, const struct text_lines *lines,
                    struct text_words *later);

/* Writes a line for each column: its first words, and how many it has. */
void text_words_say(const struct text_words *words, struct memory_text *text);

#endif
