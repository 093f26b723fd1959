/* Readers and writers of text in columns. Private to this folder. */
#ifndef GPUENV_FORMAT_TEXT_TEXT_H
#define GPUENV_FORMAT_TEXT_TEXT_H

#include "format/sink.h"
#include "format/source.h"

/* `delimiter`: '\0' for csv, whose first line tells it. */
int text_open_source(struct input *input, const char *container, char delimiter,
                     const struct source_request *request, struct source **source,
                     struct error *error);

int text_open_sink(struct output *output, char delimiter, const struct sink_format *format,
                   struct sink **sink, struct error *error);

#endif
