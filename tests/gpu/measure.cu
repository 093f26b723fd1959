/* Measures a real device against the bars: measure [LOG2_SAMPLES]
 *
 * Prints a table: what, measured, in which unit, the bar, and whether it was met. Each kernel's
 * output is compared with the sequential reference before it is timed. Times are medians of runs
 * between events on the device. A rate of windows counts a value in and two values out per sample,
 * regardless of what the kernels really move, relative to the rate of a kernel that only copies in
 * that shape. A rate of statistics, or of windows with a large hop, counts the value in, relative
 * to the rate of a kernel that only reads. All is measured for float32, then for half as many
 * float64.
 *
 * Exit status 0: everything is right and all bars are met; 3: a bar is missed; 1: something is
 * wrong. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda/launch.cuh"

extern "C" {
#include "cpu/channel.h"
#include "window/lemire.h"
}

#include "cuda/cuda_window.h"
#include "cuda/stats_kernel.h"
#include "lib/gpuenv.h"

static const int RUNS = 9;
static const int COPIED = 4; /* pairs per lane */
static bool all_met = true;
static bool all_right = true;

static void must(cudaError_t result, const char *what)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
        exit(1);
    }
}

static void row(const char *what, double value, const char *unit, double bar)
{
    bool met = value >= bar;

    if (bar > 0)
        printf("%-44s %10.3f %-8s %6.2f  %s\n", what, value, unit, bar, met ? "met" : "MISSED");
    else
        printf("%-44s %10.3f %-8s\n", what, value, unit);
    all_met = all_met && (bar <= 0 || met);
    fflush(stdout);
}

static double now(void)
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/* The median time of `run`, in seconds. */
template <typename Run> static double time_of(Run run)
{
    cudaEvent_t from;
    cudaEvent_t to;
    std::vector<float> times;

    must(cudaEventCreate(&from), "event");
    must(cudaEventCreate(&to), "event");
    run();
    run();
    for (int i = 0; i < RUNS; i++) {
        float milliseconds;

        must(cudaEventRecord(from, NULL), "event");
        run();
        must(cudaEventRecord(to, NULL), "event");
        must(cudaEventSynchronize(to), "run");
        must(cudaEventElapsedTime(&milliseconds, from, to), "event");
        times.push_back(milliseconds);
    }
    must(cudaEventDestroy(from), "event");
    must(cudaEventDestroy(to), "event");
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] * 1e-3;
}

/* Each lane reads 8 bytes next to its neighbours' and writes 16: two float32, or one float64. */
static __global__ void copy_kernel(const float2 *in, float4 *out, size_t pairs)
{
    const size_t i = (size_t)blockIdx.x * COPIED * blockDim.x + threadIdx.x;
    float2 pair[COPIED];

#pragma unroll
    for (int k = 0; k < COPIED; k++) {
        if (i + k * blockDim.x < pairs)
            pair[k] = in[i + k * blockDim.x];
    }
#pragma unroll
    for (int k = 0; k < COPIED; k++) {
        if (i + k * blockDim.x < pairs)
            __stcs(out + i + k * blockDim.x,
                   make_float4(pair[k].x, pair[k].x, pair[k].y, pair[k].y));
    }
}

/* Bytes per second of the copy, which all windows are compared with. */
static double measure_copy(const void *in, void *out, size_t n)
{
    const size_t pairs = n / 2;
    double seconds = time_of([=] {
        LAUNCH(copy_kernel, (unsigned)((pairs + COPIED * 256 - 1) / (COPIED * 256)), 256, 0, NULL,
               (const float2 *)in, (float4 *)out, pairs);
    });
    double rate = 12.0 * (double)n / seconds;

    row("copy kernel, a value in, two out", rate * 1e-9, "GB/s", 0);
    return rate;
}

/* QUADS loads per thread in flight at once. The result is never written, but nvcc does not know
 * that. */
template <int QUADS> static __global__ void read_kernel(const int4 *in, int *out)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x * QUADS + threadIdx.x;
    int4 quads[QUADS];
    int all = 0;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = in[first + (size_t)i * blockDim.x];
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        all |= quads[i].x | quads[i].y | quads[i].z | quads[i].w;
    if (all == 0x12345678)
        *out = all;
}

template <int QUADS> static double read_rate(const void *in, void *out, size_t n)
{
    const unsigned threads = 256;
    const size_t blocks = n / 4 / QUADS / threads;
    const double seconds = time_of([=] {
        LAUNCH((read_kernel<QUADS>), (unsigned)blocks, threads, 0, NULL, (const int4 *)in,
               (int *)out);
    });

    return (double)(blocks * threads * QUADS * sizeof(int4)) / seconds;
}

/* Bytes per second of the fastest read, which the statistics are compared with. */
static double best_read(const void *in, void *out, size_t n)
{
    return std::max({read_rate<1>(in, out, n), read_rate<2>(in, out, n), read_rate<4>(in, out, n),
                     read_rate<8>(in, out, n)});
}

static double measure_read(const void *in, void *out, size_t n)
{
    const double rate = best_read(in, out, n);

    row("read kernel", rate * 1e-9, "GB/s", 0);
    return rate;
}

