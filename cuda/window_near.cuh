/* Windows that lie within a block's tile: near and herk.
 *
 * A block loads THREADS chunks, 256 or 512, and gives the windows that end in all but the first of
 * them.
 *
 * For the minimum and the maximum together, a sample of a plain tile of pairs, on sm_90:
 *
 *             words of shared memory           min and max     all instructions
 *     near    1 + (15+w)/8 + 4                 13 at w = 17    40 at w = 8
 *     herk    (3 1/4 + s/4) / y + 6 1/2        8 / y           52 at w = 18, 65 at w = 500
 *
 * where 4 words are the outputs' way to full-width stores, s is the number of doublings over totals
 * (5 at w = 1,024), and y the part of a block's chunks that windows are given for (at w = 1,024
 * three quarters of 256). The instructions are those that ran on an H200 (ncu --metrics
 * smsp__inst_executed.sum, of gpu_measure); it has time for about 80. */
#ifndef GPUENV_CUDA_WINDOW_NEAR_CUH
#define GPUENV_CUDA_WINDOW_NEAR_CUH

#include "window_tile.cuh"

enum {
    NEAR_THREADS = 256,
    NEAR_WORDS = NEAR_THREADS * R,
    NEAR_SHARED_WORDS = 2 * SPREAD_WORDS(NEAR_WORDS),
};

/* The windows of W samples that end at a chunk, by doubling: M_s(i), what the s samples up to i
 * come to, from M_1 to the largest power of two not above W; then two of these that overlap. */
template <int W, bool LOW, bool PLAIN>
__device__ __forceinline__ void near_chunk(const int *tile, int chunk, int *out)
{
    const int before = W - 1;
    int m[R + W - 1];

#pragma unroll
    for (int i = 0; i < R + before; i++)
        m[i] = key_of<LOW, PLAIN>(i < before ? tile[spread_chunk(chunk - 1) + R - before + i]
                                             : tile[spread_chunk(chunk) + i - before]);
    int s = 1;
#pragma unroll
    for (int step = 0; step < 5; step++) {
        if (2 * s <= W) {
#pragma unroll
            for (int i = R + before - 1; i >= 2 * s - 1; i--)
                m[i] = pick<LOW, PLAIN>(m[i], m[i - s]);
            s *= 2;
        }
    }
#pragma unroll
    for (int j = 0; j < R; j++)
        out[j] = s == W ? m[before + j] : pick<LOW, PLAIN>(m[before + j], m[before + j - (W - s)]);
}

template <int W, bool PLAIN>
__device__ __forceinline__ void near_tile(const struct window_view &view, unsigned channel,
                                          int64_t end, int *a, int *b)
{
    const int chunk = (int)threadIdx.x;
    int out[R];

    /* The minima go where nothing is read; the maxima must wait until all have read. */
    if (chunk > 0) {
        near_chunk<W, true, PLAIN>(a, chunk, out);
#pragma unroll
        for (int j = 0; j < R; j++)
            b[spread_chunk(chunk - 1) + j] = out[j];
        near_chunk<W, false, PLAIN>(a, chunk, out);
    }
    __syncthreads();
    if (chunk > 0) {
#pragma unroll
        for (int j = 0; j < R; j++)
            a[spread_chunk(chunk - 1) + j] = out[j];
    }
    __syncthreads();
    store_tile<NEAR_THREADS, PLAIN>(view, channel, end, (NEAR_THREADS - 1) * R, b, a);
}

template <int W>
__global__ void __launch_bounds__(256, 4) near_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, shared);
    int *a = shared;
    int *b = shared + SPREAD_WORDS(NEAR_WORDS);
    unsigned channel = view.channels == 1 ? 0 : blockIdx.x % view.channels;
    uint64_t offset = (uint64_t)(blockIdx.x / view.channels) * view.tile;
    int64_t end = view.start + (int64_t)offset;
    bool special = load_tile<NEAR_THREADS>(view, view.samples + channel * view.capacity, end - R,
                                           view.position + offset, a);

    if (__syncthreads_or(special)) {
        make_keys(a);
        near_tile<W, false>(view, channel, end, a, b);
    } else {
        near_tile<W, true>(view, channel, end, a, b);
    }
}

template <int THREADS> struct herk_sizes {
    static const int TILE_WORDS = SPREAD_WORDS(THREADS * R);
    static const int SHARED_WORDS = 2 * TILE_WORDS + 6 * THREADS;
};

/* The running pick over `whole` chunks' totals: over the chunks chunk-whole .. chunk-1, again by
 * doubling. `totals` has two rows; the first holds the totals. All threads must come. */
template <int THREADS, bool LOW, bool PLAIN>
__device__ __forceinline__ int herk_middle(int (*totals)[THREADS], int chunk, int whole, int total)
{
    int row = 0;
    int s = 1;

    for (; 2 * s <= whole; s *= 2, row ^= 1) {
        if (chunk >= s)
            total = pick<LOW, PLAIN>(total, totals[row][chunk - s]);
        totals[row ^ 1][chunk] = total;
        __syncthreads();
    }
    if (whole == 0 || chunk < whole)
        return neutral<LOW, PLAIN>();
    return pick<LOW, PLAIN>(totals[row][chunk - 1], totals[row][chunk - 1 - (whole - s)]);
}

