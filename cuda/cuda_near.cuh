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
 * w = 1,024 three quarters of 256). Words are accessed in quads.
 *
 * These are numbers for float32, which a run has 16 of. A float64 costs about twice the words, and
 * three instructions for a minimum or a maximum, or four with keys. */
#ifndef GPUENV_CUDA_CUDA_NEAR_CUH
#define GPUENV_CUDA_CUDA_NEAR_CUH

#include "cuda_tile.cuh"

enum { NEAR_THREADS = 256 };

/* ---- loads */

/* The quad from `frame` on, some of whose frames may be missing: in their place it has the nearest
 * known one. A window that reaches beyond the known frames has the last of them as well, so no
 * window changes. Missing frames are not read: the next chunk may be arriving in their place. */
template <class K>
__device__ __forceinline__ kind_values<K> load_padded_quad(const struct window_view &view,
                                                           const kind_value<K> *ring, int64_t frame,
                                                           uint64_t place)
{
    const int64_t at = quad_at<K>(view, ring, place) - ring;
    kind_value<K> value[K::QUAD];

#pragma unroll
    for (int i = 0; i < K::QUAD; i++) {
        const int64_t late = frame + i < view.known_to ? frame + i : view.known_to - 1;
        const int64_t known = late > view.known_from ? late : view.known_from;
        const int64_t from = at + (known - frame);

        value[i] = ring[from < 0                         ? from + (int64_t)view.capacity
                        : from >= (int64_t)view.capacity ? from - (int64_t)view.capacity
                                                         : from];
    }
    return make_quad<kind_values<K>>(value);
}

/* load_tile() for any frames: also a tile at an edge can be plain. (For the kernels of far, which
 * have few edges, it takes too many registers.) */
template <class K, int THREADS>
__device__ __forceinline__ bool load_padded(const struct window_view &view,
                                            const kind_value<K> *ring, int64_t frame,
                                            uint64_t position, kind_word<K> *tile)
{
    kind_values<K> quads[QUADS];

    if (is_whole<K, THREADS>(view, frame, position)) {
        fetch_tile<K, THREADS>(view, ring, position, quads);
    } else {
#pragma unroll
        for (int i = 0; i < QUADS; i++) {
            const int word = (int)(i * THREADS + threadIdx.x) * K::QUAD;

            quads[i] = load_padded_quad<K>(view, ring, frame + word, position + (uint64_t)word);
        }
    }
    return stage_tile<K, THREADS>(view, quads, tile);
}

/* ---- near */

template <class K> struct near_sizes {
    static const int WORDS = NEAR_THREADS * K::RUN;
    static const int SHARED_WORDS = 2 * SPREAD_WORDS(K, WORDS);
};

/* One side of the windows of W samples that end in a run, by doubling. M_s(i) is the extreme of the
 * s samples up to i; s doubles up to the largest power of two not above W, and then two overlapping
 * M_s give the window. */
template <class K, int W, bool LOW, bool PLAIN>
__device__ __forceinline__ void near_side(const kind_word<K> *tile, int run, kind_word<K> *out)
{
    const int before = W - 1;
    kind_word<K> words[2 * K::RUN]; /* the run before, then the run; the first are not used */
    kind_word<K> *m = words + K::RUN - before;

#pragma unroll
    for (int i = (K::RUN - before) / K::QUAD; i < QUADS; i++)
        take_quad(run_quads<K>(tile, run - 1)[i], words + i * K::QUAD);
    read_run<K>(tile, run, words + K::RUN);
#pragma unroll
    for (int i = 0; i < K::RUN + before; i++)
        m[i] = key_of<K, LOW, PLAIN>(m[i]);
    int s = 1;
#pragma unroll
    for (int step = 0; step < 5; step++) {
        if (2 * s <= W) {
#pragma unroll
            for (int i = K::RUN + before - 1; i >= 2 * s - 1; i--)
                m[i] = pick<K, LOW, PLAIN>(m[i], m[i - s]);
            s *= 2;
        }
    }
#pragma unroll
    for (int j = 0; j < K::RUN; j++)
        out[j] =
            s == W ? m[before + j] : pick<K, LOW, PLAIN>(m[before + j], m[before + j - (W - s)]);
}

template <class K, int W, bool PLAIN>
__device__ __forceinline__ void near_tile(const struct window_view &view, unsigned channel,
                                          int64_t end, kind_word<K> *a, kind_word<K> *b)
{
    const int run = (int)threadIdx.x;
    kind_word<K> out[K::RUN];

    /* The minima go into the free half. The maxima overwrite the samples, after all threads have
     * read them. */
    if (run > 0) {
        near_side<K, W, true, PLAIN>(a, run, out);
        write_run<K>(b, run - 1, out);
        near_side<K, W, false, PLAIN>(a, run, out);
    }
    __syncthreads();
    if (run > 0)
        write_run<K>(a, run - 1, out);
    __syncthreads();
    store_tile<K, NEAR_THREADS, PLAIN>(view, channel, end, (NEAR_THREADS - 1) * K::RUN, b, a);
}

