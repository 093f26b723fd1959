/* SPDX-License-Identifier: MIT */
#include "base/thread_program.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>

#include "base/flag.h"
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

void thread_keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024); /* the most that glibc takes */
    (void)mallopt(M_TRIM_THRESHOLD, 1024 * 1024 * 1024);
#endif
}

struct watched_work {
    void (*function)(void *context);
    void *context;
    struct flag done;
};

static void *watched_main(void *context)
{
    struct watched_work *watched = context;

    watched->function(watched->context);
    flag_raise(&watched->done);
    return NULL;
}

int thread_watch(void (*work)(void *), void (*tick)(void *), void *context, struct error *error)
{
    struct watched_work watched = {.function = work, .context = context};
    struct pollfd ends = {.events = POLLIN};
    pthread_t thread;
    int number;

    if (flag_open(&watched.done) != 0)
        return error_system(error, ERROR_RESOURCE, "a pipe between threads", errno);
    ends.fd = watched.done.wait;
    number = thread_start(&thread, watched_main, &watched);
    while (number == 0) {
        int ready = poll(&ends, 1, WATCH_MILLISECONDS);

        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        tick(context);
    }
    if (number == 0)
        pthread_join(thread, NULL);
    flag_close(&watched.done);
    return number == 0 ? 0 : thread_error(error, number);
}
