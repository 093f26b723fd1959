/* SPDX-License-Identifier: MIT */
/* Inputs over descriptors, and reading all of them. */
#ifndef GPUENV_TESTS_INPUTS_H
#define GPUENV_TESTS_INPUTS_H

#include "check.h"
#include "io/input.h"
#include "scratch.h"
#include "words.h"

enum { BIG = 300 * 1000 };

static unsigned char sent[BIG];
static unsigned char got_bytes[BIG + 64];

static inline void fill_sent(void)
{
    scratch_fill(sent, sizeof sent);
}

/* An input over any descriptor, as standard input. */
static inline void open_fd(struct input *input, int fd)
{
    int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    struct error error;

    /* input_open() uses descriptor 0; afterwards the struct is given the original one. */
    scratch_need(dup2(fd, STDIN_FILENO) == STDIN_FILENO, "dup2");
    CHECK(input_open(input, NULL, false, &error) == 0);
    CHECK(!input->owned && strcmp(input->name, "standard input") == 0);
    input->fd = fd;
    dup2(saved, STDIN_FILENO);
    close(saved);
}

/* Reads everything, at most `piece` at a time. Returns the amount. */
static inline size_t read_all(struct input *input, size_t piece)
{
    struct error error;
    size_t total = 0;

    for (;;) {
        size_t got = 0;
        size_t capacity = BIG + 64 - total < piece ? BIG + 64 - total : piece;

        if (capacity == 0 || input_read(input, got_bytes + total, capacity, &got, &error) != 0) {
            CHECK_THAT(0, "%s", capacity == 0 ? "too much" : words_of(&error));
            return total;
        }
        CHECK(got <= capacity);
        if (got == 0)
            return total;
        total += got;
    }
}

#endif
