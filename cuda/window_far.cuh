/* Windows longer than a tile: far.
 *
 * The windows that end in a tile begin in as many frames, `begin` .. begin+tile-1, wherever that
 * falls. All of them have what lies between: the rest of the tile in which `begin`+tile lies (its
 * *tail*), and whole tiles up to the windows' own. So a window is a suffix of the beginnings, the
 * tile's *middle*, and a prefix of the tile:
 *
 *     far_leaves   for each tile that has become complete: its total, and its tail;
 *     far_nodes    for each complete run of 32 of these, of 32 of those, ...: its total;
 *     far_middles  for each tile: at most 31 nodes at either end of each level of the tree;
 *     far_kernel   prefix and suffix scans of two tiles, in registers, and over the block by
 *                  shuffles.
 *
 * far_kernel, a sample: shared memory 2 words in and 2 out for the tiles, 4 for the outputs, about
 * 2 for the scans over the block; 4 min and max for totals, 6 for the windows, 2 for the scans. */
#ifndef GPUENV_CUDA_WINDOW_FAR_CUH
#define GPUENV_CUDA_WINDOW_FAR_CUH

#include "window_tile.cuh"

#define WARP_ALL 0xffffffffU

enum { MIDDLES_THREADS = 256 };

template <int THREADS> struct far_sizes {
    static const int WARPS = THREADS / LANES;
    static const int TILE = THREADS * R;
    /* The beginnings are loaded from a multiple of 4 on: up to 3 frames more. */
    static const int TILES_WORDS = SPREAD_WORDS(TILE) + SPREAD_WORDS(TILE + QUAD);
    static const int WARPS_AT = (TILES_WORDS + 3) / 4; /* in units of 16 bytes */
    static const int SHARED_WORDS = 4 * (WARPS_AT + WARPS);
};

/* A row of the tree for one channel after the other: node n lies at n % kept. */
struct far_level {
    int2 *nodes;
    uint64_t kept;
};

struct far_tree {
    struct far_level level[CUDA_LEVELS];
    struct far_level tails;
    unsigned levels;
};

__device__ __forceinline__ int2 pick_both(int2 a, int2 b)
{
    return make_int2(min(a.x, b.x), max(a.y, b.y));
}

/* What all lanes' pairs come to, in lane 0. */
__device__ __forceinline__ int2 warp_total(int2 pair)
{
#pragma unroll
    for (int delta = LANES / 2; delta > 0; delta /= 2) {
        pair.x = min(pair.x, __shfl_down_sync(WARP_ALL, pair.x, delta));
        pair.y = max(pair.y, __shfl_down_sync(WARP_ALL, pair.y, delta));
    }
    return pair;
}

/* One quad more, the first word of which is `word`, in a total and in the tail from `cut` on. */
template <bool PLAIN>
__device__ __forceinline__ void pick_quad(int4 quad, int word, int cut, int2 *total, int2 *tail)
{
    const int key[QUAD] = {quad.x, quad.y, quad.z, quad.w};
    int2 all = make_int2(KEY_ABOVE, KEY_BELOW);

#pragma unroll
    for (int k = 0; k < QUAD; k++)
        all = pick_both(all, make_int2(low_of<PLAIN>(key[k]), key[k]));
    *total = pick_both(*total, all);
    if (word >= cut) {
        *tail = pick_both(*tail, all);
    } else if (word + QUAD > cut) { /* one quad of a tile */
        for (int k = 1; k < QUAD; k++) {
            if (word + k >= cut)
                *tail = pick_both(*tail, make_int2(low_of<PLAIN>(key[k]), key[k]));
        }
    }
}

/* This thread's share of a tile. */
template <int THREADS>
__device__ __forceinline__ void pick_tile(const struct window_view &view, const float *ring,
                                          int64_t frame, uint64_t position, int cut, int2 *total,
                                          int2 *tail)
{
    const int first = (int)threadIdx.x * QUAD;
    const int step = THREADS * QUAD;
    float4 quads[QUADS];
    bool nan = false;

    if (frame < view.known_from || frame + THREADS * R > view.known_to) {
        for (int word = first; word < THREADS * R; word += step)
            pick_quad<false>(load_quad(view, ring, frame + word, position + (uint64_t)word), word,
                             cut, total, tail);
        return;
    }
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        quads[i] = *(const float4 *)quad_at(view, ring, position + (uint64_t)(first + i * step));
    }
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        nan = nan | has_nan(quads[i]);
    if (nan) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            pick_quad<false>(keys_of(quads[i], view.nan), first + i * step, cut, total, tail);
    } else {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            pick_quad<true>(plain_keys_of(quads[i]), first + i * step, cut, total, tail);
    }
}

