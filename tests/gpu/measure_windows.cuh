/* SPDX-License-Identifier: MIT */
/* Windows of every plan, checked against Lemire's algorithm and the definition before they are
 * timed. */
#ifndef GPUENV_TESTS_GPU_MEASURE_WINDOWS_CUH
#define GPUENV_TESTS_GPU_MEASURE_WINDOWS_CUH

#include "measure.cuh"

#include "cuda/cuda_window.h"

template <class T> static int64_t low_key(T sample)
{
    if constexpr (sizeof sample == sizeof(float))
        return rules_low_key(sample, NAN_PROPAGATE);
    else
        return rules_low_key64(sample, NAN_PROPAGATE);
}

template <class T> static int64_t high_key(T sample)
{
    if constexpr (sizeof sample == sizeof(float))
        return rules_high_key(sample, NAN_PROPAGATE);
    else
        return rules_high_key64(sample, NAN_PROPAGATE);
}

/* The windows that end at every hop-th of the n samples. */
template <class T>
static void run_windows(const arena<T> *arena, const struct cuda_plan *plan, size_t hop)
{
    uint64_t capacity = (arena->n + CUDA_TILE_MOST - 1) / CUDA_TILE_MOST * CUDA_TILE_MOST;
    struct cuda_rings rings;
    struct cuda_task task;

    memset(&task, 0, sizeof task);
    task.count = arena->n;
    task.known_to = arena->n;
    task.hop = hop;
    task.whole_to = UINT64_MAX;
    task.nan = NAN_PROPAGATE;
    task.emits.count = 2;
    task.emits.item[0] = EMIT_MIN;
    task.emits.item[1] = EMIT_MAX;
    task.out = arena->out;
    cuda_rings_lay(&rings, plan, 1, capacity, 0, arena->rings);
    must(cuda_window_run(plan, &rings, &task, NULL), "kernels");
}

/* The number of wrong windows among the first ones, or all, and among a few that end late. */
template <class T>
static unsigned long wrong_windows(const arena<T> *arena, uint64_t width, size_t hop)
{
    const size_t first = std::min(arena->n, ((size_t)1 << 24) / sizeof(T));
    const int late = width <= 1 << 20 ? 50 : 4;
    struct lemire *lemire = lemire_open(width, arena->value, NAN_PROPAGATE);
    std::vector<T> got(2 * ((first - 1) / hop + 1));
    std::vector<T> low(first);
    std::vector<T> high(first);
    unsigned long wrong = 0;

    must(cudaDeviceSynchronize(), "kernels");
    must(cudaMemcpy(got.data(), arena->out, got.size() * sizeof(T), cudaMemcpyDeviceToHost),
         "copy");
    if (lemire == NULL)
        exit(1);
    lemire_feed(lemire, arena->samples.data(), first, low.data(), high.data());
    lemire_close(lemire);
    for (size_t i = 0, row = 0; i < first; i += hop, row++)
        wrong += memcmp(&got[2 * row], &low[i], sizeof(T)) != 0 ||
                 memcmp(&got[2 * row + 1], &high[i], sizeof(T)) != 0;
    for (int i = 0; i < late; i++) {
        size_t row = (arena->n - 1 - (size_t)i * (arena->n / 101)) / hop;
        size_t end = row * hop;
        size_t from = end + 1 > width ? end + 1 - width : 0;
        int64_t low = INT64_MAX;
        int64_t high = INT64_MIN;
        T pair[2];

        for (size_t j = from; j <= end; j++) {
            low = std::min(low, low_key(arena->samples[j]));
            high = std::max(high, high_key(arena->samples[j]));
        }
        must(cudaMemcpy(pair, arena->out + 2 * row, sizeof pair, cudaMemcpyDeviceToHost), "copy");
        wrong += low_key(pair[0]) != low || high_key(pair[1]) != high;
    }
    return wrong;
}

