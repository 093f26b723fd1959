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
__device__ __forceinline__ int2 pick_nodes(const struct tree_level &level, unsigned channel,
                                           uint64_t from, uint64_t to, int2 pair)
{
    const int2 *nodes = level.nodes + channel * level.kept;
    uint64_t node = from + threadIdx.x % LANES;
    uint64_t place = node % level.kept;

    for (; node < to; node += LANES, place += LANES) {
        if (place >= level.kept)
            place -= level.kept;
        pair = pick_both(pair, nodes[place]);
    }
    return pair;
}

/* The middle of tile first_tile + m / channels, for m = 0 .. count-1: the `reach` frames before the
 * tile. One warp per middle. */
static __global__ void __launch_bounds__(MIDDLES_THREADS)
    far_middles(const struct tree tree, uint64_t first_tile, uint64_t reach, unsigned tile,
                unsigned channels, unsigned count, int2 *middles)
{
    const unsigned middle = blockIdx.x * (MIDDLES_THREADS / LANES) + threadIdx.x / LANES;
    unsigned channel = middle % channels;
    uint64_t to = first_tile + middle / channels;
    uint64_t whole = reach / tile; /* tiles */
    bool has_suffix = reach % tile != 0;
    int2 pair = make_int2(KEY_ABOVE, KEY_BELOW);
    uint64_t from = to > whole ? to - whole : 0; /* before frame 0 there is nothing */

    if (middle >= count)
        return; /* the whole warp */
    if (has_suffix && to > whole)
        pair = tree.suffixes
                   .nodes[channel * tree.suffixes.kept + (to - whole - 1) % tree.suffixes.kept];
    for (unsigned i = 0; i < tree.levels; i++) {
        const uint64_t left = (from + CUDA_RADIX - 1) / CUDA_RADIX;
        const uint64_t right = to / CUDA_RADIX;

        if (i + 1 == tree.levels || left >= right) {
            pair = pick_nodes(tree.level[i], channel, from, to, pair);
            break;
        }
        pair = pick_nodes(tree.level[i], channel, from, left * CUDA_RADIX, pair);
        pair = pick_nodes(tree.level[i], channel, right * CUDA_RADIX, to, pair);
        from = left;
        to = right;
    }
    pair = warp_total(pair);
    if (threadIdx.x % LANES == 0)
        middles[middle] = pair;
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void far_tile(const struct window_view &view, unsigned channel,
                                         int64_t end, int2 middle, int *a, int *b)
{
    int4 *warps = (int4 *)(void *)(a + scan_sizes<THREADS>::WARPS_AT);
    struct scan scan = scan_totals<PLAIN>((int)view.begin_shift, a, b, warps);
    struct sides sides;

    __syncthreads();
    scan_join<THREADS, PLAIN>(scan, warps, middle);
    take_shifted<PLAIN>(b, (int)threadIdx.x, (int)view.begin_shift, scan.suffix, sides);
    take_prefixes<PLAIN>(a, (int)threadIdx.x, scan.prefix, sides);
    __syncthreads(); /* the windows overwrite the samples */
    write_run(a, (int)threadIdx.x, sides.high);
    write_run(b, (int)threadIdx.x, sides.low);
    __syncthreads();
    store_tile<THREADS, PLAIN>(view, channel, end, THREADS * RUN, b, a);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS) far_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, a);
    int *b = a + scan_sizes<THREADS>::BEGIN_AT;
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    const float *ring = view.samples + channel * view.capacity;
    int64_t end = view.start + (int64_t)offset;
    int2 middle = view.middles[blockIdx.x];
    bool special =
        scan_load<THREADS>(view, ring, end, view.position + offset, view.begin + (int64_t)offset,
                           view.begin_position + offset, a, b);

    if (special || is_poison(middle)) {
        make_keys(a);
        make_keys(b);
        if (threadIdx.x == 0)
            *run_quads(b, THREADS) = flip_quad(*run_quads(b, THREADS));
        __syncthreads();
        far_tile<THREADS, false>(view, channel, end, middle, a, b);
    } else {
        far_tile<THREADS, true>(view, channel, end, middle, a, b);
    }
}

#endif
