/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef GPUENV_BASE_ARRAY_H
#define GPUENV_BASE_ARRAY_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns the array, which may have moved, with room for `count` elements of `size` bytes and for
 * more to come. Returns NULL, with errno set, if memory runs out: then the array is as before.
 * `count` is not 0. */
static inline void *array_grow(void *array, size_t *capacity, size_t count, size_t size)
{
    void *grown = array;

    if (count > PTRDIFF_MAX / 2 / size) {
        errno = ENOMEM;
        return NULL;
    }
    if (count > *capacity) {
        grown = realloc(array, 2 * count * size);
        *capacity = grown != NULL ? 2 * count : *capacity;
    }
    return grown;
}

/* Numbered pointers, NULL at first. A struct of zeros has none. */
struct pointers {
    void **at;
    size_t count;
    size_t capacity;
};

/* The place of the pointer with this number. Returns NULL, with errno set, if memory runs out. */
static inline void **pointers_place(struct pointers *pointers, size_t number)
{
    void **at = array_grow(pointers->at, &pointers->capacity, number + 1, sizeof *at);

    if (at == NULL)
        return NULL;
    for (pointers->at = at; pointers->count <= number; pointers->count++)
        at[pointers->count] = NULL;
    return &at[number];
}

#endif
