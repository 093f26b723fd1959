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
    MPEG_TAG_MOST = 64, /* of a frame, to know what the file promises */
};

enum mpeg_kind {
    MPEG_NONE,
    MPEG_MORE,  /* `*wanted` bytes are needed to tell, at most MPEG_MOST */
    MPEG_AUDIO, /* layer I, II or III */
    MPEG_AAC,   /* in ADTS */
};

/* What is it that begins with these bytes, MPEG_START or more? `ended`: there are no others. */
enum mpeg_kind mpeg_recognise(const unsigned char *bytes, size_t size, bool ended, size_t *wanted);

struct mpeg_frame {
    enum mpeg_kind kind; /* MPEG_NONE, MPEG_AUDIO or MPEG_AAC */
    uint32_t fixed;      /* what all frames of a stream have in common */
    size_t bytes;
};

/* The frame that begins with these bytes: six, or MPEG_START
 * unless it is AAC. */
struct mpeg_frame mpeg_frame(const unsigned char *bytes);

/* What an MP3 file says of itself in its first frame, which then holds no sound. 0: it does not say
 * this. */
struct mpeg_promise {
    uint32_t bytes;  /* from this frame to the end */
    uint32_t frames; /* of MPEG, behind this one */
};

/* `bytes` are the first MPEG_TAG_MOST of the first frame. */
struct mpeg_promise mpeg_promise(const unsigned char bytes[MPEG_TAG_MOST]);

#endif
