/* SPDX-License-Identifier: MIT */
/* The plan herk (van Herk). cuda_near.cuh says what it costs. */
#ifndef GPUENV_CUDA_CUDA_HERK_CUH
#define GPUENV_CUDA_CUDA_HERK_CUH

#include "cuda_near.cuh"

template <class K, int THREADS> struct vanherk_sizes {
    static const int TILE_WORDS = SPREAD_WORDS(K, THREADS *K::RUN);
    static const int SHARED_WORDS = 2 * TILE_WORDS + 6 * THREADS;
};

/* The extremes of each run, in two rows for the doubling, and those of its suffix. */
template <class K, int THREADS> struct vanherk_totals {
    kind_pair<K> row[2][THREADS];
    kind_pair<K> suffix[THREADS];
};

/* Computes the extremes of the `whole` runs before this one, run-whole .. run-1, by doubling, with
 * two steps between barriers where possible. Row 0 holds the totals of all runs; `total` is this
 * run's. The results of the first `whole` runs are meaningless. All threads must call this. */
template <class K, int THREADS, bool PLAIN>
DEVICE kind_pair<K> vanherk_middle(vanherk_totals<K, THREADS> *totals, int run, int whole,
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

/* Makes a side that is not wanted constant, so that the compiler drops its computation. */
template <class K, bool LOW, bool HIGH> DEVICE kind_pair<K> wanted_of(kind_pair<K> pair)
{
    return K::make_pair(LOW ? pair.x : 0, HIGH ? pair.y : 0);
}

template <class K, int THREADS, bool PLAIN, bool LOW = true, bool HIGH = true>
DEVICE void vanherk_tile(const struct window_view &view, kind_word<K> *a, kind_word<K> *b,
                         vanherk_totals<K, THREADS> *totals)
{
    /* The windows that end in a run begin between word `cut` of run-halo and, exclusive, word `cut`
     * of run-halo+1. All of them contain everything from there to the run. */
    const int run = (int)threadIdx.x;
    const int before = (int)view.width - 1;
    const int halo = (before + K::RUN - 1) / K::RUN;
    const int skip = THREADS - (int)view.tile / K::RUN; /* runs without windows: `halo` or more */
    const int cut = halo * K::RUN - before;
    const bool has_windows = run >= skip;
    sides<K> sides;
    kind_pair<K> middle = wanted_of<K, LOW, HIGH>(take_last<K, PLAIN>(a, run, 0, sides));

    totals->row[0][run] = middle;
    totals->suffix[run] = wanted_of<K, LOW, HIGH>(side_at<K>(sides, cut));
    __syncthreads();
    middle = vanherk_middle<K, THREADS, PLAIN>(totals, run, halo - 2, middle);
    if (has_windows) {
        middle = pick_sides<K, PLAIN>(middle, totals->suffix[run - halo + 1]);
        take_last<K, PLAIN>(a, run - halo, cut, sides);
        take_prefixes<K, PLAIN>(a, run, middle, sides);
        if (LOW)
            write_windows<K, PLAIN>(b, run - skip, sides.low);
    }
    __syncthreads(); /* The maxima overwrite the samples. */
    if (HIGH && has_windows)
        write_windows<K, PLAIN>(a, run - skip, sides.high);
}

template <class K, int THREADS, bool ROWS, bool LOW, bool HIGH>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    vanherk_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + vanherk_sizes<K, THREADS>::TILE_WORDS;
    vanherk_totals<K, THREADS> *totals =
        (vanherk_totals<K, THREADS> *)(void *)(b + vanherk_sizes<K, THREADS>::TILE_WORDS);
    const struct row_place first = first_place<ROWS>(view, blockIdx.x);
    const bool special = load_padded<K, THREADS, ROWS>(view, first, a);

    if (__syncthreads_or(special)) {
        if (!K::WORDS_ARE_KEYS) {
            make_keys<K>(a);
            __syncthreads();
        }
        vanherk_tile<K, THREADS, false, LOW, HIGH>(view, a, b, totals);
    } else {
        vanherk_tile<K, THREADS, true, LOW, HIGH>(view, a, b, totals);
    }
    __syncthreads();
    store_windows<K, THREADS, ROWS>(view, first, (int)view.tile, b, a);
}

#endif
