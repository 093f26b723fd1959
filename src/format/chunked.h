/* A source for files made of chunks: parses the header, then reads the frames as they are
 * (format/framed.h). Samples that are neither PCM nor float are left to libsndfile. Private to
 * this room. */
#ifndef GPUENV_FORMAT_CHUNKED_H
#define GPUENV_FORMAT_CHUNKED_H

#include "format/parsers.h"
#include "format/source.h"

int source_open_chunked(struct input *input, header_parser *parse,
                        const struct source_request *request, struct source **source,
                        struct error *error);

#endif
