/* SPDX-License-Identifier: MIT */
#include "bars.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15 };

static bool missed;

void bars_fill(float *samples, size_t count, const char *kind)
{
    uint32_t state = 1;

    for (size_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        samples[i] = (float)(int32_t)state / 2147483648.0f;
        if (strcmp(kind, "sorted") == 0)
            samples[i] = (float)i;
        else if (strcmp(kind, "falling") == 0)
            samples[i] = -(float)i;
        else if (strcmp(kind, "constant") == 0)
            samples[i] = 0.25f;
        else if (strcmp(kind, "subnormal") == 0)
            samples[i] *= 1e-39f;
        else if (strcmp(kind, "nan") == 0 && (state >> 16) % 1000 == 0)
            samples[i] = NAN;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return values[count / 2];
}

void bars_show(const char *name, double rate, double *values, size_t count, double bar,
               double reach, int sign)
{
    const double middle = median(values, count);
    double good = sign > 0 ? values[3 * count / 4] : values[count / 4];
    const char *verdict = "reached";

    if (good * sign < bar * sign) {
        verdict = "MISSED";
        missed = true;
    } else if (middle * sign < bar * sign) {
        verdict = "bar, within the noise";
    } else if (middle * sign < reach * sign) {
        verdict = "bar met";
    }
    printf("%-34s %7.2f %8.3f %7.3f-%-7.3f", name, rate / 1e9, middle, values[0],
           values[count - 1]);
    if (bar > 0)
        printf(" %s%6.2f %6.2f  %s", sign > 0 ? ">=" : "<=", bar, reach, verdict);
    putchar('\n');
}

void bars_compare(const char *name, timed_function *rate, const void *ours,
                  timed_function *their_rate, const void *theirs, double bar, double reach,
                  int sign)
{
    double rates[ROUNDS];
    double ratios[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        const double base = their_rate(theirs);

        rates[i] = rate(ours);
        ratios[i] = sign > 0 ? rates[i] / base : base / rates[i];
    }
    bars_show(name, median(rates, ROUNDS), ratios, ROUNDS, bar, reach, sign);
}

int bars_end(void)
{
    return missed ? 1 : 0;
}
