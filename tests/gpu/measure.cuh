/* SPDX-License-Identifier: MIT */
/* Shared by the measurements of measure.cu: rows of the table, times, samples of one kind, and what
 * a kernel that only reads makes of them. */
#ifndef GPUENV_TESTS_GPU_MEASURE_CUH
#define GPUENV_TESTS_GPU_MEASURE_CUH

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

static const int RUNS = 9;
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

template <class T> struct arena {
    void *rings;
    size_t rings_bytes;
    T *out;
    std::vector<T> samples; /* those in the rings, on the host */
    size_t n;
    enum value_kind value;
    const char *name;
};

template <class T> static void copy_in(const arena<T> *arena)
{
    must(cudaMemcpy(arena->rings, arena->samples.data(), arena->n * sizeof(T),
                    cudaMemcpyHostToDevice),
         "copy");
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

#endif
