/* SPDX-License-Identifier: MIT */
/* Readers and writers of text in columns. */
#ifndef GPUENV_FORMAT_TEXT_TEXT_PRIV_H
#define GPUENV_FORMAT_TEXT_TEXT_PRIV_H

#include "format/format.h"
#include "format/sink.h"
#include "format/source.h"

int text_open_source(struct input *input, const struct source_request *request,
                     const struct recognised *found, struct source **source, struct error *error);

#endif
