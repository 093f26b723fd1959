/* SPDX-License-Identifier: MIT */
/* How much a test of the device tries, by its first argument, and calls of the runtime that have to
 * succeed. */
#ifndef GPUENV_TESTS_EMU_AMOUNT_H
#define GPUENV_TESTS_EMU_AMOUNT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "check.h"

static bool is_full;
static bool is_few;

static inline void read_amount(int argc, char **argv)
{
    is_full = argc > 1 && strcmp(argv[1], "full") == 0;
    is_few = CHECK_THREADS || (argc > 1 && strcmp(argv[1], "few") == 0);
}

static inline void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

#endif
