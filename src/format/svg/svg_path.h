/* The envelope of a channel as a path. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_PATH_H
#define GPUENV_FORMAT_SVG_PATH_H

#include <stdio.h>

#include "format/svg/svg_axis.h"
#include "format/svg/svg_columns.h"

/* Coordinates are integers in a unit well below a pixel, so that they take few bytes. */
struct svg_path {
    double unit; /* pixels */
    long column; /* in units; even, so that its middle is an integer */
    long width;
    long height;
    double over;  /* levels are drawn so far beyond the axis, as a part of its length */
    size_t reach; /* columns with frames are connected if they are so close */
};

/* The coordinates in a panel of so many pixels, which has room for `shown` columns. */
void svg_path_plan(struct svg_path *path, double shown, bool fine, double width, double height);

/* Writes the data of the path: along the maxima of the columns to the right, and back along the
 * minima. A gap, where there is no value, ends a piece of it. */
void svg_path_put(FILE *file, const struct svg_path *path, const struct svg_axis *level,
                  const struct svg_column *columns, size_t count);

#endif
