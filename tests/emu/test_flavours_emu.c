/* SPDX-License-Identifier: MIT */
/* Every flavour on the emulator, against plain references: test_flavours_emu few|most|full
 * (tests/gpu/ builds the same for a real device, with Thrust's)
 *
 * Odd sizes, ties, zeros, negative extremes; widths up to and beyond what a flavour can do; threads
 * and blocks other than the defaults; once, or twice in a row; and every function of the runtime
 * made to fail at each of its calls. */
#include "amount.h"
#include "cases.h"

#include <cuda_runtime_api.h>
#include <float.h>
#include <stdio.h>

#include "bench/flavour.h"
#include "emu.h"
#include "table.h"
#include "words.h"

static unsigned long cases;
static unsigned long refusals;

enum data { RANDOM, TIES, CONSTANT, ZEROS, SORTED, EXTREMES, DATA_KINDS };

enum { PAGE = 4096 };

static const struct bench_flavour *flavour_at(size_t index)
{
    return bench_flavour_at(bench_cuda_families, &index);
}

static void *pages(size_t bytes)
{
    void *memory = aligned_alloc(PAGE, (bytes + PAGE) / PAGE * PAGE);

    if (memory == NULL)
        abort();
    return memory;
}

static float sample_of(enum data data, size_t i)
{
    static const float extremes[] = {-FLT_MAX, -0.0F, FLT_MIN, -FLT_MAX, 0, -FLT_TRUE_MIN};

    switch (data) {
    case TIES:
        return (float)(int)(random_number() % 5) - 2.0F;
    case CONSTANT:
        return -0.75F;
    case ZEROS:
        return random_number() % 2 == 0 ? 0.0F : -0.0F;
    case SORTED:
        return (float)i / 1024.0F - 2.0F;
    case EXTREMES:
        return extremes[random_number() % (sizeof extremes / sizeof *extremes)];
    case RANDOM:
    case DATA_KINDS:
        break;
    }
    return (float)(int32_t)random_number() / 2147483648.0F;
}

/* A task and its right answer. */
struct problem {
    enum bench_problem kind;
    struct bench_task task;
    void *expected; /* windows, interleaved */
    struct bench_answer answer;
    double magnitudes; /* their sum, which the error of a sum is relative to */
};

static void expect_windows(struct problem *problem)
{
    enum value_kind value = problem->task.kind;
    struct engine_setup setup = {.emits = {2, {EMIT_MIN, EMIT_MAX}},
                                 .value = value,
                                 .results = {value, value},
                                 .channels = 1,
                                 .sample = {.kind = value == VALUE_F32 ? SAMPLE_F32 : SAMPLE_F64}};

    window_init(&setup.window, problem->task.width, 1, ALIGN_VALID, EDGE_SHRINK);
    (void)reference(&setup, problem->task.samples, problem->task.count, &problem->expected);
}

/* Float64 samples have more digits than float32 ones. */
static void open_problem(struct problem *problem, enum bench_problem kind, enum value_kind value,
                         size_t count, uint64_t width, enum data data)
{
    void *samples = pages(count * value_bytes(value));
    void *wild = random_values(value, count, false); /* plateaus, infinities */

    memset(problem, 0, sizeof *problem);
    problem->kind = kind;
    problem->task.kind = value;
    problem->task.samples = samples;
    problem->task.count = count;
    problem->task.width = width;
    problem->answer.magnitude = -1;
    /* Sums of the largest numbers or of infinities prove nothing. */
    if (kind == BENCH_SUM && data == EXTREMES)
        data = RANDOM;
    for (size_t i = 0; i < count; i++) {
        double sample = data == RANDOM && kind != BENCH_SUM ? bench_value(value, wild, i)
                        : value == VALUE_F32                ? (double)sample_of(data, i)
                                                            : (double)sample_of(data, i) * 1.1;

        if (value == VALUE_F32)
            ((float *)samples)[i] = (float)sample;
        else
            ((double *)samples)[i] = sample;
        if (fabs(sample) > problem->answer.magnitude) {
            problem->answer.magnitude = fabs(sample);
            problem->answer.index = i;
        }
        problem->answer.sum += sample;
        problem->magnitudes += fabs(sample);
    }
    free(wild);
    if (kind == BENCH_WINDOW) {
        problem->task.windows = pages((count - (size_t)width + 1) * 2 * value_bytes(value));
        expect_windows(problem);
    }
}

static void close_problem(struct problem *problem)
{
    free((void *)problem->task.samples);
    free(problem->task.windows);
    free(problem->expected);
}

/* ---- one flavour, one task */

