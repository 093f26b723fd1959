/* Windows of up to 33 tiles: the plan far in one kernel.
 *
 * With separate kernels for leaves and windows, all samples are read from memory twice: between the
 * two reads lies more data than the second-level cache holds. Here a block makes the leaf of one
 * tile and the windows of another, which lies a few hundred tiles *behind*. The samples that one
 * block reads for a leaf are read again for windows soon after, while they are still in the cache.
 * So are the beginnings of windows, which lie at most 33 tiles back.
 *
 * A middle consists of few enough tiles for one warp to look up, one leaf per lane, so there is no
 * tree above the leaves and no kernel for the middles.
 *
 * A leaf may be late: a device may run its blocks in any order, and not all at once. So a block
 * polls for a leaf a few times, and then computes it itself. No block depends on another one to
 * finish.
 *
 * How a block knows that a leaf is ready: a leaf is two *records*, one of the tile's extremes and
 * one of its suffix's. A record is {minimum, stamp, maximum, stamp}: each half of 64 bits is
 * written and read atomically, and carries the stamp of its leaf. So each half proves its own
 * validity, in whatever order they arrive. It implies nothing about other memory, and no other
 * memory is read because of it. So the accesses are relaxed, at device scope, without fences on
 * either side. One access of 16 bytes counts as two of 8 in any order, which is enough.
 *
 * A stamp is derived from the number of times that the ring has wrapped around when it reaches the
 * leaf. It is never 0, and differs from that of the previous round. Leaves are made in order,
 * without gaps, and the first task in new rings clears the records. So the place of a leaf that is
 * not ready holds 0 or the stamp of the last round. Neither older rounds nor earlier contents of
 * the memory can be mistaken for it. */
#ifndef GPUENV_CUDA_CUDA_AHEAD_CUH
#define GPUENV_CUDA_CUDA_AHEAD_CUH

#include "cuda_far.cuh"

/* Whole tiles in a middle: one lane of the warp looks for the suffix. */
enum { AHEAD_WHOLE_MOST = LANES - 1 };

/* Block b makes the leaf of tile first_leaf + b / channels, and the windows of tile first_tile + b
 * / channels - lead. */
struct ahead {
    int4 *totals; /* records; channel c's begin at c * kept */
    int4 *suffixes;
    unsigned kept;       /* leaves per channel: as many as a ring has tiles */
    uint64_t base;       /* the first leaf that this launch reads or makes, */
    unsigned base_place; /* its place, */
    unsigned stamps[2];  /* the stamp from there on, and the one after the ring's end */

    uint64_t first_leaf;
    uint64_t first_tile;
    unsigned leaves;
    unsigned windows; /* tiles with windows */
    unsigned lead;
    unsigned whole; /* tiles in a middle */
    bool has_suffix;
    int cut; /* the suffix of a tile begins at this word */
    unsigned looks;
};

/* The layout of shared memory: the scan's, the middle, and the warps' shares of the leaf. */
template <int THREADS> struct ahead_sizes {
    static const int MIDDLE_AT = scan_sizes<THREADS>::SHARED_WORDS;
    static const int PAIRS_AT = MIDDLE_AT + QUAD;
    static const int SHARED_WORDS = PAIRS_AT + QUAD * scan_sizes<THREADS>::WARPS;
};

/* ---- records */

struct ahead_spot {
    unsigned place; /* of the tile in its ring, and of the leaf among the channel's records */
    unsigned stamp;
};

__device__ __forceinline__ struct ahead_spot ahead_find(const struct ahead &ahead, uint64_t leaf)
{
    struct ahead_spot spot;

    spot.place = ahead.base_place + (unsigned)(leaf - ahead.base);
    spot.stamp = ahead.stamps[0];
    if (spot.place >= ahead.kept) {
        spot.place -= ahead.kept;
        spot.stamp = ahead.stamps[1];
    }
    return spot;
}

