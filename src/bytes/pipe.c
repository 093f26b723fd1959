#include "bytes/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/cpus.h"

void pipe_enlarge(int fd)
{
    const int bytes = cpus_want_small_blocks() ? 256 * 1024 : 1024 * 1024;

    if (fcntl(fd, F_GETPIPE_SZ) < bytes)
        (void)fcntl(fd, F_SETPIPE_SZ, bytes);
}

/* The reading end cannot ask for packet mode: the mode belongs to the data. tee() copies the first
 * two bytes, with their mode, into a pipe of our own. If both belong to one packet, a read of one
 * byte discards the other. (After a packet of one byte, tee() also copies the first byte of the
 * next packet, but then the read returns the first byte alone.) */
bool packet_waits(int pipe)
{
    char bytes[2];
    int own[2];
    bool waits = true;
    ssize_t copied;

    if (pipe2(own, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    copied = tee(pipe, own[1], 2, SPLICE_F_NONBLOCK);
    if (copied == 0 || copied == 1)
        waits = false;
    if (copied == 2)
        waits = read(own[0], bytes, 1) != 1 || read(own[0], bytes + 1, 1) != 1;
    close(own[0]);
    close(own[1]);
    return waits;
}
