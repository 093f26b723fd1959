/* SPDX-License-Identifier: MIT */
/* Opus through libopusfile. Only this folder knows the library. */
#ifndef GPUENV_FORMAT_OPUSFILE_OPUS_PRIV_H
#define GPUENV_FORMAT_OPUSFILE_OPUS_PRIV_H

#include "format/format.h"
#include "format/source.h"

/* For people: the version of its decoder, or "not found". Loads it. */
const char *opusfile_version(void);

/* The `open` of Opus in Ogg. Streams. */
int source_open_opusfile(struct input *input, const struct source_request *request,
                         const struct recognised *found, struct source **source,
                         struct error *error);

#endif
