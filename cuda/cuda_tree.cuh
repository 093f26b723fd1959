/* The tree of the extremes of whole tiles, for windows longer than a tile.
 *
 *     tree_leaves  for each complete tile: its extremes, and those of its *suffix*, its last
 *                  (w-1) % tile frames;
 *     tree_nodes   for each complete group of 32 nodes of a level: the node above them. */
#ifndef GPUENV_CUDA_CUDA_TREE_CUH
#define GPUENV_CUDA_CUDA_TREE_CUH

#include "cuda_scan.cuh"

/* One level of the tree, for each channel: node n lies at n % kept. */
struct tree_level {
    int2 *nodes;
    uint64_t kept;
};

struct tree {
    struct tree_level level[CUDA_LEVELS];
    struct tree_level suffixes;
    unsigned levels;
};

/* Adds a quad, whose first word is word number `word` of the tile, to the total, and the words from
 * `cut` on to the suffix. */
__device__ __forceinline__ void pick_keys(int4 quad, int word, int cut, int2 *total, int2 *suffix)
{
    const int key[QUAD] = {quad.x, quad.y, quad.z, quad.w};
    int2 all = make_int2(KEY_ABOVE, KEY_BELOW);

#pragma unroll
    for (int k = 0; k < QUAD; k++)
        all = pick_both(all, make_int2(low_of(key[k]), key[k]));
    *total = pick_both(*total, all);
    if (word >= cut) {
        *suffix = pick_both(*suffix, all);
    } else if (word + QUAD > cut) { /* in only one quad of a tile */
        for (int k = 1; k < QUAD; k++) {
            if (word + k >= cut)
                *suffix = pick_both(*suffix, make_int2(low_of(key[k]), key[k]));
        }
    }
}

/* The same for a quad of numbers, with extremes that are float bits as well. */
__device__ __forceinline__ void pick_plain(float4 quad, int word, int cut, int2 *total,
                                           int2 *suffix)
{
    const int bits[QUAD] = {__float_as_int(quad.x), __float_as_int(quad.y), __float_as_int(quad.z),
                            __float_as_int(quad.w)};
    const int2 all = make_int2(
        pick_float<true>(pick_float<true>(bits[0], bits[1]), pick_float<true>(bits[2], bits[3])),
        pick_float<false>(pick_float<false>(bits[0], bits[1]),
                          pick_float<false>(bits[2], bits[3])));

    *total = pick_sides<true>(*total, all);
    if (word >= cut) {
        *suffix = pick_sides<true>(*suffix, all);
    } else if (word + QUAD > cut) { /* in only one quad of a tile */
        for (int k = 1; k < QUAD; k++) {
            if (word + k >= cut)
                *suffix = pick_sides<true>(*suffix, make_int2(bits[k], bits[k]));
        }
    }
}

/* This thread's share of a tile without missing samples. */
template <int THREADS>
__device__ __forceinline__ void pick_quads(const struct window_view &view, const float4 *quads,
                                           int cut, int2 *total, int2 *suffix)
{
    const int first = (int)threadIdx.x * QUAD;
    const int step = THREADS * QUAD;
    bool nan = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        nan = nan | has_nan(quads[i]);
    if (nan) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            pick_keys(keys_of(quads[i], view.nan), first + i * step, cut, total, suffix);
    } else {
        int2 plain_total = neutral_sides<true>();
        int2 plain_suffix = plain_total;

#pragma unroll
        for (int i = 0; i < QUADS; i++)
            pick_plain(quads[i], first + i * step, cut, &plain_total, &plain_suffix);
        *total = pick_both(*total, flip_sides(plain_total));
        /* Infinity, the neutral element of floats, is not the key of a missing sample: it must not
         * get into the suffix if nothing was picked. */
        if (first + (QUADS - 1) * step + QUAD > cut)
            *suffix = pick_both(*suffix, flip_sides(plain_suffix));
    }
}

/* The same for a tile with missing samples. */
template <int THREADS>
__device__ __forceinline__ void pick_known(const struct window_view &view, const float *ring,
                                           int64_t frame, uint64_t position, int cut, int2 *total,
                                           int2 *suffix)
{
    for (int i = 0, word = (int)threadIdx.x * QUAD; i < QUADS; i++, word += THREADS * QUAD)
        pick_keys(load_quad(view, ring, frame + word, position + (uint64_t)word), word, cut, total,
                  suffix);
}

/* The same for any tile. */
template <int THREADS>
__device__ __forceinline__ void pick_tile(const struct window_view &view, const float *ring,
                                          int64_t frame, uint64_t position, int cut, int2 *total,
                                          int2 *suffix)
{
    if (is_whole<THREADS>(view, frame, position)) {
        float4 quads[QUADS];

        fetch_tile<THREADS>(view, ring, position, quads);
        pick_quads<THREADS>(view, quads, cut, total, suffix);
    } else {
        pick_known<THREADS>(view, ring, frame, position, cut, total, suffix);
    }
}

/* Joins the threads' shares to those of their warps, in every lane, and in `pairs` after the next
 * barrier: a total and a suffix per warp. */
__device__ __forceinline__ void share_leaf(int2 *total, int2 *suffix, int2 *pairs)
{
    const int warp = (int)threadIdx.x / LANES;

    *total = warp_total(*total);
    *suffix = warp_total(*suffix);
    if (threadIdx.x % LANES == 0) {
        pairs[2 * warp] = *total;
        pairs[2 * warp + 1] = *suffix;
    }
}

/* Joins all threads' shares, and writes the leaf of the tile at `place` of its level. `pairs` has
 * room for a total and a suffix per warp. All threads must call this. */
template <int THREADS>
__device__ __forceinline__ void tree_write_leaf(const struct tree &tree, uint64_t place, int2 total,
                                                int2 suffix, int2 *pairs)
{
    share_leaf(&total, &suffix, pairs);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < THREADS / LANES; i++) {
        total = pick_both(total, pairs[2 * i]);
        suffix = pick_both(suffix, pairs[2 * i + 1]);
    }
    tree.level[0].nodes[place] = total;
    tree.suffixes.nodes[place] = suffix;
}

/* Block b makes the leaf of tile first_leaf + b / channels. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    tree_leaves(const struct window_view view, const struct tree tree, uint64_t first_leaf, int cut)
{
    SHARED_DYNAMIC(int2, pairs);
    const struct block_place place = place_of_block(view.channels);
    const uint64_t leaf = first_leaf + place.tile;
    const uint64_t offset = (uint64_t)place.tile * view.tile;
    const uint64_t position = view.position + offset;
    const int64_t frame = view.start + (int64_t)offset;
    const float *ring = view.samples + place.channel * view.capacity;
    int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
    int2 suffix = total;

    pick_tile<THREADS>(view, ring, frame, position, cut, &total, &suffix);
    tree_write_leaf<THREADS>(tree, place.channel * tree.level[0].kept + leaf % tree.level[0].kept,
                             total, suffix, pairs);
}

/* Warp b makes node first_node + b / channels of a level, from the level below. */
static __global__ void __launch_bounds__(LANES)
    tree_nodes(const struct tree_level above, const struct tree_level below, uint64_t first_node,
               unsigned channels)
{
    const struct block_place place = place_of_block(channels);
    uint64_t node = first_node + place.tile;
    uint64_t child = node * CUDA_RADIX + threadIdx.x;
    int2 total = warp_total(below.nodes[place.channel * below.kept + child % below.kept]);

    if (threadIdx.x == 0)
        above.nodes[place.channel * above.kept + node % above.kept] = total;
}

#endif
