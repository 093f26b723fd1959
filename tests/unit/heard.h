/* SPDX-License-Identifier: MIT */
/* Captures standard error for tests. */
#ifndef GPUENV_TESTS_HEARD_H
#define GPUENV_TESTS_HEARD_H

#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool/messages.h"

/* Standard error while it is captured. */
static struct {
    int old;
    int reader;
    char text[8192];
} heard;

static inline void listen_on(int reader, int writer)
{
    heard.reader = reader;
    heard.old = dup(STDERR_FILENO);
    CHECK(heard.old >= 0 && dup2(writer, STDERR_FILENO) == STDERR_FILENO);
    close(writer);
    messages_init("gpuenv");
}

static inline void listen_to_pipe(void)
{
    int ends[2] = {-1, -1};

    CHECK(pipe(ends) == 0);
    listen_on(ends[0], ends[1]);
}
/* What has been captured so far. */
static inline const char *what_was_said(void)
{
    size_t used = 0;
    ssize_t got = 0;

    CHECK(fcntl(heard.reader, F_SETFL, O_NONBLOCK) == 0);
    while ((got = read(heard.reader, heard.text + used, sizeof heard.text - 1 - used)) > 0)
        used += (size_t)got;
    heard.text[used] = '\0';
    return heard.text;
}

static inline void stop_listening(void)
{
    CHECK(dup2(heard.old, STDERR_FILENO) == STDERR_FILENO);
    close(heard.old);
    close(heard.reader);
}

/* Compares after standard error has been restored, so that a failure is visible. */
static inline void expect(const char *where, const char *want)
{
    char said[sizeof heard.text];

    snprintf(said, sizeof said, "%s", what_was_said());
    stop_listening();
    CHECK_THAT(strcmp(said, want) == 0, "%s:\n  said %s\n  want %s", where, said, want);
}

#endif
