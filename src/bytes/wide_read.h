/* Reads of a plain file by several threads at once.
 *
 * One thread copies from the page cache at the speed of one CPU. On machines with many CPUs a
 * large read is shared. */
#ifndef GPUENV_BYTES_WIDE_READ_H
#define GPUENV_BYTES_WIDE_READ_H

#include <stddef.h>

#include "base/crew.h"

/* The smallest read that is shared; a smaller one is done before the other threads are awake. */
enum { WIDE_READ_LEAST = 1024 * 1024 };

/* Reads up to `size` bytes at the offset of `fd`, a plain file, and advances it, on a machine with
 * so many CPUs, with the threads of a crew (or NULL). 0: use an ordinary read, because this one
 * does not pay, the end is near, or something has failed, which an ordinary read will report. */
size_t wide_read(unsigned cpus, struct crew *crew, int fd, void *buffer, size_t size);

#endif
