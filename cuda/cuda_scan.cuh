/* Prefix and suffix scans of two tiles, for windows longer than a tile (cuda_far.cuh).
 *
 * The windows end in tile `a` and begin in tile `b`. A window is a suffix of `b`, the tile's
 * middle, and a prefix of `a`. The scans run in registers within a thread's run, by shuffles within
 * a warp, and through one word per warp in shared memory within the block. */
#ifndef GPUENV_CUDA_CUDA_SCAN_CUH
#define GPUENV_CUDA_CUDA_SCAN_CUH

#include "cuda_tile.cuh"

#define WARP_ALL 0xffffffffU

/* The layout of shared memory: tile `a`, tile `b`, and the totals of the warps. Loading tile `b`
 * begins at a multiple of 4: up to 3 frames more. */
template <int THREADS> struct scan_sizes {
    static const int WARPS = THREADS / LANES;
    static const int TILE = THREADS * RUN;
    static const int BEGIN_AT = SPREAD_WORDS(TILE);
    static const int WARPS_AT = BEGIN_AT + SPREAD_WORDS(TILE + QUAD);
    static const int SHARED_WORDS = WARPS_AT + QUAD * WARPS;
};

__device__ __forceinline__ int2 pick_both(int2 a, int2 b)
{
    return make_int2(min(a.x, b.x), max(a.y, b.y));
}

/* The extremes of all lanes' pairs, in lane 0. */
__device__ __forceinline__ int2 warp_total(int2 pair)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return make_int2(__reduce_min_sync(WARP_ALL, pair.x), __reduce_max_sync(WARP_ALL, pair.y));
#else
#pragma unroll
    for (int delta = LANES / 2; delta > 0; delta /= 2) {
        pair.x = min(pair.x, __shfl_down_sync(WARP_ALL, pair.x, delta));
        pair.y = max(pair.y, __shfl_down_sync(WARP_ALL, pair.y, delta));
    }
    return pair;
#endif
}

/* An exclusive scan of one extreme: of the lanes before this one, or of those after it. `all`
 * becomes that of the whole warp. */
template <bool LOW, bool BEFORE, bool PLAIN>
__device__ __forceinline__ int warp_scan(int value, int *all)
{
    const int lane = (int)threadIdx.x % LANES;
    int other;

#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        other = BEFORE ? __shfl_up_sync(WARP_ALL, value, delta)
                       : __shfl_down_sync(WARP_ALL, value, delta);
        if (BEFORE ? lane >= delta : lane + delta < LANES)
            value = pick<LOW, PLAIN>(value, other);
    }
    *all = value; /* correct in the last lane (BEFORE), or in the first */
    other = BEFORE ? __shfl_up_sync(WARP_ALL, value, 1) : __shfl_down_sync(WARP_ALL, value, 1);
    return (BEFORE ? lane == 0 : lane == LANES - 1) ? neutral<LOW, PLAIN>() : other;
}

/* A thread's partial extremes: everything between the windows' first frames and the thread's run of
 * `a`. `prefix` covers the side of `a`, with the middle; `suffix` covers the side of `b`, after the
 * thread's run there. */
struct scan {
    int2 prefix;
    int2 suffix;
};

/* Loads the tile that begins with frame `end` into `a`, and the frames where its windows begin into
 * `b`. Returns true if there are special keys. All threads must call this. */
template <int THREADS>
__device__ __forceinline__ bool scan_load(const struct window_view &view, const float *ring,
                                          int64_t end, uint64_t position, int64_t begin,
                                          uint64_t begin_position, int *a, int *b)
{
    bool special;

    if (is_whole<THREADS>(view, end, position) && is_whole<THREADS>(view, begin, begin_position)) {
        float4 own[QUADS];
        float4 begins[QUADS];

        fetch_tile<THREADS>(view, ring, position, own);
        fetch_tile<THREADS>(view, ring, begin_position, begins);
        special = stage_tile<THREADS>(view, own, a);
        special = stage_tile<THREADS>(view, begins, b) || special;
    } else {
        special = load_tile<THREADS>(view, ring, end, position, a);
        special = load_tile<THREADS>(view, ring, begin, begin_position, b) || special;
    }
    if (threadIdx.x == 0) {
        int4 quad = load_quad(view, ring, begin + THREADS * RUN,
                              begin_position + (uint64_t)(THREADS * RUN));

        stage_quad(b + spread(THREADS * RUN), quad);
        special = special || is_special(quad);
    }
    return __syncthreads_or(special);
}

/* The scan within each warp. The totals of the warps go to `warps`, for scan_join() after the next
 * barrier. A thread's windows begin in the words of its run of `b`, starting at word `shift` (0 to
 * 3). */
template <bool PLAIN>
__device__ __forceinline__ struct scan scan_totals(int shift, const int *a, const int *b,
                                                   int4 *warps)
{
    const int thread = (int)threadIdx.x;
    const int warp = thread / LANES;
    const int lane = thread % LANES;
    const int2 nothing = neutral_sides<PLAIN>();
    struct sides unused;
    struct scan scan;
    int4 all;

    scan.prefix = take_shifted<PLAIN>(a, thread, 0, nothing, unused);
    scan.suffix = take_shifted<PLAIN>(b, thread, shift, nothing, unused);
    scan.prefix.x = warp_scan<true, true, PLAIN>(scan.prefix.x, &all.x);
    scan.prefix.y = warp_scan<false, true, PLAIN>(scan.prefix.y, &all.y);
    scan.suffix.x = warp_scan<true, false, PLAIN>(scan.suffix.x, &all.z);
    scan.suffix.y = warp_scan<false, false, PLAIN>(scan.suffix.y, &all.w);
    if (lane == LANES - 1) {
        warps[warp].x = all.x;
        warps[warp].y = all.y;
    }
    if (lane == 0) {
        warps[warp].z = all.z;
        warps[warp].w = all.w;
    }
    return scan;
}

/* Completes the scan with the other warps' totals and the middle. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void scan_join(struct scan &scan, const int4 *warps, int2 middle)
{
    const int warp = (int)threadIdx.x / LANES;

    scan.prefix = pick_sides<PLAIN>(scan.prefix, PLAIN ? flip_sides(middle) : middle);
#pragma unroll 1
    for (int i = 0; i < THREADS / LANES; i++) {
        int4 other = warps[i];

        if (i < warp)
            scan.prefix = pick_sides<PLAIN>(scan.prefix, make_int2(other.x, other.y));
        else if (i > warp)
            scan.suffix = pick_sides<PLAIN>(scan.suffix, make_int2(other.z, other.w));
    }
}

/* Does this middle turn every window around it into NaN? */
__device__ __forceinline__ bool is_poison(int2 middle)
{
    return middle.x == KEY_BELOW || middle.y == KEY_ABOVE;
}

#endif
