#include "format/text/column_words_priv.h"

#include <stdlib.h>

#include "format/look/look_priv.h"

struct text_words *text_words_open(unsigned columns)
{
    struct text_words *words = calloc(1, sizeof *words + columns * sizeof *words->column);

    if (words != NULL)
        words->columns = columns;
    return words;
}

void text_words_close(struct text_words *words)
{
    for (unsigned i = 0; words != NULL && i < words->columns; i++)
        text_keys_free(&words->column[i].keys);
    free(words);
}

int text_words_add(struct text_words *words, const struct text_lines *lines, unsigned column,
                   const struct text_field *field)
{
    struct text_keys *keys = &words->column[column].keys;
    struct text_field word;
    double value;

    if (keys->count > TEXT_WORDS_MOST || field->start == field->end)
        return 0;
    word = *field;
    if (word.end - word.start > TEXT_WORD_BYTES)
        word.end = word.start + TEXT_WORD_BYTES;
    if (text_keys_look(keys, &word) != NULL || text_value(lines, field, &value) != TEXT_WORD)
        return 0;
    return text_keys_find(keys, &word) != NULL ? 0 : -1;
}

int text_words_join(struct text_words *words, const struct text_lines *lines,
                    struct text_words *later)
{
    for (unsigned i = 0; i < words->columns; i++) {
        struct text_column_words *at = &later->column[i];

        while (at->joined != at->keys.last) {
            at->joined = at->joined == NULL ? at->keys.first : at->joined->next;
            if (text_words_add(words, lines, i, &at->joined->name) != 0)
                return -1;
        }
        if (words->column[i].keys.count <= TEXT_WORDS_MOST)
            continue;
        text_keys_free(&at->keys);
        at->joined = NULL;
        at->keys.count = TEXT_WORDS_MOST + 1;
    }
    return 0;
}

void text_words_say(const struct text_words *words, struct memory_text *text)
{
    for (unsigned i = 0; i < words->columns; i++) {
        const uint32_t count = words->column[i].keys.count;
        const struct text_key *key = words->column[i].keys.first;
        struct text_field first[LOOK_WORDS_SHOWN];

        for (unsigned j = 0; j < LOOK_WORDS_SHOWN && key != NULL; j++, key = key->next)
            first[j] = key->name;
        if (count > 0)
            look_put_words(text, i, first, count);
        if (count > TEXT_WORDS_MOST)
            memory_text_put(text, " (more than 1,000)\n");
        else if (count > 0)
            memory_text_print(text, " (%u)\n", count);
    }
}
