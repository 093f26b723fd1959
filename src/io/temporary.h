/* SPDX-License-Identifier: MIT */
/* Temporary files that replace their target when they are complete, and processes that work for
 * this one: even if a signal ends this process, the files are removed and the processes killed. All
 * but the last two functions are private to this room. */
#ifndef GPUENV_IO_TEMPORARY_H
#define GPUENV_IO_TEMPORARY_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/* If `*fd` is -1, creates a file beside `path` and opens it for writing, with the mode that open(2)
 * makes of `mode`. Otherwise gives the nameless file `*fd` a name beside `path`, to be renamed to
 * `path`: only a file with a name can replace an existing one. Returns its path, which this module
 * owns until it is released or removed. Returns NULL, with errno set, on failure: EMFILE also if
 * too many exist at once. */
char *temporary_create(const char *path, mode_t mode, int *fd);

/* Creates a file without a name, if the file system supports that: nothing of it is left, however
 * the process ends. Returns a descriptor, or -1: then use a file with a name. */
int temporary_open_nameless(const char *path, mode_t mode);

/* Gives a nameless file the name `path`, which must not exist yet. Returns -1 with errno set. */
int temporary_link(int fd, const char *path);

/* Forgets and frees the path, after the file has been renamed or is not needed any more. */
void temporary_release(char *temporary);

/* Removes the file, then releases it. */
void temporary_remove(char *temporary);

/* Like posix_spawnp(), for a process that leads its own group. Returns an errno value. */
int temporary_spawn(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
                    const posix_spawnattr_t *attributes, char *const arguments[]);

/* Waits for the end of the process, then sets it to 0. Returns -1 with errno set. */
int temporary_wait(pid_t *process, int *status);

/* Removes all temporary files and kills all processes before this process ends; from then on none
 * can be created. May be called in a signal handler, in any thread. */
void temporary_remove_all(void);

/* True once temporary_remove_all() has begun. Outputs fail from then on, and their errors are not
 * worth a message. */
bool temporary_all_go(void);

#endif
