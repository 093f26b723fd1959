/* Windows longer than a tile: the plan far.
 *
 * The windows that end in a tile begin in a range of the same length, `begin` .. begin+tile-1, at
 * any offset. All frames between the two ranges are in every one of these windows: the tile's
 * *middle*. It is the rest of the tile in which the range ends (a suffix of that tile), then whole
 * tiles. So a window is a suffix of the range where the windows begin, the middle, and a prefix of
 * the tile where they end: prefix and suffix scans of two tiles, in registers within a run and by
 * shuffles within the block. cuda_ahead.cuh computes the middles.
 *
 * The cost of a sample: shared memory 2 words in and 4 1/2 out for the tiles, 4 for the outputs; 4
 * min and max for totals, 6 for the windows, 2 for the scans. */
#ifndef GPUENV_CUDA_CUDA_FAR_CUH
#define GPUENV_CUDA_CUDA_FAR_CUH

#include "cuda_scan.cuh"

/* EACH: `middle` is this warp's part of the middle, see scan_totals(). */
template <class K, int THREADS, bool EACH, bool PLAIN>
__device__ __forceinline__ void far_tile(const struct window_view &view, unsigned channel,
                                         int64_t end, kind_pair<K> middle, kind_word<K> *a,
                                         kind_word<K> *b)
{
    kind_pairs<K> *warps = (kind_pairs<K> *)(void *)(a + scan_sizes<K, THREADS>::WARPS_AT);
    sides<K> sides;

    middle = PLAIN ? plain_pair<K>(middle) : middle;
    scan<K> scan = scan_totals<K, EACH, PLAIN>((int)view.begin_shift, a, b, middle, warps);
    __syncthreads();
    scan_join<K, THREADS, PLAIN>(scan, warps, middle);
    take_shifted<K, false, PLAIN>(b, (int)threadIdx.x, (int)view.begin_shift, scan.suffix, sides);
    take_prefixes<K, PLAIN>(a, (int)threadIdx.x, scan.prefix, sides);
    __syncthreads(); /* the windows overwrite the samples */
    write_run<K>(a, (int)threadIdx.x, sides.high);
    write_run<K>(b, (int)threadIdx.x, sides.low);
    __syncthreads();
    store_tile<K, THREADS, PLAIN>(view, channel, end, THREADS * K::RUN, b, a);
}

/* The windows of two loaded tiles. */
template <class K, int THREADS, bool EACH>
__device__ __forceinline__ void far_tiles(const struct window_view &view, unsigned channel,
                                          int64_t end, bool special, kind_pair<K> middle,
                                          kind_word<K> *a, kind_word<K> *b)
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
