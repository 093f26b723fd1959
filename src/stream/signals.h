/* Signals that end the program: nothing half-written stays behind, and the program dies by the
 * signal, so that a shell sees what happened. */
#ifndef GPUENV_STREAM_SIGNALS_H
#define GPUENV_STREAM_SIGNALS_H

/* For the signals that ask a program to end, unless whoever started it has them ignored, and for
 * those of a crash. To be called first, as a signal may come at any time. A file that reaches its
 * size limit (SIGXFSZ) and a pipe without a reader (SIGPIPE) become errors of write(). */
void signals_install(void);

/* The reader of our output has left: ends as cat does, by SIGPIPE, or returns if the caller
 * of the program has that ignored. */
void signals_end_by_pipe(void);

#endif
