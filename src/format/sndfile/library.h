/* libsndfile, loaded when a container asks for it: it brings a dozen libraries along, whose loading
 * would take longer than all of a short run on raw frames. And files as it sees them. Private to
 * this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_LIBRARY_H
#define GPUENV_FORMAT_SNDFILE_LIBRARY_H

#include <sndfile.h>

#include "base/error.h"
#include "format/sndfile/whole.h"
#include "sample/sample_type.h"

#define SNDFILE_FUNCTIONS(each)                                                                    \
    each(open_virtual) each(close) each(error) each(strerror) each(command) each(format_check)     \
        each(seek) each(readf_short) each(readf_int) each(readf_float) each(readf_double)          \
            each(write_int) each(write_float)

/* sf.close is sf_close(), and so on. */
#define SNDFILE_POINTER(name) __typeof__(sf_##name) *(name);
struct sndfile_library {
    SNDFILE_FUNCTIONS(SNDFILE_POINTER)
};
#undef SNDFILE_POINTER

extern struct sndfile_library sf;

/* SF_FORMAT_MPEG, which headers before 1.1.0 do not have. */
enum { SNDFILE_MPEG = 0x230000 };

/* Loads it, unless it is there already. Before anything in `sf` is used. */
int sndfile_load(struct error *error);

/* Its words for what went wrong with a file, as a part of our messages. */
enum { SNDFILE_WORDS = 128 };
void sndfile_words(SNDFILE *file, char words[SNDFILE_WORDS]);

/* ---- a file by callbacks, from a place to go to and a length */

struct sndfile_file {
    sf_count_t length;
    sf_count_t at;
    /* The one that is needed: given this struct, it transfers bytes at `at`, and moves on. */
    sf_vio_read read;
    sf_vio_write write;
    void *owner;             /* for the two */
    char why[SNDFILE_WORDS]; /* what went wrong with it, in libsndfile's words */
};

/* Opens it as a container; `mode` is SFM_READ or SFM_WRITE. NULL, and file->why, where that fails.
 * One file in the process is opened at a time. */
SNDFILE *sndfile_file_open(struct sndfile_file *file, int mode, SF_INFO *info);

/* ---- a decoder, at a place of its own in a file: a source has one, and so has every reader of its
 * frames */

struct decoder {
    struct sndfile_file bytes; /* what is to be decoded */
    const struct slice *slice; /* where that lies */
    SNDFILE *file;
    SF_INFO info;
    int major;             /* of info.format: SF_FORMAT_FLAC, ... */
    enum sample_kind kind; /* of the frames that it gives */
    int shift;             /* of integers that are to be counts */
    bool sparing;   /* a decoder of FLAC reads ahead; at the end of the file it is to get no more
                     * than it needs, so that `bytes.at` shows what follows the frames */
    bool failed;    /* a read; `bytes.why` is the first reason, which libsndfile forgets with the
                     * next read */
    int read_error; /* errno where the file itself could not be read */
    uint64_t count; /* bytes read */
};

/* Opens it at the beginning, by its slice and the length of `bytes`. `file` is NULL where that
 * fails. */
void decoder_open(struct decoder *decoder);
void decoder_close(struct decoder *decoder);

/* The same file once more from its beginning. */
void decoder_reopen(struct decoder *decoder);

/* Up to `room` frames; 0 at the end. */
size_t decoder_read(struct decoder *decoder, void *frames, size_t room);

#endif