__device__ __forceinline__ int4 ahead_read(int4 *record)
{
    uint64_t low = 0;
    uint64_t high = 0;

#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(__cvta_generic_to_global(record)));
#elif defined(GPUENV_EMU)
    low = emu_atomic((uint64_t *)(void *)record, [](uint64_t word) { return word; });
    high = emu_atomic((uint64_t *)(void *)record + 1, [](uint64_t word) { return word; });
#endif
    return make_int4((int)low, (int)(low >> 32), (int)high, (int)(high >> 32));
}

__device__ __forceinline__ void ahead_write(int4 *record, int2 pair, unsigned stamp)
{
    const uint64_t low = (uint64_t)stamp << 32 | (unsigned)pair.x;
    const uint64_t high = (uint64_t)stamp << 32 | (unsigned)pair.y;

#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(__cvta_generic_to_global(record)), "l"(low), "l"(high)
                 : "memory");
#elif defined(GPUENV_EMU)
    atomicExch((uint64_t *)(void *)record + 1, high);
    atomicExch((uint64_t *)(void *)record, low);
#endif
}

/* ---- the leaf made by a block */

/* The frames of a leaf. A ring holds whole tiles, so they are contiguous. */
struct ahead_frames {
    int64_t first;
    uint64_t position;
};

__device__ __forceinline__ struct ahead_frames
ahead_frames_of(const struct window_view &view, const struct ahead &ahead, uint64_t leaf)
{
    struct ahead_frames frames;

    frames.first = (int64_t)(leaf * view.tile);
    frames.position = (uint64_t)ahead_find(ahead, leaf).place * view.tile;
    return frames;
}

/* Writes the warps' shares to `pairs`, for ahead_publish() after the next barrier. */
template <int THREADS>
__device__ __forceinline__ void ahead_make_leaf(const struct window_view &view, const float *ring,
                                                const struct ahead &ahead,
                                                const struct ahead_frames &frames, int2 *pairs)
{
    int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
    int2 suffix = total;

    pick_tile<THREADS>(view, ring, frames.first, frames.position, ahead.cut, &total, &suffix);
    share_leaf(&total, &suffix, pairs);
}

/* Done by the last warp: the first one computes the middle. */
template <int THREADS>
__device__ __forceinline__ void ahead_publish(const struct ahead &ahead, unsigned channel,
                                              uint64_t leaf, const int2 *pairs)
{
    const unsigned lane = threadIdx.x % LANES;
    int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
    int2 suffix = total;

    if (threadIdx.x < THREADS - LANES)
        return;
    if (lane < THREADS / LANES) {
        total = pairs[2 * lane];
        suffix = pairs[2 * lane + 1];
    }
    total = warp_total(total);
    suffix = warp_total(suffix);
    if (lane == 0) {
        const struct ahead_spot spot = ahead_find(ahead, leaf);
        const uint64_t place = (uint64_t)channel * ahead.kept + spot.place;

        ahead_write(ahead.totals + place, total, spot.stamp);
        ahead_write(ahead.suffixes + place, suffix, spot.stamp);
    }
}

/* ---- the middle of a tile, by the first warp */

/* What a lane has read, and the stamp that it waits for. */
struct ahead_look {
    int4 record;
    unsigned stamp;
};

/* Lane i looks for the whole tile that is i+1 before tile `to`, the last lane for the suffix before
 * all of these. */
__device__ __forceinline__ uint64_t ahead_leaf_of(const struct ahead &ahead, uint64_t to,
                                                  unsigned lane)
{
    return to - 1 - (lane == LANES - 1 ? ahead.whole : lane);
}

__device__ __forceinline__ struct ahead_look ahead_look_at(const struct ahead &ahead,
                                                           unsigned channel, uint64_t to)
{
    const unsigned lane = threadIdx.x;
    const bool is_last = lane == LANES - 1;
    struct ahead_look look;

    look.record = make_int4(KEY_ABOVE, 0, KEY_BELOW, 0);
    look.stamp = 0;
    /* Before frame 0 there is nothing. */
    if (is_last ? ahead.has_suffix && to > ahead.whole : lane < ahead.whole && lane < to) {
        const struct ahead_spot spot = ahead_find(ahead, ahead_leaf_of(ahead, to, lane));

        look.record = ahead_read((is_last ? ahead.suffixes : ahead.totals) +
                                 ((uint64_t)channel * ahead.kept + spot.place));
        look.stamp = spot.stamp;
    }
    return look;
}

