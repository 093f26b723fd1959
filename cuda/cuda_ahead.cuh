/* SPDX-License-Identifier: MIT */
/* Windows longer than a tile: the plan far in one kernel.
 *
 * With separate kernels for leaves and windows, all samples are read from memory twice: between the
 * two reads lies more data than the second-level cache holds. Here a block makes the leaf of one
 * tile and the windows of another, which lies a few hundred tiles *behind*. The samples that one
 * block reads for a leaf are read again for windows soon after, while they are still in the cache.
 * So are the beginnings of windows, unless they lie too far back.
 *
 * A middle is a suffix and whole tiles. Up to 31 leaves are looked up by one warp, up to 255 by all
 * threads of the block, one each. If there are more, then only the last ones are looked up one by
 * one, and the others in *spans*, each the extremes of the same number of leaves. Spans may
 * overlap, since an extreme does not change if samples are compared twice. So each leaf has a span,
 * which ends `lag` leaves before it, and all but a middle's last leaves are in up to 256 spans.
 *
 * Each block whose leaf's number is one less than a multiple of its warps makes that many spans
 * after its windows, one per warp: those of its own leaf and of the leaves before it. The lag gives
 * the last leaves time to be ready. It also gives spans time: windows use the spans of blocks whose
 * leaf lies `lag` or more before the end of their middle.
 *
 * A leaf or a span may be late: a device may run its blocks in any order, and not all at once. So a
 * block polls for it a few times, and then computes it itself: a leaf from its samples, a span from
 * its leaves. No block depends on another one to finish. No block looks for leaves from before the
 * middles of the windows that this launch or a later one writes, so their samples are in the rings,
 * and no two leaves share a place. */
#ifndef GPUENV_CUDA_CUDA_AHEAD_CUH
#define GPUENV_CUDA_CUDA_AHEAD_CUH

#include "cuda_leaf.cuh"
#include "cuda_records.cuh"

/* Whole tiles that one warp looks up: one lane looks for the suffix. */
enum { AHEAD_WHOLE_FEW = LANES - 1 };

/* The layout of shared memory: that of the scan, each warp's part of the middle, and the warps'
 * shares of the leaf. */
template <class K, int THREADS> struct ahead_sizes {
    static const int WARPS = THREADS / LANES;
    static const int MIDDLE_AT = scan_sizes<K, THREADS>::SHARED_WORDS;
    static const int PAIRS_AT = MIDDLE_AT + 2 * WARPS;
    static const int SHARED_WORDS = PAIRS_AT + 4 * WARPS;
};

/* ---- the leaf made by a block */

/* The frames of a leaf. A ring holds whole tiles, so they are contiguous. */
struct ahead_frames {
    int64_t first;
    uint64_t position;
};

DEVICE struct ahead_frames ahead_frames_of(const struct window_view &view,
                                           const struct ahead &ahead, uint64_t leaf)
{
    struct ahead_frames frames;

    frames.first = (int64_t)((ahead.base + leaf) * view.tile);
    frames.position = (uint64_t)ahead_find(ahead, (unsigned)leaf).place * view.tile;
    return frames;
}

/* Writes the warps' shares of a leaf to `pairs`, for ahead_publish() after the next barrier. */
template <class K, int THREADS>
DEVICE void ahead_make_leaf(const struct window_view &view, const kind_value<K> *ring,
                            const struct ahead &ahead, const struct ahead_frames &frames,
                            kind_pair<K> *pairs)
{
    kind_pair<K> total = neutral_sides<K>();
    kind_pair<K> suffix = total;

    pick_tile<K, THREADS>(view, ring, frames.first, frames.position, ahead.cut, &total, &suffix);
    share_leaf<K>(&total, &suffix, pairs);
}

/* Writes the records of a leaf. The last warp does this, since the first one computes the middle of
 * few tiles. */
template <class K, int THREADS>
DEVICE void ahead_publish(const struct ahead &ahead, unsigned channel, unsigned leaf,
                          const kind_pair<K> *pairs)
{
    const unsigned lane = threadIdx.x % LANES;
    kind_pair<K> total = neutral_sides<K>();
    kind_pair<K> suffix = total;

    if (threadIdx.x < THREADS - LANES)
        return;
    if (lane < THREADS / LANES) {
        total = pairs[2 * lane];
        suffix = pairs[2 * lane + 1];
    }
    total = warp_total<K>(total);
    suffix = warp_total<K>(suffix);
    if (lane == 0) {
        ahead_write<K>(ahead.totals, ahead, channel, leaf, total);
        ahead_write<K>(ahead.suffixes, ahead, channel, leaf, suffix);
    }
}

