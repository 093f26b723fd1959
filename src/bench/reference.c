/* SPDX-License-Identifier: MIT */
#include "bench/reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "window/lemire.h"
#include "window/rules.h"

enum { BLOCK = 4096 };

/* Lemire's filter also gives the first windows, which are incomplete. They are skipped. */
int reference_windows(const struct bench_task *task, void *low, void *high, struct error *error)
{
    struct lemire *lemire = lemire_open(task->width, task->kind, NAN_PROPAGATE);
    double early_low[BLOCK];
    double early_high[BLOCK];
    size_t early = (size_t)task->width - 1;
    size_t at = 0;

    if (lemire == NULL)
        return error_system(error, ERROR_RESOURCE, "lemire", errno);
    while (at < early) {
        size_t count = early - at < BLOCK ? early - at : BLOCK;

        lemire_feed(lemire, bench_place(task->kind, task->samples, at), count, early_low,
                    early_high);
        at += count;
    }
    lemire_feed(lemire, bench_place(task->kind, task->samples, early), task->count - early, low,
                high);
    lemire_close(lemire);
    return 0;
}

/* A loop is compiled for each kind. */
#define INLINED static inline __attribute__((always_inline))

INLINED void find_largest(struct reference *reference, enum value_kind kind, const void *samples,
                          size_t count)
{
    double magnitude = fabs(bench_value(kind, samples, 0));
    size_t index = 0;

    for (size_t i = 1; i < count; i++) {
        double other = fabs(bench_value(kind, samples, i));

        if (other > magnitude) {
            magnitude = other;
            index = i;
        }
    }
    reference->answer.magnitude = magnitude;
    reference->answer.index = index;
}

/* Neumaier's sum: the rounding errors of the additions are summed separately. */
INLINED void find_sum(struct reference *reference, enum value_kind kind, const void *samples,
                      size_t count)
{
    double sum = 0;
    double lost = 0;
    double magnitudes = 0;

    for (size_t i = 0; i < count; i++) {
        double sample = bench_value(kind, samples, i);
        double next = sum + sample;

        lost += fabs(sum) >= fabs(sample) ? (sum - next) + sample : (sample - next) + sum;
        sum = next;
        magnitudes += fabs(sample);
    }
    reference->answer.sum = sum + lost;
    reference->magnitudes = magnitudes;
}

INLINED void find_reduction(struct reference *reference, enum value_kind kind,
                            const struct bench_task *task)
{
    if (reference->problem == BENCH_MAX)
        find_largest(reference, kind, task->samples, task->count);
    else
        find_sum(reference, kind, task->samples, task->count);
}

int reference_find(struct reference *reference, enum bench_problem problem,
                   const struct bench_task *task, struct error *error)
{
    double begin = clock_seconds();

    reference->problem = problem;
    reference->kind = task->kind;
    reference->windows = bench_windows(task);
    if (problem == BENCH_WINDOW) {
        if (reference_windows(task, reference->low, reference->high, error) != 0)
            return -1;
    } else if (task->kind == VALUE_F32) {
        find_reduction(reference, VALUE_F32, task);
    } else {
        find_reduction(reference, VALUE_F64, task);
    }
    reference->seconds = clock_seconds() - begin;
    return 0;
}

/* All bits set is a NaN, which is never a result. */
void reference_spoil(const struct reference *reference, void *windows, struct bench_answer *answer)
{
    if (reference->problem == BENCH_WINDOW)
        memset(windows, 0xff,
               (2 * reference->windows + REFERENCE_GUARD) * value_bytes(reference->kind));
    *answer = (struct bench_answer){.magnitude = NAN, .index = UINT64_MAX, .sum = NAN};
}

static bool same(double a, double b, bool exact)
{
    return exact ? rules_bits64(a) == rules_bits64(b) : a == b;
}

/* The number of digits that tell two numbers apart. */
static int digits(const struct reference *reference)
{
    return reference->kind == VALUE_F32 ? 9 : 17;
}

static int check_windows(const struct reference *reference, const struct bench_flavour *flavour,
                         const void *windows, char why[REFERENCE_WHY])
{
    enum value_kind kind = reference->kind;
    size_t count = reference->windows;
    size_t step = flavour->interleaved ? 2 : 1;
    const unsigned char *guard = bench_place(kind, windows, 2 * count);
    int shown = digits(reference);

    for (size_t i = 0; i < count; i++) {
        double low = bench_value(kind, windows, i * step);
        double high = bench_value(kind, windows, i * step + (flavour->interleaved ? 1 : count));
        double right_low = bench_value(kind, reference->low, i);
        double right_high = bench_value(kind, reference->high, i);

        if (same(low, right_low, flavour->exact) && same(high, right_high, flavour->exact))
            continue;
        snprintf(why, REFERENCE_WHY, "window %zu is (%.*g, %.*g), not (%.*g, %.*g)", i, shown, low,
                 shown, high, shown, right_low, shown, right_high);
        return -1;
    }
    for (size_t i = 0; i < REFERENCE_GUARD * value_bytes(kind); i++) {
        if (guard[i] != 0xff) {
            snprintf(why, REFERENCE_WHY, "it wrote past the last window");
            return -1;
        }
    }
    return 0;
}

static int check_largest(const struct reference *reference, const struct bench_answer *answer,
                         char why[REFERENCE_WHY])
{
    const struct bench_answer *right = &reference->answer;

    if (answer->magnitude == right->magnitude && answer->index == right->index)
        return 0;
    snprintf(why, REFERENCE_WHY, "it says %.*g at %llu, not %.*g at %llu", digits(reference),
             answer->magnitude, (unsigned long long)answer->index, digits(reference),
             right->magnitude, (unsigned long long)right->index);
    return -1;
}

static int check_sum(const struct reference *reference, const struct bench_flavour *flavour,
                     const struct bench_answer *answer, char why[REFERENCE_WHY])
{
    double allowed = (flavour->exact ? 1e-10 : 1e-5) * reference->magnitudes;

    /* A NaN fails this test. */
    if (fabs(answer->sum - reference->answer.sum) <= allowed)
        return 0;
    snprintf(why, REFERENCE_WHY, "it says %.17g, not %.17g; allowed is a difference of %.3g",
             answer->sum, reference->answer.sum, allowed);
    return -1;
}

int reference_check(const struct reference *reference, const struct bench_flavour *flavour,
                    const void *windows, const struct bench_answer *answer, char why[REFERENCE_WHY])
{
    if (reference->problem == BENCH_WINDOW)
        return check_windows(reference, flavour, windows, why);
    if (reference->problem == BENCH_MAX)
        return check_largest(reference, answer, why);
    return check_sum(reference, flavour, answer, why);
}

double reference_distance(const struct reference *reference, const struct bench_answer *answer)
{
    double right = reference->answer.sum;
    double found = answer->sum;

    if (reference->problem == BENCH_WINDOW)
        return 0;
    if (reference->problem == BENCH_MAX) {
        right = reference->answer.magnitude;
        found = answer->magnitude;
    }
    return found == right ? 0 : fabs((found - right) / right);
}