static size_t wrong_windows(const struct problem *problem, bool interleaved)
{
    const enum value_kind value = problem->task.kind;
    const size_t windows = bench_windows(&problem->task);
    const void *got = problem->task.windows;
    size_t wrong = 0;

    for (size_t i = 0; i < windows; i++) {
        double low = bench_value(value, got, interleaved ? 2 * i : i);
        double high = bench_value(value, got, interleaved ? 2 * i + 1 : windows + i);

        if (!(low == bench_value(value, problem->expected, 2 * i) &&
              high == bench_value(value, problem->expected, 2 * i + 1)))
            wrong++;
    }
    return wrong;
}

static bool is_right(const struct problem *problem, const struct bench_flavour *flavour,
                     const struct bench_answer *answer)
{
    switch (problem->kind) {
    case BENCH_WINDOW:
        return wrong_windows(problem, flavour->interleaved) == 0;
    case BENCH_MAX:
        return answer->magnitude == problem->answer.magnitude &&
               answer->index == problem->answer.index;
    case BENCH_SUM:
        return fabs(answer->sum - problem->answer.sum) <= 1e-6 * problem->magnitudes;
    case BENCH_PROBLEMS:
        break;
    }
    return false;
}

/* Does what the caller would do: opens, solves `runs` times, closes. Returns -1 on failure. The
 * task's buffer is filled with other values before. */
static int solve(const struct bench_flavour *flavour, const struct problem *problem, unsigned runs,
                 bool *right, struct error *error)
{
    const struct bench_task *task = &problem->task;
    void *state = NULL;
    int result = 0;

    *right = true;
    if (flavour->open(flavour, task, &state, error) != 0)
        return -1;
    for (unsigned i = 0; i < runs && result == 0; i++) {
        struct bench_answer answer = {.magnitude = -2, .index = UINT64_MAX, .sum = NAN};

        if (problem->kind == BENCH_WINDOW)
            memset(task->windows, 0x5a, bench_windows(task) * 2 * value_bytes(task->kind));
        result = flavour->run(state, &answer, error);
        if (result != 0)
            break;
        *right = *right && is_right(problem, flavour, &answer);
        for (int phase = 0; phase < BENCH_PHASES; phase++)
            *right = *right && answer.seconds[phase] >= 0;
        *right = *right && answer.seconds[BENCH_KERNEL] > 0;
    }
    flavour->close(state);
    return result;
}

static void check_flavour(const struct bench_flavour *flavour, const struct problem *problem)
{
    const struct bench_task *task = &problem->task;
    struct error error = {.reason = ""};
    bool right;
    int result;

    if (bench_obstacle(flavour, task) != NULL) {
        refusals++;
        return;
    }
    emu_set_order((enum emu_order)(cases % EMU_ORDERS), (unsigned)cases);
    result = solve(flavour, problem, 1 + cases % 2, &right, &error);
    cases++;
    CHECK_THAT(result == 0 && right, "%s, n %zu, w %llu, %u threads, %u blocks: %s", flavour->name,
               task->count, (unsigned long long)task->width, task->threads, task->blocks,
               result == 0 ? "wrong" : words_of(&error));
}

/* Blocks of a thousand threads are too large for `few`: 64 for flavours that accept a number. */
static void check_small(const struct bench_flavour *flavour, const struct problem *problem)
{
    struct problem small = *problem;

    small.task.threads = 64;
    check_flavour(flavour, flavour->cannot(flavour, &small.task) == NULL ? &small : problem);
}

/* Every flavour of the task's kind. */
static void check_problem(const struct problem *problem)
{
    for (size_t i = 0; flavour_at(i) != NULL; i++) {
        const struct bench_flavour *flavour = flavour_at(i);

        if (flavour->problem != problem->kind)
            continue;
        if (is_few && problem->task.threads == 0)
            check_small(flavour, problem);
        else
            check_flavour(flavour, problem);
    }
}

/* ---- what is tried: in full, all pairs of two lists; otherwise each element of both lists at
 * least once */

static bool is_tried(size_t i, size_t j)
{
    return is_full || (i + j) % 3 == 0;
}

static void check_kind(enum bench_problem kind, enum value_kind value, size_t count, uint64_t width,
                       enum data data, unsigned threads, unsigned blocks)
{
    struct problem problem;

    open_problem(&problem, kind, value, count, width, data);
    problem.task.threads = threads;
    problem.task.blocks = blocks;
    check_problem(&problem);
    close_problem(&problem);
}

