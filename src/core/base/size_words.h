/* Sizes in bytes, formatted for messages. */
#ifndef GPUENV_BASE_SIZE_WORDS_H
#define GPUENV_BASE_SIZE_WORDS_H

#include <stdint.h>

/* "512 bytes", "1.5 MiB", "23.5 GiB". Returns `words`. */
enum { SIZE_WORDS = 32 };
const char *size_words(char words[SIZE_WORDS], uint64_t bytes);

#endif
