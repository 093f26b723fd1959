/* Formats of samplers and tools whose first bytes say how long the file is. Pure. Private to this
 * folder. */
#ifndef GPUENV_FORMAT_SNDFILE_TOLD_SIZE_H
#define GPUENV_FORMAT_SNDFILE_TOLD_SIZE_H

#include <stddef.h>
#include <stdint.h>

enum { TOLD_BYTES = 64 };

/* The bytes of the file that begins like this; 0: it does not begin like one of the format, or more
 * than `size` bytes are needed to tell. TOLD_BYTES are enough. */
uint64_t told_sds(const unsigned char *bytes, size_t size);
uint64_t told_mat4(const unsigned char *bytes, size_t size);
uint64_t told_htk(const unsigned char *bytes, size_t size);
uint64_t told_mpc2k(const unsigned char *bytes, size_t size);

/* The beginning of a MAT4 with sound, little-endian and big-endian. */
enum { MAT4_START = 31 };
extern const unsigned char mat4_starts[2][MAT4_START + 1];

#endif
