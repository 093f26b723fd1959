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

struct wide_reader;

/* For a machine with so many CPUs, using the threads of a crew. NULL: it does not pay. */
struct wide_reader *wide_reader_open(unsigned cpus, struct crew *crew);
void wide_reader_close(struct wide_reader *reader);

/* Reads up to `size` bytes at the offset of `fd`, a plain file, and advances it. 0: use an
 * ordinary read; the read is too small, the end is near, or something has failed, which an
 * ordinary read will report. */
size_t wide_read(struct wide_reader *reader, int fd, void *buffer, size_t size);

#endif