/* ---- late leaves */

/* Computes a leaf with one warp: its total or its suffix, in lane 0. This is rarely needed, so it
 * may be slow. */
template <class K, int THREADS>
__device__ kind_pair<K> ahead_make_alone(const struct window_view &view, const kind_value<K> *ring,
                                         const struct ahead &ahead, unsigned leaf, bool is_suffix)
{
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    kind_pair<K> total = neutral_sides<K>();
    kind_pair<K> suffix = total;

#pragma unroll 1
    for (int word = (int)(threadIdx.x % LANES) * K::QUAD; word < THREADS * K::RUN;
         word += LANES * K::QUAD)
        pick_keys<K>(
            load_quad<K>(view, ring, frames.first + word, frames.position + (uint64_t)word), word,
            ahead.cut, &total, &suffix);
    return warp_total<K>(is_suffix ? suffix : total);
}

/* Computes the extremes of the leaves from .. to-1 with one warp, if some of them are late. */
template <class K, int THREADS>
__device__ kind_pair<K> ahead_collect_alone(const struct window_view &view,
                                            const kind_value<K> *ring, const struct ahead &ahead,
                                            unsigned channel, unsigned from, unsigned to)
{
    kind_pair<K> all = neutral_sides<K>();

#pragma unroll 1
    for (unsigned leaf = from; leaf < to; leaf++) {
        const ahead_look<K> look = ahead_look_up<K>(true, ahead.totals, ahead, channel, leaf);

        all = pick_sides<K>(all, __any_sync(WARP_ALL, ahead_is_late<K>(look))
                                     ? ahead_make_alone<K, THREADS>(view, ring, ahead, leaf, false)
                                     : ahead_found<K>(look));
    }
    return all;
}

/* ---- the middle of a tile */

/* The middle of tile `to` begins with leaf `from`; leaves before `recent` are looked up in
 * spans. */
struct ahead_reach {
    unsigned from;
    unsigned recent;
};

template <int THREADS, bool MANY>
DEVICE struct ahead_reach ahead_reach_of(const struct ahead &ahead, unsigned to)
{
    const unsigned warps = THREADS / LANES;
    struct ahead_reach reach;

    reach.from = to - ahead.oldest > ahead.whole ? to - ahead.whole : ahead.oldest;
    reach.recent = reach.from;
    if (MANY && ahead.span != 0) {
        /* The blocks of leaves before `known` have made all their spans. */
        const int known = (int)(to - ahead.lag - ((unsigned)ahead.base + to - ahead.lag) % warps);

        reach.recent = (unsigned)max((int)reach.from, known - (int)ahead.lag);
    }
    return reach;
}

/* The leaf that a thread looks up: thread i, the whole tile that is i+1 before tile `to`. The last
 * of these threads looks up the suffix before all whole tiles. */
template <int THREADS, bool MANY>
DEVICE unsigned ahead_leaf_of(const struct ahead &ahead, unsigned to, unsigned thread)
{
    return to - 1 - (thread == (MANY ? THREADS : LANES) - 1 ? ahead.whole : thread);
}

template <class K, int THREADS, bool MANY>
DEVICE ahead_look<K> ahead_look_at_leaf(const struct ahead &ahead, unsigned channel, unsigned to)
{
    const struct ahead_reach reach = ahead_reach_of<THREADS, MANY>(ahead, to);
    const unsigned thread = threadIdx.x;
    const bool is_last = thread == (MANY ? THREADS : LANES) - 1;
    const bool wanted =
        is_last ? ahead.has_suffix && to - ahead.oldest > ahead.whole : thread < to - reach.recent;

    return ahead_look_up<K>(wanted, is_last ? ahead.suffixes : ahead.totals, ahead, channel,
                            ahead_leaf_of<THREADS, MANY>(ahead, to, thread));
}

/* Thread i looks up the i-th span before leaf `recent`: the leaves from .. to-1. The span furthest
 * back may overlap with the next. Near the beginning of a stream, the only span may be shorter. */
struct ahead_span {
    unsigned from;
    unsigned to;
};

template <int THREADS>
DEVICE struct ahead_span ahead_span_of(const struct ahead &ahead, unsigned to, unsigned thread)
{
    const struct ahead_reach reach = ahead_reach_of<THREADS, true>(ahead, to);
    const unsigned leaves = reach.recent - reach.from;
    const unsigned skip = thread * ahead.span;
    struct ahead_span span = {reach.from, reach.from};

    if (skip < leaves) {
        if (leaves - skip > ahead.span)
            span.from = reach.recent - skip - ahead.span;
        span.to = min(span.from + ahead.span, reach.recent);
    }
    return span;
}

