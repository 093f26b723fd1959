/* SPDX-License-Identifier: MIT */
/* Windows longer than a tile: prefix and suffix scans of two tiles.
 *
 * The windows that end in tile `a` begin in a range of the same length, tile `b`, at any offset.
 * All frames between the two are in every one of these windows: the *middle*. It is the rest of the
 * tile in which the range ends (a suffix of that tile), then whole tiles. So a window is a suffix
 * of `b`, the middle, and a prefix of `a`. The scans run in registers within a thread's run, by
 * shuffles within a warp, and through one word per warp in shared memory within the block.
 * cuda_ahead.cuh computes the middles.
 *
 * The cost of a sample: shared memory 2 words in and 4 1/2 out for the tiles, 4 for the outputs; 4
 * min and max for totals, 6 for the windows, 2 for the scans. */
#ifndef GPUENV_CUDA_CUDA_SCAN_CUH
#define GPUENV_CUDA_CUDA_SCAN_CUH

#include "cuda_store.cuh"

/* The layout of shared memory: tile `a`, tile `b`, and the totals of the warps. Loading tile `b`
 * begins at a multiple of a quad, so it may need less than a quad more. */
template <class K, int THREADS> struct scan_sizes {
    static const int WARPS = THREADS / LANES;
    static const int TILE = THREADS * K::RUN;
    static const int BEGIN_AT = SPREAD_WORDS(K, TILE);
    static const int WARPS_AT = BEGIN_AT + SPREAD_WORDS(K, TILE + K::QUAD);
    static const int SHARED_WORDS = WARPS_AT + 4 * WARPS;
};

/* The tiles of a block: where the windows end, and where they begin. */
struct scan_tiles {
    int64_t end;
    uint64_t position;
    int64_t begin;
    uint64_t begin_position;
};

DEVICE struct scan_tiles tiles_at(const struct window_view &view, unsigned tile)
{
    const uint64_t offset = (uint64_t)tile * view.tile;

    return {view.start + (int64_t)offset, view.position + offset, view.begin + (int64_t)offset,
            view.begin_position + offset};
}

/* Loads two tiles, some of whose samples may be missing. The last thread loads the quad after the
 * beginnings. Returns true if there are special keys. */
template <class K, int THREADS>
DEVICE bool load_ends(const struct window_view &view, const kind_value<K> *ring,
                      const struct scan_tiles &tiles, kind_word<K> *a, kind_word<K> *b)
{
    const int tile = THREADS * K::RUN;
    bool special = load_tile<K, THREADS>(view, ring, tiles.end, tiles.position, a);

    special = load_tile<K, THREADS>(view, ring, tiles.begin, tiles.begin_position, b) || special;
    if (threadIdx.x == THREADS - 1) {
        const kind_quad<K> quad =
            load_quad<K>(view, ring, tiles.begin + tile, tiles.begin_position + (uint64_t)tile);

        special = special || has_odd_key<K>(quad);
        stage_keys<K>(b + spread<K>(tile), quad);
    }
    return special;
}

/* Has the device an instruction for the minimum of a warp's integers? */
DEVICE constexpr bool scan_has_reduce(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return true;
#else
    return false;
#endif
}

/* Returns the extreme of all lanes' keys. */
template <bool LOW, class Integer> DEVICE Integer warp_reduce(Integer key)
{
    if constexpr (LOW)
        return __reduce_min_sync(WARP_ALL, key);
    else
        return __reduce_max_sync(WARP_ALL, key);
}

/* The lower half of 64 bits counts only in lanes whose upper half is the extreme. */
template <bool LOW> DEVICE int64_t warp_reduce(int64_t key)
{
    const int high = warp_reduce<LOW>((int)(key >> 32));
    const unsigned none = LOW ? UINT32_MAX : 0;
    const unsigned low = warp_reduce<LOW>((int)(key >> 32) == high ? (unsigned)key : none);

    return (int64_t)((uint64_t)(unsigned)high << 32 | low);
}

/* Returns the extremes of all lanes' pairs. */
template <class K> DEVICE kind_pair<K> warp_total(kind_pair<K> pair)
{
    if constexpr (scan_has_reduce()) {
        return K::make_pair(warp_reduce<true>(pair.x), warp_reduce<false>(pair.y));
    } else {
#pragma unroll
        for (int delta = LANES / 2; delta > 0; delta /= 2) {
            pair.x = min(pair.x, __shfl_xor_sync(WARP_ALL, pair.x, delta));
            pair.y = max(pair.y, __shfl_xor_sync(WARP_ALL, pair.y, delta));
        }
        return pair;
    }
}

/* An exclusive scan of one extreme: of the lanes before this one, or of the lanes after it. Sets
 * `all` to the extreme of the whole warp. */
template <class K, bool LOW, bool BEFORE, bool PLAIN>
DEVICE kind_word<K> warp_scan(kind_word<K> value, kind_word<K> *all)
{
    const int lane = (int)threadIdx.x % LANES;
    kind_word<K> other;

#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        /* A lane that has no lane so far away gets its own value, which changes nothing. */
        other = BEFORE ? __shfl_up_sync(WARP_ALL, value, delta)
                       : __shfl_down_sync(WARP_ALL, value, delta);
        value = pick<K, LOW, PLAIN>(value, other);
    }
    *all = value; /* correct in the last lane (with BEFORE) or in the first */
    other = BEFORE ? __shfl_up_sync(WARP_ALL, value, 1) : __shfl_down_sync(WARP_ALL, value, 1);
    return (BEFORE ? lane == 0 : lane == LANES - 1) ? neutral<K, LOW, PLAIN>() : other;
}

