/* SPDX-License-Identifier: MIT */
#include "base/forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint forks;
static int failed; /* an errno value */

static void count(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void watch_once(void)
{
    failed = pthread_atfork(NULL, NULL, count);
}

int forks_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, watch_once);
    return failed;
}

unsigned forks_count(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}
