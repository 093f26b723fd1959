/* Reads of a plain file by several threads at once.
 *
 * One thread copies out of the page cache at the speed of one CPU. Where there are many CPUs, a
 * large read is shared out. */
#ifndef GPUENV_BYTES_WIDE_READ_H
#define GPUENV_BYTES_WIDE_READ_H

#include <stddef.h>

#include "base/crew.h"

/* Bytes of a read that is shared out; less is read before the others are awake. */
enum { WIDE_READ_LEAST = 1024 * 1024 };

struct wide_reader;

/* For a machine with so many CPUs, by the threads of a crew. NULL: it does not pay. */
struct wide_reader *wide_reader_open(unsigned cpus, struct crew *crew);
void wide_reader_close(struct wide_reader *reader);

/* Reads up to `size` bytes from where `fd`, a plain file, stands, and moves it by as many. 0: read
 * in another way; the read is too small, the end is near, or something has failed, which a plain
 * read will tell. */
size_t wide_read(struct wide_reader *reader, int fd, void *buffer, size_t size);

#endif
