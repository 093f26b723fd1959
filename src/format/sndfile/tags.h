/* Tags that players and taggers append to an MP3 file. Private to this folder. */
#ifndef GPUENV_FORMAT_SNDFILE_TAGS_H
#define GPUENV_FORMAT_SNDFILE_TAGS_H

#include <stdint.h>

/* How many of the `there` bytes from `base` on lie in front of the tags at the end of a plain file:
 * those of ID3v1, Lyrics3, APE, and ID3v2 with a footer. */
uint64_t tags_begin(int fd, uint64_t base, uint64_t there);

#endif
