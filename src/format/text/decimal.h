/* SPDX-License-Identifier: MIT */
/* Decimal numbers, exactly as they are written. */
#ifndef GPUENV_FORMAT_TEXT_DECIMAL_H
#define GPUENV_FORMAT_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 28 digits or a little more. */
__extension__ typedef unsigned __int128 decimal_digits;

/* A number that a text begins with: "1.5", "2.4e6". */
struct decimal {
    size_t length;   /* length in characters; 0 if there is no number */
    size_t mantissa; /* length of the number without its exponent */
    unsigned places; /* digits behind the point */
    /* The number is digits * 10^(power + exponent). */
    decimal_digits digits;
    int power;
    int exponent;
    bool fits; /* the number is exact, and its digits, without zeros at their end, fit in 64 bits */
};

/* `end` is the end of the text; NULL if a NUL ends it. `comma`: the decimal sign may also be a
 * comma. */
struct decimal decimal_read(const char *text, const char *end, bool comma);

#endif
