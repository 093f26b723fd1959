/* The files in a folder and in the folders in it. Private to this room. */
#ifndef GPUENV_BATCH_FOLDERS_H
#define GPUENV_BATCH_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/entries.h"

/* A walk and its results. */
struct folder_walk {
    struct entries *inputs;
    const char *type; /* of all inputs, after -t */
    size_t taken;
    size_t unusable;    /* paths that cannot be read */
    size_t passed_over; /* files whose endings are of no known format */
    dev_t out_device;   /* the folder that is not walked into: that of the outputs */
    ino_t out_inode;    /* 0: none */
    bool is_out;        /* it is the one that was to be walked */
};

/* Appends the files that are inputs, in the order of their names. Paths that cannot be read are
 * reported and counted. Returns -1, with errno set, when out of memory. */
int folders_walk(struct folder_walk *walk, const char *folder);

#endif
