/* Decimal numbers to floating point and back. Pure, and the same under every locale. */
#ifndef GPUENV_SAMPLE_NUMBER_H
#define GPUENV_SAMPLE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each reads the longest number that `text` begins with, and rounds it once, to the nearest value,
 * a tie to the even one; what is too large becomes infinity. Returns the end of the number, or NULL
 * where there is none. `end` is where the text ends: nothing there or behind is read.
 *
 * A number is a sign or none, digits with at most one point before, among or behind them, and an
 * exponent or none ("-1.5e-3", "+.5", "7."); or nan, inf or infinity in letters of any case,
 * signed or not. Hexadecimal numbers are none. */
const char *number_read_f32(const char *text, const char *end, float *value);
const char *number_read_f64(const char *text, const char *end, double *value);

/* Each reads a line of `count` numbers, which have nothing but the delimiter between them, as far
 * as it is one: `*got` of them. Returns where the next number begins, or, after all of them, the
 * next line. */
const char *number_read_line_f32(const char *text, const char *end, char delimiter, float *values,
                                 unsigned count, unsigned *got);
const char *number_read_line_f64(const char *text, const char *end, char delimiter, double *values,
                                 unsigned count, unsigned *got);

enum { NUMBER_MOST = 40 }; /* characters, and more than a number can have */

/* Each writes a number in the fewest digits that read back as the same one, and of those that have
 * so few in the nearest; returns its length. A float32 also survives being read as a double that is
 * then rounded. What is not finite is nan, inf or -inf. */
size_t number_write_f32(char text[NUMBER_MOST], float number);
size_t number_write_f64(char text[NUMBER_MOST], double number);

/* Writes a whole number; returns its length. */
size_t number_write_u64(char text[NUMBER_MOST], uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
