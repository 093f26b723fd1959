/* Frames of a file in which the channels lie one behind the other, as the columns of a NumPy array
 * in Fortran order do. Private to this room. */
#ifndef GPUENV_FORMAT_PLANAR_H
#define GPUENV_FORMAT_PLANAR_H

#include <stddef.h>
#include <stdint.h>

#include "format/framed.h"

/* For one thread. */
struct planar {
    int fd;
    uint64_t begin;  /* of the first plane in the file */
    uint64_t frames; /* of each plane, as the header promises */
    unsigned channels;
    size_t sample_bytes;
    unsigned char *buffer; /* `room` samples of each plane */
    size_t room;
    uint64_t first; /* the frames in the buffer */
    size_t count;
    uint64_t missing; /* where the last read came to its end */
    uint64_t bytes;   /* read from the file */
};

/* Returns 0, or -1 when there is no memory: to be closed all the same. */
int planar_open(struct planar *planes, const struct framed_data *data, int fd, uint64_t begin);
void planar_close(struct planar *planes);

/* Frames of which all samples are in a file with so many bytes behind `begin`: of one that was cut
 * off the last plane decides. */
uint64_t planar_there(const struct planar *planes, uint64_t bytes);

/* Less than `count` only where the file ends. */
size_t planar_read(struct planar *planes, uint64_t frame, unsigned char *frames, size_t count);

#endif
