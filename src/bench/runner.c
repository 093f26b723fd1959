/* SPDX-License-Identifier: MIT */
#include "bench/runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/min_max.h"
#include "base/pages.h"
#include "tool/error_words.h"
#include "tool/messages.h"

/* ---- caches
 *
 * A flavour processes one array of samples in all runs, because its set-up may depend on their
 * address. Samples left in the caches would make later runs of small tasks faster than the first
 * one. So twice the size of the last-level cache is read between runs: reading leaves nothing
 * behind that must be written back during the timed run. */

enum { LINE = 64 };

static const size_t SIZE_LEAST = (size_t)64 << 20;
static const size_t SIZE_MOST = (size_t)512 << 20;

int caches_open(struct caches *caches)
{
    long last_level = 0;

#ifdef _SC_LEVEL3_CACHE_SIZE
    last_level = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    caches->size = last_level > 0 ? 2 * (size_t)last_level : 0;
    caches->size = min_u64(max_u64(caches->size, SIZE_LEAST), SIZE_MOST);
    caches->memory = pages_alloc(caches->size);
    if (caches->memory == NULL)
        return -1;
    /* Pages that were never written all map to one zero page. */
    memset(caches->memory, 1, caches->size);
    return 0;
}

void caches_empty(const struct caches *caches)
{
    unsigned sum = 0;
    const volatile unsigned char *memory = caches->memory;

    for (size_t i = 0; i < caches->size; i += LINE)
        sum += memory[i];
    (void)sum;
}

/* ---- runs */

const char *const outcome_words[OUTCOMES] = {
    [OUTCOME_TIMED] = "timed",
    [OUTCOME_WRONG] = "WRONG",
    [OUTCOME_IMPOSSIBLE] = "not possible",
    [OUTCOME_SKIPPED] = "skipped",
    [OUTCOME_FAILED] = "failed",
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

struct spread spread_of(double *times, size_t count)
{
    qsort(times, count, sizeof *times, ascending);
    return (struct spread){
        .median = (times[(count - 1) / 2] + times[count / 2]) / 2,
        .least = times[0],
        .most = times[count - 1],
    };
}

double runner_bytes(enum bench_problem problem, const struct bench_task *task)
{
    size_t values = task->count + (problem == BENCH_WINDOW ? 2 * bench_windows(task) : 0);

    return (double)(values * value_bytes(task->kind));
}

/* A missing device is not a failure. */
static void take_error(struct result *result, const struct error *error)
{
    char words[ERROR_WORDS];

    result->outcome = error->status == STATUS_NO_DEVICE ? OUTCOME_SKIPPED : OUTCOME_FAILED;
    snprintf(result->why, sizeof result->why, "%.*s", (int)sizeof result->why - 1,
             error_words(error, words));
}

/* One run, of the flavour or of the ceiling. Returns its seconds, or -1 on failure. */
static double run_once(const struct bench_flavour *flavour, void *state,
                       struct bench_answer *answer, struct result *result)
{
    struct error error = {.status = STATUS_FAILED};
    double total = 0;
    double begin = 0;

    memset(answer->seconds, 0, sizeof answer->seconds);
    begin = clock_seconds();
    if (flavour->run(state, answer, &error) != 0) {
        take_error(result, &error);
        return -1;
    }
    if (!flavour->on_gpu)
        answer->seconds[BENCH_KERNEL] = clock_seconds() - begin;
    for (int i = 0; i < BENCH_PHASES; i++)
        total += answer->seconds[i];
    return total;
}

/* Spoils the results before a run that is checked. */
static void spoil(const struct trial *trial, struct bench_answer *answer)
{
    if (trial->reference != NULL)
        reference_spoil(trial->reference, trial->task->windows, answer);
}

static bool is_right(const struct trial *trial, const struct bench_answer *answer,
                     struct result *result)
{
    if (trial->reference == NULL || reference_check(trial->reference, trial->flavour,
                                                    trial->task->windows, answer, result->why) == 0)
        return true;
    result->outcome = OUTCOME_WRONG;
    return false;
}

/* Times the ceiling and the flavour alternately: the machine's speed drifts, but not much from one
 * run to the next. Both start with empty caches. */
static void measure(const struct trial *trial, void *state, void *ceiling_state,
                    struct result *result)
{
    static double times[BENCH_PHASES + 1][RUNNER_ITERATIONS_MOST]; /* the last one: the total */
    static double ratios[RUNNER_ITERATIONS_MOST];
    const unsigned iterations = trial->iterations;
    struct bench_answer answer = {0};

    for (unsigned i = 0; i < iterations; i++) {
        double ceiling = 0;

        if (trial->ceiling != NULL) {
            caches_empty(trial->caches);
            ceiling = run_once(trial->ceiling, ceiling_state, &answer, result);
            if (ceiling < 0)
                return;
        }
        if (i + 1 == iterations)
            spoil(trial, &answer);
        caches_empty(trial->caches);
        times[BENCH_PHASES][i] = run_once(trial->flavour, state, &answer, result);
        if (times[BENCH_PHASES][i] < 0)
            return;
        for (unsigned phase = 0; phase < BENCH_PHASES; phase++)
            times[phase][i] = answer.seconds[phase];
        ratios[i] = ceiling / times[BENCH_PHASES][i];
    }
    if (!is_right(trial, &answer, result))
        return;
    result->outcome = OUTCOME_TIMED;
    result->iterations = iterations;
    for (unsigned phase = 0; phase < BENCH_PHASES; phase++)
        result->phase[phase] = spread_of(times[phase], iterations).median;
    result->total = spread_of(times[BENCH_PHASES], iterations);
    result->of_ceiling = trial->ceiling != NULL ? spread_of(ratios, iterations).median : 1;
    if (trial->reference != NULL) {
        result->reference = trial->reference->seconds;
        result->distance = reference_distance(trial->reference, &answer);
    }
}

void runner_run(const struct trial *trial, struct result *result)
{
    const struct bench_flavour *flavour = trial->flavour;
    const struct bench_flavour *ceiling = trial->ceiling;
    const struct bench_task *task = trial->task;
    void *state = (void *)(uintptr_t)task; /* only read */
    void *ceiling_state = NULL;
    struct bench_answer answer = {0};
    const char *obstacle = bench_obstacle(flavour, task);
    struct error error = {.status = STATUS_FAILED};
    double begin = 0;

    *result = (struct result){.flavour = flavour, .task = *task};
    result->bytes = runner_bytes(flavour->problem, task);
    if (obstacle != NULL) {
        result->outcome = OUTCOME_IMPOSSIBLE;
        snprintf(result->why, sizeof result->why, "%s", obstacle);
        return;
    }
    begin = clock_seconds();
    if (flavour->open != NULL && flavour->open(flavour, task, &state, &error) != 0) {
        take_error(result, &error);
        return;
    }
    result->setup = clock_seconds() - begin;
    /* The first run is not timed but checked: it also has to deal with cold code and new memory. */
    spoil(trial, &answer);
    if (run_once(flavour, state, &answer, result) >= 0 && is_right(trial, &answer, result)) {
        if (ceiling != NULL && ceiling->open(ceiling, task, &ceiling_state, &error) != 0) {
            take_error(result, &error);
        } else {
            measure(trial, state, ceiling_state, result);
            if (ceiling != NULL)
                ceiling->close(ceiling_state);
        }
    }
    if (flavour->close != NULL)
        flavour->close(state);
}
