/* libsndfile, loaded when a container asks for it: it brings a dozen libraries along, whose loading
 * would take longer than all of a short run on raw frames. Private to the files that use it. */
#ifndef GPUENV_FORMAT_SNDFILE_SNDFILE_LIBRARY_H
#define GPUENV_FORMAT_SNDFILE_SNDFILE_LIBRARY_H

#include <sndfile.h>

#include "base/error.h"

#define SNDFILE_FUNCTIONS(each)                                                                    \
    each(open_virtual) each(close) each(error) each(strerror) each(command) each(format_check)     \
        each(seek) each(readf_short) each(readf_int) each(readf_float) each(readf_double)          \
            each(write_short) each(write_int) each(write_float)

/* sf.close is sf_close(), and so on. */
#define SNDFILE_POINTER(name) __typeof__(sf_##name) *(name);
struct sndfile_library {
    SNDFILE_FUNCTIONS(SNDFILE_POINTER)
};
#undef SNDFILE_POINTER

extern struct sndfile_library sf;

/* Loads it, unless it is there already. Before anything in `sf` is used. */
int sndfile_load(struct error *error);

#endif