__device__ __forceinline__ bool ahead_is_late(const struct ahead_look &look)
{
    return (unsigned)look.record.y != look.stamp || (unsigned)look.record.w != look.stamp;
}

/* Computes a leaf with one warp: its total or its suffix, in lane 0. Rarely needed, so it may be
 * slow. */
template <int THREADS>
__device__ int2 ahead_make_alone(const struct window_view &view, const float *ring,
                                 const struct ahead &ahead, uint64_t leaf, bool is_suffix)
{
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
    int2 suffix = total;

#pragma unroll 1
    for (int word = (int)threadIdx.x * QUAD; word < THREADS * RUN; word += LANES * QUAD)
        pick_keys(load_quad(view, ring, frames.first + word, frames.position + (uint64_t)word),
                  word, ahead.cut, &total, &suffix);
    return warp_total(is_suffix ? suffix : total);
}

/* From the first poll to the middle, in lane 0. */
template <int THREADS>
__device__ __forceinline__ int2 ahead_middle(const struct window_view &view, const float *ring,
                                             const struct ahead &ahead, unsigned channel,
                                             uint64_t to, struct ahead_look look)
{
    unsigned late = __ballot_sync(WARP_ALL, ahead_is_late(look));
    int2 middle = make_int2(KEY_ABOVE, KEY_BELOW);

#pragma unroll 1
    for (unsigned i = 0; late != 0 && i < ahead.looks; i++) {
        look = ahead_look_at(ahead, channel, to);
        late = __ballot_sync(WARP_ALL, ahead_is_late(look));
    }
    if (!ahead_is_late(look))
        middle = make_int2(look.record.x, look.record.z);
#pragma unroll 1
    for (unsigned lane = 0; late != 0; lane++, late >>= 1) {
        if (late % 2 != 0) {
            const int2 pair = ahead_make_alone<THREADS>(
                view, ring, ahead, ahead_leaf_of(ahead, to, lane), lane == LANES - 1);

            if (threadIdx.x == 0)
                middle = pick_both(middle, pair);
        }
    }
    return warp_total(middle);
}

/* ---- the kernel */

/* The tiles of a block, as scan_load() takes them. */
struct ahead_tiles {
    int64_t end;
    uint64_t position;
    int64_t begin;
    uint64_t begin_position;
};

/* Can the loads of three tiles be in flight at once? That takes all registers of a thread, and a
 * few more than available before compute capability 9.0 and from 12.0 on. */
__device__ __forceinline__ constexpr bool ahead_has_registers(void)
{
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
    return false;
#else
    return true;
#endif
}

/* scan_load() up to its barrier, interleaved with a leaf. The last thread loads the quad after the
 * beginnings, because the first warp computes the middle. If the two tiles are whole, that quad is
 * known: windows are longer than a tile, so it lies no further than the first quad of their
 * ends. */