static void measure_bus(void)
{
    const size_t bytes = (size_t)256 << 20;
    void *host[2];
    void *device[2];
    cudaStream_t streams[2];
    double in;
    double out;

    for (int i = 0; i < 2; i++) {
        must(cudaHostAlloc(&host[i], bytes, cudaHostAllocDefault), "pinned memory");
        must(cudaMalloc(&device[i], bytes), "memory");
        must(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), "stream");
        memset(host[i], 1, bytes);
    }
    in = (double)bytes / time_of([=] {
             must(cudaMemcpyAsync(device[0], host[0], bytes, cudaMemcpyHostToDevice, NULL), "copy");
         });
    out =
        (double)bytes / time_of([=] {
            must(cudaMemcpyAsync(host[1], device[1], bytes, cudaMemcpyDeviceToHost, NULL), "copy");
        });
    row("bus, pinned, to the device", in * 1e-9, "GB/s", 0);
    row("bus, pinned, from the device", out * 1e-9, "GB/s", 0);

    double from = now();
    for (int i = 0; i < RUNS; i++) {
        must(cudaMemcpyAsync(device[0], host[0], bytes, cudaMemcpyHostToDevice, streams[0]),
             "copy");
        must(cudaMemcpyAsync(host[1], device[1], bytes, cudaMemcpyDeviceToHost, streams[1]),
             "copy");
    }
    must(cudaDeviceSynchronize(), "copy");
    row("bus, pinned, both ways at once, sum", 2.0 * RUNS * (double)bytes / (now() - from) * 1e-9,
        "GB/s", 0);
    for (int i = 0; i < 2; i++) {
        must(cudaFreeHost(host[i]), "free");
        must(cudaFree(device[i]), "free");
        must(cudaStreamDestroy(streams[i]), "stream");
    }
}

/* ---- one kind of values */

static enum value_kind value_kind_of(float)
{
    return VALUE_F32;
}

static enum value_kind value_kind_of(double)
{
    return VALUE_F64;
}

static int64_t low_key(float sample)
{
    return rules_low_key(sample, NAN_PROPAGATE);
}

static int64_t low_key(double sample)
{
    return rules_low_key64(sample, NAN_PROPAGATE);
}

static int64_t high_key(float sample)
{
    return rules_high_key(sample, NAN_PROPAGATE);
}

static int64_t high_key(double sample)
{
    return rules_high_key64(sample, NAN_PROPAGATE);
}

