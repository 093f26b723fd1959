/* SPDX-License-Identifier: MIT */
/* gpuenv-bench: a wrong flavour is detected, each CPU flavour is right at odd sizes; lists of
 * numbers, and times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_options.h"
#include "bench/runner.h"
#include "check.h"
#include "words.h"

enum { MOST = 300000 };

/* Of float32, or half as many of float64. */
static float samples[2 * MOST];
static float low[2 * MOST];
static float high[2 * MOST];
static float windows[2 * (2 * MOST + REFERENCE_GUARD)];

/* Small, so that the tests are quick. */
static unsigned char cached[64];
static const struct caches caches = {.memory = cached, .size = sizeof cached};

static struct result run_kind(const struct bench_flavour *flavour, enum value_kind kind,
                              size_t count, uint64_t width)
{
    struct bench_task task = {
        .kind = kind, .samples = samples, .count = count, .width = width, .windows = windows};
    struct reference reference = {.low = low, .high = high};
    const struct trial trial = {.flavour = flavour,
                                .task = &task,
                                .reference = &reference,
                                .caches = &caches,
                                .iterations = 2};
    struct result result;
    struct error error;

    CHECK(reference_find(&reference, flavour->problem, &task, &error) == 0);
    runner_run(&trial, &result);
    return result;
}

/* ---- flavours that are wrong in different ways ---- */

enum way {
    RIGHT,
    NOTHING,
    ONE_OFF,
    TOO_FAR,
    LATER, /* right during the check, wrong when timed */
    FAILS,
    NO_DEVICE,
    NEVER,
};

static enum way way;
static unsigned runs;

static const char *fake_cannot(const struct bench_flavour *flavour, const struct bench_task *task)
{
    (void)flavour, (void)task;
    return way == NEVER ? "never" : NULL;
}

static int fake_open(const struct bench_flavour *flavour, const struct bench_task *task,
                     void **state, struct error *error)
{
    (void)flavour;
    *state = (void *)(uintptr_t)task;
    return way == NO_DEVICE ? error_set(error, ERROR_DEVICE, NULL, "there is no such device") : 0;
}

static void fake_close(void *state)
{
    (void)state;
}

/* The smallest and largest of each window, all the minima first; or the second of equals, and a
 * sum that is a little too large. */
static int fake_run(void *state, struct bench_answer *answer, struct error *error)
{
    const struct bench_task *task = state;
    const size_t count = bench_windows(task);

    answer->magnitude = 2;
    answer->index = 5;
    answer->sum = 1000.001;
    if (way == FAILS)
        return error_set(error, ERROR_RESOURCE, NULL, "it broke");
    if (way == NOTHING || (way == LATER && runs++ > 0))
        return 0;
    for (size_t i = 0; i < count; i++) {
        float *least = &windows[i];
        float *most = &windows[count + i];

        *least = *most = samples[i];
        for (size_t j = i; j < i + task->width; j++) {
            *least = samples[j] < *least ? samples[j] : *least;
            *most = samples[j] > *most ? samples[j] : *most;
        }
    }
    if (way == ONE_OFF)
        windows[count - 1] += 1;
    if (way == TOO_FAR)
        windows[2 * count] = 0;
    return 0;
}

static struct bench_flavour fake = {
    .name = "fake", .cannot = fake_cannot, .open = fake_open, .run = fake_run, .close = fake_close};

static enum outcome outcome_of(enum bench_problem problem, bool exact, size_t count, uint64_t width)
{
    fake.problem = problem;
    fake.exact = exact;
    return run_kind(&fake, VALUE_F32, count, width).outcome;
}

