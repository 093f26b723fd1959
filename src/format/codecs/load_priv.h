/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded when a file needs them. */
#ifndef GPUENV_FORMAT_CODECS_LOAD_PRIV_H
#define GPUENV_FORMAT_CODECS_LOAD_PRIV_H

#include <stdbool.h>

#include "base/error.h"

struct library_function {
    const char *name; /* NULL: the end of a list */
    void *pointer;    /* to the function; it is set when the library is loaded */
    bool optional;    /* older versions do not have it */
};

/* The row of a function without its prefix, which is a member of `all`. */
#define LIBRARY_FUNCTION(prefix, all, member)                                                      \
    {                                                                                              \
        .name = #prefix #member, .pointer = &(all).member                                          \
    }

struct shared_library {
    const char *name;    /* for messages: "libmpg123" */
    const char *file;    /* with the number of its binary interface */
    const char *package; /* of Debian */
    const struct library_function *functions;
    bool (*begin)(void); /* called once, before any other function; may be NULL */

    enum { LIBRARY_UNTRIED, LIBRARY_LOADED, LIBRARY_MISSING } state;
    char trouble[256]; /* the system's message, if it cannot be loaded */
};

/* Loads it, if needed. The error names the file that needs it, and the package. */
int library_load(struct shared_library *library, const char *needed_by, struct error *error);

/* For people: may it be used? */
bool library_is_there(struct shared_library *library);

#endif
