/* Frames of a file that stores the channels one after the other, like the columns of a NumPy array
 * in Fortran order. Private to this room. */
#ifndef GPUENV_FORMAT_PLANAR_H
#define GPUENV_FORMAT_PLANAR_H

#include <stddef.h>
#include <stdint.h>

/* Used by one thread. */
struct planar {
    int fd;
    uint64_t begin;  /* offset of the first plane in the file */
    uint64_t frames; /* of each plane, according to the header */
    unsigned channels;
    size_t sample_bytes;
    unsigned char *buffer; /* `room` samples of each plane */
    size_t room;
    uint64_t first; /* the first frame in the buffer */
    size_t count;
    uint64_t missing; /* the offset at which the last read found the end of the file */
    uint64_t bytes;   /* read from the file */
};

/* The first five must be set. Returns 0, or -1 if memory runs out; close it in either case. */
int planar_open(struct planar *planes);
void planar_close(struct planar *planes);

/* The frames of which a file with so many bytes after `begin` has all samples: if it was
 * truncated, the last plane decides. */
uint64_t planar_there(const struct planar *planes, uint64_t bytes);

/* Returns the number of frames: less than `count` only at the end of the file. */
size_t planar_read(struct planar *planes, uint64_t frame, unsigned char *frames, size_t count);

#endif
