/* Pipes. */
#ifndef GPUENV_BYTES_PIPE_H
#define GPUENV_BYTES_PIPE_H

/* Enlarges a pipe, for speed alone: failures are ignored, and no pipe becomes smaller. */
void pipe_enlarge(int fd);

#endif
