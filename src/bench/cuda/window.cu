/* SPDX-License-Identifier: MIT */
/* The running minimum and maximum: the strategies of a published report, each with the report's
 * placement of the samples, and one more that its authors tried and could not run.
 *
 * Changed for all: sizes have 64 bits; the memory is allocated, or registered, once and not for
 * every run; the number of threads per block can be chosen. */
#include "cuda/launch.cuh"

#include <cooperative_groups.h>

#include "bench/cuda/flavour_state.h"

#ifndef FLAVOURS_WITHOUT_THRUST /* the emulated device has no Thrust */
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system_error.h>
#endif

typedef void window_kernel(const float *samples, float *minima, float *maxima, uint64_t count,
                           uint64_t width);

/* The parts of one flavour. */
struct window_method {
    flavour_work *launch;
    enum flavour_road road;
    unsigned threads;             /* threads per block, as published */
    unsigned spare = 0;           /* floats of memory per sample, besides samples and windows */
    window_kernel *kernel = NULL; /* the kernel that launch_kernel() launches */
    unsigned cache = 0;           /* floats of the kernel's shared memory per thread */
    bool overlaps = false;        /* blocks give threads - width + 1 windows, not one per thread */
};

static unsigned threads_of(const struct bench_flavour *flavour, const struct bench_task *task)
{
    return flavour_threads(task, ((const struct window_method *)flavour->method)->threads);
}

/* One launch of the method's kernel. */
static cudaError_t launch_kernel(struct flavour_state *state)
{
    const struct window_method *method = (const struct window_method *)state->flavour->method;
    const struct bench_task *task = state->task;
    const unsigned threads = threads_of(state->flavour, task);
    const uint64_t given = method->overlaps ? threads - task->width + 1 : threads;
    float *minima = (float *)state->out;

    LAUNCH(method->kernel, flavour_grid(state->windows, given), threads,
           threads * method->cache * sizeof(float), NULL, state->in, minima,
           minima + state->windows, (uint64_t)task->count, task->width);
    return cudaGetLastError();
}

/* ---- "CUDA Malloc" and "CUDA Page-Locked": one thread per window, in blocks of 1024, which reads
 * every sample of it. The first copies in and out; the second reads and writes the host's
 * page-locked memory. */

/* A window of `width` samples, one by one. */
template <typename Width>
static __device__ __forceinline__ void look_at(const float *samples, Width width, float *minimum,
                                               float *maximum)
{
    float low = samples[0];
    float high = low;

    for (Width i = 1; i < width; i++) {
        float sample = samples[i];

        low = sample < low ? sample : low;
        high = sample > high ? sample : high;
    }
    *minimum = low;
    *maximum = high;
}

static __global__ void scan_kernel(const float *samples, float *minima, float *maxima,
                                   uint64_t count, uint64_t width)
{
    uint64_t window = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (window + width <= count)
        look_at(samples + window, width, &minima[window], &maxima[window]);
}

static const struct window_method plain = {launch_kernel, FLAVOUR_COPIED, 1024, 0, scan_kernel};
static const struct window_method pagelocked = {launch_kernel, FLAVOUR_PAGE_LOCKED, 1024, 0,
                                                scan_kernel};

/* ---- "CUDA Page-Locked Shared": one thread per window. A block loads the samples of its windows
 * from the host's page-locked memory into shared memory, each once, one or two per thread; then its
 * threads read every sample of their windows there. So a window can have at most as many samples as
 * a block has threads. Changed: two samples of shared memory per thread, not a fixed size. */

static __global__ void shared_kernel(const float *samples, float *minima, float *maxima,
                                     uint64_t count, uint64_t width)
{
    SHARED_DYNAMIC(float, cache);
    uint64_t window = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (window < count)
        cache[threadIdx.x] = samples[window];
    if (threadIdx.x + 1 < width && window + blockDim.x < count)
        cache[blockDim.x + threadIdx.x] = samples[window + blockDim.x];
    __syncthreads();
    if (window + width <= count)
        look_at(cache + threadIdx.x, (unsigned)width, &minima[window], &maxima[window]);
}

static const struct window_method shared = {
    launch_kernel, FLAVOUR_PAGE_LOCKED, 1024, 0, shared_kernel, 2};

/* ---- The second strategy, doubling: minima and maxima of 2, 4, 8, ... samples starting at each
 * sample, up to the largest power of two in the window; each thread then reads the rest of the
 * window one by one. A step reads one pair of rows and writes another, because a thread's neighbour
 * must still find the old values; the published one overwrites what it reads. */

enum { STEPS_SPARE = 4 }; /* two pairs of rows */

struct steps_rows {
    float *low;
    float *high;
};

/* One step: joins each element with those at a distance from `first` to `last` behind it. It reads
 * the samples at first; then it reads and writes pairs of rows in spare memory, alternately. */
struct steps_join {
    struct steps_rows from;
    struct steps_rows to;
    uint64_t count;
    uint64_t first;
    uint64_t last;

