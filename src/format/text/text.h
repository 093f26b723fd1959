/* Readers and writers of text in columns. Private to this room. */
#ifndef GPUENV_FORMAT_TEXT_TEXT_H
#define GPUENV_FORMAT_TEXT_TEXT_H

#include "format/format.h"

int text_open_source(struct input *input, const struct source_request *request,
                     const struct recognised *found, struct source **source, struct error *error);

#endif
