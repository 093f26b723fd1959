/* SPDX-License-Identifier: MIT */
/* A pipe; closing its write end raises the flag. close() takes effect even if it reports an error,
 * whereas a failed write to an eventfd would leave the waiters waiting forever. */
#include "base/flag.h"

#include <fcntl.h>
#include <unistd.h>

int flag_open(struct flag *flag)
{
    int ends[2];

    *flag = (struct flag){-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *flag = (struct flag){.wait = ends[0], .end = ends[1]};
    return 0;
}

void flag_raise(struct flag *flag)
{
    if (flag->end >= 0)
        (void)close(flag->end);
    flag->end = -1;
}

void flag_close(struct flag *flag)
{
    flag_raise(flag);
    if (flag->wait >= 0)
        (void)close(flag->wait);
    flag->wait = -1;
}
