/* What holds no samples at all: packed files, archives, pictures, documents, text. Taken for raw
 * samples they would give nonsense without a word. Private to this room. */
#ifndef GPUENV_FORMAT_NO_SAMPLES_H
#define GPUENV_FORMAT_NO_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "format/format.h"

/* Text, which has no first bytes of its own. It stands in no table: only the beginning of an input
 * is compared with it. */
extern const struct format format_plain_text;

/* Is this text and nothing else? `bytes` are all that are there; `ended`: no others follow. Fewer
 * than 16 are never enough, unless they are all of it. */
bool no_samples_is_text(const unsigned char *bytes, size_t size, bool ended);

/* Are these too few to tell, and would it be text if they were all? */
bool no_samples_may_be_text(const unsigned char *bytes, size_t size, bool ended);

/* What text it is: "text", "JSON text". */
const char *no_samples_text_words(const unsigned char *bytes, size_t size);

#endif
