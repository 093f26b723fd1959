/* Numbers as text. Pure. */
#ifndef GPUENV_SAMPLE_NUMBER_H
#define GPUENV_SAMPLE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_MOST = 40 }; /* characters, and more than a number can have */

/* Writes a number in the fewest digits that read back as the same one, and of those that
 * have so few in the nearest, in the shape of printf's %g (nan and inf, too); returns its length. A
 * `narrow` one is a float32, and also survives being read as a double that is then rounded. */
size_t number_format(char text[NUMBER_MOST], double number, bool narrow);

/* Writes a whole number; returns its length. */
size_t number_format_whole(char text[NUMBER_MOST], uint64_t number);

#endif
