/* SPDX-License-Identifier: MIT */
#include "format/codecs/load_priv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* In C a pointer to a function is not a pointer to an object, but dlsym() returns both as one
 * type. */
static bool find_function(void *handle, const struct library_function *function)
{
    void *found = dlsym(handle, function->name);

    memcpy(function->pointer, &found, sizeof found);
    return found != NULL || function->optional;
}

static bool open_library(const struct shared_library *library, int binding)
{
    void *handle = dlopen(library->file, binding | RTLD_LOCAL);
    const struct library_function *function = library->functions;

    while (handle != NULL && function->name != NULL && find_function(handle, function))
        function++;
    return handle != NULL && function->name == NULL;
}

/* Loads one library at a time; other threads wait. */
static void load_once(struct shared_library *library, int binding)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    if (library->state == LIBRARY_UNTRIED) {
        library->state = LIBRARY_MISSING;
        if (!open_library(library, binding))
            (void)snprintf(library->trouble, sizeof library->trouble, "%s", dlerror());
        else if (library->begin != NULL && !library->begin())
            (void)snprintf(library->trouble, sizeof library->trouble, "%s does not start",
                           library->file);
        else
            library->state = LIBRARY_LOADED;
    }
    pthread_mutex_unlock(&lock);
}

/* Functions are bound when they are first called: --version calls one of each library. */
bool library_is_there(struct shared_library *library)
{
    load_once(library, RTLD_LAZY);
    return library->state == LIBRARY_LOADED;
}

int library_load(struct shared_library *library, const char *needed_by, struct error *error)
{
    load_once(library, RTLD_NOW);
    if (library->state == LIBRARY_LOADED)
        return 0;
    return error_set(error, ERROR_FILE, needed_by, "%s is needed (Debian: %s): %s", library->name,
                     library->package, library->trouble);
}
