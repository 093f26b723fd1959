#include "format/text/keys_priv.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 64 };

/* FNV-1a */
static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The place of a key, or the free one where it belongs. There is a free one. */
static struct text_key **place_of(const struct text_keys *keys, uint64_t hash, const char *name,
                                  size_t length)
{
    size_t place = hash & (keys->capacity - 1);

    for (;; place = (place + 1) & (keys->capacity - 1)) {
        const struct text_key *there = keys->places[place];

        if (there == NULL || (there->hash == hash && strncmp(there->key.name, name, length) == 0 &&
                              there->key.name[length] == '\0'))
            return &keys->places[place];
    }
}

/* Keeps a quarter of the places free. */
static int reserve(struct text_keys *keys)
{
    struct text_keys grown = {.capacity = keys->capacity == 0 ? ROOM_FIRST : 2 * keys->capacity,
                              .count = keys->count};

    if (keys->count + 1 <= keys->capacity / 4 * 3)
        return 0;
    grown.places = calloc(grown.capacity, sizeof *grown.places);
    if (grown.places == NULL)
        return -1;
    for (size_t i = 0; i < keys->capacity; i++) {
        struct text_key *key = keys->places[i];

        if (key != NULL)
            *place_of(&grown, key->hash, key->key.name, strlen(key->key.name)) = key;
    }
    free(keys->places);
    *keys = grown;
    return 0;
}

struct text_key *text_keys_find(struct text_keys *keys, const char *name, size_t length)
{
    const uint64_t hash = hash_of(name, length);
    struct text_key **place;
    struct text_key *key;
    char *copy;

    if (reserve(keys) != 0)
        return NULL;
    place = place_of(keys, hash, name, length);
    if (*place != NULL)
        return *place;
    key = malloc(sizeof *key + length + 1);
    if (key == NULL)
        return NULL;
    copy = (char *)(key + 1);
    *(char *)mempcpy(copy, name, length) = '\0';
    *key = (struct text_key){.key = {keys->count++, copy}, .hash = hash};
    *place = key;
    return key;
}

void text_keys_begin(struct text_keys *keys)
{
    for (size_t i = 0; i < keys->capacity; i++) {
        if (keys->places[i] != NULL)
            keys->places[i]->series = (struct text_series){.timed = false};
    }
}

void text_keys_free(struct text_keys *keys)
{
    for (size_t i = 0; i < keys->capacity; i++)
        free(keys->places[i]);
    free(keys->places);
    *keys = (struct text_keys){.count = 0};
}
