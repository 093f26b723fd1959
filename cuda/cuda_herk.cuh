/* SPDX-License-Identifier: MIT */
/* The plan herk (van Herk), and the kernel of near and herk. cuda_near.cuh says what they cost. */
#ifndef GPUENV_CUDA_CUDA_HERK_CUH
#define GPUENV_CUDA_CUDA_HERK_CUH

#include "cuda_near.cuh"

/* The layout of shared memory: the tile, a second one for minima and, for herk, the extremes of
 * runs. */
template <class K, bool NEAR> struct tile_sizes {
    static const int TILE_WORDS = SPREAD_WORDS(K, NEAR_THREADS *K::RUN);
    static const int SHARED_WORDS = 2 * TILE_WORDS + (NEAR ? 0 : 6 * NEAR_THREADS);
};

/* The extremes of each run, in two rows for the doubling, and those of its suffix. */
template <class K> struct vanherk_totals {
    kind_pair<K> row[2][NEAR_THREADS];
    kind_pair<K> suffix[NEAR_THREADS];
};

/* Computes the extremes of the `whole` runs before this one, run-whole .. run-1, by doubling, with
 * two steps between barriers where possible. Row 0 holds the totals of all runs; `total` is this
 * run's. The results of the first `whole` runs are meaningless. All threads must call this. */
template <class K, bool PLAIN>
DEVICE kind_pair<K> vanherk_middle(vanherk_totals<K> *totals, int run, int whole,
                                   kind_pair<K> total)
{
    kind_pair<K> *row = totals->row[0];
    kind_pair<K> *next = totals->row[1];
    int s = 1;

    while (2 * s <= whole) {
        const bool twice = 4 * s <= whole;

        if (run >= s)
            total = pick_sides<K, PLAIN>(total, row[run - s]);
        if (twice && run >= 3 * s)
            total = pick_sides<K, PLAIN>(total,
                                         pick_sides<K, PLAIN>(row[run - 2 * s], row[run - 3 * s]));
        next[run] = total;
        __syncthreads();
        s *= twice ? 4 : 2;
        row = next;
        next = row == totals->row[0] ? totals->row[1] : totals->row[0];
    }
    if (whole == 0 || run < whole)
        return neutral_sides<K, PLAIN>();
    return pick_sides<K, PLAIN>(row[run - 1], row[run - 1 - (whole - s)]);
}

template <class K, bool PLAIN>
DEVICE void vanherk_tile(const struct window_view &view, kind_word<K> *a, kind_word<K> *b)
{
    vanherk_totals<K> *totals = (vanherk_totals<K> *)(void *)(b + tile_sizes<K, false>::TILE_WORDS);
    /* The windows that end in a run begin between word `cut` of run-halo and, exclusive, word `cut`
     * of run-halo+1. All of them contain everything from there to the run. */
    const int run = (int)threadIdx.x;
    const int before = (int)view.width - 1;
    const int halo = (before + K::RUN - 1) / K::RUN;
    const int skip =
        NEAR_THREADS - (int)view.tile / K::RUN; /* runs without windows: `halo` or more */
    const int cut = halo * K::RUN - before;
    const bool has_windows = run >= skip;
    sides<K> sides;
    kind_pair<K> middle = take_last<K, PLAIN>(a, run, 0, sides);

    totals->row[0][run] = middle;
    totals->suffix[run] = side_at<K>(sides, cut);
    __syncthreads();
    middle = vanherk_middle<K, PLAIN>(totals, run, halo - 2, middle);
    if (has_windows) {
        middle = pick_sides<K, PLAIN>(middle, totals->suffix[run - halo + 1]);
        take_last<K, PLAIN>(a, run - halo, cut, sides);
        take_prefixes<K, PLAIN>(a, run, middle, sides);
        write_windows<K, PLAIN>(b, run - skip, sides.low);
    }
    __syncthreads(); /* The maxima overwrite the samples. */
    if (has_windows)
        write_windows<K, PLAIN>(a, run - skip, sides.high);
}

/* The windows of a tile, which are in `b` and `a` after the next barrier. */
template <class K, bool NEAR, bool PLAIN>
DEVICE void make_tile(const struct window_view &view, kind_word<K> *a, kind_word<K> *b)
{
    if constexpr (NEAR)
        near_any<K, PLAIN>(view, a, b, std::make_integer_sequence<int, K::RUN + 1>());
    else
        vanherk_tile<K, PLAIN>(view, a, b);
}

template <class K, bool NEAR, bool ROWS>
__global__ void __launch_bounds__(NEAR_THREADS, 4)
    tile_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + tile_sizes<K, NEAR>::TILE_WORDS;
    const struct row_place first = first_place<ROWS>(view, blockIdx.x);
    const bool special = load_padded<K, ROWS>(view, first, a);

    if (__syncthreads_or(special)) {
        if (!K::WORDS_ARE_KEYS) {
            make_keys<K>(a);
            __syncthreads();
        }
        make_tile<K, NEAR, false>(view, a, b);
    } else {
        make_tile<K, NEAR, true>(view, a, b);
    }
    __syncthreads();
    store_windows<K, ROWS>(view, first, (int)view.tile, b, a);
}

#endif
