/* SPDX-License-Identifier: MIT */
/* MPEG audio (MP3 and its relatives) and AAC without a container: frames, each with its own
 * header, and no file header. Pure. */
#ifndef GPUENV_FORMAT_MPEG_PRIV_H
#define GPUENV_FORMAT_MPEG_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MPEG_START = 4, /* enough bytes to exclude most other streams */
    MPEG_MOST = 8192,
    MPEG_TAG_MOST = 64, /* bytes of a frame that mpeg_promise() needs */
};

enum mpeg_kind {
    MPEG_NONE,
    MPEG_MORE,  /* `*wanted` bytes are needed to decide, at most MPEG_MOST */
    MPEG_AUDIO, /* layer I, II or III */
    MPEG_AAC,   /* AAC in ADTS */
};

/* Recognises the kind from these bytes, MPEG_START or more. `ended`: the input ends after them. */
enum mpeg_kind mpeg_recognise(const unsigned char *bytes, size_t size, bool ended, size_t *wanted);

/* True if zeros come first, then an ID3v2 tag or two frames in a row. */
bool mpeg_follows_zeros(const unsigned char *bytes, size_t size);

/* What an MP3 file says about itself in its first frame, which then has no sound. Numbers that it
 * does not state are 0. */
struct mpeg_promise {
    uint32_t bytes;  /* bytes from this frame to the end of the file */
    uint32_t frames; /* MPEG frames after this one */
};

/* The first frame begins at `bytes`, of which there are MPEG_TAG_MOST or more. Without another
 * frame right after it, it states nothing. */
struct mpeg_promise mpeg_promise(const unsigned char *bytes, size_t size);

/* ---- tags before, between and after the frames */

/* The size of the tag that begins with these bytes, of ID3v2, ID3v1 or APE; 0 if none does. */
enum { MPEG_TAG_START = 16 };
uint64_t mpeg_tag_bytes(const unsigned char bytes[MPEG_TAG_START]);

/* The size of the tag that ends before `end`: ID3v1, Lyrics3, APE, or ID3v2 with a footer; 0 if
 * none does. There are `before` bytes, MPEG_TAG_END or more. */
enum { MPEG_TAG_END = 128 };
uint64_t mpeg_tag_before(const unsigned char *end, size_t before);

#endif