    __device__ __forceinline__ void operator()(uint64_t k) const
    {
        float low = from.low[k];
        float high = from.high[k];

        for (uint64_t i = first; i <= last && k + i < count; i++) {
            low = fminf(low, from.low[k + i]);
            high = fmaxf(high, from.high[k + i]);
        }
        to.low[k] = low;
        to.high[k] = high;
    }

    /* Sets the next step: elements of twice as many samples. Returns false if a window has
     * fewer. */
    __host__ __device__ __forceinline__ bool doubles(float *spare, unsigned step, uint64_t width)
    {
        first = last = (uint64_t)1 << step;
        if (step > 0)
            from = to;
        to.low = spare + step % 2 * 2 * count;
        to.high = to.low + count;
        return 2 * first <= width;
    }

    /* Sets the step that joins what windows have beyond the elements of the last step. */
    __host__ __device__ __forceinline__ void ends(float *minima, float *maxima, uint64_t width)
    {
        last = width - first;
        first = 1;
        to.low = minima;
        to.high = maxima;
    }
};

#ifndef FLAVOURS_WITHOUT_THRUST

/* thrust::for_each over the numbers 0 .. count-1. */
template <typename Function> static cudaError_t for_each(uint64_t count, const Function &function)
{
    try {
        thrust::for_each(thrust::device, thrust::counting_iterator<uint64_t>(0),
                         thrust::counting_iterator<uint64_t>(count), function);
    } catch (const thrust::system_error &failure) {
        return failure.code().category() == thrust::cuda_category()
                   ? (cudaError_t)failure.code().value()
                   : cudaErrorUnknown;
    } catch (...) {
        return cudaErrorUnknown;
    }
    return cudaSuccess;
}

/* ---- "Thrust Naive": thrust::for_each over the windows, with a function that reads every sample
 * of its window; plain copies in and out. Thrust chooses threads and blocks. */

struct look_at_window {
    const float *samples;
    float *minima;
    float *maxima;
    uint64_t width;

    __device__ void operator()(uint64_t window) const
    {
        look_at(samples + window, width, &minima[window], &maxima[window]);
    }
};

static cudaError_t launch_thrust_naive(struct flavour_state *state)
{
    float *minima = (float *)state->out;
    const struct look_at_window look = {state->in, minima, minima + state->windows,
                                        state->task->width};

    return for_each(state->windows, look);
}

static const struct window_method thrust_naive = {launch_thrust_naive, FLAVOUR_COPIED, 0};

/* ---- "Thrust": doubling, each step a thrust::for_each, so that every step is a kernel and the
 * order of kernels is the barrier; plain copies in and out. */

static cudaError_t launch_thrust(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    float *minima = (float *)state->out;
    struct steps_join join = {{state->in, state->in}, {}, task->count, 1, 1};
    cudaError_t result = cudaSuccess;

    for (unsigned step = 0; join.doubles((float *)state->spare, step, task->width); step++)
        THEN(result, for_each(task->count, join));
    join.ends(minima, minima + state->windows, task->width);
    return THEN(result, for_each(state->windows, join));
}

static const struct window_method thrust_doubling = {launch_thrust, FLAVOUR_COPIED, 0, STEPS_SPARE};

#endif

/* ---- Grid-wide synchronisation by cooperative groups, which the report's authors tried, and could
 * not run: doubling in one launch, with a barrier of the whole grid after each step. There is no
 * published kernel. There are at most as many blocks as the device holds at once, and each thread
 * has several samples. */

static __global__ void cooperative_kernel(float *samples, float *minima, float *maxima,
                                          float *spare, uint64_t count, uint64_t width)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    struct steps_join join = {{samples, samples}, {}, count, 1, 1};

    for (unsigned step = 0; join.doubles(spare, step, width); step++) {
        for (uint64_t k = first; k < count; k += stride)
            join(k);
        grid.sync();
    }
    join.ends(minima, maxima, width);
    for (uint64_t k = first; k + width <= count; k += stride)
        join(k);
}

/* How many blocks the device can hold at once. */
static cudaError_t count_resident(const struct bench_task *task, unsigned threads,
                                  unsigned *resident)
{
    int multiprocessors = 0;
    int on_each = 0;
    cudaError_t result = cudaSetDevice((int)task->device);

    THEN(result, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                        (int)task->device));
    THEN(result, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, cooperative_kernel,
                                                               (int)threads, 0));
    *resident = (unsigned)multiprocessors * (unsigned)on_each;
    return result;
}

static const char *cannot_cooperate(const struct bench_flavour *flavour,
                                    const struct bench_task *task)
{
    const char *why = flavour_cannot_free(flavour, task);
    int possible = 0;
    unsigned resident;

    if (why != NULL)
        return why;
    /* If the query fails, open() reports the reason. */
    if (cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, (int)task->device) !=
            cudaSuccess ||
        count_resident(task, threads_of(flavour, task), &resident) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    if (possible == 0)
        return "this device has no cooperative launch";
    return task->blocks > resident ? "more blocks than are on the device at once" : NULL;
}

