/* SPDX-License-Identifier: MIT */
/* Decimal numbers to floating point and back, and exactly as they are written. Pure functions,
 * independent of the locale. */
#ifndef GPUENV_FORMAT_TEXT_NUMBER_H
#define GPUENV_FORMAT_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the longest number at the start of `text` and rounds it once, to nearest, ties to even;
 * numbers that are too large become infinity. Returns the end of the number, or NULL if there is
 * none. `end` is the end of the text: nothing there or beyond is read.
 *
 * A number has an optional sign, digits with at most one point before, among or after them, and an
 * optional exponent ("-1.5e-3", "+.5", "7."); or it is nan, inf or infinity in upper or lower case,
 * with an optional sign. Hexadecimal numbers are not accepted. `point` is the decimal sign, a point
 * or a comma. */
const char *number_read_f64(const char *text, const char *end, char point, double *value);

/* Reads up to `most` runs of `count` numbers, separated by exactly one delimiter; behind the last
 * number of a run is `last`, the delimiter or a newline. `*got` is how many numbers were valid.
 * Returns where the next number, or the next line, begins. */
const char *number_read_runs_f64(const char *text, const char *end, char delimiter, char last,
                                 char point, double *values, unsigned count, size_t most,
                                 size_t *got);

enum { NUMBER_MOST = 40 }; /* characters; more than any number has */

/* Each writes a number with the fewest digits that read back as this number, and of these the
 * nearest; returns the length. A float32 also survives being read as a double and then rounded.
 * Numbers that are not finite are written as nan, inf or -inf. */
size_t number_write_f32(char text[NUMBER_MOST], float number);
size_t number_write_f64(char text[NUMBER_MOST], double number);

/* Each writes an integer; returns the length. */
size_t number_write_u64(char text[NUMBER_MOST], uint64_t number);
size_t number_write_i64(char text[NUMBER_MOST], int64_t number);

/* ---- levels in decibels of full scale, which is 1. The logarithm is our own, so that it is equal
 * on every machine. */

/* A magnitude in decibels, rounded to hundredths once: -infinity for 0, NaN for NaN. */
double decibels(double magnitude);

/* Writes the decibels of a magnitude with two decimals, or as -inf, inf or nan; returns the
 * length. */
size_t decibels_write(char text[NUMBER_MOST], double magnitude);

/* ---- decimal numbers as they are written */

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

#ifdef __cplusplus
}
#endif

#endif
