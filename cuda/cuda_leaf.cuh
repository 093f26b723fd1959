/* SPDX-License-Identifier: MIT */
/* The extremes of a whole tile, a *leaf*, for windows longer than a tile (cuda_scan.cuh): those of
 * all its frames, and those of its *suffix*, which is its last (w-1) % tile frames. */
#ifndef GPUENV_CUDA_CUDA_LEAF_CUH
#define GPUENV_CUDA_CUDA_LEAF_CUH

#include "cuda_scan.cuh"

/* Adds a quad, whose first word is word number `word` of the tile, to the total, and the words from
 * `cut` on to the suffix. */
template <class K>
DEVICE void pick_keys(kind_quad<K> quad, int word, int cut, kind_pair<K> *total,
                      kind_pair<K> *suffix)
{
    kind_word<K> key[K::QUAD];
    kind_pair<K> all = neutral_sides<K>();

    take_quad(quad, key);
#pragma unroll
    for (int k = 0; k < K::QUAD; k++)
        all = pick_sides<K>(all, K::make_pair(low_of<K>(key[k]), key[k]));
    *total = pick_sides<K>(*total, all);
    if (word >= cut) {
        *suffix = pick_sides<K>(*suffix, all);
    } else if (word + K::QUAD > cut) { /* this happens in only one quad of a tile */
        for (int k = 1; k < K::QUAD; k++) {
            if (word + k >= cut)
                *suffix = pick_sides<K>(*suffix, K::make_pair(low_of<K>(key[k]), key[k]));
        }
    }
}

/* The extreme of one side of a quad of numbers. */
template <class K, bool LOW> DEVICE kind_word<K> pick_words(const kind_word<K> *words)
{
    kind_word<K> picked = pick<K, LOW, true>(words[0], words[1]);

    if constexpr (K::QUAD == 4)
        picked = pick<K, LOW, true>(picked, pick<K, LOW, true>(words[2], words[3]));
    return picked;
}

/* Computes the total and the suffix of the thread's quads of numbers, as words of a plain tile.
 * From the last quad to the first, the total is that of the suffix until the cut. */
template <class K>
DEVICE void pick_plain(const kind_values<K> *quads, int first, int step, int cut,
                       kind_pair<K> *total, kind_pair<K> *suffix)
{
    kind_pair<K> all = neutral_sides<K, true>();

    *suffix = all;
#pragma unroll
    for (int i = QUADS - 1; i >= 0; i--) {
        const int word = first + i * step;
        kind_word<K> words[K::QUAD];
        kind_pair<K> quad;

        take_quad(plain_words<K>(quads[i]), words);
        if (word < cut && word + K::QUAD > cut) { /* this happens in only one quad of a tile */
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

/* Adds this thread's share of a tile without missing samples. */
template <class K, int THREADS>
DEVICE void pick_quads(const struct window_view &view, const kind_values<K> *quads, int cut,
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
        *total = pick_sides<K>(*total, turn_pair<K>(plain_total));
        /* Infinity, the neutral element of floats, is not the key of a missing sample: it must not
         * get into the suffix if the suffix has no samples here. */
        if (first + (QUADS - 1) * step + K::QUAD > cut)
            *suffix = pick_sides<K>(*suffix, turn_pair<K>(plain_suffix));
    }
}

/* Adds this thread's share of any tile. */
template <class K, int THREADS>
DEVICE void pick_tile(const struct window_view &view, const kind_value<K> *ring, int64_t frame,
                      uint64_t position, int cut, kind_pair<K> *total, kind_pair<K> *suffix)
{
    if (is_whole<K, THREADS>(view, frame, position)) {
        kind_values<K> quads[QUADS];

        fetch_tile<K, THREADS>(view, ring, position, quads);
        pick_quads<K, THREADS>(view, quads, cut, total, suffix);
    } else {
        for (int i = 0, word = (int)threadIdx.x * K::QUAD; i < QUADS;
             i++, word += THREADS * K::QUAD)
            pick_keys<K>(load_quad<K>(view, ring, frame + word, position + (uint64_t)word), word,
                         cut, total, suffix);
    }
}

/* Joins the threads' shares to those of their warps: in every lane, and in `pairs` after the next
 * barrier, with a total and a suffix for each warp. */
template <class K>
DEVICE void share_leaf(kind_pair<K> *total, kind_pair<K> *suffix, kind_pair<K> *pairs)
{
    const int warp = (int)threadIdx.x / LANES;

    *total = warp_total<K>(*total);
    *suffix = warp_total<K>(*suffix);
    if (threadIdx.x % LANES == 0) {
        pairs[2 * warp] = *total;
        pairs[2 * warp + 1] = *suffix;
    }
}

#endif
