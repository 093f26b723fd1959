/* SPDX-License-Identifier: MIT */
/* The plan wide: windows of up to two tiles. The middle of a tile's windows is shorter than a tile,
 * so a block reads it itself. A thread has all its loads in flight at once, for which it has more
 * registers than in the other plans. */
#ifndef GPUENV_CUDA_CUDA_WIDE_CUH
#define GPUENV_CUDA_CUDA_WIDE_CUH

#include "cuda_leaf.cuh"

enum { WIDE_THREADS = 896 }; /* threads of a multiprocessor: each has 72 registers */

/* Replaces the first `count` samples of a quad by its last one. */
template <class K> DEVICE kind_values<K> repeat_last(kind_values<K> quad, int count)
{
    kind_value<K> value[K::QUAD];

    take_quad(quad, value);
#pragma unroll
    for (int i = 0; i < K::QUAD - 1; i++)
        value[i] = i < count ? value[K::QUAD - 1] : value[i];
    return make_quad<kind_values<K>>(value);
}

/* Loads the two tiles, and picks the extremes of this warp's share of the middle: the words behind
 * tile `b`, but for the first begin_shift ones, which belong to it. Where all samples are known and
 * contiguous, a thread has its first quad again where it has no other. */
template <class K, int THREADS>
DEVICE bool wide_load(const struct window_view &view, const kind_value<K> *ring,
                      const struct scan_tiles &tiles, kind_word<K> *a, kind_word<K> *b,
                      kind_pair<K> *middle)
{
    const int tile = THREADS * K::RUN;
    const int step = THREADS * K::QUAD;
    const int own = (int)threadIdx.x * K::QUAD;
    const int shift = (int)view.begin_shift;
    const int count = (int)(tiles.end - tiles.begin) - tile;
    const uint64_t behind = tiles.begin_position + (uint64_t)tile;
    const uint64_t place = behind >= view.capacity ? behind - view.capacity : behind;
    kind_pair<K> unused = neutral_sides<K>();
    bool special;

    *middle = unused;
    if (is_whole<K, THREADS>(view, tiles.end, tiles.position) &&
        is_whole<K, THREADS>(view, tiles.begin, tiles.begin_position) &&
        place + (unsigned)count <= view.capacity) {
        const kind_value<K> *from = ring + place;
        kind_values<K> ends[QUADS];
        kind_values<K> begins[QUADS];
        kind_values<K> quads[QUADS];
        kind_values<K> quad = kind_values<K>();

#pragma unroll
        for (int i = 0; i < QUADS; i++) {
            if (i * step < count)
                quads[i] =
                    *(const kind_values<K> *)(from + (i * step + own < count ? i * step + own : 0));
        }
        fetch_tile<K, THREADS>(view, ring, tiles.position, ends);
        fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
        special = stage_tile<K, THREADS>(view, ends, a);
        quads[0] = repeat_last<K>(quads[0], threadIdx.x == 0 ? shift : 0);
#pragma unroll
        for (int i = 1; i < QUADS; i++)
            quads[i] = i * step + own < count ? quads[i] : quads[0];
        if (own < count)
            pick_quads<K, THREADS>(view, quads, 0, middle, &unused);
        if (threadIdx.x == THREADS - 1)
            quad = *(const kind_values<K> *)from;
        special = stage_tile<K, THREADS>(view, begins, b) || special;
        if (threadIdx.x == THREADS - 1) {
            special = special || is_odd(quad);
            stage_keys<K>(b + spread<K>(tile), keys_of<K>(quad, view.nan));
        }
    } else {
        special = load_ends<K, THREADS>(view, ring, tiles, a, b);
        for (int word = own; word < count; word += step)
            pick_keys<K>(
                load_quad<K>(view, ring, tiles.begin + tile + word, behind + (uint64_t)word), word,
                shift, &unused, middle);
    }
    *middle = warp_total<K>(*middle);
    return special || is_odd_middle<K>(*middle);
}

template <class K, int THREADS>
__global__ void __launch_bounds__(THREADS, WIDE_THREADS / THREADS)
    wide_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + scan_sizes<K, THREADS>::BEGIN_AT;
    const struct block_place place = place_of_block(view.channels, blockIdx.x);
    const struct scan_tiles tiles = tiles_at(view, place.tile);
    kind_pair<K> middle;
    bool special =
        wide_load<K, THREADS>(view, ring_of<K>(view, place.channel), tiles, a, b, &middle);

    special = __syncthreads_or(special);
    far_tiles<K, THREADS, true>(view, place.channel, tiles.end, special, middle, a, b);
}

#endif
