/* Windows that lie within a block's tile and its halo: the plans near and herk (van Herk).
 *
 * A block loads THREADS runs, 256 or 512. The first ones are the halo of the windows that end in
 * the others.
 *
 * The cost of one sample, for the minimum and the maximum together, of a plain tile written as
 * pairs (docs/kernels.md counts all instructions):
 *
 *             words of shared memory           min and max
 *     near    1 + (15+w)/8 + 4                 13 at w = 17
 *     herk    (2 + s/4) / y + 6 1/4            (2+s/8)/y + 6
 *
 * The 4 words stage the outputs for full-width stores. s is the number of doublings over the
 * totals of runs (5 at w = 1,024); y is the fraction of a block's runs that give windows (at
 * w = 1,024 three quarters of 256). Words are accessed in fours. */
#ifndef GPUENV_CUDA_CUDA_NEAR_CUH
#define GPUENV_CUDA_CUDA_NEAR_CUH

#include "cuda_tile.cuh"

enum {
    NEAR_THREADS = 256,
    NEAR_WORDS = NEAR_THREADS * RUN,
    NEAR_SHARED_WORDS = 2 * SPREAD_WORDS(NEAR_WORDS),
};

/* One side of the windows of W samples that end in a run, by doubling. M_s(i) is the extreme of the
 * s samples up to i; s doubles up to the largest power of two not above W, and then two overlapping
 * M_s give the window. */
template <int W, bool LOW, bool PLAIN>
__device__ __forceinline__ void near_side(const int *tile, int run, int *out)
{
    const int before = W - 1;
    int words[2 * RUN]; /* the run before, then the run; the first words are not used */
    int *m = words + RUN - before;

#pragma unroll
    for (int i = (RUN - before) / QUAD; i < QUADS; i++)
        quad_words(run_quads(tile, run - 1)[i], words + i * QUAD);
    read_run(tile, run, words + RUN);
#pragma unroll
    for (int i = 0; i < RUN + before; i++)
        m[i] = key_of<LOW, PLAIN>(m[i]);
    int s = 1;
#pragma unroll
    for (int step = 0; step < 5; step++) {
        if (2 * s <= W) {
#pragma unroll
            for (int i = RUN + before - 1; i >= 2 * s - 1; i--)
                m[i] = pick<LOW, PLAIN>(m[i], m[i - s]);
            s *= 2;
        }
    }
#pragma unroll
    for (int j = 0; j < RUN; j++)
        out[j] = s == W ? m[before + j] : pick<LOW, PLAIN>(m[before + j], m[before + j - (W - s)]);
}

template <int W, bool PLAIN>
__device__ __forceinline__ void near_tile(const struct window_view &view, unsigned channel,
                                          int64_t end, int *a, int *b)
{
    const int run = (int)threadIdx.x;
    int out[RUN];

    /* The minima go into the free half. The maxima overwrite the samples, after all threads have
     * read them. */
    if (run > 0) {
        near_side<W, true, PLAIN>(a, run, out);
        write_run(b, run - 1, out);
        near_side<W, false, PLAIN>(a, run, out);
    }
    __syncthreads();
    if (run > 0)
        write_run(a, run - 1, out);
    __syncthreads();
    store_tile<NEAR_THREADS, PLAIN>(view, channel, end, (NEAR_THREADS - 1) * RUN, b, a);
}

template <int W>
__global__ void __launch_bounds__(256, 4) near_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, a);
    int *b = a + SPREAD_WORDS(NEAR_WORDS);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    int64_t end = view.start + (int64_t)offset;
    bool special = load_tile<NEAR_THREADS>(view, view.samples + channel * view.capacity, end - RUN,
                                           view.position + offset, a);

    if (__syncthreads_or(special)) {
        make_keys(a);
        __syncthreads();
        near_tile<W, false>(view, channel, end, a, b);
    } else {
        near_tile<W, true>(view, channel, end, a, b);
    }
}

