/* SPDX-License-Identifier: MIT */
/* What the fuzzers share. A target is LLVMFuzzerTestOneInput() alone: libFuzzer brings a main()
 * that makes inputs up, fuzz_main.c one that takes files and damages them. */
#ifndef GPUENV_TESTS_FUZZ_H
#define GPUENV_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A copy of the bytes, to be freed, to which the newline is added if the last line has none. */
static inline char *fuzz_lines(const uint8_t *bytes, size_t *size)
{
    char *text = malloc(*size + 1);

    FUZZ_CHECK(text != NULL);
    if (*size > 0)
        memcpy(text, bytes, *size);
    if (*size > 0 && text[*size - 1] != '\n')
        text[(*size)++] = '\n';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
