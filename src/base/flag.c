#include "base/flag.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int flag_open(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void flag_raise(int flag)
{
    const uint64_t one = 1;

    /* The only way to fail is a counter at its limit, which is readable too. */
    if (write(flag, &one, sizeof one) != (ssize_t)sizeof one)
        return;
}

void flag_close(int flag)
{
    if (flag >= 0)
        close(flag);
}
