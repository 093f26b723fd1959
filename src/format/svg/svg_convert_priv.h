/* SPDX-License-Identifier: MIT */
/* Pictures as pixels or PDF, drawn by rsvg-convert. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_CONVERT_H
#define GPUENV_FORMAT_SVG_CONVERT_H

#include <stddef.h>

#include "base/error.h"
#include "io/output.h"
#include "io/program.h"

struct svg_converter {
    struct program program;
    int feed; /* file that the program reads */
    int made; /* file without a name that the program writes */
};

/* Starts the program before there is a picture, so that a missing one is an error at once. `format`
 * is "png" or "pdf". Close it in either case. */
int svg_converter_open(struct svg_converter *converter, const char *format,
                       const struct output *output, struct error *error);

/* Converts this SVG text and writes the result. */
int svg_converter_finish(struct svg_converter *converter, const char *bytes, size_t size,
                         struct output *output, struct error *error);

void svg_converter_close(struct svg_converter *converter);

#endif
