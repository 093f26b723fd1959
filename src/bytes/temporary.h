/* Files that stand in for another until they are whole, and that do not outlive the process
 * even if a signal ends it. Private to this room. */
#ifndef GPUENV_BYTES_TEMPORARY_H
#define GPUENV_BYTES_TEMPORARY_H

#include <sys/types.h>

/* Creates a file beside `path` and opens it for writing, with the mode that open(2) makes of
 * `mode`. Returns its path, which belongs to this file until it is released or removed.
 * NULL, with errno set: EMFILE also when too many are there at once. */
char *temporary_create(const char *path, mode_t mode, int *fd);

/* It has been renamed, or is of no interest: forgets and frees the path. */
void temporary_release(char *temporary);

/* Removes the file, then releases it. */
void temporary_remove(char *temporary);

/* Removes all there are, for a process that is about to end: from now on none can be created.
 * May be called in a signal handler, in any thread. */
void temporary_remove_all(void);

#endif
