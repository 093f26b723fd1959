/* SPDX-License-Identifier: MIT */
#include "format/text/keys_priv.h"

#include <stdlib.h>
#include <string.h>

#include "format/look/look_priv.h"

enum { ROOM_FIRST = 64 };

/* The place of a key, or the free place where it belongs; there must be a free place. If `name` is
 * NULL, the key is none of those that are there. */
static struct text_key **place_of(const struct text_keys *keys, uint64_t hash,
                                  const struct text_field *name)
{
    size_t place = hash & (keys->capacity - 1);

    while (keys->places[place] != NULL && (name == NULL || keys->places[place]->hash != hash ||
                                           !text_same(&keys->places[place]->name, name)))
        place = (place + 1) & (keys->capacity - 1);
    return &keys->places[place];
}

/* Keeps a quarter of the places free. */
static int reserve(struct text_keys *keys)
{
    struct text_keys grown = *keys;

    if (keys->count + 1 <= keys->capacity / 4 * 3)
        return 0;
    grown.capacity = keys->capacity == 0 ? ROOM_FIRST : 2 * keys->capacity;
    grown.places = calloc(grown.capacity, sizeof *grown.places);
    if (grown.places == NULL)
        return -1;
    for (struct text_key *key = keys->first; key != NULL; key = key->next)
        *place_of(&grown, key->hash, NULL) = key;
    free(keys->places);
    *keys = grown;
    return 0;
}

struct text_key *text_keys_look(const struct text_keys *keys, const struct text_field *name)
{
    return keys->count == 0 ? NULL : *place_of(keys, text_hash(name), name);
}

struct text_key *text_keys_find(struct text_keys *keys, const struct text_field *name)
{
    const uint64_t hash = text_hash(name);
    struct text_key **place;
    struct text_key *key;

    if (reserve(keys) != 0)
        return NULL;
    place = place_of(keys, hash, name);
    if (*place != NULL)
        return *place;
    key = malloc(sizeof *key + (size_t)(name->end - name->start) + 1);
    if (key == NULL)
        return NULL;
    *key = (struct text_key){.key = {keys->count++, (char *)(key + 1)}, .hash = hash};
    key->name =
        (struct text_field){.start = key->key.name, .end = text_copy(name, (char *)(key + 1))};
    *(keys->last == NULL ? &keys->first : &keys->last->next) = key;
    keys->last = *place = key;
    return key;
}

void text_keys_begin(struct text_keys *keys)
{
    for (struct text_key *key = keys->first; key != NULL; key = key->next)
        key->series.timed = false;
}

void text_keys_free(struct text_keys *keys)
{
    for (struct text_key *key = keys->first, *next; key != NULL; key = next) {
        next = key->next;
        free(key);
    }
    free(keys->places);
    *keys = (struct text_keys){.count = 0};
}

/* ---- the words of columns ---- */

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
