#include "base/thread_program.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>

#include "base/thread.h"

enum { WATCH_MILLISECONDS = 250 };

void thread_share_arena(void)
{
#ifdef M_ARENA_MAX
    struct rlimit space;

    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        (void)mallopt(M_ARENA_MAX, 1);
#endif
}

int thread_watch(void *(*main)(void *), void (*tick)(void *), void *context,
                 const struct flag *done)
{
    struct pollfd ends = {.fd = done->wait, .events = POLLIN};
    pthread_t thread;
    int number = thread_start(&thread, main, context);

    if (number != 0)
        return number;
    for (;;) {
        int ready = poll(&ends, 1, WATCH_MILLISECONDS);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        tick(context);
    }
    pthread_join(thread, NULL);
    return 0;
}
