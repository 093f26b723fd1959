/* Signals that end the program: nothing half-written stays behind, and the program dies by the
 * signal, so that a shell sees what happened. */
#ifndef GPUENV_STREAM_SIGNALS_H
#define GPUENV_STREAM_SIGNALS_H

/* For SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU, unless whoever started the program has them
 * ignored. A file that reaches its size limit (SIGXFSZ) becomes an error of write(). */
void signals_install(void);

/* The reader of our output has left: ends as cat does, by SIGPIPE, or returns if the caller
 * of the program has that ignored. */
void signals_end_by_pipe(void);

#endif
