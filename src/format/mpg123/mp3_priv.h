/* SPDX-License-Identifier: MIT */
/* MP3 through libmpg123. Only this folder knows the library. */
#ifndef GPUENV_FORMAT_MPG123_MP3_PRIV_H
#define GPUENV_FORMAT_MPG123_MP3_PRIV_H

#include "format/format.h"
#include "format/source.h"

/* For people: its version, or "not found". Loads it. */
const char *mpg123_version(void);

/* The `open` of MP3. Streams. */
int source_open_mpg123(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error);

#endif