template <int THREADS> struct vanherk_sizes {
    static const int TILE_WORDS = SPREAD_WORDS(THREADS * RUN);
    static const int SHARED_WORDS = 2 * TILE_WORDS + 6 * THREADS;
};

/* For each run: its extremes, in two rows for the doubling, and those of its suffix. */
template <int THREADS> struct vanherk_totals {
    int2 row[2][THREADS];
    int2 suffix[THREADS];
};

/* The extremes of the `whole` runs before this one, run-whole .. run-1: by doubling, with two steps
 * between barriers where possible. Row 0 holds the totals of all runs; `total` is this run's. The
 * results of the first `whole` runs are meaningless. All threads must call this. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ int2 vanherk_middle(struct vanherk_totals<THREADS> *totals, int run,
                                               int whole, int2 total)
{
    int2 *row = totals->row[0];
    int2 *next = totals->row[1];
    int s = 1;

    while (2 * s <= whole) {
        const bool twice = 4 * s <= whole;

        if (run >= s)
            total = pick_sides<PLAIN>(total, row[run - s]);
        if (twice && run >= 3 * s)
            total = pick_sides<PLAIN>(total, pick_sides<PLAIN>(row[run - 2 * s], row[run - 3 * s]));
        next[run] = total;
        __syncthreads();
        s *= twice ? 4 : 2;
        row = next;
        next = row == totals->row[0] ? totals->row[1] : totals->row[0];
    }
    if (whole == 0 || run < whole)
        return neutral_sides<PLAIN>();
    return pick_sides<PLAIN>(row[run - 1], row[run - 1 - (whole - s)]);
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void vanherk_tile(const struct window_view &view, unsigned channel,
                                             int64_t end, int *a, int *b,
                                             struct vanherk_totals<THREADS> *totals)
{
    /* The windows that end in a run begin between word `cut` of run-halo and, exclusive, word `cut`
     * of run-halo+1. All of them contain everything from there to the run. */
    const int run = (int)threadIdx.x;
    const int before = (int)view.width - 1;
    const int halo = (before + RUN - 1) / RUN;
    const int skip = THREADS - (int)view.tile / RUN; /* runs without windows: halo or more */
    const int cut = halo * RUN - before;
    const bool has_windows = run >= skip;
    struct sides sides;
    int2 middle = take_shifted<PLAIN>(a, run, 0, neutral_sides<PLAIN>(), sides);

    totals->row[0][run] = middle;
    totals->suffix[run] = side_at(sides, cut);
    __syncthreads();
    middle = vanherk_middle<THREADS, PLAIN>(totals, run, halo - 2, middle);
    if (has_windows) {
        middle = pick_sides<PLAIN>(middle, totals->suffix[run - halo + 1]);
        take_shifted<PLAIN>(a, run - halo, cut, neutral_sides<PLAIN>(), sides);
        take_prefixes<PLAIN>(a, run, middle, sides);
        write_run(b, run - skip, sides.low);
    }
    __syncthreads(); /* the maxima overwrite the samples */
    if (has_windows)
        write_run(a, run - skip, sides.high);
    __syncthreads();
    store_tile<THREADS, PLAIN>(view, channel, end, (THREADS - skip) * RUN, b, a);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    vanherk_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, a);
    int *b = a + vanherk_sizes<THREADS>::TILE_WORDS;
    struct vanherk_totals<THREADS> *totals =
        (struct vanherk_totals<THREADS> *)(void *)(b + vanherk_sizes<THREADS>::TILE_WORDS);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    int64_t end = view.start + (int64_t)offset;
    int64_t halo = THREADS * RUN - view.tile;
    bool special = load_tile<THREADS>(view, view.samples + channel * view.capacity, end - halo,
                                      view.position + offset, a);

    if (__syncthreads_or(special)) {
        make_keys(a);
        __syncthreads();
        vanherk_tile<THREADS, false>(view, channel, end, a, b, totals);
    } else {
        vanherk_tile<THREADS, true>(view, channel, end, a, b, totals);
    }
}

#endif
