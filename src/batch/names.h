/* The inputs of a batch, from the command line, from folders and from a list of names.
 *
 * What can be known before the work is: all but the names that come through a pipe, which are taken
 * as they come. Of the next ten thousand inputs the largest is handed out first, so that none that
 * takes long is left for the end; or, on request, the smallest. Any thread may take one.
 */
#ifndef GPUENV_BATCH_NAMES_H
#define GPUENV_BATCH_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "batch/entries.h"
#include "bytes/input.h"
#include "cli/settings.h"

struct names {
    const struct many *many;
    const char *type; /* of all inputs, after -t */

    /* Looks at the names that come through a pipe, one after the other. */
    int (*look)(void *context, struct entry *entry, struct error *error);
    void *context;
    struct entries whole; /* what is known; then what the pipe has brought since it was used up */
    size_t unusable;      /* operands that nothing can be made of, each of which has been told */
    bool piped;           /* and more come through a pipe */
    struct input list;

    pthread_mutex_t lock;

    /* All under `lock`, from the first names_next() on. */
    size_t from; /* the first of those to be handed out, in the order of their sizes, */
    size_t to;   /* and the one after the last; */
    size_t end;  /* the next ones begin here */
    uint64_t next_number;
    struct name_reader *reader;
    bool over;
};

/* Gathers what can be known. */
int names_open(struct names *names, const struct many *many, const char *type, struct error *error);
void names_close(struct names *names);

/* Takes an input, the smallest of the window instead of the largest with `small`. Waits for a name
 * where they come through a pipe. `*taken` is false when there are no more, or when the list's
 * stop_fd is readable. */
int names_next(struct names *names, bool small, struct entry *entry, bool *taken,
               struct error *error);

/* At the end: how many inputs that are known have not been taken. */
uint64_t names_left(const struct names *names);

/* And have names not been read, which come through a pipe? */
bool names_unread(const struct names *names);

/* Inputs that are known; UINT64_MAX: they come through a pipe. */
uint64_t names_count(const struct names *names);

#endif
