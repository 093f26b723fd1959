/* Frames without a header. This format is in no table: it is what an input is that is nothing else,
 * and what an output is that is asked for by the type of its samples. Private to this room. */
#ifndef GPUENV_FORMAT_RAW_H
#define GPUENV_FORMAT_RAW_H

#include "format/format.h"

extern const struct format format_raw;

/* Is the ending of this path, in any case, a type of raw frames or "raw", float32? Then sets the
 * kind, and the byte order where the ending says it. */
bool raw_type_by_ending(const char *path, struct sample_type *type);

#endif
