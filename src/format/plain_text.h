/* Is it text? Pure. Private to this room. */
#ifndef GPUENV_FORMAT_PLAIN_TEXT_H
#define GPUENV_FORMAT_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLAIN_TEXT_LEAST = 16 }; /* bytes to tell, unless an input has fewer */

/* What text this is: "text", "JSON text"; NULL: it may be samples. `bytes` are all that are there;
 * `ended`: no others follow. */
const char *plain_text(const unsigned char *bytes, size_t size, bool ended);

#endif
