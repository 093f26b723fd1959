/* A source for files that are made of chunks: reads the header, behind which lie frames as they are
 * (format/framed.h). Samples that are neither PCM nor float go on to libsndfile. Private to this
 * room. */
#ifndef GPUENV_FORMAT_CHUNKED_H
#define GPUENV_FORMAT_CHUNKED_H

#include "format/parsers.h"
#include "format/source.h"

int source_open_chunked(struct input *input, header_parser *parse,
                        const struct source_request *request, struct source **source,
                        struct error *error);

#endif
