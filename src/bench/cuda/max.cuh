/* The largest magnitude and its first index: what its flavours share.
 *
 * As published they all scan with a stride from a maximum of 0 and index 0 on. Here they scan from
 * "nothing found" on, so that an index is always that of a sample, also where all samples are 0; of
 * equal magnitudes the lowest index wins, where the published ones let the last writer win. Indexes
 * have 64 bits. The published runs had managed memory; these copy. */
#ifndef GPUENV_BENCH_CUDA_MAX_CUH
#define GPUENV_BENCH_CUDA_MAX_CUH

#include "cuda/launch.cuh"

#include "bench/cuda/cuda_flavours.h"
#include "bench/cuda/flavour_state.h"

typedef unsigned long long max_index; /* what atomics take */

static const max_index MAX_NOWHERE = ~0ULL;

/* Nothing found: a negative magnitude, or MAX_NOWHERE. */
struct max_found {
    float magnitude;
    max_index index;
};

static __host__ __device__ __forceinline__ bool max_beats(const struct max_found &a,
                                                          const struct max_found &b)
{
    return a.magnitude > b.magnitude || (a.magnitude == b.magnitude && a.index < b.index);
}

/* Every `stride`-th sample from `first` on. */
static __device__ __forceinline__ struct max_found max_scan(const float *samples, max_index count,
                                                            max_index first, max_index stride)
{
    struct max_found found = {-1.0F, MAX_NOWHERE};

    for (max_index i = first; i < count; i += stride) {
        float magnitude = fabsf(samples[i]);

        if (magnitude > found.magnitude) {
            found.magnitude = magnitude;
            found.index = i;
        }
    }
    return found;
}

/* The maximum of what is there, 0 or more, and `value`. As published: by compare and swap. */
static __device__ __forceinline__ void max_atomic(float *at, float value)
{
    int assumed = 0;

    while (value > __int_as_float(assumed)) {
        int old = atomicCAS((int *)at, assumed, __float_as_int(value));

        if (old == assumed)
            break;
        assumed = old;
    }
}

/* All threads' best, by atomics in the shared words of their block. All threads must come. */
static __device__ __forceinline__ void max_meet(struct max_found found, float *magnitude,
                                                max_index *index)
{
    if (threadIdx.x == 0) {
        *magnitude = 0;
        *index = MAX_NOWHERE;
    }
    __syncthreads();
    max_atomic(magnitude, found.magnitude);
    __syncthreads();
    if (*magnitude == found.magnitude)
        atomicMin(index, found.index);
    __syncthreads();
}

/* All lanes' best, in all lanes. As published by shuffles; the index by shuffles as well, because
 * the first lane that has the maximum need not have its lowest index. */
static __device__ __forceinline__ struct max_found max_warp(struct max_found found)
{
    const unsigned all = 0xffffffffU;
    float own = found.magnitude;

    for (int lanes = warpSize / 2; lanes > 0; lanes /= 2)
        found.magnitude = fmaxf(found.magnitude, __shfl_xor_sync(all, found.magnitude, lanes));
    if (own != found.magnitude)
        found.index = MAX_NOWHERE;
    for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) {
        max_index other = __shfl_xor_sync(all, found.index, lanes);

        found.index = other < found.index ? other : found.index;
    }
    return found;
}

/* open() of a flavour with so many results. */
static inline int max_open(const struct bench_task *task, size_t results, void **state,
                           struct error *error)
{
    const struct flavour_needs needs = {FLAVOUR_COPIED, false, 0,
                                        results * sizeof(struct max_found), 0};
    struct flavour_state *made = NULL;

    if (flavour_open(task, &needs, &made, error) != 0)
        return -1;
    *state = made;
    return 0;
}

/* run() of a flavour: the best of its results is picked on the host. */
static inline int max_run(void *opaque, flavour_work *work, struct bench_answer *answer,
                          double seconds[BENCH_PHASES], struct error *error)
{
    struct flavour_state *state = (struct flavour_state *)opaque;
    const struct max_found *results = (const struct max_found *)state->results;
    struct max_found best = {-1.0F, MAX_NOWHERE};

    if (flavour_run(state, work, seconds, error) != 0)
        return -1;
    for (size_t i = 0; i < state->needs.results / sizeof *results; i++) {
        if (max_beats(results[i], best))
            best = results[i];
    }
    answer->magnitude = best.magnitude;
    answer->index = best.index;
    return 0;
}

#endif
