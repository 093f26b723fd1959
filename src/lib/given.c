/* SPDX-License-Identifier: MIT */
/* Structs as callers give them: of this version, of an earlier one, or of a later one. */
#include <string.h>

#include "lib/lib_priv.h"

/* No struct is larger: the caller has not set a larger size. */
enum { SIZE_MOST = 1 << 16 };

size_t given_size(const void *data, size_t first, const char *name, gpuenv_error *error)
{
    const size_t size = data != NULL ? *(const size_t *)data : 0;

    if (size >= first && size <= SIZE_MOST)
        return size;
    REFUSE(error, name, "has a size of %zu: use GPUENV_INIT", size);
    if (data == NULL)
        REFUSE(error, name, "is NULL");
    return 0;
}

int given_read(void *known, const struct given *given, gpuenv_error *error)
{
    const unsigned char *bytes = given->data;
    const size_t size = given_size(bytes, given->first, given->name, error);

    if (size == 0)
        return GPUENV_BAD_ARGUMENT;
    memcpy(known, bytes, size < given->size ? size : given->size);
    memcpy(known, &given->size, sizeof given->size); /* it is a struct of this version now */
    for (size_t i = given->size; i < size; i++) {
        if (bytes[i] != 0)
            return REFUSE(error, given->name,
                          "has a member of a later version of libgpuenv, which is not 0");
    }
    return GPUENV_OK;
}
