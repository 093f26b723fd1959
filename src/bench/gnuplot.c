/* gnuplot as a child: the script on its standard input, the picture from its standard output. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/account.h"

/* gnuplot with -d reads nobody's settings. Waits for its end. Returns its exit status, or -1 with
 * errno set when it could not be started or did not end by itself. */
static int run_gnuplot(char *const *arguments, int in, int out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = 0;
    int status = 0;
    int number = ENOMEM;

    if (posix_spawn_file_actions_init(&actions) != 0)
        goto error;
    if (posix_spawnattr_init(&attributes) != 0)
        goto error_actions;
    /* We have SIGPIPE blocked; that is no business of gnuplot's. */
    sigemptyset(&none);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    number = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (number == 0)
        number = posix_spawnp(&child, "gnuplot", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
error_actions:
    posix_spawn_file_actions_destroy(&actions);
error:
    if (number != 0) {
        errno = number;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    errno = EINTR;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The script in memory, ready to be read. Returns a descriptor, or -1 with errno set. */
static int script_in_memory(const struct account *account, const char *path)
{
    int fd = memfd_create("script", MFD_CLOEXEC);
    int writing = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    FILE *file = writing < 0 ? NULL : fdopen(writing, "w");
    int number;
    bool failed;

    if (file == NULL)
        goto error;
    writing = -1; /* it goes with the file */
    plot_script(account, path, file);
    failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed && lseek(fd, 0, SEEK_SET) == 0)
        return fd;

error:
    number = errno;
    if (writing >= 0)
        close(writing);
    if (fd >= 0)
        close(fd);
    errno = number;
    return -1;
}

int plot_can(const char *path, struct error *error)
{
    static char name[] = "gnuplot";
    static char version[] = "--version";
    char *const arguments[] = {name, version, NULL};
    int nothing = memfd_create("nothing", MFD_CLOEXEC);
    int status = nothing < 0 ? -1 : run_gnuplot(arguments, nothing, nothing);

    if (nothing >= 0)
        close(nothing);
    if (status == 0)
        return 0;
    return error_set(error, ERROR_RESOURCE, NULL,
                     "--plot %.200s: there is no gnuplot that runs (Debian: gnuplot-nox)", path);
}

int plot_draw(const struct account *account, const char *path, int fd, struct error *error)
{
    static char name[] = "gnuplot";
    static char plain[] = "-d";
    static char standard_input[] = "-";
    char *const arguments[] = {name, plain, standard_input, NULL};
    int script = script_in_memory(account, path);
    int status = 0;

    if (script < 0)
        return error_system(error, ERROR_RESOURCE, "--plot", errno);
    status = run_gnuplot(arguments, script, fd);
    if (status < 0)
        error_system(error, ERROR_RESOURCE, "gnuplot", errno);
    else if (status > 0)
        error_set(error, ERROR_RESOURCE, "gnuplot", "ended with status %d", status);
    close(script);
    return status == 0 ? 0 : -1;
}
