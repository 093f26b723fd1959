#include "format/mpg123/mpg123_library_priv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/symbol.h"
#include "format/mpg123/mp3_priv.h"

struct mpg123_library mpg;

static bool loaded;
static char trouble[256]; /* the system's message, if it cannot be loaded */
static const char *(*version)(unsigned *, unsigned *, unsigned *); /* since 1.32; or NULL */

static void load_once(void)
{
    void *library = dlopen("libmpg123.so.0", RTLD_NOW | RTLD_LOCAL);

    loaded = library != NULL;
#define FIND(name)                                                                                 \
    loaded = loaded && symbol_find(library, "mpg123_" #name, &mpg.name, sizeof mpg.name)
    FIND(init);
    FIND(new);
    FIND(delete);
    FIND(open_feed);
    FIND(param2);
    FIND(feed);
    FIND(decode_frame);
    FIND(getformat);
    FIND(framepos);
    FIND(tell_stream);
    FIND(errcode);
    FIND(strerror);
#undef FIND
    if (!loaded)
        (void)snprintf(trouble, sizeof trouble, "%s", dlerror());
    /* Before 1.27, handles need it. */
    loaded = loaded && mpg.init() == MPG123_OK;
    if (loaded)
        (void)symbol_find(library, "mpg123_distversion", &version, sizeof version);
}

int mpg123_load(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_once);
    if (loaded)
        return 0;
    return error_set(error, ERROR_RESOURCE, NULL, "%s: libmpg123 is needed (Debian: libmpg123-0)",
                     trouble);
}

const char *mpg123_version(void)
{
    struct error error;

    if (mpg123_load(&error) != 0)
        return "not found";
    return version == NULL ? "found, older than 1.32" : version(NULL, NULL, NULL);
}
