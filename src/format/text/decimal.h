/* Decimal numbers, exactly as they are written. */
#ifndef GPUENV_FORMAT_TEXT_DECIMAL_H
#define GPUENV_FORMAT_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that a text begins with: "1.5", "2.4e6". */
struct decimal {
    size_t length;   /* in characters; 0: there is none */
    size_t mantissa; /* the same without the exponent */
    uint64_t digits; /* the number is exactly digits * 10^(power + exponent) */
    int power;
    int exponent;
    bool fits; /* false: without redundant zeros, it has too many digits */
};

struct decimal decimal_read(const char *text);

#endif
