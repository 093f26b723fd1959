/* SPDX-License-Identifier: MIT */
#include "base/seen.h"

#include <stdlib.h>

enum { ROOM_FIRST = 1024 };

/* Names are short, so hashing eight bytes at a time is not worth it. FNV-1a, followed by a
 * finalizer that mixes the high bits into the low ones, which choose the slot. */
static uint64_t hash_of(const void *name, size_t size)
{
    const unsigned char *bytes = name;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        /* The analyzer does not see that the bytes of an integer have values. */
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3); // NOLINT(clang-analyzer-core.*)
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    return hash != 0 ? hash : 1;
}

/* The slot of the hash, or the free slot where it belongs. */
static size_t place_of(const uint64_t *hashes, size_t capacity, uint64_t hash)
{
    size_t place = (size_t)hash & (capacity - 1);

    while (hashes[place] != 0 && hashes[place] != hash)
        place = (place + 1) & (capacity - 1);
    return place;
}

static int grow(struct seen *seen)
{
    size_t capacity = seen->capacity > 0 ? 2 * seen->capacity : ROOM_FIRST;
    uint64_t *hashes = calloc(capacity, sizeof *hashes);

    if (hashes == NULL)
        return -1;
    for (size_t i = 0; i < seen->capacity; i++) {
        if (seen->hashes[i] != 0)
            hashes[place_of(hashes, capacity, seen->hashes[i])] = seen->hashes[i];
    }
    free(seen->hashes);
    seen->hashes = hashes;
    seen->capacity = capacity;
    return 0;
}

int seen_add(struct seen *seen, const void *name, size_t size, bool *there)
{
    uint64_t hash = hash_of(name, size);
    int result = 0;

    pthread_mutex_lock(&seen->lock);
    if (seen->count >= seen->capacity - seen->capacity / 4)
        result = grow(seen);
    if (result == 0) {
        uint64_t *place = &seen->hashes[place_of(seen->hashes, seen->capacity, hash)];

        if (there != NULL)
            *there = *place == hash;
        seen->count += *place != hash;
        *place = hash;
    }
    pthread_mutex_unlock(&seen->lock);
    return result;
}

bool seen_has(struct seen *seen, const void *name, size_t size)
{
    uint64_t hash = hash_of(name, size);
    bool has;

    pthread_mutex_lock(&seen->lock);
    has = seen->capacity > 0 && seen->hashes[place_of(seen->hashes, seen->capacity, hash)] == hash;
    pthread_mutex_unlock(&seen->lock);
    return has;
}

int seen_add_file(struct seen *seen, dev_t device, ino_t inode, bool *there)
{
    const uint64_t identity[] = {(uint64_t)device, (uint64_t)inode};

    return seen_add(seen, identity, sizeof identity, there);
}

bool seen_has_file(struct seen *seen, dev_t device, ino_t inode)
{
    const uint64_t identity[] = {(uint64_t)device, (uint64_t)inode};

    return seen_has(seen, identity, sizeof identity);
}

void seen_free(struct seen *seen)
{
    free(seen->hashes);
    *seen = (struct seen)SEEN_NONE;
}