/* The time of a plan, in seconds. 0: it does not fit, or the output is wrong. */
template <class T>
static double seconds_of(const arena<T> *arena, const struct cuda_plan *plan, size_t hop)
{
    uint64_t capacity = (arena->n + CUDA_TILE_MOST - 1) / CUDA_TILE_MOST * CUDA_TILE_MOST;
    unsigned long wrong;

    if (cuda_rings_bytes(plan, 1, capacity) > arena->rings_bytes)
        return 0;
    run_windows(arena, plan, hop);
    wrong = wrong_windows(arena, plan->width, hop);
    if (wrong == 0)
        return time_of([=] { run_windows(arena, plan, hop); });
    printf("%s, %s, w %llu, hop %zu: %lu WRONG WINDOWS\n", arena->name, cuda_plan_name(plan),
           (unsigned long long)plan->width, hop, wrong);
    all_right = false;
    return 0;
}

template <class T>
static void measure_plan(const arena<T> *arena, const struct cuda_plan *plan, double copy,
                         double bar)
{
    double seconds = seconds_of(arena, plan, 1);
    char what[80];

    snprintf(what, sizeof what, "%s, %s, w %llu", arena->name, cuda_plan_name(plan),
             (unsigned long long)plan->width);
    if (seconds > 0)
        row(what, 3.0 * sizeof(T) * (double)arena->n / seconds / copy, "x copy", bar);
}

static double bar_of(enum value_kind value, uint64_t width)
{
    if (value == VALUE_F32)
        return width <= 8192 ? 0.90 : width <= 135168 ? 0.82 : 0.55;
    return width <= 2048 ? 0.88 : width <= 65536 ? 0.75 : 0;
}

/* Widths of float32; of float64 those of half the bytes. */
template <class T> static void measure_windows(const arena<T> *arena, double copy)
{
    static const std::vector<uint64_t> narrow_widths = {
        2,     3,     5,     8,      9,      12,      17,      18,      33,     100,  500,
        512,   800,   1000,  1024,   1025,   2048,    2049,    3000,    4096,   8192, 8193,
        16384, 32768, 65536, 100000, 135168, 1 << 18, 1 << 20, 1 << 23, 1 << 26};
    static const std::vector<uint64_t> wide_widths = {
        2,     3,     4,     5,     8,     9,     10,      17,      50,      100,    256,  400,
        500,   512,   550,   551,   1000,  1024,  1025,    1400,    2048,    2049,   4096, 8192,
        16384, 32768, 32769, 50000, 65536, 67584, 1 << 18, 1 << 20, 1 << 23, 1 << 26};
    static const std::vector<uint64_t> narrow_crossings = {17,   400,  512,  600,   800,   1024,
                                                           1025, 1536, 2048, 2049,  3000,  4096,
                                                           4097, 6000, 8192, 16384, 32768, 65536};
    static const std::vector<uint64_t> wide_crossings = {
        8,    9,    10,   200,  300,  400,  500,  600,  700,  800,   900,  1024,
        1025, 1300, 1536, 1800, 2048, 2049, 3000, 4096, 8192, 16384, 32768};
    const bool wide = arena->value == VALUE_F64;
    struct cuda_plan plan;

    for (uint64_t width : wide ? wide_widths : narrow_widths) {
        must(cuda_plan_make(&plan, arena->value, width), "plan");
        measure_plan(arena, &plan, copy, bar_of(arena->value, width));
    }
    printf("\nevery plan where another may be better\n");
    for (uint64_t width : wide ? wide_crossings : narrow_crossings) {
        for (int kind = 0; kind < CUDA_PLANS; kind++) {
            if (!cuda_plan_force(&plan, (enum cuda_plan_kind)kind, arena->value, width))
                continue;
            must(cuda_plan_fit(&plan), "plan");
            measure_plan(arena, &plan, copy, 0);
        }
    }
}

/* Few windows are written, so reading is the ceiling. */
template <class T> static void measure_hops(const arena<T> *arena, double read)
{
    static const uint64_t widths[] = {16, 512, 2048, 4096, 65536};
    const size_t hop = 441;
    struct cuda_plan plan;
    char what[80];

    printf("\nwindows with a hop\n");
    for (uint64_t width : widths) {
        must(cuda_plan_make(&plan, arena->value, width), "plan");
        double seconds = seconds_of(arena, &plan, hop);

        snprintf(what, sizeof what, "%s, %s, w %llu, hop %zu", arena->name, cuda_plan_name(&plan),
                 (unsigned long long)width, hop);
        if (seconds > 0)
            row(what, (double)sizeof(T) * (double)arena->n / seconds / read, "x read", 0);
    }
}

#endif