template <int THREADS>
__device__ __forceinline__ bool ahead_load(const struct window_view &view, const float *ring,
                                           const struct ahead &ahead,
                                           const struct ahead_tiles &tiles, bool has_leaf,
                                           uint64_t leaf, int *a, int *b, int2 *pairs)
{
    const uint64_t behind = tiles.begin_position + (uint64_t)(THREADS * RUN);
    const bool is_last = threadIdx.x == THREADS - 1;
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    bool special;

    if (is_whole<THREADS>(view, tiles.end, tiles.position) &&
        is_whole<THREADS>(view, tiles.begin, tiles.begin_position)) {
        float4 own[QUADS];
        float4 begins[QUADS];
        float4 quad = make_float4(0, 0, 0, 0);

        if (ahead_has_registers() && has_leaf &&
            is_whole<THREADS>(view, frames.first, frames.position)) {
            float4 quads[QUADS];
            int2 total = make_int2(KEY_ABOVE, KEY_BELOW);
            int2 suffix = total;

            fetch_tile<THREADS>(view, ring, frames.position, quads);
            fetch_tile<THREADS>(view, ring, tiles.position, own);
            fetch_tile<THREADS>(view, ring, tiles.begin_position, begins);
            special = stage_tile<THREADS>(view, own, a);
            special = stage_tile<THREADS>(view, begins, b) || special;
            if (is_last)
                quad = *(const float4 *)quad_at(view, ring, behind);
            pick_quads<THREADS>(view, quads, ahead.cut, &total, &suffix);
            share_leaf(&total, &suffix, pairs);
        } else {
            if (has_leaf)
                ahead_make_leaf<THREADS>(view, ring, ahead, frames, pairs);
            fetch_tile<THREADS>(view, ring, tiles.position, own);
            fetch_tile<THREADS>(view, ring, tiles.begin_position, begins);
            if (is_last)
                quad = *(const float4 *)quad_at(view, ring, behind);
            special = stage_tile<THREADS>(view, own, a);
            special = stage_tile<THREADS>(view, begins, b) || special;
        }
        if (is_last) {
            special = special || has_nan(quad);
            stage_quad(b + spread(THREADS * RUN), keys_of(quad, view.nan));
        }
    } else {
        if (has_leaf)
            ahead_make_leaf<THREADS>(view, ring, ahead, frames, pairs);
        special = load_tile<THREADS>(view, ring, tiles.end, tiles.position, a);
        special = load_tile<THREADS>(view, ring, tiles.begin, tiles.begin_position, b) || special;
        if (is_last) {
            const int4 quad = load_quad(view, ring, tiles.begin + THREADS * RUN, behind);

            special = special || is_special(quad);
            stage_quad(b + spread(THREADS * RUN), quad);
        }
    }
    return special;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    ahead_kernel(const struct window_view view, const struct ahead ahead)
{
    SHARED_DYNAMIC(int, a);
    int *b = a + scan_sizes<THREADS>::BEGIN_AT;
    int2 *middle = (int2 *)(void *)(a + ahead_sizes<THREADS>::MIDDLE_AT);
    int2 *pairs = (int2 *)(void *)(a + ahead_sizes<THREADS>::PAIRS_AT);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    const float *ring = view.samples + channel * view.capacity;
    const uint64_t leaf = ahead.first_leaf + place.tile;
    const bool has_leaf = place.tile < ahead.leaves;

    if (place.tile < ahead.lead || place.tile - ahead.lead >= ahead.windows) {
        if (has_leaf) {
            ahead_make_leaf<THREADS>(view, ring, ahead, ahead_frames_of(view, ahead, leaf), pairs);
            __syncthreads();
            ahead_publish<THREADS>(ahead, channel, leaf, pairs);
        }
        return;
    }

    const unsigned tile = place.tile - ahead.lead;
    const uint64_t offset = (uint64_t)tile * view.tile;
    const struct ahead_tiles tiles = {view.start + (int64_t)offset, view.position + offset,
                                      view.begin + (int64_t)offset, view.begin_position + offset};
    struct ahead_look look;
    bool special;

    if (threadIdx.x < LANES)
        look = ahead_look_at(ahead, channel, ahead.first_tile + tile);
    special = ahead_load<THREADS>(view, ring, ahead, tiles, has_leaf, leaf, a, b, pairs);
    if (threadIdx.x < LANES) {
        const int2 found =
            ahead_middle<THREADS>(view, ring, ahead, channel, ahead.first_tile + tile, look);

        if (threadIdx.x == 0) {
            *middle = found;
            special = special || is_poison(found);
        }
    }
    special = __syncthreads_or(special);
    if (has_leaf)
        ahead_publish<THREADS>(ahead, channel, leaf, pairs);
    if (special) {
        make_keys(a);
        make_keys(b);
        if (threadIdx.x == 0)
            *run_quads(b, THREADS) = flip_quad(*run_quads(b, THREADS));
        __syncthreads();
        far_tile<THREADS, false>(view, channel, tiles.end, *middle, a, b);
    } else {
        far_tile<THREADS, true>(view, channel, tiles.end, *middle, a, b);
    }
}

#endif
