/* Measures a real device against the bars: measure [LOG2_SAMPLES]
 *
 * Prints a table: what, measured, in which unit, the bar, and whether it was met. Each kernel's
 * output is compared with the sequential reference before it is timed. Times are medians of runs
 * between events on the device. A rate of windows counts 4 bytes in and 8 bytes out per sample,
 * regardless of what the kernels really move, relative to the rate of a kernel that only copies in
 * that shape. A rate of statistics, or of windows with a large hop, counts the 4 bytes in, relative
 * to the rate of a kernel that only reads.
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
#include "stats/channel.h"
#include "window/lemire.h"
}

#include "cuda/cuda_window.h"
#include "cuda/stats_kernel.h"

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

/* Each lane reads 8 bytes next to its neighbours' and writes 16. */
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
static double measure_copy(const float *in, float *out, size_t n)
{
    const size_t pairs = n / 2;
    double seconds = time_of([=] {
        LAUNCH(copy_kernel, (unsigned)((pairs + COPIED * 256 - 1) / (COPIED * 256)), 256, 0, NULL,
               (const float2 *)in, (float4 *)out, pairs);
    });
    double rate = 12.0 * (double)n / seconds;

    row("copy kernel, 4 bytes in, 8 out", rate * 1e-9, "GB/s", 0);
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

template <int QUADS> static double read_rate(const float *in, float *out, size_t n)
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
static double measure_read(const float *in, float *out, size_t n)
{
    const double rate = std::max({read_rate<1>(in, out, n), read_rate<2>(in, out, n),
                                  read_rate<4>(in, out, n), read_rate<8>(in, out, n)});

    row("read kernel, 4 bytes a sample", rate * 1e-9, "GB/s", 0);
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

struct arena {
    void *rings;
    size_t rings_bytes;
    void *middles;
    size_t middles_bytes;
    float *out;
    const float *samples; /* the same, on the host */
    size_t n;
};

/* The windows that end at every hop-th of the n samples. */
static void run_windows(const struct arena *arena, const struct cuda_plan *plan, size_t hop)
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
    must(cuda_window_run(plan, &rings, &task, arena->middles, NULL), "kernels");
}

/* The number of wrong windows among the first ones, or all, and among a few that end late. */
static unsigned long wrong_windows(const struct arena *arena, uint64_t width, size_t hop)
{
    const size_t first = std::min(arena->n, (size_t)1 << 22);
    const int late = width <= 1 << 20 ? 50 : 4;
    struct lemire *lemire = lemire_open(width, VALUE_F32, NAN_PROPAGATE);
    std::vector<float> got(2 * ((first - 1) / hop + 1));
    std::vector<float> low(first);
    std::vector<float> high(first);
    unsigned long wrong = 0;

    must(cudaDeviceSynchronize(), "kernels");
    must(cudaMemcpy(got.data(), arena->out, got.size() * sizeof(float), cudaMemcpyDeviceToHost),
         "copy");
    if (lemire == NULL)
        exit(1);
    lemire_feed(lemire, arena->samples, first, low.data(), high.data());
    lemire_close(lemire);
    for (size_t i = 0, row = 0; i < first; i += hop, row++)
        wrong += memcmp(&got[2 * row], &low[i], sizeof(float)) != 0 ||
                 memcmp(&got[2 * row + 1], &high[i], sizeof(float)) != 0;
    for (int i = 0; i < late; i++) {
        size_t row = (arena->n - 1 - (size_t)i * (arena->n / 101)) / hop;
        size_t end = row * hop;
        size_t from = end + 1 > width ? end + 1 - width : 0;
        int low_key = KEY_ABOVE;
        int high_key = KEY_BELOW;
        float pair[2];

        for (size_t j = from; j <= end; j++) {
            low_key = std::min(low_key, (int)rules_low_key(arena->samples[j], NAN_PROPAGATE));
            high_key = std::max(high_key, (int)rules_high_key(arena->samples[j], NAN_PROPAGATE));
        }
        must(cudaMemcpy(pair, arena->out + 2 * row, sizeof pair, cudaMemcpyDeviceToHost), "copy");
        wrong += pair[0] != rules_from_key(low_key) || pair[1] != rules_from_key(high_key);
    }
    return wrong;
}

/* The time of a plan, in seconds. 0: it does not fit, or the output is wrong. */
static double seconds_of(const struct arena *arena, const struct cuda_plan *plan, size_t hop)
{
    uint64_t capacity = (arena->n + CUDA_TILE_MOST - 1) / CUDA_TILE_MOST * CUDA_TILE_MOST;
    unsigned long wrong;

    if (cuda_rings_bytes(plan, 1, capacity) > arena->rings_bytes ||
        cuda_middles_bytes(plan, 1, arena->n) > arena->middles_bytes)
        return 0;
    run_windows(arena, plan, hop);
    wrong = wrong_windows(arena, plan->width, hop);
    if (wrong == 0)
        return time_of([=] { run_windows(arena, plan, hop); });
    printf("%s, w %llu, hop %zu: %lu WRONG WINDOWS\n", cuda_plan_name(plan),
           (unsigned long long)plan->width, hop, wrong);
    all_right = false;
    return 0;
}

static void measure_plan(const struct arena *arena, const struct cuda_plan *plan, double copy,
                         double bar)
{
    double seconds = seconds_of(arena, plan, 1);
    char what[80];

    snprintf(what, sizeof what, "%s, w %llu", cuda_plan_name(plan),
             (unsigned long long)plan->width);
    if (seconds > 0)
        row(what, 12.0 * (double)arena->n / seconds / copy, "x copy", bar);
}

static void measure_windows(const struct arena *arena, double copy)
{
    static const uint64_t widths[] = {2,     3,      5,      8,       9,       12,     17,    18,
                                      33,    100,    500,    512,     800,     1000,   1024,  1025,
                                      2048,  2049,   3000,   4096,    8192,    8193,   16384, 32768,
                                      65536, 100000, 135168, 1 << 20, 1 << 24, 1 << 26};
    static const uint64_t crossings[] = {17,   400,  512,  600,  800,  1024, 1025,  1536,  2048,
                                         2049, 3000, 4096, 4097, 6000, 8192, 16384, 32768, 65536};
    struct cuda_plan plan;

    for (uint64_t width : widths) {
        must(cuda_plan_make(&plan, width), "plan");
        measure_plan(arena, &plan, copy, width <= 8192 ? 0.90 : width <= 135168 ? 0.82 : 0.55);
    }
    printf("\nevery plan where another may be better\n");
    for (uint64_t width : crossings) {
        for (int kind = 0; kind < CUDA_PLANS; kind++) {
            if (!cuda_plan_force(&plan, (enum cuda_plan_kind)kind, width))
                continue;
            must(cuda_plan_fit(&plan), "plan");
            measure_plan(arena, &plan, copy, 0);
        }
    }
}

/* Few windows are written, so reading is the ceiling. */
static void measure_hops(const struct arena *arena, double read)
{
    static const uint64_t widths[] = {16, 512, 2048, 4096, 65536};
    const size_t hop = 441;
    struct cuda_plan plan;
    char what[80];

    printf("\nwindows with a hop\n");
    for (uint64_t width : widths) {
        must(cuda_plan_make(&plan, width), "plan");
        double seconds = seconds_of(arena, &plan, hop);

        snprintf(what, sizeof what, "%s, w %llu, hop %zu", cuda_plan_name(&plan),
                 (unsigned long long)width, hop);
        if (seconds > 0)
            row(what, 4.0 * (double)arena->n / seconds / read, "x read", 0);
    }
}

/* Are all statistics of the n samples on the device (`samples` on the host) right? */
static bool is_reduced(const struct stats_values *got, const float *samples, size_t n)
{
    static struct channel_stats due;
    struct tree_sums sums;

    channel_init(&due);
    channel_add(&due, cpu_kernels_pick(NULL, VALUE_F32), samples, n);
    sums = tree_total(&due.tree);
    return memcmp(&got->sum, &sums.sum, sizeof sums.sum) == 0 &&
           memcmp(&got->square, &sums.square, sizeof sums.square) == 0 && got->nans == due.nans &&
           got->low == due.low && got->high == due.high && got->magnitude == due.magnitude &&
           got->low_at == due.low_at && got->high_at == due.high_at &&
           got->magnitude_at == due.magnitude_at;
}

/* Bytes per second; 0: the result is wrong. */
static double reduce_rate(const float *device, const float *samples, size_t n)
{
    const size_t bytes = (size_t)cuda_stats_array_bytes(n);
    struct stats_values *values;
    void *memory;
    double seconds = 0;

    must(cudaMalloc(&memory, bytes), "memory");
    must(cudaMemset(memory, 0, bytes), "clear");
    must(cudaHostAlloc((void **)&values, sizeof *values, cudaHostAllocDefault), "pinned memory");
    must(cuda_stats_array(device, n, memory, values, NULL), "reduction");
    must(cudaDeviceSynchronize(), "reduction");
    if (is_reduced(values, samples, n))
        seconds =
            time_of([=] { must(cuda_stats_array(device, n, memory, values, NULL), "reduction"); });
    must(cudaFreeHost(values), "free");
    must(cudaFree(memory), "free");
    if (seconds > 0)
        return 4.0 * (double)n / seconds;
    printf("%zu samples: WRONG STATISTICS\n", n);
    all_right = false;
    return 0;
}

/* The last row's samples stay modified: each leaf has a NaN, so all of them are processed again
 * with care. */
static void measure_statistics(float *device, double read, std::vector<float> &samples)
{
    const size_t n = samples.size();
    const size_t chunk = std::min(n, (size_t)1 << 21);
    double rate;

    row("reduction, all statistics", reduce_rate(device, samples.data(), n) / read, "x read", 0.9);
    rate = reduce_rate(device, samples.data(), chunk);
    if (rate > 0)
        row("reduction of a chunk of 8 MiB", 4e6 * (double)chunk / rate, "us", 0);
    for (size_t i = 0; i < n; i += TREE_LEAF)
        samples[i + i / TREE_LEAF % TREE_LEAF] = NAN;
    must(cudaMemcpy(device, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy");
    row("reduction, a NaN in every leaf", reduce_rate(device, samples.data(), n) / read, "x read",
        0);
}

int main(int argc, char **argv)
{
    const size_t n = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 27);
    struct arena arena = {};
    struct cuda_plan plan;
    cudaDeviceProp properties;
    double from = now();
    double copy;
    double read;

    must(cudaFree(NULL), "start");
    row("start of a context", now() - from, "s", 0);
    must(cudaGetDeviceProperties(&properties, 0), "device");
    printf("%s, %d multiprocessors, compute capability %d.%d; %zu samples; medians of %d runs\n",
           properties.name, properties.multiProcessorCount, properties.major, properties.minor, n,
           RUNS);
    measure_bus();

    /* Room for the largest plans. */
    arena.n = n;
    cuda_plan_force(&plan, CUDA_PLAN_FAR_2048, 4096);
    arena.rings_bytes = cuda_rings_bytes(&plan, 1, n + CUDA_TILE_MOST);
    cuda_plan_force(&plan, CUDA_PLAN_FAR_4096, 1 << 26);
    arena.middles_bytes = cuda_middles_bytes(&plan, 1, n);
    must(cudaMalloc(&arena.rings, arena.rings_bytes), "memory");
    must(cudaMalloc(&arena.middles, arena.middles_bytes), "memory");
    must(cudaMalloc((void **)&arena.out, 2 * n * sizeof(float)), "memory");

    std::vector<float> samples(n);
    unsigned state = 1;

    for (float &sample : samples) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        sample = (float)(int)state / 2147483648.0f;
    }
    arena.samples = samples.data();
    must(cudaMemcpy(arena.rings, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice),
         "copy");
    copy = measure_copy((const float *)arena.rings, arena.out, n);
    read = measure_read((const float *)arena.rings, arena.out, n);
    measure_windows(&arena, copy);
    measure_hops(&arena, read);
    printf("\nstatistics\n");
    measure_statistics((float *)arena.rings, read, samples);
    must(cudaFree(arena.rings), "free");
    must(cudaFree(arena.middles), "free");
    must(cudaFree(arena.out), "free");
    return !all_right ? 1 : all_met ? 0 : 3;
}
