/* The names of inputs, in a row. */
#ifndef GPUENV_BATCH_ENTRIES_H
#define GPUENV_BATCH_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct entry {
    char *path;      /* owned by the holder of the entry */
    size_t folder;   /* bytes of the path up to what lies in the folder that was walked; */
    bool walked;     /* where it comes from one */
    bool clashes;    /* an earlier name from the pipe has its output */
    uint64_t number; /* in the order given */
    uint64_t size;   /* bytes of a plain file; else 0 */
    dev_t device;    /* of a plain file, or of any that is there; 0 and 0: none is */
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
