/* SPDX-License-Identifier: MIT */
/* Signals that end the program: temporary files are removed, and the program dies by the signal,
 * so that a shell can tell. */
#ifndef GPUENV_TOOL_SIGNALS_H
#define GPUENV_TOOL_SIGNALS_H

#include "base/flag.h"

/* Handles the signals that ask a program to end, unless the parent process has them ignored, and
 * those of a crash. Call this first: a signal may arrive at any time. A file that reaches its size
 * limit (SIGXFSZ) and a pipe without a reader (SIGPIPE) become errors of write(). */
void signals_install(void);

/* While the flag is lent, the first SIGINT, SIGTERM or SIGHUP raises it, which ends the input, and
 * the second one ends the program. signals_take_back() returns the signal that has raised the flag,
 * or 0. */
void signals_lend(struct flag *flag);
int signals_take_back(struct flag *flag);

/* Dies by the signal that has raised a flag, if there was one. */
void signals_end_by_request(void);

/* The reader of our output has gone: dies by SIGPIPE, as cat does, or returns if the parent
 * process has it ignored. */
void signals_end_by_pipe(void);

#endif
