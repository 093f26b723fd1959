/* A tile of windows that are longer than the tile: far.
 *
 * The windows that end in a tile begin in as many frames before it, `begin` .. begin+tile-1. All of
 * them have what lies between, the tile's *middle*. So a window is a suffix of the beginnings, the
 * middle, and a prefix of the tile: scans in registers, over a warp by shuffles, and over the
 * block by a word a warp. */
#ifndef GPUENV_CUDA_WINDOW_SCAN_CUH
#define GPUENV_CUDA_WINDOW_SCAN_CUH

#include "window_tile.cuh"

#define WARP_ALL 0xffffffffU

/* Where the tile, its beginnings, and what the warps tell one another lie in shared memory. The
 * beginnings are loaded from a multiple of 4 on: up to 3 frames more. */
template <int THREADS> struct scan_sizes {
    static const int WARPS = THREADS / LANES;
    static const int TILE = THREADS * R;
    static const int TILES_WORDS = SPREAD_WORDS(TILE) + SPREAD_WORDS(TILE + QUAD);
    static const int WARPS_AT = (TILES_WORDS + 3) / 4; /* in units of 16 bytes */
    static const int SHARED_WORDS = 4 * (WARPS_AT + WARPS);
};

__device__ __forceinline__ int2 pick_both(int2 a, int2 b)
{
    return make_int2(min(a.x, b.x), max(a.y, b.y));
}

/* The same for what a tile works with. */
template <bool PLAIN> __device__ __forceinline__ int2 pick_sides(int2 a, int2 b)
{
    return make_int2(pick<true, PLAIN>(a.x, b.x), pick<false, PLAIN>(a.y, b.y));
}

/* What all lanes' pairs come to, in lane 0. */
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

template <bool LOW, bool PLAIN> __device__ __forceinline__ int total_of(const int *keys)
{
    int total = neutral<LOW, PLAIN>();

#pragma unroll
    for (int j = 0; j < R; j++)
        total = pick<LOW, PLAIN>(total, key_of<LOW, PLAIN>(keys[j]));
    return total;
}

/* What the lanes before this one come to, or those after it; `all` is what the warp comes to. */
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
    *all = value; /* right in the last lane, or in the first */
    other = BEFORE ? __shfl_up_sync(WARP_ALL, value, 1) : __shfl_down_sync(WARP_ALL, value, 1);
    return (BEFORE ? lane == 0 : lane == LANES - 1) ? neutral<LOW, PLAIN>() : other;
}

/* One side of a tile's windows. `prefix` is what lies between a thread's own samples and what its
 * windows begin with, `suffix` what lies behind its share of the beginnings. */
template <bool LOW, bool PLAIN>
__device__ __forceinline__ void scan_chunk(const int *own, const int *begin, int prefix, int suffix,
                                           int *tile)
{
    int out[R];

#pragma unroll
    for (int j = R - 1; j >= 0; j--) {
        suffix = pick<LOW, PLAIN>(suffix, key_of<LOW, PLAIN>(begin[j]));
        out[j] = suffix;
    }
#pragma unroll
    for (int j = 0; j < R; j++) {
        prefix = pick<LOW, PLAIN>(prefix, key_of<LOW, PLAIN>(own[j]));
        tile[spread_chunk((int)threadIdx.x) + j] = pick<LOW, PLAIN>(out[j], prefix);
    }
}

/* What a thread knows of the windows that end in its chunk. */
struct scan {
    int own[R];   /* the keys of its chunk, */
    int begin[R]; /* and those that its windows begin with */
    int2 prefix;  /* what lies between these, as far as it is known */
    int2 suffix;
};

/* Brings a tile that begins with frame `end` into `a`, and what its windows begin with into `b`.
 * True: special keys were met. All threads must come. */
template <int THREADS>
__device__ __forceinline__ bool scan_load(const struct window_view &view, const float *ring,
                                          int64_t end, uint64_t position, int64_t begin,
                                          uint64_t begin_position, int *a, int *b)
{
    bool special;

    if (is_known<THREADS>(view, end) && is_known<THREADS>(view, begin)) {
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
        int4 quad =
            load_quad(view, ring, begin + THREADS * R, begin_position + (uint64_t)(THREADS * R));

        stage_quad(b, THREADS * R, quad);
        special = special || is_special(quad);
    }
    return __syncthreads_or(special);
}

/* The thread's words of the tiles; its windows begin with the words of `b` from `shift` (0 to 3)
 * on. */
template <bool PLAIN>
__device__ __forceinline__ void scan_take(struct scan &scan, int shift, const int *a, const int *b)
{
#pragma unroll
    for (int j = 0; j < R; j++) {
        const int own = a[spread_chunk((int)threadIdx.x) + j];
        const int begin = shifted_word<QUAD - 1>(b, (int)threadIdx.x, shift, j);

        scan.own[j] = PLAIN ? own : flip(own);
        scan.begin[j] = PLAIN ? begin : flip(begin);
    }
}

/* What each warp comes to goes to `warps`, for scan_join() behind the next barrier. Gives what the
 * thread's own chunk comes to. */
template <bool PLAIN> __device__ __forceinline__ int2 scan_totals(struct scan &scan, int4 *warps)
{
    const int warp = (int)threadIdx.x / LANES;
    const int lane = (int)threadIdx.x % LANES;
    int2 total = make_int2(total_of<true, PLAIN>(scan.own), total_of<false, PLAIN>(scan.own));
    int4 all;

    scan.prefix.x = warp_scan<true, true, PLAIN>(total.x, &all.x);
    scan.prefix.y = warp_scan<false, true, PLAIN>(total.y, &all.y);
    scan.suffix.x = warp_scan<true, false, PLAIN>(total_of<true, PLAIN>(scan.begin), &all.z);
    scan.suffix.y = warp_scan<false, false, PLAIN>(total_of<false, PLAIN>(scan.begin), &all.w);
    if (lane == LANES - 1) {
        warps[warp].x = all.x;
        warps[warp].y = all.y;
    }
    if (lane == 0) {
        warps[warp].z = all.z;
        warps[warp].w = all.w;
    }
    return total;
}

/* What lies between the thread's chunk and its windows' beginnings, all of it. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void scan_join(struct scan &scan, const int4 *warps, int2 middle)
{
    const int warp = (int)threadIdx.x / LANES;

    scan.prefix =
        pick_sides<PLAIN>(scan.prefix, PLAIN ? make_int2(flip(middle.x), flip(middle.y)) : middle);
#pragma unroll 1
    for (int i = 0; i < THREADS / LANES; i++) {
        int4 other = warps[i];

        if (i < warp)
            scan.prefix = pick_sides<PLAIN>(scan.prefix, make_int2(other.x, other.y));
        else if (i > warp)
            scan.suffix = pick_sides<PLAIN>(scan.suffix, make_int2(other.z, other.w));
    }
}

/* The windows, through the tiles' memory to where they are wanted. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void scan_store(const struct scan &scan, const struct window_view &view,
                                           unsigned channel, int64_t end, int *a, int *b)
{
    scan_chunk<true, PLAIN>(scan.own, scan.begin, scan.prefix.x, scan.suffix.x, b);
    scan_chunk<false, PLAIN>(scan.own, scan.begin, scan.prefix.y, scan.suffix.y, a);
    __syncthreads();
    store_tile<THREADS, PLAIN>(view, channel, end, THREADS * R, b, a);
}

/* Whether a middle makes every window that has it NaN. */
__device__ __forceinline__ bool is_poison(int2 middle)
{
    return middle.x == KEY_BELOW || middle.y == KEY_ABOVE;
}

#endif
