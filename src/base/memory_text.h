/* Text that is put together in memory by the functions of stdio. */
#ifndef GPUENV_BASE_MEMORY_TEXT_H
#define GPUENV_BASE_MEMORY_TEXT_H

#include <stdio.h>

/* Closes a file of open_memstream(&text, &size), which sets the two. Returns the text, to be freed;
 * NULL, with errno set, when there was no memory for all of it. */
char *memory_text_close(FILE *file, char **text);

#endif
