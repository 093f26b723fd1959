#include "stream/signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/thread.h"
#include "bytes/temporary.h"

/* The process ends here with all its threads, so nothing is joined. */
static void clean_up_and_die(int number)
{
    temporary_remove_all();
    signal(number, SIG_DFL);
    raise(number); /* delivered when this handler returns */
}

/* Signals that ask the program to end, and those of a crash, which a library that reads foreign
 * files may cause. */
static const int asking[] = {SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGXCPU, SIGALRM,
                             SIGPROF, SIGVTALRM, SIGUSR2, SIGIO,   SIGPWR,  SIGSTKFLT};
static const int crashing[] = {THREAD_CRASH_SIGNALS};

/* A signal that was ignored at the start stays ignored. */
static void clean_up_at(int number, const struct sigaction *action)
{
    struct sigaction old;

    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

void signals_install(void)
{
    struct sigaction action = {.sa_handler = clean_up_and_die};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction old;
    sigset_t pipe;

    sigfillset(&action.sa_mask);
    sigemptyset(&ignore.sa_mask);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        clean_up_at(asking[i], &action);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        clean_up_at(number, &action);
    /* A sanitizer has its own handlers. */
    for (size_t i = 0; i < sizeof crashing / sizeof *crashing; i++) {
        if (sigaction(crashing[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(crashing[i], &action, NULL);
    }
    /* A file over the size limit is an ordinary error: write() fails with EFBIG. A pipe without a
     * reader fails with EPIPE: if it is our output, signals_end_by_pipe() raises the signal at the
     * end; if it is standard error, the run continues. */
    sigaction(SIGXFSZ, &ignore, NULL);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, NULL);
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
