/* SPDX-License-Identifier: MIT */
/* Other programs that work for this one: decompressors and a converter of pictures. None outlives
 * this process, except after SIGKILL: then a program ends by SIGPIPE, or with its input. */
#ifndef GPUENV_IO_PROGRAM_H
#define GPUENV_IO_PROGRAM_H

#include <sys/types.h>

struct program {
    const char *name; /* the program's name; NULL before one is started */
    pid_t process;    /* the process; 0 once it has ended */
    int words;        /* a file that receives its standard error */
};

/* Starts a program with these arguments, the first of which is its name. `from` and `to` become its
 * standard input and output; it has no other descriptors. Returns an errno value: ENOENT if it is
 * not installed. */
int program_start(struct program *program, char *const arguments[], int from, int to);

/* Waits for the end of the program. Returns 0, or -1 with errno set. */
int program_wait(struct program *program, int *status);

/* The first line that the program has written to standard error, without its own name and that of
 * its standard input; "" if there is none. */
enum { PROGRAM_WORDS = 400 };
const char *program_words(const struct program *program, char words[PROGRAM_WORDS]);

/* Kills the program if it is still running, and closes `words`. */
void program_stop(struct program *program);

#endif
