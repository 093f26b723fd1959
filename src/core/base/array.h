/* Arrays that grow. */
#ifndef GPUENV_BASE_ARRAY_H
#define GPUENV_BASE_ARRAY_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns the array with room for `count` elements of `size` bytes, and for more to come: it may
 * have moved. NULL, with errno set, if memory runs out: then it is as before. `count` is not 0. */
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

#endif