template <class K, int THREADS>
DEVICE ahead_look<K> ahead_look_at_span(const struct ahead &ahead, unsigned channel, unsigned to)
{
    const struct ahead_span span = ahead_span_of<THREADS>(ahead, to, threadIdx.x);

    const bool wanted = span.from != span.to; /* otherwise there may be no spans in memory */

    return ahead_look_up<K>(wanted, wanted ? ahead.spans : ahead.totals, ahead, channel,
                            span.to - 1 + ahead.lag);
}

template <class K> struct ahead_looks {
    ahead_look<K> leaf;
    ahead_look<K> span; /* only with MANY */
};

template <class K, int THREADS, bool MANY>
DEVICE void ahead_look_at(const struct ahead &ahead, unsigned channel, unsigned to,
                          ahead_looks<K> *looks)
{
    looks->leaf = ahead_look_at_leaf<K, THREADS, MANY>(ahead, channel, to);
    if constexpr (MANY)
        looks->span = ahead_look_at_span<K, THREADS>(ahead, channel, to);
}

/* The lanes of this warp whose records are late. */
struct ahead_late {
    unsigned leaves;
    unsigned spans; /* only with MANY */
};

template <class K, bool MANY> DEVICE struct ahead_late ahead_late_of(const ahead_looks<K> &looks)
{
    struct ahead_late late = {__ballot_sync(WARP_ALL, ahead_is_late<K>(looks.leaf)), 0};

    if constexpr (MANY)
        late.spans = __ballot_sync(WARP_ALL, ahead_is_late<K>(looks.span));
    return late;
}

/* Polls until no record is late, or computes the late ones. Returns the part of the middle that
 * this warp looks up, in lane 0. */
template <class K, int THREADS, bool MANY>
DEVICE kind_pair<K> ahead_middle(const struct window_view &view, const kind_value<K> *ring,
                                 const struct ahead &ahead, unsigned channel, unsigned to,
                                 ahead_looks<K> looks)
{
    const unsigned first = MANY ? threadIdx.x / LANES * LANES : 0;
    kind_pair<K> middle;
    struct ahead_late late = ahead_late_of<K, MANY>(looks);

#pragma unroll 1
    for (unsigned i = 0; (late.leaves | late.spans) != 0 && i < ahead.looks; i++) {
        ahead_look_at<K, THREADS, MANY>(ahead, channel, to, &looks);
        late = ahead_late_of<K, MANY>(looks);
    }
    middle = ahead_found<K>(looks.leaf);
    if constexpr (MANY)
        middle = pick_sides<K>(middle, ahead_found<K>(looks.span));
#pragma unroll 1
    for (unsigned thread = first; late.leaves != 0; thread++, late.leaves >>= 1) {
        if (late.leaves % 2 != 0) {
            const kind_pair<K> pair = ahead_make_alone<K, THREADS>(
                view, ring, ahead, ahead_leaf_of<THREADS, MANY>(ahead, to, thread),
                thread == (MANY ? THREADS : LANES) - 1);

            if (threadIdx.x == first)
                middle = pick_sides<K>(middle, pair);
        }
    }
    if constexpr (MANY) {
#pragma unroll 1
        for (unsigned thread = first; late.spans != 0; thread++, late.spans >>= 1) {
            if (late.spans % 2 != 0) {
                const struct ahead_span span = ahead_span_of<THREADS>(ahead, to, thread);
                const kind_pair<K> pair =
                    ahead_collect_alone<K, THREADS>(view, ring, ahead, channel, span.from, span.to);

                if (threadIdx.x == first)
                    middle = pick_sides<K>(middle, pair);
            }
        }
    }
    return warp_total<K>(middle);
}

/* ---- spans */