static void check_case(enum bench_problem kind, size_t count, uint64_t width, enum data data,
                       unsigned threads, unsigned blocks)
{
    check_kind(kind, VALUE_F32, count, width, data, threads, blocks);
}

/* Flavours that take float64, with the limits of their plans for it. */
static void check_f64(void)
{
    static const uint64_t widths[] = {1, 2, 8, 9, 17, 100, 1024, 1025, 2033, 2034, 4081, 5000};
    const unsigned long before = cases;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        check_kind(BENCH_WINDOW, VALUE_F64, (size_t)widths[i] + 3077, widths[i],
                   (enum data)(i % DATA_KINDS), 0, 0);
    for (int data = 0; data < DATA_KINDS; data++) {
        check_kind(BENCH_MAX, VALUE_F64, 10007, 0, (enum data)data, 0, 0);
        check_kind(BENCH_SUM, VALUE_F64, 10007, 0, (enum data)data, 0, 0);
    }
    CHECK(cases - before >= 3 * sizeof widths / sizeof *widths + 2 * DATA_KINDS);
}

static void check_sizes(void)
{
    static const size_t counts[] = {1, 2, 3, 31, 32, 33, 255, 257, 1000, 1025, 2047, 4099, 10007};
    static const uint64_t widths[] = {1, 2, 3, 7, 16, 17, 18, 32, 100, 513};
    const size_t step = is_few ? 4 : 1;
    unsigned turn = 0;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i += step) {
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j += step) {
            if (widths[j] <= counts[i] && (is_few || is_tried(i, j)))
                check_case(BENCH_WINDOW, counts[i], widths[j], (enum data)(turn++ % DATA_KINDS), 0,
                           0);
        }
        check_case(BENCH_WINDOW, counts[i], counts[i], RANDOM, 0, 0);
        for (int data = 0; data < DATA_KINDS; data++) {
            if (!is_few && !is_tried(i, (size_t)data))
                continue;
            /* A grid of many blocks is slow on the emulator. */
            check_case(BENCH_MAX, counts[i], 0, (enum data)data, 0,
                       is_full || 4 * (size_t)data == i ? 0 : 1);
            check_case(BENCH_SUM, counts[i], 0, (enum data)data, 0, 0);
        }
    }
}

/* At and beyond the limits of a block of 1024 threads, or of a plan. */
static void check_wide(void)
{
    static const uint64_t widths[] = {1000, 1023, 1024, 1025, 2048, 4065, 4066, 4097, 8161, 9000};

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        check_case(BENCH_WINDOW, (size_t)widths[i] + 77, widths[i], RANDOM, 0, 0);
}

static void check_overrides(void)
{
    static const unsigned threads[] = {1, 2, 3, 31, 32, 33, 64, 100, 128, 513, 1024, 1025};
    static const unsigned blocks[] = {0, 1, 2, 3, 41};

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        if (is_few && threads[i] > 100)
            continue;
        for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++) {
            if (!is_few && !is_tried(i, j))
                continue;
            check_case(BENCH_WINDOW, 1203, 1, RANDOM, threads[i], blocks[j]);
            check_case(BENCH_WINDOW, 1203, 21, TIES, threads[i], blocks[j]);
            check_case(BENCH_WINDOW, 1203, threads[i], RANDOM, threads[i], blocks[j]);
            check_case(BENCH_MAX, 1203, 0, TIES, threads[i], blocks[j]);
            check_case(BENCH_SUM, 1203, 0, RANDOM, threads[i], blocks[j]);
        }
    }
}

static const struct bench_flavour *find(enum bench_problem kind, const char *name)
{
    for (size_t i = 0; flavour_at(i) != NULL; i++) {
        const struct bench_flavour *flavour = flavour_at(i);

        if (flavour->problem == kind && strcmp(flavour->name, name) == 0)
            return flavour;
    }
    return NULL;
}

/* More chunks than the engine has in flight at once. */
static void check_chunks(void)
{
    struct problem problem;

    open_problem(&problem, BENCH_WINDOW, VALUE_F32, ((size_t)5 << 20) + 77, 100, RANDOM);
    check_flavour(find(BENCH_WINDOW, "cuda"), &problem);
    close_problem(&problem);
}

/* Blocks whose end is far from their beginning. */
static void check_long(void)
{
    const size_t count = emu_is_real() ? 3000017 : 70003;

    check_case(BENCH_WINDOW, count, 100, RANDOM, 0, 0);
    check_case(BENCH_MAX, count, 0, RANDOM, 0, 0);
    check_case(BENCH_MAX, count, 0, ZEROS, 0, 0);
    check_case(BENCH_SUM, count, 0, RANDOM, 0, 0);
    check_chunks();
    if (!is_full)
        return;
    check_case(BENCH_WINDOW, 2 * count, 1000, RANDOM, 0, 0);
    check_case(BENCH_WINDOW, count, 20000, TIES, 0, 0);
    check_case(BENCH_SUM, 7 * count, 0, SORTED, 0, 0);
}

