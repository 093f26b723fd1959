/* A file, as libsndfile sees it: by callbacks, from a place to go to and a length. For its source
 * and its sink. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_SNDFILE_FILE_H
#define GPUENV_FORMAT_SNDFILE_SNDFILE_FILE_H

#include "format/sndfile/sndfile_library.h"

struct sndfile_file {
    sf_count_t length;
    sf_count_t at;
    /* Transfers bytes at `at`, returns how many, and moves on. NULL: none are transferred. */
    sf_count_t (*read)(struct sndfile_file *file, void *buffer, sf_count_t count);
    sf_count_t (*write)(struct sndfile_file *file, const void *buffer, sf_count_t count);
    void *owner;   /* for the two */
    char why[128]; /* it could not be opened, in libsndfile's words */
};

/* Opens it as a container; `mode` is SFM_READ or SFM_WRITE. NULL, and file->why, where that fails.
 * One file in the process is opened at a time. */
SNDFILE *sndfile_file_open(struct sndfile_file *file, int mode, SF_INFO *info);

/* libsndfile's number for a container that goes by this name, 0 for others; and the other way
 * round, where "sndfile" stands for all that have no name here. */
int sndfile_major(const char *container);
const char *sndfile_container(int format);

#endif
