/* The reading end cannot ask for packet mode: the mode belongs to the data. tee() copies the first
 * two bytes, with their mode, into a pipe of our own. If both belong to one packet, a read of one
 * byte discards the other. (After a packet of one byte, tee() also copies the first byte of the
 * next packet, but then the read returns the first byte alone.) */
#include "bytes/packets.h"

#include <fcntl.h>
#include <unistd.h>

static bool is_packet(int pipe)
{
    char bytes[2];
    ssize_t first = read(pipe, bytes, 1);
    ssize_t second = read(pipe, bytes + 1, 1);

    return first != 1 || second != 1;
}

bool packet_waits(int pipe)
{
    int own[2];
    bool waits = true;

    if (pipe2(own, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    switch (tee(pipe, own[1], 2, SPLICE_F_NONBLOCK)) {
    case 0:
    case 1:
        waits = false;
        break;
    case 2:
        waits = is_packet(own[0]);
        break;
    default:
        break;
    }
    close(own[0]);
    close(own[1]);
    return waits;
}
