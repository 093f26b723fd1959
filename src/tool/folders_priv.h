/* SPDX-License-Identifier: MIT */
/* Lists of inputs, by name, with their outputs; and the files in a folder and in the folders in it.
 */
#ifndef GPUENV_TOOL_FOLDERS_PRIV_H
#define GPUENV_TOOL_FOLDERS_PRIV_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What an input's output would replace. */
enum clash { CLASH_NONE, CLASH_OUTPUT, CLASH_INPUT, CLASH_MAYBE_INPUT };

/* An input of a batch, and its output. The holder of the entry owns both paths. */
struct entry {
    char *path;
    char *output;       /* NULL if not known yet, or no frames are written */
    size_t folder;      /* bytes of the path that name a walked folder; 0 if there is none */
    unsigned char kind; /* type of a name in a folder, as readdir() says */
    enum clash clash;   /* a clash fails this input alone */
    uint64_t number;    /* in the order given */
    uint64_t size;      /* bytes of a plain file; else 0 */
    dev_t device;       /* the file's device and inode; both are 0 without a file */
    ino_t inode;
};

struct entries {
    struct entry *entry;
    size_t count;
    size_t capacity;
};

/* Adds an entry, which owns the path. A path may be NULL, from a strdup() that has failed. Returns
 * -1, with errno set, and frees the path, when out of memory. */
int entries_append(struct entries *entries, char *path, size_t folder);

void entry_free(struct entry *entry);

/* Frees all entries. */
void entries_free(struct entries *entries);

/* A walk and its results. */
struct folder_walk {
    struct entries *inputs;
    const char *type;   /* the type of all inputs: -t */
    size_t unusable;    /* paths that cannot be read */
    size_t passed_over; /* files with the ending of no known format */
    size_t links;       /* links that are not followed */
    dev_t out_device;   /* the folder of the outputs, which is not walked */
    ino_t out_inode;    /* 0 if there is none */
};

/* Appends the files that are inputs, in the order of their names. Paths that cannot be read are
 * reported and counted. Returns -1, with errno set, when out of memory. */
int folders_walk(struct folder_walk *walk, const char *folder);

#endif
