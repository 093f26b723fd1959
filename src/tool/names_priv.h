/* SPDX-License-Identifier: MIT */
/* The inputs of a batch, from the command line, from folders and from a list of names.
 *
 * All names are read before the work, except those that come through a pipe, which are read as they
 * come. Of the next ten thousand inputs the largest is handed out first, so that no long one is
 * left for the end; or, on request, the smallest. Any thread may take inputs. */
#ifndef GPUENV_TOOL_NAMES_PRIV_H
#define GPUENV_TOOL_NAMES_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory_text.h"
#include "base/threads.h"
#include "io/input.h"
#include "job/settings.h"
#include "tool/folders_priv.h"

struct known;

struct names {
    const struct many *many;
    const char *type; /* the type of all inputs: -t */

    struct known *known;  /* the check of names from a pipe */
    struct entries whole; /* all names; with a pipe, those read since the others were used up */
    size_t unusable;      /* operands that cannot be used; each has been reported */
    bool piped;           /* more names come through a pipe */
    struct input list;

    pthread_mutex_t lock;

    /* All under `lock`, from the first names_next() on. */
    size_t from; /* the first of the window, which is sorted by size */
    size_t to;   /* the one after its last */
    size_t end;  /* the next window begins here */
    uint64_t next_number;
    struct memory_text text; /* the beginning of the list's next name */
    bool list_over;
    bool over;
};

/* Reads all names except those from a pipe. All threads look at the files. */
int names_open(struct names *names, const struct many *many, const char *type,
               struct threads *threads, struct error *error);
void names_close(struct names *names);

/* Takes the largest input of the window, or with `small` the smallest. Waits for a name from the
 * pipe, if there is one. `*taken` is false if there are no more, or the list's stop_fd is
 * readable. */
int names_next(struct names *names, bool small, struct entry *entry, bool *taken,
               struct error *error);

/* At the end: the number of inputs that have not been taken. */
uint64_t names_left(const struct names *names);

/* Are there names in the pipe that have not been read? */
bool names_unread(const struct names *names);

/* The number of inputs; UINT64_MAX if they come through a pipe. */
uint64_t names_count(const struct names *names);

#endif
