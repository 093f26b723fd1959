/* A source for frames whose channels lie one behind the other in a file, as the columns of a NumPy
 * array in Fortran order do. Private to this room. */
#ifndef GPUENV_FORMAT_PLANAR_H
#define GPUENV_FORMAT_PLANAR_H

#include "base/error.h"
#include "bytes/input.h"
#include "format/framed.h"
#include "format/source.h"

/* The input stands where the first channel begins. `data` has a number of bytes, and no padding or
 * chunks. What is no plain file is put into one first; `words` say what it is, in messages. */
int source_open_planar(struct input *input, const struct framed_data *data, const char *words,
                       struct source **source, struct error *error);

#endif