static void test_wrong_ones(void)
{
    static const struct {
        enum outcome outcome;
        const char *why;
    } due[] = {
        [RIGHT] = {OUTCOME_TIMED, ""},
        [NOTHING] = {OUTCOME_WRONG, "window 0 is"},
        [ONE_OFF] = {OUTCOME_WRONG, "window 93 is"},
        [TOO_FAR] = {OUTCOME_WRONG, "past the last"},
        [LATER] = {OUTCOME_WRONG, ""},
        [FAILS] = {OUTCOME_FAILED, "it broke"},
        [NO_DEVICE] = {OUTCOME_SKIPPED, ""},
        [NEVER] = {OUTCOME_IMPOSSIBLE, "never"},
    };

    data_fill(DATA_RANDOM, VALUE_F32, samples, 100);
    fake.problem = BENCH_WINDOW;
    for (way = RIGHT; way <= NEVER; way++) {
        const struct result result = run_kind(&fake, VALUE_F32, 100, 7);

        CHECK_THAT(result.outcome == due[way].outcome && strstr(result.why, due[way].why) != NULL,
                   "%d: %s", (int)way, result.why);
        CHECK((result.total.median > 0) == (way == RIGHT));
        CHECK(way != RIGHT || (result.iterations == 2 && result.bytes == 4 * 100 + 8 * 94));
    }
    way = RIGHT;
}

/* -0 for +0 is the same number, but not the same bytes. */
static void test_bytes(void)
{
    samples[0] = 0.0F;
    samples[1] = -0.0F;
    CHECK(outcome_of(BENCH_WINDOW, false, 2, 2) == OUTCOME_TIMED);
    CHECK(outcome_of(BENCH_WINDOW, true, 2, 2) == OUTCOME_WRONG);
}

static void test_wrong_reductions(void)
{
    struct result result;

    memset(samples, 0, 10 * sizeof *samples);
    samples[3] = -2;
    samples[5] = 2;
    fake.problem = BENCH_MAX;
    fake.exact = false;
    result = run_kind(&fake, VALUE_F32, 10, 1);
    CHECK(result.outcome == OUTCOME_WRONG);
    CHECK_THAT(strcmp(result.why, "it says 2 at 5, not 2 at 3") == 0, "%s", result.why);
    samples[3] = 1;
    CHECK(outcome_of(BENCH_MAX, false, 10, 1) == OUTCOME_TIMED);

    /* An error of 1e-6: close enough only for a sum in float. */
    for (size_t i = 0; i < 1000; i++)
        samples[i] = 1;
    CHECK(outcome_of(BENCH_SUM, false, 1000, 1) == OUTCOME_TIMED);
    CHECK(outcome_of(BENCH_SUM, true, 1000, 1) == OUTCOME_WRONG);
    CHECK(outcome_of(BENCH_SUM, false, 999, 1) == OUTCOME_WRONG);
}

/* ---- our flavours and the others ---- */

static const struct bench_flavour *at(size_t index)
{
    return bench_flavour_at(bench_cpu_families, &index);
}

static void test_flavours(enum data_kind data, enum value_kind kind, size_t count, uint64_t width)
{
    const struct bench_flavour *flavour;

    data_fill(data, kind, samples, count);
    for (size_t i = 0; (flavour = at(i)) != NULL; i++) {
        struct result result = run_kind(flavour, kind, count, width);

        CHECK_THAT(result.outcome == OUTCOME_TIMED || result.outcome == OUTCOME_IMPOSSIBLE,
                   "%s, %s, %s, %zu samples, window %llu: %s: %s", flavour->name,
                   bench_type_words[kind], data_words[data], count, (unsigned long long)width,
                   outcome_words[result.outcome], result.why);
    }
}

static void test_all_flavours(void)
{
    static const struct {
        size_t count;
        uint64_t width;
    } sizes[] = {
        {1, 1},         {2, 1},    {2, 2},        {7, 3},         {100, 100},   {101, 100},
        {1001, 37},     {4097, 1}, {4097, 4096},  {5000, 1024},   {5000, 1025}, {70001, 513},
        {70001, 70001}, {MOST, 3}, {MOST, 65537}, {MOST, 280001},
    };

    for (int data = 0; data < DATA_KINDS; data++) {
        const size_t most = data != DATA_RANDOM ? 9999 : CHECK_FEW ? 99999 : MOST;

        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (sizes[i].count > most)
                continue;
            test_flavours((enum data_kind)data, VALUE_F32, sizes[i].count, sizes[i].width);
            test_flavours((enum data_kind)data, VALUE_F64, sizes[i].count, sizes[i].width);
        }
    }
}

/* Which flavours take float64, and that its last bit counts: a flavour that works in float32 would
 * be found wrong. */
