/* SPDX-License-Identifier: MIT */
#include "base/rounding.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { USUAL_MODE = 0x1f80 }; /* rounds to nearest, keeps subnormals, has no traps */

uint64_t rounding_begin(void)
{
    unsigned before = _mm_getcsr();

    if (before != USUAL_MODE)
        _mm_setcsr(USUAL_MODE);
    return before;
}

void rounding_end(uint64_t before)
{
    if (before != USUAL_MODE)
        _mm_setcsr((unsigned)before);
}

#elif defined(__aarch64__)

uint64_t rounding_begin(void)
{
    uint64_t before;

    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    if (before != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)));
    return before;
}

void rounding_end(uint64_t before)
{
    if (before != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(before));
}

#else

uint64_t rounding_begin(void)
{
    return 0;
}

void rounding_end(uint64_t before)
{
    (void)before;
}

#endif
