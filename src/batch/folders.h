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
    size_t passed_over; /* files with the ending of no known format */
    dev_t out_device;   /* the folder of the outputs, which is not walked */
    ino_t out_inode;    /* 0: none */
    bool is_out;        /* the walk began in the folder of the outputs */
};

/* Appends the files that are inputs, in the order of their names. Paths that cannot be read are
 * reported and counted. Returns -1, with errno set, when out of memory. */
int folders_walk(struct folder_walk *walk, const char *folder);

#endif