static void test_f64(void)
{
    static const char *const words[] = {"lemire", "vanherk", "cpu-scalar", "cpu", "double"};
    const double *doubles = (const double *)samples;
    size_t beyond = 0;
    size_t found = 0;

    data_fill(DATA_RANDOM, VALUE_F64, samples, 1000);
    for (size_t i = 0; i < 1000; i++)
        beyond += doubles[i] != (double)(float)doubles[i];
    CHECK_THAT(beyond > 990, "%zu", beyond);
    data_fill(DATA_SUBNORMAL, VALUE_F64, samples, 1);
    CHECK(doubles[0] != 0 && fabs(doubles[0]) < 0x1p-1022);
    for (size_t i = 0; at(i) != NULL; i++) {
        for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
            struct result result;

            if (strcmp(at(i)->name, words[j]) != 0)
                continue;
            data_fill(DATA_RANDOM, VALUE_F64, samples, 1000);
            result = run_kind(at(i), VALUE_F64, 1000, 100);
            CHECK_THAT(result.outcome == OUTCOME_TIMED, "%s: %s", at(i)->name, result.why);
            CHECK(result.bytes ==
                  (at(i)->problem == BENCH_WINDOW ? 8 * 1000 + 16 * 901 : 8 * 1000));
            found++;
        }
    }
    CHECK(found >= sizeof words / sizeof *words);
}

/* The names used by --only and the tables. */
static void test_names(void)
{
    const struct bench_flavour *flavour;

    for (size_t i = 0; (flavour = at(i)) != NULL; i++) {
        CHECK(strlen(flavour->name) < 18);
        CHECK(strpbrk(flavour->name, ", ") == NULL);
        for (size_t j = 0; j < i; j++)
            CHECK(flavour->problem != at(j)->problem || strcmp(flavour->name, at(j)->name) != 0);
    }
}

/* ---- numbers ---- */

static void check_series(const char *text, size_t count, const uint64_t *numbers)
{
    const struct option_value value = {.option = "-s", .text = text};
    struct swept series;
    struct error error;

    CHECK_THAT(series_parse(&series, &value, 1000000, &error) == 0, "%s", words_of(&error));
    CHECK_THAT(series.count == count, "%s: %zu", text, series.count);
    for (size_t i = 0; i < count && i < series.count; i++)
        CHECK_THAT(series.number[i] == numbers[i], "%s: %llu", text,
                   (unsigned long long)series.number[i]);
}

static void test_series(void)
{
    check_series("5", 1, (const uint64_t[]){5});
    check_series("1e3,2.5e3,10k,1M", 4, (const uint64_t[]){1000, 2500, 10000, 1000000});
    check_series("1..9", 4, (const uint64_t[]){1, 2, 4, 8});
    check_series("1e3..1e6*10", 4, (const uint64_t[]){1000, 10000, 100000, 1000000});
    check_series("100..350+100,7", 4, (const uint64_t[]){100, 200, 300, 7});
    check_series("3..3", 1, (const uint64_t[]){3});
}

static void test_spread(void)
{
    double odd[] = {3, 1, 2};
    double even[] = {4, 1, 2, 3};
    struct spread spread = spread_of(odd, 3);

    CHECK(spread.least == 1 && spread.median == 2 && spread.most == 3);
    spread = spread_of(even, 4);
    CHECK(spread.least == 1 && spread.median == 2.5 && spread.most == 4);
}

static void test_sweep(void)
{
    char program[] = "gpuenv-bench";
    char sweep[] = "--sweep=threads=32,64,blocks=4..16";
    char *argv[] = {program, sweep, NULL};
    struct bench_options options;
    struct error error;

    CHECK(bench_options_parse(&options, 2, argv, &error) == 0);
    CHECK(options.sweep && options.threads.count == 2 && options.threads.number[1] == 64);
    CHECK(options.blocks.count == 3 && options.blocks.number[2] == 16);
    CHECK(options.samples.number[0] == 10000000 && options.windows.number[0] == 512);
}

CHECK_MAIN(test_wrong_ones, test_bytes, test_wrong_reductions, test_all_flavours, test_f64,
           test_names, test_series, test_spread, test_sweep)
