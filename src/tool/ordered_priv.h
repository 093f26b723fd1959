/* SPDX-License-Identifier: MIT */
/* Writes texts that become ready in any order in the order of their numbers. Thread-safe.
 *
 * Texts that wait are kept in memory; large ones, and those of which there are many, in a temporary
 * file. */
#ifndef GPUENV_TOOL_ORDERED_PRIV_H
#define GPUENV_TOOL_ORDERED_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "io/output.h"

/* A text, in memory or, if `bytes` is NULL, in a file. */
struct ordered_text {
    const char *bytes;
    int fd;
    uint64_t from;
    uint64_t size;
};

struct ordered {
    struct output *output;
    const char *between;
    pthread_mutex_t lock;

    /* All under `lock`. */
    uint64_t next;                /* the number that is due */
    struct ordered_place *places; /* a ring: number n waits in place n % capacity */
    uint64_t capacity;
    uint64_t waiting;
    uint64_t held;       /* bytes of the texts that wait in memory */
    struct output spool; /* not open until a text has to wait there */
    bool written;        /* a text that was not empty has been written */
    bool failed;         /* a text is missing, or cut off: nothing follows it */
};

/* `between` is written between two texts that are not empty: "" or a newline, for example. The
 * output must be open before the first text, and stay open. */
void ordered_init(struct ordered *ordered, struct output *output, const char *between);
void ordered_close(struct ordered *ordered);

/* Takes the text of a number; each number comes once, from 0 on. Writes all texts that are due
 * before it returns. An error concerns the output or the temporary file; it is final, and comes
 * once. */
int ordered_put(struct ordered *ordered, uint64_t number, const struct ordered_text *given,
                struct error *error);

/* At the end: writes texts that still wait for a missing number. */
int ordered_rest(struct ordered *ordered, struct error *error);

#endif
