/* Something that happens once, which poll() can wait for. */
#ifndef GPUENV_BASE_FLAG_H
#define GPUENV_BASE_FLAG_H

/* Returns a descriptor that becomes readable, for good, when the flag is raised; -1, with errno
 * set, when there is none left. */
int flag_open(void);
void flag_raise(int flag);
void flag_close(int flag);

#endif
