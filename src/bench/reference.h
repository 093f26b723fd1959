/* SPDX-License-Identifier: MIT */
/* The right results, by the plainest methods, and the check of other results against them.
 *
 * Windows: Lemire's algorithm, window/lemire. A flavour that promises exactness must give its
 * bytes, any other equal numbers. Maximum: one loop; the magnitude and its first index must be
 * equal. Sum: one loop that also sums the rounding errors of its additions; the error of a result
 * is limited to a small fraction of the sum of the magnitudes. */
#ifndef GPUENV_BENCH_REFERENCE_H
#define GPUENV_BENCH_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bench/flavour.h"

/* Values after the windows that no flavour may write to. */
enum { REFERENCE_GUARD = 64 };

enum { REFERENCE_WHY = 256 };

struct reference {
    enum bench_problem problem;
    enum value_kind kind;
    size_t windows; /* the number of windows */
    void *low;      /* room for as many values as there are samples; `high`, too */
    void *high;
    struct bench_answer answer;
    double magnitudes; /* the sum of the magnitudes */
    double seconds;    /* time of the reference */
};

/* Fills in the reference for a task. The caller provides `low` and `high`. */
int reference_find(struct reference *reference, enum bench_problem problem,
                   const struct bench_task *task, struct error *error);

/* Minima and maxima of all whole windows of the task. */
int reference_windows(const struct bench_task *task, void *low, void *high, struct error *error);

/* Overwrites the windows, so that results that a flavour has not written are noticed. `windows` has
 * room for the guard. */
void reference_spoil(const struct reference *reference, void *windows, struct bench_answer *answer);

/* Is this result right? If not, returns -1 and describes the first difference in `why`. */
int reference_check(const struct reference *reference, const struct bench_flavour *flavour,
                    const void *windows, const struct bench_answer *answer,
                    char why[REFERENCE_WHY]);

/* The relative difference of a number from the reference. 0 for windows. */
double reference_distance(const struct reference *reference, const struct bench_answer *answer);

#endif
