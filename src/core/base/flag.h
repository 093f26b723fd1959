/* SPDX-License-Identifier: MIT */
/* A one-time event that poll() can wait for. */
#ifndef GPUENV_BASE_FLAG_H
#define GPUENV_BASE_FLAG_H

struct flag {
    int wait; /* poll() reports POLLHUP once the flag is raised */
    int end;  /* the write end of the pipe; -1 once the flag is raised */
};

/* Returns 0, or -1 with errno set when no descriptors are left. */
int flag_open(struct flag *flag);
/* Cannot fail. Not thread-safe; repeated calls have no effect. */
void flag_raise(struct flag *flag);
void flag_close(struct flag *flag);

#endif
