/* Something that happens once, which poll() can wait for. */
#ifndef GPUENV_BASE_FLAG_H
#define GPUENV_BASE_FLAG_H

struct flag {
    int wait; /* poll() has events for it, for good, when the flag is raised: POLLHUP */
    int end;  /* the other end of the pipe; -1: the flag is raised */
};

/* Returns 0, or -1 with errno set, when there are no descriptors left. */
int flag_open(struct flag *flag);
/* Cannot fail. By one thread at a time; only the first time counts. */
void flag_raise(struct flag *flag);
void flag_close(struct flag *flag);

#endif
