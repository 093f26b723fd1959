/* SPDX-License-Identifier: MIT */
/* Counts forks, because threads do not survive fork(). A process id does not show one: in another
 * namespace, a child can have that of its parent. */
#ifndef GPUENV_BASE_FORKS_H
#define GPUENV_BASE_FORKS_H

/* Starts to count, once a process. Returns 0 or an errno value. */
int forks_watch(void);

/* How many forks have led to this process since the count began. */
unsigned forks_count(void);

#endif
