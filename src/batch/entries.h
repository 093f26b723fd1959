/* A list of inputs, by name. */
#ifndef GPUENV_BATCH_ENTRIES_H
#define GPUENV_BATCH_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct entry {
    char *path;    /* owned by the holder of the entry */
    size_t folder; /* if it was found by a walk: the length of the folder's part of the path */
    bool walked;
    bool clashes;    /* an earlier name from the pipe has the same output */
    uint64_t number; /* in the order given */
    uint64_t size;   /* bytes of a plain file; else 0 */
    dev_t device;    /* of the file; both 0: there is none */
    ino_t inode;
};

struct entries {
    struct entry *entry;
    size_t count;
    size_t room;
};

/* Adds an entry, which owns the path; NULL: strdup() has failed. Returns -1, with errno set, and
 * frees the path, when out of memory. */
int entries_append(struct entries *entries, char *path, size_t folder, bool walked);

/* Frees all entries and their paths. */
void entries_free(struct entries *entries);

#endif
