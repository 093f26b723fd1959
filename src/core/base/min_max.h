/* SPDX-License-Identifier: MIT */
/* The lesser and the greater of two numbers. */
#ifndef GPUENV_BASE_MIN_MAX_H
#define GPUENV_BASE_MIN_MAX_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
