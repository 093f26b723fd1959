/* The tree of the extremes of whole tiles, for windows longer than a tile.
 *
 *     tree_leaves  for each complete tile: its extremes, and those of its *suffix*, its last
 *                  (w-1) % tile frames;
 *     tree_nodes   for each complete group of 32 nodes of a level: the node above them. */
#ifndef GPUENV_CUDA_CUDA_TREE_CUH
#define GPUENV_CUDA_CUDA_TREE_CUH

#include "cuda_scan.cuh"

/* One level of the tree, for each channel: node n, a pair of keys, lies at n % kept. */
struct tree_level {
    void *nodes;
    uint64_t kept;
};

struct tree {
    struct tree_level level[CUDA_LEVELS];
    struct tree_level suffixes;
    unsigned levels;
};

template <class K>
__device__ __forceinline__ kind_pair<K> *nodes_of(const struct tree_level &level, unsigned channel)
{
    return (kind_pair<K> *)level.nodes + channel * level.kept;
}

/* Adds a quad, whose first word is word number `word` of the tile, to the total, and the words from
 * `cut` on to the suffix. */
template <class K>
__device__ __forceinline__ void pick_keys(kind_quad<K> quad, int word, int cut, kind_pair<K> *total,
                                          kind_pair<K> *suffix)
{
    kind_word<K> key[K::QUAD];
    kind_pair<K> all = missing_pair<K>();

    K::take_quad(quad, key);
#pragma unroll
    for (int k = 0; k < K::QUAD; k++)
        all = pick_both<K>(all, K::make_pair(low_of<K>(key[k]), key[k]));
    *total = pick_both<K>(*total, all);
    if (word >= cut) {
        *suffix = pick_both<K>(*suffix, all);
    } else if (word + K::QUAD > cut) { /* in only one quad of a tile */
        for (int k = 1; k < K::QUAD; k++) {
            if (word + k >= cut)
                *suffix = pick_both<K>(*suffix, K::make_pair(low_of<K>(key[k]), key[k]));
        }
    }
}

/* One side of a quad of numbers. */
template <class K, bool LOW>
__device__ __forceinline__ kind_word<K> pick_words(const kind_word<K> *words)
{
    kind_word<K> picked = pick<K, LOW, true>(words[0], words[1]);

    if constexpr (K::QUAD == 4)
        picked = pick<K, LOW, true>(picked, pick<K, LOW, true>(words[2], words[3]));
    return picked;
}

/* The same for the thread's quads of numbers, with extremes that are words of a plain tile as
 * well. From the last quad to the first, the total is the suffix's until the cut. */
template <class K>
__device__ __forceinline__ void pick_plain(const kind_values<K> *quads, int first, int step,
                                           int cut, kind_pair<K> *total, kind_pair<K> *suffix)
{
    kind_pair<K> all = neutral_sides<K, true>();

    *suffix = all;
#pragma unroll
    for (int i = QUADS - 1; i >= 0; i--) {
        const int word = first + i * step;
        kind_word<K> words[K::QUAD];
        kind_pair<K> quad;

        K::take_quad(plain_words<K>(quads[i]), words);
        if (word < cut && word + K::QUAD > cut) { /* in only one quad of a tile */
            *suffix = all;
            for (int k = 1; k < K::QUAD; k++) {
                if (word + k >= cut)
                    *suffix = pick_sides<K, true>(*suffix, K::make_pair(words[k], words[k]));
            }
        }
        quad = K::make_pair(pick_words<K, true>(words), pick_words<K, false>(words));
        all = i == QUADS - 1 ? quad : pick_sides<K, true>(all, quad);
        if (word >= cut)
            *suffix = all;
    }
    *total = all;
}

/* This thread's share of a tile without missing samples. */
template <class K, int THREADS>
__device__ __forceinline__ void pick_quads(const struct window_view &view,
                                           const kind_values<K> *quads, int cut,
                                           kind_pair<K> *total, kind_pair<K> *suffix)
{
    const int first = (int)threadIdx.x * K::QUAD;
    const int step = THREADS * K::QUAD;
    bool odd = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        odd = odd | is_odd(quads[i]);
    if (odd) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            pick_keys<K>(keys_of<K>(quads[i], view.nan), first + i * step, cut, total, suffix);
    } else {
        kind_pair<K> plain_total;
        kind_pair<K> plain_suffix;

        pick_plain<K>(quads, first, step, cut, &plain_total, &plain_suffix);
        *total = pick_both<K>(*total, turn_pair<K>(plain_total));
        /* Infinity, the neutral element of floats, is not the key of a missing sample: it must not
         * get into the suffix if nothing was picked. */
        if (first + (QUADS - 1) * step + K::QUAD > cut)
            *suffix = pick_both<K>(*suffix, turn_pair<K>(plain_suffix));
    }
}

