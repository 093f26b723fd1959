/* Reading a plain file at a place. */
#ifndef GPUENV_BYTES_READ_AT_H
#define GPUENV_BYTES_READ_AT_H

#include <stddef.h>
#include <stdint.h>

/* As many of the bytes as there are; an error counts as the end. */
size_t read_at(int fd, void *bytes, size_t size, uint64_t at);

#endif
