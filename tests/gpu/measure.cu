/* SPDX-License-Identifier: MIT */
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
#include "measure_stats.cuh"
#include "measure_windows.cuh"

static const int COPIED = 4; /* pairs per lane */

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
    arena.value = sizeof(T) == sizeof(float) ? VALUE_F32 : VALUE_F64;
    arena.n = bytes / sizeof(T);
    /* Room for the largest plans. */
    if (!cuda_plan_force(&plan, CUDA_PLAN_FAR_2048, arena.value, 4096))
        cuda_plan_force(&plan, CUDA_PLAN_FAR_4096, arena.value, 1 << 26);
    arena.rings_bytes = cuda_rings_bytes(&plan, 1, arena.n + CUDA_TILE_MOST);
    must(cudaMalloc(&arena.rings, arena.rings_bytes), "memory");
    must(cudaMalloc((void **)&arena.out, 2 * bytes), "memory");
    make_samples(&arena, arena.n);
    copy_in(&arena);
    printf("\n%s\n", name);
    copy = measure_copy(arena.rings, arena.out, bytes / sizeof(float));
    read = best_read(arena.rings, arena.out, bytes / sizeof(float));
    row("read kernel", read * 1e-9, "GB/s", 0);
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
