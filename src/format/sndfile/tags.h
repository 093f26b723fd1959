/* Tags that stand before, between and behind the frames of MP3 files. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_TAGS_H
#define GPUENV_FORMAT_SNDFILE_TAGS_H

#include <stdint.h>

enum { TAG_START = 16 };

/* How many of the `there` bytes from `base` on lie in front of the tags at the end of a plain file:
 * those of ID3v1, Lyrics3, APE, and ID3v2 with a footer. */
uint64_t tags_begin(int fd, uint64_t base, uint64_t there);

/* The size of the tag that begins with these bytes, of ID3v2, ID3v1 or APE; 0: none does. */
uint64_t tag_bytes(const unsigned char bytes[TAG_START]);

#endif