template <class K, int W>
__global__ void __launch_bounds__(256, 4)
    near_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + SPREAD_WORDS(K, near_sizes<K>::WORDS);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    int64_t end = view.start + (int64_t)offset;
    bool special = load_padded<K, NEAR_THREADS>(view, ring_of<K>(view, channel), end - K::RUN,
                                                view.position + offset, a);

    if (__syncthreads_or(special)) {
        if (!K::WORDS_ARE_KEYS) {
            make_keys<K>(a);
            __syncthreads();
        }
        near_tile<K, W, false>(view, channel, end, a, b);
    } else {
        near_tile<K, W, true>(view, channel, end, a, b);
    }
}

/* ---- herk */

template <class K, int THREADS> struct vanherk_sizes {
    static const int TILE_WORDS = SPREAD_WORDS(K, THREADS *K::RUN);
    static const int SHARED_WORDS = 2 * TILE_WORDS + 6 * THREADS;
};

/* For each run: its extremes, in two rows for the doubling, and those of its suffix. */
template <class K, int THREADS> struct vanherk_totals {
    kind_pair<K> row[2][THREADS];
    kind_pair<K> suffix[THREADS];
};

/* The extremes of the `whole` runs before this one, run-whole .. run-1: by doubling, with two steps
 * between barriers where possible. Row 0 holds the totals of all runs; `total` is this run's. The
 * results of the first `whole` runs are meaningless. All threads must call this. */
template <class K, int THREADS, bool PLAIN>
__device__ __forceinline__ kind_pair<K> vanherk_middle(vanherk_totals<K, THREADS> *totals, int run,
                                                       int whole, kind_pair<K> total)
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

template <class K, int THREADS, bool PLAIN>
__device__ __forceinline__ void vanherk_tile(const struct window_view &view, unsigned channel,
                                             int64_t end, kind_word<K> *a, kind_word<K> *b,
                                             vanherk_totals<K, THREADS> *totals)
{
    /* The windows that end in a run begin between word `cut` of run-halo and, exclusive, word `cut`
     * of run-halo+1. All of them contain everything from there to the run. */
    const int run = (int)threadIdx.x;
    const int before = (int)view.width - 1;
    const int halo = (before + K::RUN - 1) / K::RUN;
    const int skip = THREADS - (int)view.tile / K::RUN; /* runs without windows: halo or more */
    const int cut = halo * K::RUN - before;
    const bool has_windows = run >= skip;
    sides<K> sides;
    kind_pair<K> middle = take_last<K, PLAIN>(a, run, 0, sides);

    totals->row[0][run] = middle;
    totals->suffix[run] = side_at<K>(sides, cut);
    __syncthreads();
    middle = vanherk_middle<K, THREADS, PLAIN>(totals, run, halo - 2, middle);
    if (has_windows) {
        middle = pick_sides<K, PLAIN>(middle, totals->suffix[run - halo + 1]);
        take_last<K, PLAIN>(a, run - halo, cut, sides);
        take_prefixes<K, PLAIN>(a, run, middle, sides);
        write_run<K>(b, run - skip, sides.low);
    }
    __syncthreads(); /* the maxima overwrite the samples */
    if (has_windows)
        write_run<K>(a, run - skip, sides.high);
    __syncthreads();
    store_tile<K, THREADS, PLAIN>(view, channel, end, (THREADS - skip) * K::RUN, b, a);
}

template <class K, int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    vanherk_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + vanherk_sizes<K, THREADS>::TILE_WORDS;
    vanherk_totals<K, THREADS> *totals =
        (vanherk_totals<K, THREADS> *)(void *)(b + vanherk_sizes<K, THREADS>::TILE_WORDS);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    uint64_t offset = (uint64_t)place.tile * view.tile;
    int64_t end = view.start + (int64_t)offset;
    int64_t halo = THREADS * K::RUN - view.tile;
    bool special = load_padded<K, THREADS>(view, ring_of<K>(view, channel), end - halo,
                                           view.position + offset, a);

    if (__syncthreads_or(special)) {
        if (!K::WORDS_ARE_KEYS) {
            make_keys<K>(a);
            __syncthreads();
        }
        vanherk_tile<K, THREADS, false>(view, channel, end, a, b, totals);
    } else {
        vanherk_tile<K, THREADS, true>(view, channel, end, a, b, totals);
    }
}

#endif
