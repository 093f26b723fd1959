/* Names in a picture. Private to this folder. */
#ifndef GPUENV_FORMAT_SVG_TEXT_H
#define GPUENV_FORMAT_SVG_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes a name as character data, at most `most` characters. Invalid UTF-8, and characters that
 * XML forbids, become U+FFFD; an ellipsis replaces the rest. */
void svg_text_put(FILE *file, const char *name, size_t most);

#endif