/* Computes the extremes of the leaves from .. to-1, in lane 0. */
template <class K, int THREADS>
DEVICE kind_pair<K> ahead_collect(const struct window_view &view, const kind_value<K> *ring,
                                  const struct ahead &ahead, unsigned channel, unsigned from,
                                  unsigned to)
{
    const int batch = 16 / (int)sizeof(kind_value<K>); /* loads in flight: as registers allow */
    const unsigned step = batch * LANES;
    kind_pair<K> all = neutral_sides<K>();

#pragma unroll 1
    for (; from < to; from += step) {
        ahead_look<K> look[batch];
        bool late = true;

#pragma unroll 1
        for (unsigned i = 0; late && i <= ahead.looks; i++) {
            late = false;
#pragma unroll
            for (int k = 0; k < batch; k++) {
                const unsigned leaf = from + k * LANES + threadIdx.x % LANES;

                look[k] = ahead_look_up<K>(leaf < to, ahead.totals, ahead, channel, leaf);
            }
#pragma unroll
            for (int k = 0; k < batch; k++)
                late = late || ahead_is_late<K>(look[k]);
            late = __any_sync(WARP_ALL, late);
        }
        if (late) {
            const kind_pair<K> pair = ahead_collect_alone<K, THREADS>(view, ring, ahead, channel,
                                                                      from, min(from + step, to));

            if (threadIdx.x % LANES == 0)
                all = pick_sides<K>(all, pair);
        } else {
#pragma unroll
            for (int k = 0; k < batch; k++)
                all = pick_sides<K>(all, ahead_found<K>(look[k]));
        }
    }
    return warp_total<K>(all);
}

/* Makes the spans of this leaf and of those before it, one per warp, if it is this block's turn. No
 * middle needs spans of leaves before the first one here, nor leaves before the oldest one. */
template <class K, int THREADS>
DEVICE void ahead_make_spans(const struct window_view &view, const kind_value<K> *ring,
                             const struct ahead &ahead, unsigned channel, unsigned leaf)
{
    const unsigned warps = THREADS / LANES;
    const unsigned back = warps - 1 - threadIdx.x / LANES;
    const int to = (int)(leaf - back - ahead.lag) + 1;
    const int from = max(to - (int)ahead.span, (int)ahead.oldest);
    kind_pair<K> span;

    if (ahead.span == 0 || ((unsigned)ahead.base + leaf) % warps != warps - 1 || leaf < back)
        return;
    span = neutral_sides<K>();
    if (from < to)
        span = ahead_collect<K, THREADS>(view, ring, ahead, channel, (unsigned)from, (unsigned)to);
    if (threadIdx.x % LANES == 0)
        ahead_write<K>(ahead.spans, ahead, channel, leaf - back, span);
}

/* ---- the kernel */

/* The number of tiles that are loaded at once. Three take all registers of a thread, and a few more
 * than available before compute capability 9.0 and from 12.0 on, and for float64. Two float64 tiles
 * spill except with compute capability 9.0. */
template <class K> DEVICE constexpr int ahead_loads(void)
{
#ifdef __CUDA_ARCH__
    if (sizeof(kind_value<K>) == 8)
        return __CUDA_ARCH__ == 900 ? 2 : 1;
    return __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200 ? 3 : 1;
#else
    return sizeof(kind_value<K>) == 8 ? 2 : 3;
#endif
}

/* Loads the tile where the windows end into `a`, and the frames where they begin into `b`,
 * interleaved with a leaf, and with look() where a thread has registers for it and still waits for
 * samples. Returns true if there are special keys. The last thread loads the quad after the
 * beginnings, because the first warp computes the middle of few tiles. If the two tiles are whole,
 * that quad is known: windows are longer than a tile, so it lies no further than the first quad of
 * their ends. */
