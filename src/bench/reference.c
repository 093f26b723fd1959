#include "bench/reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "window/lemire.h"

enum { BLOCK = 4096 };

/* Lemire's filter also gives the first windows, which are incomplete. They are skipped. */
int reference_windows(const struct bench_task *task, float *low, float *high, struct error *error)
{
    struct lemire *lemire = lemire_open(task->width, VALUE_F32, NAN_PROPAGATE);
    float early_low[BLOCK];
    float early_high[BLOCK];
    size_t early = (size_t)task->width - 1;
    size_t at = 0;

    if (lemire == NULL)
        return error_system(error, ERROR_RESOURCE, "lemire", errno);
    while (at < early) {
        size_t count = early - at < BLOCK ? early - at : BLOCK;

        lemire_feed(lemire, task->samples + at, count, early_low, early_high);
        at += count;
    }
    lemire_feed(lemire, task->samples + early, task->count - early, low, high);
    lemire_close(lemire);
    return 0;
}

static void find_largest(struct reference *reference, const float *samples, size_t count)
{
    float magnitude = fabsf(samples[0]);
    size_t index = 0;

    for (size_t i = 1; i < count; i++) {
        if (fabsf(samples[i]) > magnitude) {
            magnitude = fabsf(samples[i]);
            index = i;
        }
    }
    reference->answer.magnitude = magnitude;
    reference->answer.index = index;
}

/* Neumaier's sum: the rounding errors of the additions are summed separately. */
static void find_sum(struct reference *reference, const float *samples, size_t count)
{
    double sum = 0;
    double lost = 0;
    double magnitudes = 0;

    for (size_t i = 0; i < count; i++) {
        double sample = samples[i];
        double next = sum + sample;

        lost += fabs(sum) >= fabs(sample) ? (sum - next) + sample : (sample - next) + sum;
        sum = next;
        magnitudes += fabs(sample);
    }
    reference->answer.sum = sum + lost;
    reference->magnitudes = magnitudes;
}

int reference_find(struct reference *reference, enum bench_problem problem,
                   const struct bench_task *task, struct error *error)
{
    double begin = clock_seconds();

    reference->problem = problem;
    reference->windows = task->count - (size_t)(task->width - 1);
    if (problem == BENCH_MAX)
        find_largest(reference, task->samples, task->count);
    else if (problem == BENCH_SUM)
        find_sum(reference, task->samples, task->count);
    else if (reference_windows(task, reference->low, reference->high, error) != 0)
        return -1;
    reference->seconds = clock_seconds() - begin;
    return 0;
}

/* All bits set is a NaN, which is never a result. */
void reference_spoil(const struct reference *reference, float *windows, struct bench_answer *answer)
{
    if (reference->problem == BENCH_WINDOW)
        memset(windows, 0xff, (2 * reference->windows + REFERENCE_GUARD) * sizeof *windows);
    *answer = (struct bench_answer){.magnitude = NAN, .index = UINT64_MAX, .sum = NAN};
}

static bool same(float a, float b, bool exact)
{
    return exact ? rules_bits(a) == rules_bits(b) : a == b;
}

static int check_windows(const struct reference *reference, const struct bench_flavour *flavour,
                         const float *windows, char why[REFERENCE_WHY])
{
    size_t count = reference->windows;
    size_t step = flavour->interleaved ? 2 : 1;
    const float *low = windows;
    const float *high = windows + (flavour->interleaved ? 1 : count);

    for (size_t i = 0; i < count; i++) {
        if (same(low[i * step], reference->low[i], flavour->exact) &&
            same(high[i * step], reference->high[i], flavour->exact))
            continue;
        snprintf(why, REFERENCE_WHY, "window %zu is (%.9g, %.9g), not (%.9g, %.9g)", i,
                 (double)low[i * step], (double)high[i * step], (double)reference->low[i],
                 (double)reference->high[i]);
        return -1;
    }
    for (size_t i = 0; i < REFERENCE_GUARD; i++) {
        if (rules_bits(windows[2 * count + i]) != UINT32_MAX) {
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
    snprintf(why, REFERENCE_WHY, "it says %.9g at %llu, not %.9g at %llu",
             (double)answer->magnitude, (unsigned long long)answer->index, (double)right->magnitude,
             (unsigned long long)right->index);
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
                    const float *windows, const struct bench_answer *answer,
                    char why[REFERENCE_WHY])
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
        right = (double)reference->answer.magnitude;
        found = (double)answer->magnitude;
    }
    return found == right ? 0 : fabs((found - right) / right);
}
