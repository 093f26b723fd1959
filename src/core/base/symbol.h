/* Functions of libraries that are loaded when they are needed. */
#ifndef GPUENV_BASE_SYMBOL_H
#define GPUENV_BASE_SYMBOL_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Sets a pointer of `size` bytes to the function of this name; to NULL if there is none. */
static inline bool symbol_find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    /* A pointer to a function is not one to an object for C, but it is for dlsym(). */
    memcpy(function, &found, size);
    return found != NULL;
}

#endif