template <class T> struct arena {
    void *rings;
    size_t rings_bytes;
    T *out;
    std::vector<T> samples; /* those in the rings, on the host */
    size_t n;
    enum value_kind value;
    const char *name;
};

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
    static const uint64_t widths[] = {
        2,     3,     5,     8,      9,      12,      17,      18,      33,     100,  500,
        512,   800,   1000,  1024,   1025,   2048,    2049,    3000,    4096,   8192, 8193,
        16384, 32768, 65536, 100000, 135168, 1 << 18, 1 << 20, 1 << 23, 1 << 26};
    static const uint64_t wide_widths[] = {
        2,     3,     4,     5,     8,     9,     10,      17,      50,      100,    256,  400,
        500,   512,   550,   551,   1000,  1024,  1025,    1400,    2048,    2049,   4096, 8192,
        16384, 32768, 32769, 50000, 65536, 67584, 1 << 18, 1 << 20, 1 << 23, 1 << 26};
    static const uint64_t crossings[] = {17,   400,  512,  600,  800,  1024, 1025,  1536,  2048,
                                         2049, 3000, 4096, 4097, 6000, 8192, 16384, 32768, 65536};
    static const uint64_t wide_crossings[] = {8,    9,    10,   200,  300,  400,   500,  600,
                                              700,  800,  900,  1024, 1025, 1300,  1536, 1800,
                                              2048, 2049, 3000, 4096, 8192, 16384, 32768};
    const bool wide = arena->value == VALUE_F64;
    const std::vector<uint64_t> all =
        wide ? std::vector<uint64_t>(std::begin(wide_widths), std::end(wide_widths))
             : std::vector<uint64_t>(std::begin(widths), std::end(widths));
    const std::vector<uint64_t> borders =
        wide ? std::vector<uint64_t>(std::begin(wide_crossings), std::end(wide_crossings))
             : std::vector<uint64_t>(std::begin(crossings), std::end(crossings));
    struct cuda_plan plan;

    for (uint64_t width : all) {
        must(cuda_plan_make(&plan, arena->value, width), "plan");
        measure_plan(arena, &plan, copy, bar_of(arena->value, width));
    }
    printf("\nevery plan where another may be better\n");
    for (uint64_t width : borders) {
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

/* Are all statistics of the first n samples right? */
template <class T>
static bool is_reduced(const struct stats_values *got, const arena<T> *arena, size_t n)
{
    static struct channel_stats channel;
    struct channel_samples of = {};
    struct stats_values due;

    channel_init(&channel);
    of.kernels = of.sums = cpu_kernels_pick(NULL, arena->value);
    of.numbers = arena->value;
    channel_add(&channel, &of, arena->samples.data(), n);
    due = channel_values(&channel);
    return memcmp(&got->sum, &due.sum, sizeof due.sum) == 0 &&
           memcmp(&got->square, &due.square, sizeof due.square) == 0 && got->nans == due.nans &&
           got->low == due.low && got->high == due.high && got->magnitude == due.magnitude &&
           got->low_at == due.low_at && got->high_at == due.high_at &&
           got->magnitude_at == due.magnitude_at;
}

/* Bytes per second; 0: the result is wrong. */
template <class T> static double reduce_rate(const arena<T> *arena, size_t n)
{
    const uint64_t leaves = (n + TREE_LEAF - 1) / TREE_LEAF;
    const unsigned of_share = cuda_share_leaves(leaves);
    std::vector<struct cuda_share> shares((leaves + of_share - 1) / of_share);
    struct full_scale unknown = {};
    struct cuda_parts_plan plan = {};
    struct cuda_stats_memory stats;
    struct cuda_rings rings = {};
    struct stats_values *values;
    void *memory;
    double seconds = 0;

    plan.value = rings.value = arena->value;
    plan.channels = rings.channels = 1;
    plan.parts = 1;
    plan.shares = cuda_shares_cut(shares.data(), of_share, 0, 0, n);
    rings.samples = arena->rings;
    rings.capacity = n;
    must(cudaMalloc(&memory, cuda_stats_memory_bytes(&plan)), "memory");
    must(cudaHostAlloc((void **)&values, sizeof *values, cudaHostAllocDefault), "pinned memory");
    must(cuda_stats_memory_lay(&stats, &plan, memory, NULL), "memory");
    must(cudaMemcpy(stats.shares, shares.data(), shares.size() * sizeof shares[0],
                    cudaMemcpyHostToDevice),
         "shares");
    stats.values = values;
    auto reduce = [&] {
        must(cuda_stats_run(&rings, &stats, unknown, plan.shares, of_share, NULL), "reduction");
    };
    reduce();
    must(cudaDeviceSynchronize(), "reduction");
    if (is_reduced(values, arena, n))
        seconds = time_of(reduce);
    must(cudaFreeHost(values), "free");
    must(cudaFree(memory), "free");
    if (seconds > 0)
        return (double)sizeof(T) * (double)n / seconds;
    printf("%s, %zu samples: WRONG STATISTICS\n", arena->name, n);
    all_right = false;
    return 0;
}

template <class T> static void copy_in(const arena<T> *arena)
{
    must(cudaMemcpy(arena->rings, arena->samples.data(), arena->n * sizeof(T),
                    cudaMemcpyHostToDevice),
         "copy");
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

/* Samples whose bits are all random, but for the last ones of a double. */
template <class T> static void make_samples(arena<T> *arena, size_t n)
{
    uint64_t state = 1;

    arena->samples.resize(n);
    for (T &sample : arena->samples) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sample = (T)((double)(int64_t)state / 9223372036854775808.0);
    }
}

/* Everything about values of one kind, in `bytes` bytes of samples. */
template <class T> static void measure_kind(const char *name, size_t bytes)
{
    arena<T> arena = {};
    struct cuda_plan plan;
    double copy;
    double read;

    arena.name = name;
    arena.value = value_kind_of(T());
    arena.n = bytes / sizeof(T);
    /* Room for the largest plans. */
    if (!cuda_plan_force(&plan, CUDA_PLAN_FAR_1024, arena.value, 4096))
        cuda_plan_force(&plan, CUDA_PLAN_FAR_2048, arena.value, 4096);
    arena.rings_bytes = cuda_rings_bytes(&plan, 1, arena.n + CUDA_TILE_MOST);
    must(cudaMalloc(&arena.rings, arena.rings_bytes), "memory");
    must(cudaMalloc((void **)&arena.out, 2 * bytes), "memory");
    make_samples(&arena, arena.n);
    copy_in(&arena);
    printf("\n%s\n", name);
    copy = measure_copy(arena.rings, arena.out, bytes / sizeof(float));
    read = measure_read(arena.rings, arena.out, bytes / sizeof(float));
    measure_windows(&arena, copy);
    measure_hops(&arena, read);
    printf("\nstatistics\n");
    measure_statistics(&arena, read);
    must(cudaFree(arena.rings), "free");
    must(cudaFree(arena.out), "free");
}

int main(int argc, char **argv)
{
    const size_t bytes = (size_t)4 << (argc > 1 ? atoi(argv[1]) : 27);
    cudaDeviceProp properties;
    double from = now();

    must(cudaFree(NULL), "start");
    row("start of a context", now() - from, "s", 0);
    must(cudaGetDeviceProperties(&properties, 0), "device");
    printf("%s, %d multiprocessors, compute capability %d.%d; %zu bytes of samples; medians of %d "
           "runs\n",
           properties.name, properties.multiProcessorCount, properties.major, properties.minor,
           bytes, RUNS);
    measure_bus();
    measure_kind<float>("f32", bytes);
    measure_kind<double>("f64", bytes);
    return !all_right ? 1 : all_met ? 0 : 3;
}
