/* SPDX-License-Identifier: MIT */
#include "io/program.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/close_range.h>
#include <sys/syscall.h>

#include "io/read_at.h"
#include "io/spool.h"
#include "io/temporary.h"

int program_start(struct program *program, char *const arguments[], int from, int to)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int number;

    *program = (struct program){.name = arguments[0], .words = memfd_create("gpuenv", MFD_CLOEXEC)};
    if (program->words < 0)
        return errno;
    sigemptyset(&signals);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    /* A group of its own keeps the terminal's signals away from the program. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    number = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO) |
             posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO) |
             posix_spawn_file_actions_adddup2(&actions, program->words, STDERR_FILENO);
    /* Our own descriptors are closed on exec already; inherited ones may not be. */
    (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (number == 0)
        number = temporary_spawn(&program->process, arguments[0], &actions, &attributes, arguments);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (number != 0)
        program_stop(program);
    return number;
}

const char *program_words(const struct program *program, char words[PROGRAM_WORDS])
{
    const char *const names[] = {program->name, "stdin", "(stdin)", "/*stdin*\\"};
    const size_t size = read_at(program->words, words, PROGRAM_WORDS - 1, 0);
    char *from = words;
    size_t length;

    words[size] = '\0';
    from += strspn(from, "\r\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t name = strlen(names[i]);

        if (strncmp(from, names[i], name) == 0 && strchr(": ", from[name]) != NULL)
            from += name + strspn(from + name, ": ");
    }
    for (length = strcspn(from, "\r\n"); length > 0 && from[length - 1] == ' '; length--)
        ;
    from[length] = '\0';
    return from;
}

int program_wait(struct program *program, int *status)
{
    return temporary_wait(&program->process, status);
}

void program_stop(struct program *program)
{
    int status;

    if (program->process > 0) {
        /* The program may have been stopped, or may ignore other signals. */
        (void)kill(-program->process, SIGKILL);
        (void)program_wait(program, &status);
    }
    if (program->name != NULL && program->words >= 0)
        close(program->words);
    program->words = -1;
}
