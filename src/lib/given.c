/* SPDX-License-Identifier: MIT */
/* Structs as callers give them: of this version, of an earlier one, or of a later one. */
#include <string.h>

#include "lib/lib_priv.h"

/* Nobody's struct is larger: the size was not set. */
enum { SIZE_MOST = 1 << 16 };

int given_read(void *known, const struct given *given, gpuenv_error *error)
{
    const int code = GPUENV_BAD_ARGUMENT;
    const unsigned char *bytes = given->data;
    size_t size = 0;

    if (bytes != NULL)
        memcpy(&size, bytes, sizeof size);
    if (bytes == NULL || size < given->first || size > SIZE_MOST)
        return fault_set(error, code, given->name, "has no size: use GPUENV_INIT");
    memcpy(known, bytes, size < given->size ? size : given->size);
    memcpy(known, &given->size, sizeof given->size); /* it is a struct of this version now */
    for (size_t i = given->size; i < size; i++) {
        if (bytes[i] != 0)
            return fault_set(error, code, given->name,
                             "has a member of a later version of libgpuenv, which is not 0");
    }
    return GPUENV_OK;
}
