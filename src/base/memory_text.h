/* Text composed in memory by the functions of stdio. */
#ifndef GPUENV_BASE_MEMORY_TEXT_H
#define GPUENV_BASE_MEMORY_TEXT_H

#include <stdio.h>

/* Closes a file of open_memstream(&text, &size), which sets both. Returns the text, to be freed;
 * NULL, with errno set, when out of memory. */
char *memory_text_close(FILE *file, char **text);

#endif
