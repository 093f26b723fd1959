/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded when a file needs them. */
#ifndef GPUENV_FORMAT_CODECS_LOAD_PRIV_H
#define GPUENV_FORMAT_CODECS_LOAD_PRIV_H

#include <stdbool.h>

#include "base/error.h"

struct library_function {
    const char *name; /* NULL ends a list */
    void *pointer;    /* address of the function; set when the library is loaded */
    bool optional;    /* older versions of the library do not have the function */
};

/* The row of a function without its prefix, which is a member of `all`. */
#define LIBRARY_FUNCTION(prefix, all, member)                                                      \
    {                                                                                              \
        .name = #prefix #member, .pointer = &(all).member                                          \
    }

struct shared_library {
    const char *name;    /* name in messages: "libmpg123" */
    const char *file;    /* file name with the number of the binary interface */
    const char *package; /* package of Debian */
    const struct library_function *functions;
    bool (*begin)(void); /* called once, before all other functions; may be NULL */

    enum { LIBRARY_UNTRIED, LIBRARY_LOADED, LIBRARY_MISSING } state;
    char trouble[256]; /* the system's message, if the library cannot be loaded */
};

/* Loads the library, if needed, with all that it calls: what is missing is an error here, which
 * names the file that needs the library, and the package. */
int library_load(struct shared_library *library, const char *needed_by, struct error *error);

/* Loads the library, if needed, for its version alone. Is it there? */
bool library_is_there(struct shared_library *library);

#endif
