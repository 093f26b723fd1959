/* SPDX-License-Identifier: MIT */
/* libsndfile, loaded when a container needs it: it depends on a dozen libraries, and loading them
 * takes longer than a short run on raw frames. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_LIBRARY_PRIV_H
#define GPUENV_FORMAT_SNDFILE_LIBRARY_PRIV_H

#include <sndfile.h>

#include "format/codecs/load_priv.h"
#include "format/sndfile/whole_priv.h"
#include "sample/sample_type.h"

#define SNDFILE_FUNCTIONS(each)                                                                    \
    each(version_string) each(open_virtual) each(close) each(error) each(strerror) each(command)   \
        each(format_check) each(seek) each(readf_short) each(readf_int) each(readf_float)          \
            each(readf_double) each(write_int) each(write_float)

/* sf.close is sf_close(), and so on. */
#define SNDFILE_POINTER(name) __typeof__(sf_##name) *(name);
struct sndfile_library {
    SNDFILE_FUNCTIONS(SNDFILE_POINTER)
};
#undef SNDFILE_POINTER

extern struct sndfile_library sf;

/* SF_FORMAT_MPEG, which headers before 1.1.0 do not have. */
enum { SNDFILE_MPEG = 0x230000 };

/* Load it before anything in `sf` is used. */
extern struct shared_library sndfile_library;

/* Its error message for a file, as a part of ours. */
enum { SNDFILE_WORDS = 128 };
void sndfile_words(SNDFILE *file, char words[SNDFILE_WORDS]);

/* ---- a file that libsndfile accesses by callbacks */

struct sndfile_file {
    sf_count_t length;
    sf_count_t at;
    /* Either function gets this struct as its user data, transfers bytes at `at`, and advances
     * it. */
    sf_vio_read read;
    sf_vio_write write;
    void *owner;             /* data of `read` and `write` */
    char why[SNDFILE_WORDS]; /* libsndfile's error message */
};

/* Opens it as a container; `mode` is SFM_READ or SFM_WRITE. Returns NULL, and sets file->why, if
 * that fails. */
SNDFILE *sndfile_file_open(struct sndfile_file *file, int mode, SF_INFO *info);

/* ---- a decoder: a source has one, and so has each of its readers */

struct decoder {
    struct sndfile_file bytes; /* the bytes to be decoded */
    const struct slice *slice; /* the file that they are read from */
    const struct patch *patch; /* patch of its bytes; may be NULL */
    SNDFILE *file;
    SF_INFO info;
    int major;             /* major format of info.format: SF_FORMAT_FLAC, ... */
    enum sample_kind kind; /* kind of the decoded samples */
    size_t frame_bytes;    /* bytes of a decoded frame */
    int shift;             /* shift of integers that keep their values */
    bool is_vorbis;        /* channels have to be put into WAV's order */
    /* The FLAC decoder reads ahead: at the end of the file it gets only as much as it needs, so
     * that `bytes.at` shows what follows the frames. */
    bool sparing;
    bool failed;    /* a read has failed; `bytes.why` is the reason of the first failure */
    int read_error; /* errno, if the file itself could not be read */
    uint64_t count; /* bytes read */
};

/* Opens `bytes.length` bytes of the slice. `file` is NULL if that fails. */
void decoder_open(struct decoder *decoder);
void decoder_close(struct decoder *decoder);

/* Reopens the file, at its beginning. */
void decoder_reopen(struct decoder *decoder);

/* Reads up to `capacity` frames and returns their number; 0 at the end. */
size_t decoder_read(struct decoder *decoder, void *frames, size_t capacity);

#endif
