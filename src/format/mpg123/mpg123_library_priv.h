/* SPDX-License-Identifier: MIT */
/* libmpg123, loaded when an MP3 file needs it. The parts that are used are declared here, and have
 * not changed since version 1.0 of its binary interface: a build needs no header of libmpg123.
 * Private to this folder. */
#ifndef GPUENV_FORMAT_MPG123_MPG123_LIBRARY_PRIV_H
#define GPUENV_FORMAT_MPG123_MPG123_LIBRARY_PRIV_H

#include <stddef.h>
#include <sys/types.h>

#include "format/codecs/load_priv.h"

/* Results. */
enum {
    MPG123_DONE = -12,
    MPG123_NEW_FORMAT = -11,
    MPG123_NEED_MORE = -10,
    MPG123_OK = 0,
    MPG123_OUT_OF_SYNC = 27,
};

/* Parameters. */
enum {
    MPG123_ADD_FLAGS = 2,
    MPG123_REMOVE_FLAGS = 13,
    MPG123_RESYNC_LIMIT = 14,
};

/* Flags. */
enum {
    MPG123_QUIET = 0x20,
    MPG123_GAPLESS = 0x40,
    MPG123_NO_RESYNC = 0x80,
    MPG123_FORCE_FLOAT = 0x400,
    MPG123_SKIP_ID3V2 = 0x2000,
    MPG123_AUTO_RESAMPLE = 0x8000,
    MPG123_NO_READAHEAD = 0x400000,
};

enum { MPG123_ENC_FLOAT_32 = 0x200 };

typedef struct mpg123_handle mpg123_handle;

/* mpg.feed is mpg123_feed(), and so on. Load the library before one is used. */
struct mpg123_library {
    int (*init)(void);
    mpg123_handle *(*new)(const char *decoder, int *error);
    void (*delete)(mpg123_handle *handle);
    int (*open_feed)(mpg123_handle *handle);
    int (*param2)(mpg123_handle *handle, int type, long value, double number); /* since 1.26 */
    int (*feed)(mpg123_handle *handle, const unsigned char *bytes, size_t size);
    int (*decode_frame)(mpg123_handle *handle, off_t *number, unsigned char **decoded,
                        size_t *size);
    int (*getformat)(mpg123_handle *handle, long *rate, int *channels, int *encoding);
    off_t (*framepos)(mpg123_handle *handle);
    off_t (*tell_stream)(mpg123_handle *handle);
    int (*errcode)(mpg123_handle *handle);
    const char *(*strerror)(mpg123_handle *handle);
};

extern struct mpg123_library mpg;
extern struct shared_library mpg123_library;

#endif