/* What the chunk comes to, and what its samples from `cut` on come to. */
template <bool LOW, bool PLAIN>
__device__ __forceinline__ int herk_total(const int *own, int cut, int *tail)
{
    int total = neutral<LOW, PLAIN>();

#pragma unroll
    for (int j = R - 1; j >= 0; j--) {
        total = pick<LOW, PLAIN>(total, key_of<LOW, PLAIN>(own[j]));
        if (j >= cut)
            *tail = total;
    }
    return total;
}

/* The windows of a chunk, from the beginnings of the chunk's windows (the first window begins `cut`
 * words into chunk `first`), what lies between, and the chunk's own samples. */
template <bool LOW, bool PLAIN>
__device__ __forceinline__ void herk_chunk(const int *tile, int first, int cut, int middle,
                                           const int *own, int *out)
{
    int suffix = neutral<LOW, PLAIN>();
    int prefix = middle;

#pragma unroll
    for (int j = R - 1; j >= 0; j--) {
        suffix =
            pick<LOW, PLAIN>(suffix, key_of<LOW, PLAIN>(shifted_word<R - 1>(tile, first, cut, j)));
        out[j] = suffix;
    }
#pragma unroll
    for (int j = 0; j < R; j++) {
        prefix = pick<LOW, PLAIN>(prefix, key_of<LOW, PLAIN>(own[j]));
        out[j] = pick<LOW, PLAIN>(out[j], prefix);
    }
}

__device__ __forceinline__ void read_chunk(const int *tile, int chunk, int *own)
{
#pragma unroll
    for (int j = 0; j < R; j++)
        own[j] = tile[spread_chunk(chunk) + j];
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void herk_tile(const struct window_view &view, unsigned channel,
                                          int64_t end, int *a, int *b, int (*totals)[THREADS])
{
    /* The windows that end in a chunk begin in `before` samples before it; these go from there to
     * `cut` in chunk-halo+1, from where on all windows have everything up to the chunk. */
    const int chunk = (int)threadIdx.x;
    const int before = (int)view.width - 1;
    const int halo = (before + R - 1) / R;
    const int skip = THREADS - (int)view.tile / R; /* chunks without windows: halo or more */
    const int cut = halo * R - before;
    int own[R];
    int out[R];
    int low_tail = neutral<true, PLAIN>();
    int high_tail = neutral<false, PLAIN>();
    int low;
    int high;

    read_chunk(a, chunk, own);
    low = herk_total<true, PLAIN>(own, cut, &low_tail);
    high = herk_total<false, PLAIN>(own, cut, &high_tail);
    totals[0][chunk] = low;
    totals[2][chunk] = high;
    totals[4][chunk] = low_tail;
    totals[5][chunk] = high_tail;
    __syncthreads();
    low = herk_middle<THREADS, true, PLAIN>(totals, chunk, halo - 2, low);
    high = herk_middle<THREADS, false, PLAIN>(totals + 2, chunk, halo - 2, high);
    if (chunk >= skip) {
        read_chunk(a, chunk, own); /* again: no thread has registers to keep it so long */
        low = pick<true, PLAIN>(low, totals[4][chunk - halo + 1]);
        high = pick<false, PLAIN>(high, totals[5][chunk - halo + 1]);
        herk_chunk<true, PLAIN>(a, chunk - halo, cut, low, own, out);
#pragma unroll
        for (int j = 0; j < R; j++)
            b[spread_chunk(chunk - skip) + j] = out[j];
        herk_chunk<false, PLAIN>(a, chunk - halo, cut, high, own, out);
    }
    __syncthreads();
    if (chunk >= skip) {
#pragma unroll
        for (int j = 0; j < R; j++)
            a[spread_chunk(chunk - skip) + j] = out[j];
    }
    __syncthreads();
    store_tile<THREADS, PLAIN>(view, channel, end, (THREADS - skip) * R, b, a);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    herk_kernel(const struct window_view view)
{
    SHARED_DYNAMIC(int, shared);
    int *a = shared;
    int *b = a + herk_sizes<THREADS>::TILE_WORDS;
    int(*totals)[THREADS] = (int(*)[THREADS])(b + herk_sizes<THREADS>::TILE_WORDS);
    unsigned channel = view.channels == 1 ? 0 : blockIdx.x % view.channels;
    uint64_t offset = (uint64_t)(blockIdx.x / view.channels) * view.tile;
    int64_t end = view.start + (int64_t)offset;
    int64_t halo = THREADS * R - view.tile;
    bool special = load_tile<THREADS>(view, view.samples + channel * view.capacity, end - halo,
                                      view.position + offset, a);

    if (__syncthreads_or(special)) {
        make_keys(a);
        herk_tile<THREADS, false>(view, channel, end, a, b, totals);
    } else {
        herk_tile<THREADS, true>(view, channel, end, a, b, totals);
    }
}

#endif