/* Block b makes the leaf of tile first_leaf + b / channels. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    far_leaves(const struct window_view view, const struct far_tree tree, uint64_t first_leaf,
               int cut)
{
    SHARED_DYNAMIC(int2, pairs); /* a total and a tail for each warp */
    const int warp = (int)threadIdx.x / LANES;
    unsigned channel = blockIdx.x % view.channels;
    uint64_t leaf = first_leaf + blockIdx.x / view.channels;
    uint64_t offset = (uint64_t)(blockIdx.x / view.channels) * view.tile;
    int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
    int2 tail = total;

    pick_tile<THREADS>(view, view.samples + channel * view.capacity, view.start + (int64_t)offset,
                       view.position + offset, cut, &total, &tail);
    total = warp_total(total);
    tail = warp_total(tail);
    if (threadIdx.x % LANES == 0) {
        pairs[2 * warp] = total;
        pairs[2 * warp + 1] = tail;
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < THREADS / LANES; i++) {
        total = pick_both(total, pairs[2 * i]);
        tail = pick_both(tail, pairs[2 * i + 1]);
    }
    tree.level[0].nodes[channel * tree.level[0].kept + leaf % tree.level[0].kept] = total;
    tree.tails.nodes[channel * tree.tails.kept + leaf % tree.tails.kept] = tail;
}

/* Warp b makes node first_node + b / channels of a level, from the level below. */
static __global__ void __launch_bounds__(LANES)
    far_nodes(const struct far_level above, const struct far_level below, uint64_t first_node,
              unsigned channels)
{
    unsigned channel = blockIdx.x % channels;
    uint64_t node = first_node + blockIdx.x / channels;
    uint64_t child = node * CUDA_RADIX + threadIdx.x;
    int2 total = warp_total(below.nodes[channel * below.kept + child % below.kept]);

    if (threadIdx.x == 0)
        above.nodes[channel * above.kept + node % above.kept] = total;
}

/* What this lane's share of the nodes from .. to-1 of a level comes to. */
template <int SHARERS>
__device__ __forceinline__ int2 pick_nodes(const struct far_level &level, unsigned channel,
                                           uint64_t from, uint64_t to, int2 pair)
{
    const int2 *nodes = level.nodes + channel * level.kept;
    uint64_t node = from + threadIdx.x % SHARERS;
    uint64_t place = node % level.kept;

    for (; node < to; node += SHARERS, place += SHARERS) {
        if (place >= level.kept)
            place -= level.kept;
        pair = pick_both(pair, nodes[place]);
    }
    return pair;
}

/* The middle of tile first_tile + m / channels, for m = 0 .. count-1. Its windows have everything
 * from the tile's first frame - reach on; `reach` = 0 means nothing. SHARERS lanes share one: a
 * warp, or, where few whole tiles lie in between, one alone. */
template <int SHARERS>
__global__ void __launch_bounds__(MIDDLES_THREADS)
    far_middles(const struct far_tree tree, uint64_t first_tile, uint64_t reach, unsigned tile,
                unsigned channels, unsigned count, int2 *middles)
{
    const unsigned middle = blockIdx.x * (MIDDLES_THREADS / SHARERS) + threadIdx.x / SHARERS;
    unsigned channel = middle % channels;
    uint64_t to = first_tile + middle / channels;
    uint64_t whole = reach / tile; /* tiles */
    bool has_tail = reach % tile != 0;
    int2 pair = make_int2(KEY_ABOVE, KEY_BELOW);
    uint64_t from = to > whole ? to - whole : 0; /* before frame 0 there is nothing */

    if (middle >= count)
        return; /* whole warps, where lanes share */
    if (has_tail && to > whole)
        pair = tree.tails.nodes[channel * tree.tails.kept + (to - whole - 1) % tree.tails.kept];
    for (unsigned i = 0; i < tree.levels; i++) {
        const uint64_t left = (from + CUDA_RADIX - 1) / CUDA_RADIX;
        const uint64_t right = to / CUDA_RADIX;

        if (i + 1 == tree.levels || left >= right) {
            pair = pick_nodes<SHARERS>(tree.level[i], channel, from, to, pair);
            break;
        }
        pair = pick_nodes<SHARERS>(tree.level[i], channel, from, left * CUDA_RADIX, pair);
        pair = pick_nodes<SHARERS>(tree.level[i], channel, right * CUDA_RADIX, to, pair);
        from = left;
        to = right;
    }
    if (SHARERS > 1)
        pair = warp_total(pair);
    if (threadIdx.x % SHARERS == 0)
        middles[middle] = pair;
}

template <bool LOW, bool PLAIN> __device__ __forceinline__ int total_of(const int *keys)
{
    int total = neutral<LOW>();

#pragma unroll
    for (int j = 0; j < R; j++)
        total = pick<LOW>(total, key_of<LOW, PLAIN>(keys[j]));
    return total;
}