template <class K, int THREADS, class Look>
DEVICE bool ahead_load(const struct window_view &view, const kind_value<K> *ring,
                       const struct ahead &ahead, const struct scan_tiles &tiles, bool has_leaf,
                       uint64_t leaf, kind_word<K> *a, kind_word<K> *b, kind_pair<K> *pairs,
                       Look look)
{
    const int tile = THREADS * K::RUN;
    const bool all = ahead_loads<K>() == 3;
    const bool two = ahead_loads<K>() == 2;
    const uint64_t behind = tiles.begin_position + (uint64_t)tile;
    const bool is_last = threadIdx.x == THREADS - 1;
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    bool special;

    if (is_whole<K, THREADS>(view, tiles.end, tiles.position) &&
        is_whole<K, THREADS>(view, tiles.begin, tiles.begin_position)) {
        kind_values<K> own[QUADS];
        kind_values<K> begins[QUADS];
        kind_values<K> quad = kind_values<K>();

        if ((all || two) && has_leaf && is_whole<K, THREADS>(view, frames.first, frames.position)) {
            kind_values<K> quads[QUADS];
            kind_pair<K> total = neutral_sides<K>();
            kind_pair<K> suffix = total;

            fetch_tile<K, THREADS>(view, ring, frames.position, quads);
            fetch_tile<K, THREADS>(view, ring, tiles.position, own);
            if (all)
                fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
            special = stage_tile<K, THREADS>(view, own, a);
            if (two) {
                fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
                pick_quads<K, THREADS>(view, quads, ahead.cut, &total, &suffix);
            }
            look();
            special = stage_tile<K, THREADS>(view, begins, b) || special;
            if (two)
                share_leaf<K>(&total, &suffix, pairs);
            if (is_last)
                quad = *(const kind_values<K> *)quad_at<K>(view, ring, behind);
            if (all) {
                pick_quads<K, THREADS>(view, quads, ahead.cut, &total, &suffix);
                share_leaf<K>(&total, &suffix, pairs);
            }
        } else {
            if (has_leaf)
                ahead_make_leaf<K, THREADS>(view, ring, ahead, frames, pairs);
            fetch_tile<K, THREADS>(view, ring, tiles.position, own);
            fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
            if (is_last)
                quad = *(const kind_values<K> *)quad_at<K>(view, ring, behind);
            special = stage_tile<K, THREADS>(view, own, a);
            look();
            special = stage_tile<K, THREADS>(view, begins, b) || special;
        }
        if (is_last) {
            special = special || is_odd(quad);
            stage_keys<K>(b + spread<K>(tile), keys_of<K>(quad, view.nan));
        }
    } else {
        if (has_leaf)
            ahead_make_leaf<K, THREADS>(view, ring, ahead, frames, pairs);
        special = load_ends<K, THREADS>(view, ring, tiles, a, b);
        look();
    }
    return special;
}

/* With MANY, all threads look up records for the middle, instead of one warp. */
template <class K, int THREADS, bool MANY>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    ahead_kernel(const struct window_view view, const struct ahead ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + scan_sizes<K, THREADS>::BEGIN_AT;
    kind_pair<K> *middles = (kind_pair<K> *)(void *)(a + ahead_sizes<K, THREADS>::MIDDLE_AT);
    kind_pair<K> *pairs = (kind_pair<K> *)(void *)(a + ahead_sizes<K, THREADS>::PAIRS_AT);
    const struct block_place place = place_of_block(view.channels, blockIdx.x);
    const unsigned channel = place.channel;
    const kind_value<K> *ring = ring_of<K>(view, channel);
    const uint64_t leaf = ahead.first_leaf + (uint64_t)place.tile;
    const bool has_leaf = place.tile < ahead.leaves;
    const unsigned warp = MANY ? threadIdx.x / LANES : 0;

    if (place.tile < ahead.lead || place.tile - ahead.lead >= ahead.windows) {
        if (has_leaf) {
            ahead_make_leaf<K, THREADS>(view, ring, ahead, ahead_frames_of(view, ahead, leaf),
                                        pairs);
            __syncthreads();
            ahead_publish<K, THREADS>(ahead, channel, (unsigned)leaf, pairs);
            if constexpr (MANY)
                ahead_make_spans<K, THREADS>(view, ring, ahead, channel, (unsigned)leaf);
        }
        return;
    }

    const unsigned tile = place.tile - ahead.lead;
    const struct scan_tiles tiles = tiles_at(view, tile);
    const unsigned to = ahead.first_tile + tile;
    ahead_looks<K> looks;
    bool special;

    /* This is as early as possible. With MANY, a thread has no registers left for it. */
    if (!MANY && threadIdx.x < LANES)
        ahead_look_at<K, THREADS, MANY>(ahead, channel, to, &looks);
    special =
        ahead_load<K, THREADS>(view, ring, ahead, tiles, has_leaf, leaf, a, b, pairs, [&](void) {
            if constexpr (MANY)
                ahead_look_at<K, THREADS, MANY>(ahead, channel, to, &looks);
        });
    if (MANY || threadIdx.x < LANES) {
        const kind_pair<K> found = ahead_middle<K, THREADS, MANY>(view, ring, ahead, channel,
                                                                  ahead.first_tile + tile, looks);

        if (threadIdx.x % LANES == 0) {
            middles[warp] = found;
            special = special || is_odd_middle<K>(found);
        }
    }
    special = __syncthreads_or(special);
    if (has_leaf)
        ahead_publish<K, THREADS>(ahead, channel, (unsigned)leaf, pairs);
    far_tiles<K, THREADS, MANY>(view, channel, tiles.end, special, middles[warp], a, b);
    if constexpr (MANY) {
        if (has_leaf)
            ahead_make_spans<K, THREADS>(view, ring, ahead, channel, (unsigned)leaf);
    }
}

#endif
