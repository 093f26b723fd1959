/* SPDX-License-Identifier: MIT */
/* Random numbers, the same in each run of a test. */
#ifndef GPUENV_TESTS_RANDOM_H
#define GPUENV_TESTS_RANDOM_H

#include <stdint.h>

static uint64_t random_state = 88172645463325252;

static uint64_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static inline uint32_t random_number(void)
{
    return (uint32_t)(random_word() >> 16);
}

static inline uint64_t random_below(uint64_t limit)
{
    return (random_word() >> 11) % limit;
}

#endif