static cudaError_t launch_cooperative(struct flavour_state *state)
{
    const struct bench_task *task = state->task;
    unsigned threads = threads_of(state->flavour, task);
    float *minima = (float *)state->out;
    float *maxima = minima + state->windows;
    float *spare = (float *)state->spare;
    uint64_t count = task->count;
    uint64_t width = task->width;
    void *arguments[] = {&state->in, &minima, &maxima, &spare, &count, &width};
    unsigned resident;
    unsigned blocks;
    cudaError_t result = count_resident(task, threads, &resident);

    if (result != cudaSuccess)
        return result;
    blocks = flavour_blocks(task, resident);
    if (count / threads < blocks)
        blocks = flavour_grid(count, threads);
    return cudaLaunchCooperativeKernel(cooperative_kernel, dim3(blocks), dim3(threads), arguments,
                                       0, NULL);
}

static const struct window_method cooperative = {launch_cooperative, FLAVOUR_COPIED, 256,
                                                 STEPS_SPARE};

/* ---- "CUDA Tiled": a block of 1024 threads loads as many samples from the host's page-locked
 * memory into shared memory, and doubles there. Blocks overlap by width - 1 samples, so a block
 * gives threads - width + 1 windows. This is as published, including the cost for wide windows.
 * Changed: all threads reach every barrier; the grid ends with the last window; a window wider than
 * the block is refused. */

static __global__ void tiled_kernel(const float *samples, float *minima, float *maxima,
                                    uint64_t count, uint64_t wide)
{
    SHARED_DYNAMIC(float, lows);
    const unsigned width = (unsigned)wide;
    float *highs = lows + blockDim.x;
    const unsigned k = threadIdx.x;
    const unsigned given = blockDim.x - width + 1;
    const uint64_t first = (uint64_t)blockIdx.x * given;
    float low = first + k < count ? samples[first + k] : 0;
    float high = low;
    unsigned reach = 1;

    lows[k] = low;
    highs[k] = high;
    __syncthreads();
    for (; 2 * reach <= width; reach *= 2) {
        if (k + reach < blockDim.x) {
            low = fminf(low, lows[k + reach]);
            high = fmaxf(high, highs[k + reach]);
        }
        __syncthreads();
        lows[k] = low;
        highs[k] = high;
        __syncthreads();
    }
    if (k >= given || first + k + width > count)
        return;
    for (unsigned i = 1; i <= width - reach; i++) {
        low = fminf(low, lows[k + i]);
        high = fmaxf(high, highs[k + i]);
    }
    minima[first + k] = low;
    maxima[first + k] = high;
}

static const struct window_method tiled = {
    launch_kernel, FLAVOUR_PAGE_LOCKED, 1024, 0, tiled_kernel, 2, true};

/* ---- shared host code */

static const char *cannot_window(const struct bench_flavour *flavour, const struct bench_task *task)
{
    const struct window_method *method = (const struct window_method *)flavour->method;
    unsigned threads = threads_of(flavour, task);

    if (method->cache > 0 && task->width > threads)
        return "a window is wider than a block has threads";
    return flavour_cannot_grid(task, bench_windows(task),
                               method->overlaps ? threads - (unsigned)task->width + 1 : threads);
}

static int open_window(const struct bench_flavour *flavour, const struct bench_task *task,
                       void **state, struct error *error)
{
    const struct window_method *method = (const struct window_method *)flavour->method;
    const size_t spare = method->spare * sizeof(float) * task->count;
    const struct flavour_needs needs = {method->road, 0, flavour_window_bytes(task), spare, 0};

    return flavour_open(flavour, task, &needs, state, error);
}

static int run_window(void *opaque, struct bench_answer *answer, struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;

    return flavour_run(state, ((const struct window_method *)state->flavour->method)->launch,
                       answer, error);
}

#define ROW(name, words, method, cannot)                                                           \
    FLAVOUR_ROW(BENCH_WINDOW, name, words, method, cannot, open_window, run_window)

const struct bench_flavour flavours_window[] = {
    ROW("malloc", "a thread a window, explicit copies", &plain, cannot_window),
    ROW("pagelocked", "a thread a window, on the host's page-locked memory", &pagelocked,
        cannot_window),
    ROW("pagelocked-shared", "a thread a window, from page-locked into shared memory", &shared,
        cannot_window),
#ifndef FLAVOURS_WITHOUT_THRUST
    ROW("thrust-naive", "thrust::for_each over the windows", &thrust_naive, flavour_cannot_choose),
    ROW("thrust", "doubling, a thrust::for_each a step", &thrust_doubling, flavour_cannot_choose),
#endif
    ROW("cooperative", "doubling over the whole grid, one launch with grid-wide barriers",
        &cooperative, cannot_cooperate),
    ROW("tiled", "doubling in shared memory, then the rest one by one; tiles that overlap", &tiled,
        cannot_window),
    {},
};
