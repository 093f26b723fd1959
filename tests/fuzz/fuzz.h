/* SPDX-License-Identifier: MIT */
/* What the fuzzers share. A target is LLVMFuzzerTestOneInput() alone: libFuzzer brings a main()
 * that makes inputs up, fuzz_main.c one that takes files and damages them. */
#ifndef GPUENV_TESTS_FUZZ_H
#define GPUENV_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
