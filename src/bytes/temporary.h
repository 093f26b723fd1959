/* Files that stand in for another until they are whole, and that do not outlive the process
 * even if a signal ends it. Private to this room. */
#ifndef GPUENV_BYTES_TEMPORARY_H
#define GPUENV_BYTES_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

/* Creates a file beside `path` and opens it for writing, with the mode that open(2) makes of
 * `mode`. Returns its path, which belongs to this file until it is released or removed.
 * NULL, with errno set: EMFILE also when too many are there at once. */
char *temporary_create(const char *path, mode_t mode, int *fd);

/* The same without a name, where the file system has such files: nothing of it is left however the
 * process ends. Returns a descriptor; -1: with a name, then. */
int temporary_open_nameless(const char *path, mode_t mode);

/* Gives such a file a name beside `path`, to be renamed to that: only a name can take the place of
 * a file that is there. It is this room's like one that was created. NULL, with errno set. */
char *temporary_name(int fd, const char *path);

/* Gives such a file the name `path`, which nothing may have yet. -1, with errno set. */
int temporary_link(int fd, const char *path);

/* It has been renamed, or is of no interest: forgets and frees the path. */
void temporary_release(char *temporary);

/* Removes the file, then releases it. */
void temporary_remove(char *temporary);

/* Removes all there are, for a process that is about to end: from now on none can be created.
 * May be called in a signal handler, in any thread. */
void temporary_remove_all(void);

/* Has that begun? */
bool temporary_all_go(void);

#endif
