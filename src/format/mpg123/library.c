/* SPDX-License-Identifier: MIT */
#include "format/mpg123/mpg123_library_priv.h"

#include <stdbool.h>

#include "format/codecs/codecs_priv.h"

struct mpg123_library mpg;

static const char *(*version)(unsigned *, unsigned *, unsigned *); /* since 1.32 */

/* Calls mpg123_init(), which handles need before 1.27. */
static bool begin(void)
{
    return mpg.init() == MPG123_OK;
}

#define FUNCTION(member) LIBRARY_FUNCTION(mpg123_, mpg, member)
static const struct library_function functions[] = {
    FUNCTION(init),
    FUNCTION(new),
    FUNCTION(delete),
    FUNCTION(open_feed),
    FUNCTION(param2),
    FUNCTION(feed),
    FUNCTION(decode_frame),
    FUNCTION(getformat),
    FUNCTION(framepos),
    FUNCTION(tell_stream),
    FUNCTION(errcode),
    FUNCTION(strerror),
    {"mpg123_distversion", &version, .optional = true},
    {0},
};

struct shared_library mpg123_library = {
    .name = "libmpg123",
    .file = "libmpg123.so.0",
    .package = "libmpg123-0",
    .functions = functions,
    .begin = begin,
};

const char *mpg123_version(void)
{
    if (!library_is_there(&mpg123_library))
        return "not found";
    return version == NULL ? "found, older than 1.32" : version(NULL, NULL, NULL);
}
