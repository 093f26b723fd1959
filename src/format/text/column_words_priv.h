/* The different words of columns of text, in all rows of a table. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_COLUMN_WORDS_PRIV_H
#define GPUENV_FORMAT_TEXT_COLUMN_WORDS_PRIV_H

#include "base/memory_text.h"
#include "format/text/keys_priv.h"

enum {
    TEXT_WORDS_MOST = 1000, /* of a column: more are not counted */
    TEXT_WORD_BYTES = 256,  /* by which words differ */
};

struct text_column_words {
    struct text_keys keys;         /* TEXT_WORDS_MOST + 1: there are more, which need not be kept */
    const struct text_key *joined; /* the last that another one has as well; NULL: none */
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

/* Adds the words of later rows, which go on to collect them. Returns -1 if memory runs out. */
int text_words_join(struct text_words *words, const struct text_lines *lines,
                    struct text_words *later);

/* Says the first words of each column, and how many it has, in lines. */
void text_words_say(const struct text_words *words, struct memory_text *text);

#endif
