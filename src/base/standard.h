/* Makes sure that standard input, output and error are open. */
#ifndef GPUENV_BASE_STANDARD_H
#define GPUENV_BASE_STANDARD_H

/* A program may be started with some of them closed. A file opened later would then take their
 * descriptor, and messages would go into it. Missing ones are opened in the wrong direction (input
 * for writing, the others for reading), so that using them fails. Call this first. */
void standard_fill(void);

#endif
