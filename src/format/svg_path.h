/* An envelope as a path of SVG: along the maxima of the columns to the right, and back along the
 * minima. A gap, where there is no value, ends one piece of the path. Private to this room. */
#ifndef GPUENV_FORMAT_SVG_PATH_H
#define GPUENV_FORMAT_SVG_PATH_H

#include "format/svg_axis.h"
#include "format/svg_columns.h"
#include "format/svg_text.h"

/* Coordinates are whole numbers of a unit well below a pixel, and each is the difference to
 * the one before, so that they take few bytes. */
struct svg_path_scale {
    double unit; /* pixels */
    long column; /* units, an even number: its middle is a whole one */
    long width;
    long height;
};

/* For a strip of so many pixels. */
void svg_path_plan(struct svg_path_scale *scale, const struct svg_columns *columns, double width,
                   double height);

/* Writes the path of `count` columns, where the strip has its upper left corner at 0, 0. */
void svg_path_put(struct svg_text *text, const struct svg_path_scale *scale,
                  const struct svg_axis *level, const struct svg_column *columns, size_t count);

#endif
