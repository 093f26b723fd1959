/* SPDX-License-Identifier: MIT */
#include "tool/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "io/temporary.h"

/* The write end of the flag that is lent; -1 if none is. */
static atomic_int lent = -1;
static volatile sig_atomic_t request;

/* One request may come twice: from a terminal and a shell, or to a process and to its group. */
static bool ends_input(int number)
{
    static const double soon = 0.1;
    static double first;
    const int end = atomic_exchange(&lent, -1);
    const double now = clock_seconds();

    if (end < 0)
        return request != 0 && now - first < soon;
    first = now;
    request = number;
    (void)close(end);
    return true;
}

/* The process ends here with all its threads, so nothing is joined. */
static void clean_up_and_die(int number)
{
    if ((number == SIGINT || number == SIGTERM || number == SIGHUP) && ends_input(number))
        return;
    temporary_remove_all();
    signal(number, SIG_DFL);
    raise(number); /* delivered when this handler returns */
}

/* Signals that ask the program to end, and those of a crash, which a library that reads foreign
 * files may cause. */
static const int asking[] = {SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGXCPU, SIGALRM,
                             SIGPROF, SIGVTALRM, SIGUSR2, SIGIO,   SIGPWR,  SIGSTKFLT};
static const int crashing[] = {THREAD_CRASH_SIGNALS};

/* A signal that was ignored at the start stays ignored. A sanitizer has its own handlers. */
static void clean_up_at(int number, const struct sigaction *action)
{
    struct sigaction old;

    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(number, action, NULL);
}

void signals_install(void)
{
    struct sigaction action = {.sa_handler = clean_up_and_die};
    sigset_t pipe;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        clean_up_at(asking[i], &action);
    for (size_t i = 0; i < sizeof crashing / sizeof *crashing; i++)
        clean_up_at(crashing[i], &action);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        clean_up_at(number, &action);
    /* A file over the size limit is an ordinary error: write() fails with EFBIG. A pipe without a
     * reader fails with EPIPE: if it is our output, signals_end_by_pipe() raises the signal at the
     * end; if it is standard error, the run continues. */
    signal(SIGXFSZ, SIG_IGN);
    /* The status of a program that unpacks is wanted, also where the parent ignores its own. */
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, NULL);
}

void signals_lend(struct flag *flag)
{
    atomic_store(&lent, flag->end);
}

int signals_take_back(struct flag *flag)
{
    if (atomic_exchange(&lent, -1) < 0)
        flag->end = -1; /* closed by the signal */
    return request;
}

void signals_end_by_request(void)
{
    if (request == 0)
        return;
    signal(request, SIG_DFL);
    raise(request);
}

void signals_end_by_pipe(void)
{
    sigset_t pipe;
    struct sigaction old;

    if (sigaction(SIGPIPE, NULL, &old) != 0 || old.sa_handler == SIG_IGN)
        return;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_UNBLOCK, &pipe, NULL);
    raise(SIGPIPE);
}
