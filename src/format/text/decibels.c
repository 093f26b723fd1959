/* SPDX-License-Identifier: MIT */
#include "format/text/number.h"

#include <math.h>
#include <stdio.h>

/* 2000 log10(2), in two parts: products of the first with exponents are exact. */
static const double HIGH = 0x1.2d07adcap+9;
static const double LOW = 0x1.bbd22f95f8584p-23;

static const double HUNDREDTHS = 868.58896380650365530; /* hundredths of a decibel: 2000 / ln(10) */

/* ln(x) / 2, for x from the root of 1/2 to the root of 2, by the series of atanh(). */
static double half_logarithm(double x)
{
    const double z = (x - 1) / (x + 1);
    double sum = 0;

    for (int n = 27; n > 0; n -= 2)
        sum = sum * z * z + 1.0 / n;
    return z * sum;
}

/* A level in hundredths of a decibel. The whole hundredths of the exponent are added last, so that
 * the rest keeps its digits. No level is half-way between two: 10^(k/4000) is irrational for an odd
 * k. */
static double hundredths(double magnitude)
{
    int exponent;
    double fraction = frexp(magnitude, &exponent);
    double whole;
    double rest;

    if (!(magnitude > 0) || isinf(magnitude))
        return magnitude == 0 ? -(double)INFINITY : magnitude;
    if (fraction < 0.70710678118654752) {
        fraction *= 2;
        exponent--;
    }
    whole = floor(exponent * HIGH);
    rest = exponent * HIGH - whole;
    rest += exponent * LOW + 2 * half_logarithm(fraction) * HUNDREDTHS;
    return whole + floor(rest + 0.5);
}

double decibels(double magnitude)
{
    return hundredths(magnitude) / 100;
}

size_t decibels_write(char text[NUMBER_MOST], double magnitude)
{
    const double level = hundredths(magnitude);
    const long whole = isfinite(level) ? (long)fabs(level) : 0;

    if (!isfinite(level))
        return number_write_f64(text, level);
    return (size_t)snprintf(text, NUMBER_MOST, "%s%ld.%02ld", level < 0 ? "-" : "", whole / 100,
                            whole % 100);
}
