#include "format/sndfile/sndfile_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The name that its binary interface has had since version 1.0. */
#define LIBRARY "libsndfile.so.1"

struct sndfile_library sf;

static bool loaded;
static char trouble[256]; /* where it is there and cannot be loaded */

static bool find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    /* A pointer to a function is not one to an object for C, but it is for dlsym(). */
    memcpy(function, &found, size);
    return found != NULL;
}

/* That it is not there is told in better words. */
static void keep_trouble(const char *words)
{
    if (words != NULL && strstr(words, strerror(ENOENT)) == NULL)
        (void)snprintf(trouble, sizeof trouble, "%s", words);
}

/* Libraries that it brings along print what they think of a file. What the user is to read comes
 * from us, and not by this stream. */
static void hush(void)
{
#ifdef __GLIBC__ /* there it is a variable */
    FILE *nothing = fopen("/dev/null", "we");

    if (nothing != NULL)
        stderr = nothing;
#endif
}

static void load_once(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        keep_trouble(dlerror());
        return;
    }
    loaded = true;
#define FIND(name) loaded = loaded && find(library, "sf_" #name, &sf.name, sizeof sf.name);
    SNDFILE_FUNCTIONS(FIND)
#undef FIND
    hush();
}

int sndfile_load(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_once);
    if (loaded)
        return 0;
    if (trouble[0] != '\0')
        return error_set(error, ERROR_RESOURCE, NULL, "%s", trouble);
    return error_set(error, ERROR_RESOURCE, LIBRARY,
                     "cannot be loaded: install libsndfile (Debian: libsndfile1)");
}
