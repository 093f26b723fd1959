/* Decimal numbers to float32. Pure, and the same under every locale. */
#ifndef GPUENV_SAMPLE_DECIMAL_H
#define GPUENV_SAMPLE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the longest number that `text` begins with, and rounds it once, to the nearest float32, a
 * tie to the even one; what is too large becomes infinity. Returns the end of the number, or NULL
 * where there is none. `end` is where the text ends: nothing there or behind is read.
 *
 * A number is a sign or none, digits with at most one point before, among or behind them, and an
 * exponent or none ("-1.5e-3", "+.5", "7."); or nan, inf or infinity in letters of any case,
 * signed or not. Hexadecimal numbers are none. */
const char *decimal_read(const char *text, const char *end, float *value);

/* Reads a line of `count` plain numbers, which have nothing but the delimiter between them, as far
 * as it is one: `*got` of them. Returns where the next number begins, or, after all of them, the
 * next line. It may stop at any number; decimal_read() goes on. */
const char *decimal_read_line(const char *text, const char *end, char delimiter, float *values,
                              unsigned count, unsigned *got);

/* What decimal_read() and number_format() share. */

enum { DECIMAL_POWER_LEAST = -70, DECIMAL_POWER_MOST = 70 };

/* number * 10^power, of which no more than 3.2 units in the last place are wrong where the number
 * is a whole one below 2^63, and 2.2 where it is exact. `power` lies within the limits above. */
double decimal_scale(double number, int power);

/* Does everything within 4 units in the last place of `near` round to one float32, and is that a
 * normal one, or infinity? Then it is (float)near. */
bool decimal_is_clear(double near);

#endif
