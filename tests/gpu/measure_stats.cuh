/* SPDX-License-Identifier: MIT */
/* Statistics of one channel by the kernel, and of arrays by the library, checked against those of
 * the CPU before they are timed. */
#ifndef GPUENV_TESTS_GPU_MEASURE_STATS_CUH
#define GPUENV_TESTS_GPU_MEASURE_STATS_CUH

#include "measure.cuh"

#include "cuda/stats_kernel.h"
#include "lib/gpuenv_cuda.h"

/* Is the record of the first n samples right? */
template <class T>
static bool is_reduced(const struct stats_record *got, const arena<T> *arena, size_t n)
{
    static struct channel_stats channel;
    struct channel_samples of = {};
    struct stats_values values;
    struct stats_record due;

    channel_init(&channel, CHANNEL_SUMS);
    of.kernels = of.sums = cpu_kernels_pick(NULL, arena->value);
    of.numbers = arena->value;
    channel_add(&channel, &of, arena->samples.data(), n);
    values = channel_values(&channel);
    due = record_of(arena->value, &values, 0, n);
    due.size = sizeof due;
    return memcmp(got, &due, sizeof due) == 0;
}

/* Bytes per second; 0: the result is wrong. */
template <class T> static double reduce_rate(const arena<T> *arena, size_t n)
{
    struct stats_records records = {};
    struct cuda_rings rings = {};
    struct stats_record *record;
    void *memory;
    double seconds = 0;

    rings.value = arena->value;
    rings.channels = 1;
    rings.samples = arena->rings;
    rings.pitch = n;
    rings.stride = 1;
    records.distance = sizeof *record;
    records.frames = records.every = n;
    records.channels = 1;
    must(cudaMalloc(&memory, cuda_records_bytes(arena->value, &records, 1) + 1), "memory");
    must(cudaHostAlloc((void **)&record, sizeof *record, cudaHostAllocDefault), "pinned memory");
    records.record = record;
    auto reduce = [&] { must(cuda_records_run(&rings, &records, memory, NULL), "reduction"); };
    reduce();
    must(cudaDeviceSynchronize(), "reduction");
    if (is_reduced(record, arena, n))
        seconds = time_of(reduce);
    must(cudaFreeHost(record), "free");
    must(cudaFree(memory), "free");
    if (seconds > 0)
        return (double)sizeof(T) * (double)n / seconds;
    printf("%s, %zu samples: WRONG STATISTICS\n", arena->name, n);
    all_right = false;
    return 0;
}

struct survey {
    const char *name;
    uint64_t frames; /* of a row; 0: all that there are */
    uint64_t channels;
    uint64_t every;
    double bar;
};

/* Bytes per second of statistics of an array of the first `bytes` bytes; 0: a record is wrong. */
template <class T>
static double survey_rate(const arena<T> *arena, const struct survey *survey, size_t bytes)
{
    const uint64_t all = bytes / sizeof(T) / survey->channels;
    gpuenv_array array = GPUENV_INIT(gpuenv_array);
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_context *context;
    gpuenv_record *record;
    uint64_t count;
    size_t room = 0;
    void *work;
    double seconds = 0;
    bool right = gpuenv_open(NULL, &context, &error) == GPUENV_OK;

    array.data = arena->samples.data();
    array.type = sizeof(T) == 4 ? GPUENV_F32 : GPUENV_F64;
    array.channels = survey->channels;
    array.frames = survey->frames > 0 ? survey->frames : all;
    array.rows = all / array.frames;
    array.channel = sizeof(T);
    array.frame = (ptrdiff_t)(sizeof(T) * array.channels);
    array.row = array.frame * (ptrdiff_t)array.frames;
    right = right && gpuenv_records(&array, survey->every, &count, &error) == GPUENV_OK;
    std::vector<gpuenv_record> due(right ? count : 1, GPUENV_INIT(gpuenv_record));
    std::vector<gpuenv_record> got(due.size());
    right = right && gpuenv_stats(context, &array, survey->every, due.data(), &error) == GPUENV_OK;
    must(cudaMalloc((void **)&record, due.size() * sizeof *record), "records");
    array.data = arena->rings;
    auto run = [&](void *memory) {
        right = right && gpuenv_stats_cuda(context, &array, survey->every, record, sizeof *record,
                                           memory, &room, 0, NULL, &error) == GPUENV_OK;
    };
    run(NULL);
    must(cudaMalloc(&work, room), "memory");
    seconds = time_of([&] { run(work); });
    must(cudaMemcpy(got.data(), record, got.size() * sizeof got[0], cudaMemcpyDeviceToHost),
         "copy");
    right = right && memcmp(got.data(), due.data(), got.size() * sizeof got[0]) == 0;
    must(cudaFree(work), "free");
    must(cudaFree(record), "free");
    gpuenv_close(context);
    if (right)
        return (double)(array.rows * array.frames * array.channels * sizeof(T)) / seconds;
    printf("%s, %s: WRONG RECORDS %s %s\n", arena->name, survey->name, error.subject, error.text);
    all_right = false;
    return 0;
}

/* A call of the library, from its checks to the records, against a read of the same bytes. */
template <class T> static void measure_surveys(const arena<T> *arena, size_t bytes)
{
    const struct survey surveys[] = {
        {"one row", 0, 1, 0, 1 / 1.15},     {"blocks of 65,536", 0, 1, 65536, 0},
        {"rows of 16,384", 16384, 1, 0, 0}, {"rows of 1,000", 1000, 1, 0, 0},
        {"blocks of 100", 0, 1, 100, 0},    {"2 channels", 0, 2, 0, 0},
        {"4 channels", 0, 4, 0, 0},         {"16 channels", 0, 16, 0, 0},
    };
    const double read = best_read(arena->rings, arena->out, bytes / sizeof(float));
    char what[80];

    for (const struct survey &survey : surveys) {
        const double rate = survey_rate(arena, &survey, bytes);

        snprintf(what, sizeof what, "%s, array, %zu MiB, %s", arena->name, bytes >> 20,
                 survey.name);
        if (rate > 0)
            row(what, rate / read, "x read", bytes == arena->n * sizeof(T) ? survey.bar : 0);
    }
}

/* The last row's samples stay modified: each leaf has a NaN, so all of them are processed again
 * with care. */
template <class T> static void measure_statistics(arena<T> *arena, double read)
{
    const size_t n = arena->n;
    const size_t chunk = std::min(n, ((size_t)8 << 20) / sizeof(T));
    char what[80];
    double rate;

    snprintf(what, sizeof what, "%s, reduction, all statistics", arena->name);
    row(what, reduce_rate(arena, n) / read, "x read", 0.9);
    rate = reduce_rate(arena, chunk);
    snprintf(what, sizeof what, "%s, reduction of a chunk of 8 MiB", arena->name);
    if (rate > 0)
        row(what, 1e6 * (double)(chunk * sizeof(T)) / rate, "us", 0);
    measure_surveys(arena, n * sizeof(T) / 4);
    measure_surveys(arena, n * sizeof(T));
    for (size_t i = 0; i < n; i += TREE_LEAF)
        arena->samples[i + i / TREE_LEAF % TREE_LEAF] = (T)NAN;
    copy_in(arena);
    snprintf(what, sizeof what, "%s, reduction, a NaN in every leaf", arena->name);
    row(what, reduce_rate(arena, n) / read, "x read", 0);
}

#endif
