/* SPDX-License-Identifier: MIT */
/* Reads and writes a plain file at an offset. */
#ifndef GPUENV_IO_READ_AT_H
#define GPUENV_IO_READ_AT_H

#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"

/* Returns the number of bytes read; an error counts as the end of the file. */
size_t read_at(int fd, void *bytes, size_t size, uint64_t at);

/* Reads with `readers` threads, because one alone copies from the page cache at the speed of one
 * CPU. */
enum { READ_AT_THREADS = 8 }; /* the most readers */
size_t read_at_by(struct threads *threads, unsigned readers, int fd, void *bytes, size_t size,
                  uint64_t at);

/* Writes all bytes. Returns 0 or an errno value. */
int write_at(int fd, const void *bytes, size_t size, uint64_t at);

/* A file in a plain file. */
struct slice {
    int fd;
    uint64_t base;
    uint64_t size;
};

/* Reads bytes from `at` on, counted from `base`; fewer at the end. */
size_t slice_read(const struct slice *file, uint64_t at, void *bytes, size_t size);

#endif
