/* SPDX-License-Identifier: MIT */
/* libopusfile, loaded when an Opus file needs it. The parts that are used are declared here, and
 * have not changed since version 0 of its binary interface: a build needs no header of libopusfile.
 * Private to this folder. */
#ifndef GPUENV_FORMAT_OPUSFILE_OPUSFILE_LIBRARY_PRIV_H
#define GPUENV_FORMAT_OPUSFILE_OPUSFILE_LIBRARY_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "format/codecs/load_priv.h"

/* Results of calls; others are numbers of frames. */
enum {
    OP_HOLE = -3,
    OP_EIMPL = -130,
    OP_ENOTFORMAT = -132,
    OP_EBADHEADER = -133,
    OP_EVERSION = -134,
    OP_EBADPACKET = -136,
    OP_EBADTIMESTAMP = -139,
};

enum {
    OPUS_RATE = 48000,
    OPUS_CHANNELS = 8,         /* channels, at most */
    OPUS_PACKET_FRAMES = 5760, /* frames of a packet, at most */
};

typedef struct OggOpusFile OggOpusFile;

/* Only the first is needed: a stream without the others is not seekable. */
struct opusfile_callbacks {
    int (*read)(void *stream, unsigned char *bytes, int most);
    int (*seek)(void *stream, int64_t offset, int whence);
    int64_t (*tell)(void *stream);
    int (*close)(void *stream);
};

/* op.free is op_free(), and so on. Load the library before one is used. */
struct opusfile_library {
    OggOpusFile *(*open_callbacks)(void *stream, const struct opusfile_callbacks *callbacks,
                                   const unsigned char *bytes, size_t size, int *error);
    void (*free)(OggOpusFile *file);
    int (*channel_count)(const OggOpusFile *file, int link);
    int (*read_float)(OggOpusFile *file, float *samples, int most, int *link);
    int64_t (*pcm_tell)(const OggOpusFile *file);
};

extern struct opusfile_library op;
extern struct shared_library opusfile_library;

#endif
