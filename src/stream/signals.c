#include "stream/signals.h"

#include <signal.h>
#include <stddef.h>

#include "bytes/output.h"

/* Dying is all that is left to do, and the threads die with us: there is nothing to join. */
static void clean_up_and_die(int number)
{
    output_remove_temporaries();
    signal(number, SIG_DFL);
    raise(number); /* is delivered when this handler returns */
}

void signals_install(void)
{
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGXCPU,
                                  SIGALRM, SIGPROF, SIGVTALRM, SIGUSR2};
    struct sigaction action = {.sa_handler = clean_up_and_die};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction old;
    sigset_t pipe;

    sigfillset(&action.sa_mask);
    sigemptyset(&ignore.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    /* A file over the size limit is an error like any other: write() says EFBIG. So is a pipe
     * without a reader, which write() tells as EPIPE: if it is our output, signals_end_by_pipe()
     * lets the signal through at the end; if it is standard error, the run goes on. */
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
