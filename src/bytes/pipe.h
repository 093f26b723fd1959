/* Pipes. Private to this room. */
#ifndef GPUENV_BYTES_PIPE_H
#define GPUENV_BYTES_PIPE_H

#include <limits.h>
#include <stdbool.h>

/* Enlarges a pipe, for speed alone: failures are ignored, and no pipe becomes smaller. */
void pipe_enlarge(int fd);

/* The largest packet of a pipe in packet mode, which writers select with O_DIRECT: a read returns
 * one packet and discards what does not fit. */
enum { PACKET_MOST = PIPE_BUF };

/* True if the next read of this pipe could lose bytes with room for less than PACKET_MOST, or if
 * the system does not say. Consumes nothing. */
bool packet_waits(int pipe);

#endif
