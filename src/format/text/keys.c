#include "format/text/keys_priv.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 64 };

/* The place of a key, or the free one where it belongs; NULL: any key is another one. There is a
 * free one. */
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
