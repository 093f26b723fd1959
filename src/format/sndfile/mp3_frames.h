/* Are the frames of an MP3 file all there? libsndfile does not say: where a byte is missing, its
 * decoder goes on at some later frame, or gives up. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_MP3_FRAMES_H
#define GPUENV_FORMAT_SNDFILE_MP3_FRAMES_H

#include <stdint.h>

enum mp3_frames {
    MP3_WHOLE,   /* or nobody can tell: it does not begin with a frame that says its size */
    MP3_CUT,     /* it ends inside a frame */
    MP3_BROKEN,  /* a frame is damaged: the next one is not where it should be */
    MP3_CHANGED, /* a frame has another rate, other channels or another layer than the first */
    MP3_JUNK,    /* more follows than tags, and no frames */
};

/* Goes from frame to frame in a plain file, from `base` and for `size` bytes; tags are passed over.
 * `*at` is the byte, from base, where a frame is missing. */
enum mp3_frames mp3_frames_check(int fd, uint64_t base, uint64_t size, uint64_t *at);

#endif
