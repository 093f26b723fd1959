/* SPDX-License-Identifier: MIT */
/* What libsndfile reads and writes. Only this folder knows the library; missing.c replaces it in a
 * build without. */
#ifndef GPUENV_FORMAT_SNDFILE_SNDFILE_PRIV_H
#define GPUENV_FORMAT_SNDFILE_SNDFILE_PRIV_H

#include "format/sink.h"
#include "format/source.h"
#include "io/spool.h"

/* For people: its version, or why there is none. */
const char *sndfile_version(void);

/* `words` describe the file in messages. An input that is not a plain file is copied to one first;
 * `taken` are the bytes already read from it; may be NULL. */
int source_open_sndfile_after(struct input *input, const struct source_request *request,
                              const char *words, const struct bytes_taken *taken,
                              struct source **source, struct error *error);

/* The `open` of the writers: integers become FLAC, floats become Vorbis in Ogg. */
int sink_open_sndfile(struct output *output, const struct sink_format *format, struct sink **sink,
                      struct error *error);

#endif
