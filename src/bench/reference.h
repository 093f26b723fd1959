/* The right answers, by the plainest methods, and the check of other answers against them.
 *
 * Windows: Lemire's algorithm, window/lemire. A flavour that promises exactness must give the same
 * bytes, any other equal numbers. Maximum: one loop; the magnitude and its first index must be the
 * same. Sum: one loop that also sums the rounding errors of its additions; an answer may be off by
 * a small part of the sum of the magnitudes. */
#ifndef GPUENV_BENCH_REFERENCE_H
#define GPUENV_BENCH_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "bench/flavour.h"

/* The part: for floats, and for what is added in double. */
#define REFERENCE_TOLERANCE 1e-5
#define REFERENCE_TOLERANCE_EXACT 1e-10

/* Floats behind the room for the windows that nobody may write to. */
enum { REFERENCE_GUARD = 64 };

struct reference {
    enum bench_problem problem;
    size_t windows; /* their number */
    float *low;     /* room for as many as there are samples */
    float *high;
    struct bench_answer answer;
    double magnitudes; /* the sum of them */
    double seconds;    /* that it took */
};

/* Fills it in for a task. `low` and `high` are the caller's. */
int reference_find(struct reference *reference, enum bench_problem problem,
                   const struct bench_task *task, struct error *error);

/* Minima and maxima of all whole windows of the task. */
int reference_windows(const struct bench_task *task, float *low, float *high, struct error *error);

/* Makes sure that what a flavour has not written is seen. `windows` has room for the guard. */
void reference_spoil(const struct reference *reference, float *windows,
                     struct bench_answer *answer);

/* Is this right? If not, returns -1 and says in `why` what the first difference is. */
int reference_check(const struct reference *reference, const struct bench_flavour *flavour,
                    const float *windows, const struct bench_answer *answer, char *why,
                    size_t size);

/* How far a number is from the reference, as a part of the reference. 0 for windows. */
double reference_distance(const struct reference *reference, const struct bench_answer *answer);

#endif