/* A thread's partial extremes: everything between the windows' first frames and the thread's run of
 * `a`. `prefix` covers the side of `a`, with the middle; `suffix` covers the side of `b`, after the
 * thread's run there. */
template <class K> struct scan {
    kind_pair<K> prefix;
    kind_pair<K> suffix;
};

/* Does the scan within each warp. The totals of the warps go to `warps`, for scan_join() after the
 * next barrier. A thread's windows begin in the words of its run of `b`, starting at word `shift`,
 * less than a quad.
 *
 * With EACH, every warp has a part of the middle, and adds it to both of its totals: each window of
 * every other warp contains one of them. */
template <class K, bool EACH, bool PLAIN>
DEVICE scan<K> scan_totals(int shift, const kind_word<K> *a, const kind_word<K> *b,
                           kind_pair<K> middle, kind_pairs<K> *warps)
{
    const int thread = (int)threadIdx.x;
    const int warp = thread / LANES;
    const int lane = thread % LANES;
    sides<K> unused;
    scan<K> scan;
    kind_pairs<K> all;

    scan.prefix = take_last<K, PLAIN>(a, thread, 0, unused);
    scan.suffix = take_last<K, PLAIN>(b, thread, shift, unused);
    scan.prefix.x = warp_scan<K, true, true, PLAIN>(scan.prefix.x, &all.x);
    scan.prefix.y = warp_scan<K, false, true, PLAIN>(scan.prefix.y, &all.y);
    scan.suffix.x = warp_scan<K, true, false, PLAIN>(scan.suffix.x, &all.z);
    scan.suffix.y = warp_scan<K, false, false, PLAIN>(scan.suffix.y, &all.w);
    if constexpr (EACH) {
        all.x = pick<K, true, PLAIN>(all.x, middle.x);
        all.y = pick<K, false, PLAIN>(all.y, middle.y);
        all.z = pick<K, true, PLAIN>(all.z, middle.x);
        all.w = pick<K, false, PLAIN>(all.w, middle.y);
    }
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

/* Completes the scan with the other warps' totals and the middle, or this warp's part of it. */
template <class K, int THREADS, bool PLAIN>
DEVICE void scan_join(scan<K> &scan, const kind_pairs<K> *warps, kind_pair<K> middle)
{
    const int warp = (int)threadIdx.x / LANES;

    scan.prefix = pick_sides<K, PLAIN>(scan.prefix, middle);
#pragma unroll 1
    for (int i = 0; i < warp; i++)
        scan.prefix = pick_sides<K, PLAIN>(scan.prefix, K::make_pair(warps[i].x, warps[i].y));
#pragma unroll 1
    for (int i = THREADS / LANES - 1; i > warp; i--)
        scan.suffix = pick_sides<K, PLAIN>(scan.suffix, K::make_pair(warps[i].z, warps[i].w));
}

/* Must the middle, or this part of it, not be in a plain tile? It may turn every window around it
 * into NaN, or have an odd zero. */
template <class K> DEVICE bool is_odd_middle(kind_pair<K> middle)
{
    return middle.x == K::BELOW || middle.y == K::ABOVE || is_odd_zero<K>(middle.x) ||
           is_odd_zero<K>(middle.y);
}

/* ---- windows */

/* Makes the windows of two loaded tiles. With EACH, `middle` is this warp's part of the middle: see
 * scan_totals(). */
template <class K, int THREADS, bool EACH, bool PLAIN>
DEVICE void far_tile(const struct window_view &view, unsigned channel, int64_t end,
                     kind_pair<K> middle, kind_word<K> *a, kind_word<K> *b)
{
    kind_pairs<K> *warps = (kind_pairs<K> *)(void *)(a + scan_sizes<K, THREADS>::WARPS_AT);
    sides<K> sides;

    middle = PLAIN ? plain_pair<K>(middle) : middle;
    scan<K> scan = scan_totals<K, EACH, PLAIN>((int)view.begin_shift, a, b, middle, warps);
    __syncthreads();
    scan_join<K, THREADS, PLAIN>(scan, warps, middle);
    take_shifted<K, false, PLAIN>(b, (int)threadIdx.x, (int)view.begin_shift, scan.suffix, sides);
    take_prefixes<K, PLAIN>(a, (int)threadIdx.x, scan.prefix, sides);
    __syncthreads(); /* The windows overwrite the samples. */
    write_run<K>(a, (int)threadIdx.x, sides.high);
    write_run<K>(b, (int)threadIdx.x, sides.low);
    __syncthreads();
    store_tile<K, THREADS, PLAIN, false>(view, channel, end, THREADS * K::RUN, b, a);
}

/* Makes and stores the windows of two loaded tiles. */
template <class K, int THREADS, bool EACH>
DEVICE void far_tiles(const struct window_view &view, unsigned channel, int64_t end, bool special,
                      kind_pair<K> middle, kind_word<K> *a, kind_word<K> *b)
{
    if (special) {
        if (!K::WORDS_ARE_KEYS) {
            make_keys<K>(a);
            make_keys<K>(b);
            if (threadIdx.x == 0)
                *run_quads<K>(b, THREADS) = turn_quad<K>(*run_quads<K>(b, THREADS));
            __syncthreads();
        }
        far_tile<K, THREADS, EACH, false>(view, channel, end, middle, a, b);
    } else {
        far_tile<K, THREADS, EACH, true>(view, channel, end, middle, a, b);
    }
}

#endif