/* The same for a tile with missing samples. */
template <class K, int THREADS>
__device__ __forceinline__ void
pick_known(const struct window_view &view, const kind_value<K> *ring, int64_t frame,
           uint64_t position, int cut, kind_pair<K> *total, kind_pair<K> *suffix)
{
    for (int i = 0, word = (int)threadIdx.x * K::QUAD; i < QUADS; i++, word += THREADS * K::QUAD)
        pick_keys<K>(load_quad<K>(view, ring, frame + word, position + (uint64_t)word), word, cut,
                     total, suffix);
}

/* The same for any tile. */
template <class K, int THREADS>
__device__ __forceinline__ void pick_tile(const struct window_view &view, const kind_value<K> *ring,
                                          int64_t frame, uint64_t position, int cut,
                                          kind_pair<K> *total, kind_pair<K> *suffix)
{
    if (is_whole<K, THREADS>(view, frame, position)) {
        kind_values<K> quads[QUADS];

        fetch_tile<K, THREADS>(view, ring, position, quads);
        pick_quads<K, THREADS>(view, quads, cut, total, suffix);
    } else {
        pick_known<K, THREADS>(view, ring, frame, position, cut, total, suffix);
    }
}

/* Joins the threads' shares to those of their warps, in every lane, and in `pairs` after the next
 * barrier: a total and a suffix per warp. */
template <class K>
__device__ __forceinline__ void share_leaf(kind_pair<K> *total, kind_pair<K> *suffix,
                                           kind_pair<K> *pairs)
{
    const int warp = (int)threadIdx.x / LANES;

    *total = warp_total<K>(*total);
    *suffix = warp_total<K>(*suffix);
    if (threadIdx.x % LANES == 0) {
        pairs[2 * warp] = *total;
        pairs[2 * warp + 1] = *suffix;
    }
}

/* Joins all threads' shares, and writes the leaf of the tile at `place` of its level. `pairs` has
 * room for a total and a suffix per warp. All threads must call this. */
template <class K, int THREADS>
__device__ __forceinline__ void tree_write_leaf(const struct tree &tree, uint64_t place,
                                                kind_pair<K> total, kind_pair<K> suffix,
                                                kind_pair<K> *pairs)
{
    share_leaf<K>(&total, &suffix, pairs);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < THREADS / LANES; i++) {
        total = pick_both<K>(total, pairs[2 * i]);
        suffix = pick_both<K>(suffix, pairs[2 * i + 1]);
    }
    nodes_of<K>(tree.level[0], 0)[place] = total;
    nodes_of<K>(tree.suffixes, 0)[place] = suffix;
}

/* Block b makes the leaf of tile first_leaf + b / channels. */
template <class K, int THREADS>
__global__ void __launch_bounds__(THREADS)
    tree_leaves(const struct window_view view, const struct tree tree, uint64_t first_leaf, int cut)
{
    SHARED_DYNAMIC(int4, shared_quads);
    kind_pair<K> *pairs = (kind_pair<K> *)(void *)shared_quads;
    const struct block_place place = place_of_block(view.channels);
    const uint64_t leaf = first_leaf + place.tile;
    const uint64_t offset = (uint64_t)place.tile * view.tile;
    const uint64_t position = view.position + offset;
    const int64_t frame = view.start + (int64_t)offset;
    const kind_value<K> *ring = ring_of<K>(view, place.channel);
    kind_pair<K> total = missing_pair<K>();
    kind_pair<K> suffix = total;

    pick_tile<K, THREADS>(view, ring, frame, position, cut, &total, &suffix);
    tree_write_leaf<K, THREADS>(
        tree, place.channel * tree.level[0].kept + leaf % tree.level[0].kept, total, suffix, pairs);
}

/* Warp b makes node first_node + b / channels of a level, from the level below. */
template <class K>
__global__ void __launch_bounds__(LANES)
    tree_nodes(const struct tree_level above, const struct tree_level below, uint64_t first_node,
               unsigned channels)
{
    const struct block_place place = place_of_block(channels);
    uint64_t node = first_node + place.tile;
    uint64_t child = node * CUDA_RADIX + threadIdx.x;
    kind_pair<K> total = warp_total<K>(nodes_of<K>(below, place.channel)[child % below.kept]);

    if (threadIdx.x == 0)
        nodes_of<K>(above, place.channel)[node % above.kept] = total;
}

#endif
