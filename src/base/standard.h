/* Standard input, output and error: all three are open before anything else is. */
#ifndef GPUENV_BASE_STANDARD_H
#define GPUENV_BASE_STANDARD_H

/* A program may be started without some of them. A file that is opened later must not take their
 * place, or messages would go into it. The missing ones are opened the wrong way round (input for
 * writing, the others for reading), so that using one is an error. To be called first. */
void standard_fill(void);

#endif
