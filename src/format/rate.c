/* SPDX-License-Identifier: MIT */
#include "format/rate.h"

#include <float.h>
#include <math.h>

__extension__ typedef unsigned __int128 wide;

struct rate_ratio rate_ratio(uint64_t frames, uint64_t seconds)
{
    uint64_t divisor = frames;

    for (uint64_t rest = seconds; rest != 0;) {
        const uint64_t next = divisor % rest;

        divisor = rest;
        rest = next;
    }
    return (struct rate_ratio){frames / divisor, seconds / divisor};
}

/* A quotient of integers as the nearest double. It is rounded from an integer of more bits than a
 * double has, whose last bit is set if there is a remainder. */
static double divide(wide number, uint64_t by)
{
    int shift = 0;
    wide quotient;

    if (number == 0)
        return 0;
    for (; number >> 126 == 0; shift++)
        number <<= 1;
    quotient = number / by;
    return ldexp((double)(quotient | (number % by != 0)), -shift);
}

double rate_of(struct rate_ratio ratio)
{
    return divide(ratio.frames, ratio.seconds);
}

double rate_of_every(uint64_t frames, double rate, struct rate_ratio ratio)
{
    uint64_t seconds;

    if (ratio.frames == 0 || __builtin_mul_overflow(ratio.seconds, frames, &seconds))
        return rate / (double)frames;
    return divide(ratio.frames, seconds);
}

/* A frame's number beyond 2^53 may not be a double. Its last bits are divided separately, so that
 * the result is the double nearest to the quotient. */
static double decimal_time(uint64_t frame, double rate)
{
    const uint64_t low = frame > UINT64_C(1) << DBL_MANT_DIG ? frame % 2048 : 0;
    double high = (double)(frame - low);
    double time = high / rate;

    return low == 0 ? time : time + (fma(-time, rate, high) + (double)low) / rate;
}

double rate_time(uint64_t frame, double rate, struct rate_ratio ratio)
{
    if (ratio.frames == 0)
        return decimal_time(frame, rate);
    return divide((wide)frame * ratio.seconds, ratio.frames);
}
