/* MPEG audio (MP3 and its relatives) and AAC without a container: frames, each behind a header of
 * its own, and nothing in front of them. Pure. Private to this room. */
#ifndef GPUENV_FORMAT_MPEG_H
#define GPUENV_FORMAT_MPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MPEG_START = 4, /* a stream that is none nearly always shows it in so many bytes */
    MPEG_MOST = 8192,
    MPEG_TAG_MOST = 64, /* of a frame, to know the size of the file */
};

enum mpeg_kind {
    MPEG_NONE,
    MPEG_MORE,  /* `*wanted` bytes are needed to tell, at most MPEG_MOST */
    MPEG_AUDIO, /* layer I, II or III */
    MPEG_AAC,   /* in ADTS */
};

/* What is it that begins with these bytes, MPEG_START or more? `ended`: there are no others. */
enum mpeg_kind mpeg_recognise(const unsigned char *bytes, size_t size, bool ended, size_t *wanted);

/* The first frame of an MP3 file may hold no sound but say how many bytes there are, from itself to
 * the end. `bytes` are its first MPEG_TAG_MOST; 0: it does not say. */
uint32_t mpeg_promised_bytes(const unsigned char bytes[MPEG_TAG_MOST]);

#endif
