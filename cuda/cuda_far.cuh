/* Windows longer than a tile: the plan far, with a kernel for each step. For windows of few tiles,
 * cuda_ahead.cuh does it in one kernel.
 *
 * The windows that end in a tile begin in a range of the same length, `begin` .. begin+tile-1, at
 * any offset. All frames between the two ranges are in every one of these windows: the tile's
 * *middle*. It is the rest of the tile in which the range ends (a suffix of that tile), then whole
 * tiles. So a window is a suffix of the range where the windows begin, the middle, and a prefix of
 * the tile where they end:
 *
 *     tree_leaves  for each complete tile: its extremes, and those of its suffix;
 *     tree_nodes   for each complete group of 32 nodes of a level: the node above them;
 *     far_middles  for each tile its middle: at most 31 nodes at either end of each level;
 *     far_kernel   the windows: prefix and suffix scans of two tiles, in registers within a run and
 *                  by shuffles within the block.
 *
 * The cost of a sample in far_kernel: shared memory 2 words in and 4 1/2 out for the tiles, 4 for
 * the outputs; 4 min and max for totals, 6 for the windows, 2 for the scans. */
#ifndef GPUENV_CUDA_CUDA_FAR_CUH
#define GPUENV_CUDA_CUDA_FAR_CUH

#include "cuda_scan.cuh"
#include "cuda_tree.cuh"

enum { MIDDLES_THREADS = 256 };

/* Adds this lane's share of the nodes from .. to-1 of a level to `pair`. */
template <class K>
__device__ __forceinline__ kind_pair<K> pick_nodes(const struct tree_level &level, unsigned channel,
                                                   uint64_t from, uint64_t to, kind_pair<K> pair)
{
    const kind_pair<K> *nodes = nodes_of<K>(level, channel);
    uint64_t node = from + threadIdx.x % LANES;
    uint64_t place = node % level.kept;

    for (; node < to; node += LANES, place += LANES) {
        if (place >= level.kept)
            place -= level.kept;
        pair = pick_both<K>(pair, nodes[place]);
    }
    return pair;
}

/* The middle of tile first_tile + m / channels, for m = 0 .. count-1: the `reach` frames before the
 * tile. One warp per middle. */
template <class K>
__global__ void __launch_bounds__(MIDDLES_THREADS)
    far_middles(const struct tree tree, uint64_t first_tile, uint64_t reach, unsigned tile,
                unsigned channels, unsigned count, void *middles)
{
    const unsigned middle = blockIdx.x * (MIDDLES_THREADS / LANES) + threadIdx.x / LANES;
    unsigned channel = middle % channels;
    uint64_t to = first_tile + middle / channels;
    uint64_t whole = reach / tile; /* tiles */
    bool has_suffix = reach % tile != 0;
    kind_pair<K> pair = missing_pair<K>();
    uint64_t from = to > whole ? to - whole : 0; /* before frame 0 there is nothing */

    if (middle >= count)
        return; /* the whole warp */
    if (has_suffix && to > whole)
        pair = nodes_of<K>(tree.suffixes, channel)[(to - whole - 1) % tree.suffixes.kept];
    for (unsigned i = 0; i < tree.levels; i++) {
        const uint64_t left = (from + CUDA_RADIX - 1) / CUDA_RADIX;
        const uint64_t right = to / CUDA_RADIX;

        if (i + 1 == tree.levels || left >= right) {
            pair = pick_nodes<K>(tree.level[i], channel, from, to, pair);
            break;
        }
        pair = pick_nodes<K>(tree.level[i], channel, from, left * CUDA_RADIX, pair);
        pair = pick_nodes<K>(tree.level[i], channel, right * CUDA_RADIX, to, pair);
        from = left;
        to = right;
    }
    pair = warp_total<K>(pair);
    if (threadIdx.x % LANES == 0)
        ((kind_pair<K> *)middles)[middle] = pair;
}

template <class K, int THREADS, bool PLAIN>
__device__ __forceinline__ void far_tile(const struct window_view &view, unsigned channel,
                                         int64_t end, kind_pair<K> middle, kind_word<K> *a,
                                         kind_word<K> *b)
{
    kind_pairs<K> *warps = (kind_pairs<K> *)(void *)(a + scan_sizes<K, THREADS>::WARPS_AT);
    scan<K> scan = scan_totals<K, PLAIN>((int)view.begin_shift, a, b, warps);
    sides<K> sides;

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
template <class K, int THREADS>
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
        far_tile<K, THREADS, false>(view, channel, end, middle, a, b);
    } else {
        far_tile<K, THREADS, true>(view, channel, end, middle, a, b);
    }
}

template <class K, int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS) far_kernel(const struct window_view view)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + scan_sizes<K, THREADS>::BEGIN_AT;
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    int64_t end = view.start + (int64_t)offset;
    const kind_pair<K> *middles = (const kind_pair<K> *)view.middles + blockIdx.x;
    /* As early as possible; but with float64, a thread has no registers left during the loads. */
    const bool early = sizeof(kind_value<K>) == 4;
    kind_pair<K> middle = early ? *middles : missing_pair<K>();
    bool special =
        scan_load<K, THREADS>(view, ring_of<K>(view, channel), end, view.position + offset,
                              view.begin + (int64_t)offset, view.begin_position + offset, a, b);

    if (!early)
        middle = *middles;
    far_tiles<K, THREADS>(view, channel, end, special || is_odd_middle<K>(middle), middle, a, b);
}

#endif