/* ---- what is refused, and what is not */

static void check_refusals(void)
{
    static const char *const kinds[] = {
        [BENCH_WINDOW] = "window", [BENCH_MAX] = "max", [BENCH_SUM] = "sum"};

    TABLE (row, "refusals", 6) {
        struct bench_task task = {.count = 10000,
                                  .width = strtoul(row.field[2], NULL, 10),
                                  .threads = (unsigned)strtoul(row.field[3], NULL, 10),
                                  .blocks = (unsigned)strtoul(row.field[4], NULL, 10)};
        const struct bench_flavour *flavour;
        int kind = 0;

        while (strcmp(kinds[kind], row.field[0]) != 0)
            kind++;
        flavour = find((enum bench_problem)kind, row.field[1]);
        CHECK_THAT(flavour != NULL, "%s", row.field[1]);
        if (flavour != NULL)
            CHECK_THAT((flavour->cannot(flavour, &task) == NULL) ==
                           (strcmp(row.field[5], "possible") == 0),
                       "%s, w %s, %s threads, %s blocks", row.field[1], row.field[2], row.field[3],
                       row.field[4]);
    }
}

static void check_names(void)
{
    for (size_t i = 0; flavour_at(i) != NULL; i++) {
        const struct bench_flavour *flavour = flavour_at(i);

        CHECK(flavour->on_gpu && flavour->words[0] != '\0');
        CHECK_THAT(find(flavour->problem, flavour->name) == flavour, "%s: twice", flavour->name);
    }
}

/* ---- failures */

static void check_failure(const struct bench_flavour *flavour, const struct problem *problem,
                          const char *function)
{
    bool reached = true;

    for (unsigned long nth = 1; reached; nth++) {
        struct error error = {.reason = ""};
        bool right;
        int result;

        emu_set_quiet(true);
        emu_fail(function, nth);
        result = solve(flavour, problem, 2, &right, &error);
        reached = emu_calls(function) >= nth;
        emu_fail(NULL, 0);
        emu_reset_fault();
        (void)cudaGetLastError();
        emu_set_quiet(false);
        /* The last calls are those of close(), which cannot report errors. */
        CHECK_THAT(result == 0 ? right : reached && words_of(&error)[0] != '\0', "%s, %s %lu: %s",
                   flavour->name, function, nth, words_of(&error));
        /* The engine can do without pinned memory, and waits for its streams only at the end. */
        CHECK_THAT(nth > 1 || !reached || result != 0 || strcmp(function, "cudaHostAlloc") == 0 ||
                       strcmp(function, "cudaStreamSynchronize") == 0,
                   "%s, %s: nobody noticed", flavour->name, function);
        CHECK(emu_live_objects() == 0);
        cases++;
    }
}

/* With as few blocks as a flavour accepts. */
static void check_failures_of(enum bench_problem kind, uint64_t width)
{
    struct problem problem;

    open_problem(&problem, kind, VALUE_F32, 2100, width, RANDOM);
    for (size_t i = 0; flavour_at(i) != NULL; i++) {
        const struct bench_flavour *flavour = flavour_at(i);

        problem.task.blocks = 1;
        if (flavour->cannot(flavour, &problem.task) != NULL)
            problem.task.blocks = 0;
        if (flavour->problem != kind || flavour->cannot(flavour, &problem.task) != NULL)
            continue;
        for (unsigned f = 0; emu_function(f) != NULL; f++)
            check_failure(flavour, &problem, emu_function(f));
    }
    close_problem(&problem);
}

int main(int argc, char **argv)
{
    read_amount(argc, argv);
    *check_tables() = TABLES;
    check_names();
    check_refusals();
    check_sizes();
    check_f64();
    check_overrides();
    if (!is_few) {
        check_wide();
        check_long();
    }
    if (!is_few && !emu_is_real()) {
        check_failures_of(BENCH_WINDOW, 3);
        check_failures_of(BENCH_WINDOW, 1100);
        check_failures_of(BENCH_MAX, 0);
        check_failures_of(BENCH_SUM, 0);
    }
    CHECK(emu_live_objects() == 0);
    printf("%lu cases, %lu not possible, %lu blocks\n", cases, refusals, emu_blocks_run());
    return check_result();
}
