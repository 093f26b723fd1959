/* A decoder of libsndfile's, at a place of its own in a file: a source has one, and so has every
 * reader of its frames. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_SNDFILE_DECODER_H
#define GPUENV_FORMAT_SNDFILE_SNDFILE_DECODER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/sndfile/sndfile_file.h"
#include "sample/sample_type.h"

struct decoder {
    SNDFILE *file;
    SF_INFO info;
    int fd;
    off_t base;                /* of the container in the file */
    struct sndfile_file bytes; /* what is to be decoded of it */
    enum sample_kind kind;     /* of the frames that it gives */
    int shift;                 /* of integers that are to be counts */
    bool sparing;      /* a decoder of FLAC reads ahead; at the end of the file it is to get no more
                        * than it needs, so that `bytes.at` shows what follows the frames */
    bool is_mpeg;      /* it is an MP3 file */
    uint64_t count;    /* bytes read */
    int read_error;    /* errno of a read that failed */
    char trouble[128]; /* the first, which libsndfile forgets with the next read */
};

/* Opens it at the beginning, by `fd`, `base` and the length of `bytes`. `file` is NULL where that
 * fails. */
void decoder_open(struct decoder *decoder);
void decoder_close(struct decoder *decoder);

/* Up to `room` frames; 0 at the end. */
size_t decoder_read(struct decoder *decoder, void *frames, size_t room);

#endif
