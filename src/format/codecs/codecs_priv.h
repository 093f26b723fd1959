/* SPDX-License-Identifier: MIT */
/* MP3 through libmpg123, and Opus through libopusfile. Only a folder each knows its library. */
#ifndef GPUENV_FORMAT_CODECS_CODECS_PRIV_H
#define GPUENV_FORMAT_CODECS_CODECS_PRIV_H

#include "format/format.h"
#include "format/source.h"

/* For people: the version of the library, or of its decoder, or "not found". Loads it. */
const char *mpg123_version(void);
const char *opusfile_version(void);

/* The `open` of MP3. Streams. */
int source_open_mpg123(struct input *input, const struct source_request *request,
                       const struct recognised *found, struct source **source, struct error *error);

/* The `open` of Opus in Ogg. Streams. */
int source_open_opusfile(struct input *input, const struct source_request *request,
                         const struct recognised *found, struct source **source,
                         struct error *error);

#endif
