/* A source over another one whose frames come in order only: it keeps the last of them in memory.
 * So a stream out of a pipe can stop going in order, have pieces made of what comes next, and go on
 * in order from any frame that is still kept. Private to this room. */
#ifndef GPUENV_STREAM_RECALL_H
#define GPUENV_STREAM_RECALL_H

#include <stdint.h>

#include "format/source.h"

struct recall;

/* Keeps the last `back` frames of what it gives. `frame` is where the other source stands. NULL
 * when there is no memory. */
struct recall *recall_open(struct source *of, uint64_t frame, size_t frame_bytes, uint64_t back);

/* The other source stands behind all that has been read of it. NULL is ignored. */
void recall_close(struct recall *recall);

/* It is the same source to those who read in order. Its readers give frames at any place, but
 * no more than `ahead` before one that they are still to be asked for. */
struct source *recall_source(struct recall *recall);

/* Room for the readers: they may be so many frames ahead of the last that is wanted. -1 when there
 * is no memory. Before there are readers. */
int recall_make_room(struct recall *recall, uint64_t ahead);

#endif
