#include "format/mpg123/mpg123_library_priv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/symbol.h"
#include "format/mpg123/mp3_priv.h"

struct mpg123_library mpg;

static bool loaded;
static const char *(*version)(unsigned *, unsigned *, unsigned *); /* since 1.32; or NULL */

static void load_once(void)
{
    void *library = dlopen("libmpg123.so.0", RTLD_NOW | RTLD_LOCAL);

    loaded = library != NULL;
#define FIND(name)                                                                                 \
    loaded = loaded && symbol_find(library, "mpg123_" #name, &mpg.name, sizeof mpg.name);
    MPG123_FUNCTIONS(FIND)
#undef FIND
    /* Before 1.27, handles need it. */
    loaded = loaded && mpg.init() == MPG123_OK;
    if (loaded)
        (void)symbol_find(library, "mpg123_distversion", &version, sizeof version);
}

bool mpg123_is_here(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_once);
    return loaded;
}

const char *mpg123_version(void)
{
    if (!mpg123_is_here())
        return "not found";
    return version == NULL ? "found, older than 1.32" : version(NULL, NULL, NULL);
}
