/* SPDX-License-Identifier: MIT */
/* Levels in decibels of full scale, which is 1. The logarithm is our own, so that it is equal on
 * every machine. */
#ifndef GPUENV_SAMPLE_DECIBELS_H
#define GPUENV_SAMPLE_DECIBELS_H

#include <stddef.h>

#include "format/text/number.h"

/* A magnitude in decibels, rounded to hundredths once: -infinity for 0, NaN for NaN. */
double decibels(double magnitude);

/* Writes the decibels of a magnitude with two decimals, or as -inf, inf or nan; returns the
 * length. */
size_t decibels_write(char text[NUMBER_MOST], double magnitude);

#endif
