/* SPDX-License-Identifier: MIT */
/* Other programs that work for this one: decompressors, and what draws pictures as pixels. None
 * outlives this process, except after SIGKILL: then it ends by SIGPIPE, or with its input. */
#ifndef GPUENV_IO_PROGRAM_H
#define GPUENV_IO_PROGRAM_H

#include <sys/types.h>

struct program {
    const char *name; /* NULL: none was started */
    pid_t process;    /* 0: it has ended */
    int words;        /* what it writes to standard error */
};

/* Starts a program with these arguments, the first of which is its name, and these descriptors as
 * its standard input and output; it has no others. Returns an errno value: ENOENT if it is not
 * installed. */
int program_start(struct program *program, char *const arguments[], int from, int to);

/* Waits for the end of the program. Returns 0, or -1 with errno set. */
int program_wait(struct program *program, int *status);

/* The first line that it has written to standard error, without its own name and that of its
 * standard input, or "". */
enum { PROGRAM_WORDS = 400 };
const char *program_words(const struct program *program, char words[PROGRAM_WORDS]);

/* Kills it, if it is still at work, and frees what it has. */
void program_stop(struct program *program);

#endif
