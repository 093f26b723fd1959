/* SPDX-License-Identifier: MIT */
/* A forked child whose process id is that of its parent: in a new namespace of process ids, both
 * are number 1. */
#include "calls.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer does not work in another namespace of process ids. The name is the sanitizer's.
 * NOLINTNEXTLINE(bugprone-reserved-identifier) */
const char *__asan_default_options(void);
const char *__asan_default_options(void) /* NOLINT(bugprone-reserved-identifier) */
{
    return "detect_leaks=0";
}
#endif

enum { FRAMES = 300000, SKIP = 77, SECONDS = 100 };

static float in[FRAMES];
static float out[2][FRAMES];

static void filter(gpuenv_context *context)
{
    const gpuenv_array from = packed(in, GPUENV_F32, FRAMES, 1);
    const gpuenv_array to[] = {packed(out[0], GPUENV_F32, FRAMES, 1),
                               packed(out[1], GPUENV_F32, FRAMES, 1)};
    const gpuenv_spec spec = SPEC(.width = 3, .align = GPUENV_CENTER);

    memset(out, 0, sizeof out);
    CHECK_OK(gpuenv_filter(context, &spec, &from, to, NULL));
    CHECK(out[1][0] == 1 && out[1][FRAMES - 2] == FRAMES - 1);
}

/* Runs the function in a child. Returns its exit status; one that hangs is ended by its alarm. */
static int in_child(int (*run)(void *), void *context)
{
    pid_t child;
    int status = 0;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        _exit(run(context));
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct parent {
    gpuenv_context *context;
    gpuenv_stream *stream;
};

static int run_second(void *context)
{
    const struct parent *parent = context;
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    uint64_t got;

    CHECK(getpid() == 1);
    filter(parent->context);
    CHECK(gpuenv_stream_push(parent->stream, in, 1, out[0], FRAMES, &got, &error) ==
              GPUENV_BAD_ARGUMENT &&
          strcmp(error.subject, "stream") == 0);
    gpuenv_stream_close(parent->stream);
    gpuenv_close(parent->context);
    return check_result();
}

/* Has threads, and number 1, when it forks. */
static int run_first(void *unused)
{
    const gpuenv_spec spec = SPEC(.width = 3);
    struct parent parent = {.context = open_context(3)};

    (void)unused;
    CHECK(getpid() == 1);
    CHECK_OK(gpuenv_stream_open(parent.context, &spec, GPUENV_F32, 1, &parent.stream, NULL));
    filter(parent.context);
    if (unshare(CLONE_NEWPID) != 0)
        return SKIP;
    CHECK(in_child(run_second, &parent) == 0);
    filter(parent.context);
    gpuenv_stream_close(parent.stream);
    gpuenv_close(parent.context);
    return check_result();
}

int main(void)
{
    int status = SKIP;

    for (int i = 0; i < FRAMES; i++)
        in[i] = (float)i;
#ifndef __SANITIZE_THREAD__ /* which does not follow threads after a fork */
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 || unshare(CLONE_NEWPID) == 0)
        status = in_child(run_first, NULL);
#endif
    if (status == SKIP)
        printf("skipped: no new namespace of process ids may be made here\n");
    return status == 0 && check_failures == 0 ? 0 : status == SKIP ? SKIP : 1;
}
