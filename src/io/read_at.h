/* SPDX-License-Identifier: MIT */
/* Reads and writes a plain file at an offset. */
#ifndef GPUENV_IO_READ_AT_H
#define GPUENV_IO_READ_AT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"

/* Returns the number of bytes read; an error counts as the end of the file. */
size_t read_at(int fd, void *bytes, size_t size, uint64_t at);

enum { READ_AT_THREADS = 16 }; /* the most readers */

/* A read by several threads, because one alone copies from the page cache at the speed of one
 * CPU. */
struct shared_read {
    struct threads *threads; /* NULL if there is nothing to end */
    struct threads_job job;
    int fd;
    uint64_t at;
    unsigned char *bytes;
    size_t size;
    atomic_size_t next; /* the next piece to take */
    atomic_size_t end;  /* the end of the bytes that were read without a gap */
};

/* Lets `readers` threads, the one that ends it included, read all bytes. */
void shared_read_begin(struct shared_read *read, struct threads *threads, unsigned readers, int fd,
                       void *bytes, size_t size, uint64_t at);

/* Waits until the bytes are there. Returns how many are missing: those behind the end of the file,
 * or behind an error. */
size_t shared_read_end(struct shared_read *read);

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
