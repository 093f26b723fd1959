/* Pipes in packet mode, which writers ask for by O_DIRECT: a read gives one packet, and what it has
 * no room for is thrown away. Private to this room. */
#ifndef GPUENV_BYTES_PACKETS_H
#define GPUENV_BYTES_PACKETS_H

#include <limits.h>
#include <stdbool.h>

/* No packet is larger. */
enum { PACKET_MOST = PIPE_BUF };

/* Might the next read of this pipe lose bytes if it has room for less than PACKET_MOST? True, too,
 * where the system does not tell. Takes nothing out of the pipe. */
bool packet_waits(int pipe);

#endif
