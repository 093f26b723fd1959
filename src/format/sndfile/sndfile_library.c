#include "format/sndfile/sndfile_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* The name that its binary interface has had since version 1.0. */
#define LIBRARY "libsndfile.so.1"

struct sndfile_library sf;

static bool loaded;

static bool find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    /* A pointer to a function is not one to an object for C, but it is for dlsym(). */
    memcpy(function, &found, size);
    return found != NULL;
}

static void load_once(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return;
    loaded = true;
#define FIND(name) loaded = loaded && find(library, "sf_" #name, &sf.name, sizeof sf.name);
    SNDFILE_FUNCTIONS(FIND)
#undef FIND
}

int sndfile_load(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_once);
    if (loaded)
        return 0;
    return error_set(error, STATUS_FAILED,
                     LIBRARY ": cannot be loaded: install libsndfile (Debian: libsndfile1)");
}
