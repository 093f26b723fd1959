/* Replaces this folder's functions in a build without libmpg123. */
#include "format/mpg123/mp3_priv.h"

bool mpg123_is_here(void)
{
    return false;
}

const char *mpg123_version(void)
{
    return "not in this build";
}

int source_open_mpg123(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error)
{
    (void)request;
    (void)source;
    return error_set(error, ERROR_CONVERT, input->name,
                     "is %s, and this gpuenv was built without libmpg123", found->words);
}
