/* SPDX-License-Identifier: MIT */
/* Sizes and other amounts, formatted for messages. */
#ifndef GPUENV_BASE_SIZE_WORDS_H
#define GPUENV_BASE_SIZE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "512 bytes", "1.5 MiB", "23.5 GiB". Returns `words`. */
enum { SIZE_WORDS = 32 };
const char *size_words(char words[SIZE_WORDS], uint64_t bytes);

/* The ending of a noun after this number: "s", or "" for 1. */
static inline const char *size_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A number with a suitable prefix: "1.2 GiB", "3.4 Mframe/s". Binary prefixes (1024) or decimal
 * ones (1000). Pure. */
void size_amount(double amount, bool binary, const char *unit, char *text, size_t size);

#endif
