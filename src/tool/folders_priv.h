/* SPDX-License-Identifier: MIT */
/* Lists of inputs, by name, with their outputs; and the files in a folder and in the folders in it.
 */
#ifndef GPUENV_TOOL_FOLDERS_PRIV_H
#define GPUENV_TOOL_FOLDERS_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What an input's output would replace. */
enum clash { CLASH_NONE, CLASH_OUTPUT, CLASH_INPUT, CLASH_MAYBE_INPUT };

/* An input of a batch, and its output. The holder of the entry owns both paths. */
struct entry {
    char *path;
    char *output;       /* NULL: not known yet, or no frames are written */
    size_t folder;      /* of a walk: the length of its folder in the path; otherwise 0 */
    unsigned char kind; /* of a name in a folder: its type, as readdir() says */
    enum clash clash;   /* fails this input alone */
    uint64_t number;    /* in the order given */
    uint64_t size;      /* bytes of a plain file; else 0 */
    dev_t device;       /* of the file; both 0: there is none */
    ino_t inode;
};

struct entries {
    struct entry *entry;
    size_t count;
    size_t capacity;
};

/* Adds an entry, which owns the path; NULL: strdup() has failed. Returns -1, with errno set, and
 * frees the path, when out of memory. */
int entries_append(struct entries *entries, char *path, size_t folder);

void entry_free(struct entry *entry);

/* Frees all entries. */
void entries_free(struct entries *entries);

/* A walk and its results. */
struct folder_walk {
    struct entries *inputs;
    const char *type;   /* of all inputs, after -t */
    size_t unusable;    /* paths that cannot be read */
    size_t passed_over; /* files with the ending of no known format */
    size_t links;       /* which are not followed */
    dev_t out_device;   /* the folder of the outputs, which is not walked */
    ino_t out_inode;    /* 0: none */
};

/* Appends the files that are inputs, in the order of their names. Paths that cannot be read are
 * reported and counted. Returns -1, with errno set, when out of memory. */
int folders_walk(struct folder_walk *walk, const char *folder);

#endif
