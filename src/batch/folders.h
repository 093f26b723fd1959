/* The files in a folder and in the folders in it. Private to this room. */
#ifndef GPUENV_BATCH_FOLDERS_H
#define GPUENV_BATCH_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/names.h"

/* What a walk has come across. */
struct folder_walk {
    struct names *names;
    size_t taken;
    size_t passed_over; /* files whose endings are of no known format */
    dev_t out_device;   /* the folder that is not walked into: that of the outputs */
    ino_t out_inode;    /* 0: none */
    bool is_out;        /* it is the one that was to be walked */
};

/* Appends the files that are inputs, in the order of their names. A folder that cannot be read is
 * told, and counted as unusable. -1, with errno set, when there is no memory. */
int folders_walk(struct folder_walk *walk, const char *folder);

#endif