/* What the lanes before this one come to, or those after it; `all` is what the warp comes to. */
template <bool LOW, bool BEFORE> __device__ __forceinline__ int warp_scan(int value, int *all)
{
    const int lane = (int)threadIdx.x % LANES;
    int other;

#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        other = BEFORE ? __shfl_up_sync(WARP_ALL, value, delta)
                       : __shfl_down_sync(WARP_ALL, value, delta);
        if (BEFORE ? lane >= delta : lane + delta < LANES)
            value = pick<LOW>(value, other);
    }
    *all = value; /* right in the last lane, or in the first */
    other = BEFORE ? __shfl_up_sync(WARP_ALL, value, 1) : __shfl_down_sync(WARP_ALL, value, 1);
    return (BEFORE ? lane == 0 : lane == LANES - 1) ? neutral<LOW>() : other;
}

/* One side of a tile's windows. `prefix` is what lies between a thread's own samples and what its
 * windows begin with, `suffix` what lies behind its share of the beginnings. */
template <bool LOW, bool PLAIN>
__device__ __forceinline__ void far_chunk(const int *own, const int *begin, int prefix, int suffix,
                                          int *tile)
{
    int out[R];

#pragma unroll
    for (int j = R - 1; j >= 0; j--) {
        suffix = pick<LOW>(suffix, key_of<LOW, PLAIN>(begin[j]));
        out[j] = suffix;
    }
#pragma unroll
    for (int j = 0; j < R; j++) {
        prefix = pick<LOW>(prefix, key_of<LOW, PLAIN>(own[j]));
        tile[spread_chunk((int)threadIdx.x) + j] = pick<LOW>(out[j], prefix);
    }
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void far_tile(const struct window_view &view, unsigned channel,
                                         int64_t end, int2 middle, int *a, int *b, int4 *warps)
{
    const int warp = (int)threadIdx.x / LANES;
    const int lane = (int)threadIdx.x % LANES;
    int own[R];
    int begin[R];
    int low_prefix;
    int high_prefix;
    int low_suffix;
    int high_suffix;
    int all[4];

#pragma unroll
    for (int j = 0; j < R; j++) {
        own[j] = a[spread_chunk((int)threadIdx.x) + j];
        begin[j] = shifted_word<QUAD - 1>(b, (int)threadIdx.x, (int)view.begin_shift, j);
    }
    low_prefix = warp_scan<true, true>(total_of<true, PLAIN>(own), &all[0]);
    high_prefix = warp_scan<false, true>(total_of<false, PLAIN>(own), &all[1]);
    low_suffix = warp_scan<true, false>(total_of<true, PLAIN>(begin), &all[2]);
    high_suffix = warp_scan<false, false>(total_of<false, PLAIN>(begin), &all[3]);
    if (lane == LANES - 1) {
        warps[warp].x = all[0];
        warps[warp].y = all[1];
    }
    if (lane == 0) {
        warps[warp].z = all[2];
        warps[warp].w = all[3];
    }
    __syncthreads(); /* after this nobody reads the tiles' samples again */
    low_prefix = min(low_prefix, middle.x);
    high_prefix = max(high_prefix, middle.y);
#pragma unroll 1
    for (int i = 0; i < far_sizes<THREADS>::WARPS; i++) {
        int4 other = warps[i];

        if (i < warp) {
            low_prefix = min(low_prefix, other.x);
            high_prefix = max(high_prefix, other.y);
        } else if (i > warp) {
            low_suffix = min(low_suffix, other.z);
            high_suffix = max(high_suffix, other.w);
        }
    }
    far_chunk<true, PLAIN>(own, begin, low_prefix, low_suffix, b);
    far_chunk<false, PLAIN>(own, begin, high_prefix, high_suffix, a);
    __syncthreads();
    store_tile<THREADS, PLAIN>(view, channel, end, THREADS * R, b, a);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS) far_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, shared);
    int *a = shared;
    int *b = a + SPREAD_WORDS(THREADS * R);
    int4 *warps = (int4 *)shared + far_sizes<THREADS>::WARPS_AT;
    unsigned channel = view.channels == 1 ? 0 : blockIdx.x % view.channels;
    uint64_t offset = (uint64_t)(blockIdx.x / view.channels) * view.tile;
    const float *ring = view.samples + channel * view.capacity;
    int64_t end = view.start + (int64_t)offset;
    int64_t begin = view.begin + (int64_t)offset;
    uint64_t begin_position = view.begin_position + offset;
    int2 middle = view.middles[blockIdx.x];
    bool special = is_special(middle.x) || is_special(middle.y);

    special = load_tile<THREADS>(view, ring, end, view.position + offset, a) || special;
    special = load_tile<THREADS>(view, ring, begin, begin_position, b) || special;
    if (threadIdx.x == 0) {
        int4 quad =
            load_quad(view, ring, begin + THREADS * R, begin_position + (uint64_t)(THREADS * R));

        stage_quad(b, THREADS * R, quad);
        special = special || is_special(quad);
    }
    if (__syncthreads_or(special))
        far_tile<THREADS, false>(view, channel, end, middle, a, b, warps);
    else
        far_tile<THREADS, true>(view, channel, end, middle, a, b, warps);
}

#endif
