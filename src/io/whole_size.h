/* How large a file says that it is, as a whole. Private to this room. */
#ifndef GPUENV_IO_WHOLE_SIZE_H
#define GPUENV_IO_WHOLE_SIZE_H

#include <stddef.h>
#include <stdint.h>

enum { WHOLE_SIZE_LOOKS = 24 }; /* so many of its first bytes tell */

/* The bytes of the whole file, by its first `count` bytes: for RIFF, FORM, W64 and AU. 0: they do
 * not say, or have a number that stands for an unknown size. */
uint64_t whole_size(const unsigned char *bytes, size_t count);

#endif
