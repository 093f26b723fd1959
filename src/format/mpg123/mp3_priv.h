/* MP3 through libmpg123. Only this folder knows the library; missing.c replaces it in a build
 * without. */
#ifndef GPUENV_FORMAT_MPG123_MP3_PRIV_H
#define GPUENV_FORMAT_MPG123_MP3_PRIV_H

#include <stdbool.h>

#include "format/format.h"

/* Is it in this build and on this system? Loads it. */
bool mpg123_is_here(void);

/* For people: its version, or why there is none. */
const char *mpg123_version(void);

/* The `open` of MP3, only if the library is here. Streams. */
int source_open_mpg123(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error);

#endif
