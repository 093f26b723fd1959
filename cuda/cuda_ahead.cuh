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
 * one of its suffix's. A record consists of *parts* of 64 bits: 32 bits of the minimum or of the
 * maximum, and the stamp of its leaf. So a record of float32 has two parts, one of float64 four.
 * Each part is written and read atomically, and its stamp shows that it is valid, in any order they
 * arrive. It implies nothing about other memory, and no other memory is read because of it. So the
 * accesses are relaxed, at device scope, without fences on either side. One access of 16 bytes
 * counts as two of 8 in any order, which is enough.
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
    void *totals; /* records; channel c's begin at c * kept */
    void *suffixes;
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
template <class K, int THREADS> struct ahead_sizes {
    static const int MIDDLE_AT = scan_sizes<K, THREADS>::SHARED_WORDS;
    static const int PAIRS_AT = MIDDLE_AT + K::QUAD;
    static const int SHARED_WORDS = PAIRS_AT + 4 * scan_sizes<K, THREADS>::WARPS;
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

/* Read and written as one integer of 64 bits. */
struct ahead_part {
    uint32_t bits;
    uint32_t stamp;
};

template <class K> struct alignas(16) ahead_record {
    static const int PARTS = sizeof(kind_pair<K>) / sizeof(uint32_t);

    struct ahead_part part[PARTS];
};

/* Two neighbouring parts. */
__device__ __forceinline__ void ahead_read_parts(struct ahead_part *from, struct ahead_part *to)
{
    uint64_t word[2] = {0, 0};

#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                 : "=l"(word[0]), "=l"(word[1])
                 : "l"(__cvta_generic_to_global(from)));
#elif defined(GPUENV_EMU)
    word[0] = emu_atomic((uint64_t *)(void *)from, [](uint64_t old) { return old; });
    word[1] = emu_atomic((uint64_t *)(void *)from + 1, [](uint64_t old) { return old; });
#endif
#pragma unroll
    for (int i = 0; i < 2; i++) {
        to[i].bits = (uint32_t)word[i];
        to[i].stamp = (uint32_t)(word[i] >> 32);
    }
}

__device__ __forceinline__ void ahead_write_parts(struct ahead_part *to,
                                                  const struct ahead_part *from)
{
    const uint64_t low = (uint64_t)from[0].stamp << 32 | from[0].bits;
    const uint64_t high = (uint64_t)from[1].stamp << 32 | from[1].bits;

#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(__cvta_generic_to_global(to)), "l"(low), "l"(high)
                 : "memory");
#elif defined(GPUENV_EMU)
    atomicExch((uint64_t *)(void *)to + 1, high);
    atomicExch((uint64_t *)(void *)to, low);
#endif
}

template <class K>
__device__ __forceinline__ ahead_record<K> ahead_record_of(kind_pair<K> pair, unsigned stamp)
{
    const int parts = ahead_record<K>::PARTS / 2; /* of a key */
    ahead_record<K> record;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        record.part[i].bits = (uint32_t)((typename K::bits)pair.x >> 32 * i);
        record.part[i].stamp = stamp;
        record.part[parts + i].bits = (uint32_t)((typename K::bits)pair.y >> 32 * i);
        record.part[parts + i].stamp = stamp;
    }
    return record;
}

template <class K>
__device__ __forceinline__ kind_pair<K> ahead_pair_of(const ahead_record<K> &record)
{
    const int parts = ahead_record<K>::PARTS / 2;
    typename K::bits low = 0;
    typename K::bits high = 0;

#pragma unroll
    for (int i = 0; i < parts; i++) {
        low |= (typename K::bits)record.part[i].bits << 32 * i;
        high |= (typename K::bits)record.part[parts + i].bits << 32 * i;
    }
    return K::make_pair((kind_word<K>)low, (kind_word<K>)high);
}

/* Records of a channel, `place` records further. */
template <class K>
__device__ __forceinline__ ahead_record<K> *ahead_at(void *records, const struct ahead &ahead,
                                                     unsigned channel, unsigned place)
{
    return (ahead_record<K> *)records + ((uint64_t)channel * ahead.kept + place);
}

template <class K> __device__ __forceinline__ ahead_record<K> ahead_read(ahead_record<K> *from)
{
    ahead_record<K> record;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_read_parts(from->part + i, record.part + i);
    return record;
}

template <class K>
__device__ __forceinline__ void ahead_write(ahead_record<K> *to, kind_pair<K> pair, unsigned stamp)
{
    const ahead_record<K> record = ahead_record_of<K>(pair, stamp);

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i += 2)
        ahead_write_parts(to->part + i, record.part + i);
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
template <class K, int THREADS>
__device__ __forceinline__ void
ahead_make_leaf(const struct window_view &view, const kind_value<K> *ring,
                const struct ahead &ahead, const struct ahead_frames &frames, kind_pair<K> *pairs)
{
    kind_pair<K> total = missing_pair<K>();
    kind_pair<K> suffix = total;

    pick_tile<K, THREADS>(view, ring, frames.first, frames.position, ahead.cut, &total, &suffix);
    share_leaf<K>(&total, &suffix, pairs);
}

/* Done by the last warp: the first one computes the middle. */
template <class K, int THREADS>
__device__ __forceinline__ void ahead_publish(const struct ahead &ahead, unsigned channel,
                                              uint64_t leaf, const kind_pair<K> *pairs)
{
    const unsigned lane = threadIdx.x % LANES;
    kind_pair<K> total = missing_pair<K>();
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
        const struct ahead_spot spot = ahead_find(ahead, leaf);

        ahead_write<K>(ahead_at<K>(ahead.totals, ahead, channel, spot.place), total, spot.stamp);
        ahead_write<K>(ahead_at<K>(ahead.suffixes, ahead, channel, spot.place), suffix, spot.stamp);
    }
}

/* ---- the middle of a tile, by the first warp */

/* What a lane has read, and the stamp that it waits for. */
template <class K> struct ahead_look {
    ahead_record<K> record;
    unsigned stamp;
};

/* Lane i looks for the whole tile that is i+1 before tile `to`, the last lane for the suffix before
 * all of these. */
__device__ __forceinline__ uint64_t ahead_leaf_of(const struct ahead &ahead, uint64_t to,
                                                  unsigned lane)
{
    return to - 1 - (lane == LANES - 1 ? ahead.whole : lane);
}

template <class K>
__device__ __forceinline__ ahead_look<K> ahead_look_at(const struct ahead &ahead, unsigned channel,
                                                       uint64_t to)
{
    const unsigned lane = threadIdx.x;
    const bool is_last = lane == LANES - 1;
    ahead_look<K> look;

    look.record = ahead_record_of<K>(missing_pair<K>(), 0);
    look.stamp = 0;
    /* Before frame 0 there is nothing. */
    if (is_last ? ahead.has_suffix && to > ahead.whole : lane < ahead.whole && lane < to) {
        const struct ahead_spot spot = ahead_find(ahead, ahead_leaf_of(ahead, to, lane));

        look.record = ahead_read<K>(
            ahead_at<K>(is_last ? ahead.suffixes : ahead.totals, ahead, channel, spot.place));
        look.stamp = spot.stamp;
    }
    return look;
}

template <class K> __device__ __forceinline__ bool ahead_is_late(const ahead_look<K> &look)
{
    bool late = false;

#pragma unroll
    for (int i = 0; i < ahead_record<K>::PARTS; i++)
        late = late || look.record.part[i].stamp != look.stamp;
    return late;
}

/* Computes a leaf with one warp: its total or its suffix, in lane 0. Rarely needed, so it may be
 * slow. */
template <class K, int THREADS>
__device__ kind_pair<K> ahead_make_alone(const struct window_view &view, const kind_value<K> *ring,
                                         const struct ahead &ahead, uint64_t leaf, bool is_suffix)
{
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    kind_pair<K> total = missing_pair<K>();
    kind_pair<K> suffix = total;

#pragma unroll 1
    for (int word = (int)threadIdx.x * K::QUAD; word < THREADS * K::RUN; word += LANES * K::QUAD)
        pick_keys<K>(
            load_quad<K>(view, ring, frames.first + word, frames.position + (uint64_t)word), word,
            ahead.cut, &total, &suffix);
    return warp_total<K>(is_suffix ? suffix : total);
}

/* From the first poll to the middle, in lane 0. */
template <class K, int THREADS>
__device__ __forceinline__ kind_pair<K>
ahead_middle(const struct window_view &view, const kind_value<K> *ring, const struct ahead &ahead,
             unsigned channel, uint64_t to, ahead_look<K> look)
{
    unsigned late = __ballot_sync(WARP_ALL, ahead_is_late<K>(look));
    kind_pair<K> middle = missing_pair<K>();

#pragma unroll 1
    for (unsigned i = 0; late != 0 && i < ahead.looks; i++) {
        look = ahead_look_at<K>(ahead, channel, to);
        late = __ballot_sync(WARP_ALL, ahead_is_late<K>(look));
    }
    if (!ahead_is_late<K>(look))
        middle = ahead_pair_of<K>(look.record);
#pragma unroll 1
    for (unsigned lane = 0; late != 0; lane++, late >>= 1) {
        if (late % 2 != 0) {
            const kind_pair<K> pair = ahead_make_alone<K, THREADS>(
                view, ring, ahead, ahead_leaf_of(ahead, to, lane), lane == LANES - 1);

            if (threadIdx.x == 0)
                middle = pick_both<K>(middle, pair);
        }
    }
    return warp_total<K>(middle);
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
 * few more than available before compute capability 9.0 and from 12.0 on, and for float64. */
template <class K> __device__ __forceinline__ constexpr bool ahead_has_registers(void)
{
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
    return false;
#else
    return sizeof(kind_value<K>) == 4;
#endif
}

/* Can those of two float64 tiles be? They spill except with compute capability 9.0. */
template <class K> __device__ __forceinline__ constexpr bool ahead_has_some_registers(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
    return false;
#else
    return sizeof(kind_value<K>) == 8;
#endif
}

/* scan_load() up to its barrier, interleaved with a leaf. The last thread loads the quad after the
 * beginnings, because the first warp computes the middle. If the two tiles are whole, that quad is
 * known: windows are longer than a tile, so it lies no further than the first quad of their
 * ends. */
template <class K, int THREADS>
__device__ __forceinline__ bool
ahead_load(const struct window_view &view, const kind_value<K> *ring, const struct ahead &ahead,
           const struct ahead_tiles &tiles, bool has_leaf, uint64_t leaf, kind_word<K> *a,
           kind_word<K> *b, kind_pair<K> *pairs)
{
    const int tile = THREADS * K::RUN;
    const uint64_t behind = tiles.begin_position + (uint64_t)tile;
    const bool is_last = threadIdx.x == THREADS - 1;
    const struct ahead_frames frames = ahead_frames_of(view, ahead, leaf);
    bool special;

    if (is_whole<K, THREADS>(view, tiles.end, tiles.position) &&
        is_whole<K, THREADS>(view, tiles.begin, tiles.begin_position)) {
        kind_values<K> own[QUADS];
        kind_values<K> begins[QUADS];
        kind_values<K> quad = kind_values<K>();

        if (ahead_has_registers<K>() && has_leaf &&
            is_whole<K, THREADS>(view, frames.first, frames.position)) {
            kind_values<K> quads[QUADS];
            kind_pair<K> total = missing_pair<K>();
            kind_pair<K> suffix = total;

            fetch_tile<K, THREADS>(view, ring, frames.position, quads);
            fetch_tile<K, THREADS>(view, ring, tiles.position, own);
            fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
            special = stage_tile<K, THREADS>(view, own, a);
            special = stage_tile<K, THREADS>(view, begins, b) || special;
            if (is_last)
                quad = *(const kind_values<K> *)quad_at<K>(view, ring, behind);
            pick_quads<K, THREADS>(view, quads, ahead.cut, &total, &suffix);
            share_leaf<K>(&total, &suffix, pairs);
        } else if (ahead_has_some_registers<K>() && has_leaf &&
                   is_whole<K, THREADS>(view, frames.first, frames.position)) {
            kind_values<K> quads[QUADS];
            kind_pair<K> total = missing_pair<K>();
            kind_pair<K> suffix = total;

            fetch_tile<K, THREADS>(view, ring, frames.position, quads);
            fetch_tile<K, THREADS>(view, ring, tiles.position, own);
            special = stage_tile<K, THREADS>(view, own, a);
            fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
            pick_quads<K, THREADS>(view, quads, ahead.cut, &total, &suffix);
            special = stage_tile<K, THREADS>(view, begins, b) || special;
            share_leaf<K>(&total, &suffix, pairs);
            if (is_last)
                quad = *(const kind_values<K> *)quad_at<K>(view, ring, behind);
        } else {
            if (has_leaf)
                ahead_make_leaf<K, THREADS>(view, ring, ahead, frames, pairs);
            fetch_tile<K, THREADS>(view, ring, tiles.position, own);
            fetch_tile<K, THREADS>(view, ring, tiles.begin_position, begins);
            if (is_last)
                quad = *(const kind_values<K> *)quad_at<K>(view, ring, behind);
            special = stage_tile<K, THREADS>(view, own, a);
            special = stage_tile<K, THREADS>(view, begins, b) || special;
        }
        if (is_last) {
            special = special || is_odd(quad);
            stage_keys<K>(b + spread<K>(tile), keys_of<K>(quad, view.nan));
        }
    } else {
        if (has_leaf)
            ahead_make_leaf<K, THREADS>(view, ring, ahead, frames, pairs);
        special = load_tile<K, THREADS>(view, ring, tiles.end, tiles.position, a);
        special =
            load_tile<K, THREADS>(view, ring, tiles.begin, tiles.begin_position, b) || special;
        if (is_last) {
            const kind_quad<K> quad = load_quad<K>(view, ring, tiles.begin + tile, behind);

            special = special || has_odd_key<K>(quad);
            stage_keys<K>(b + spread<K>(tile), quad);
        }
    }
    return special;
}

template <class K, int THREADS>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    ahead_kernel(const struct window_view view, const struct ahead ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + scan_sizes<K, THREADS>::BEGIN_AT;
    kind_pair<K> *middle = (kind_pair<K> *)(void *)(a + ahead_sizes<K, THREADS>::MIDDLE_AT);
    kind_pair<K> *pairs = (kind_pair<K> *)(void *)(a + ahead_sizes<K, THREADS>::PAIRS_AT);
    const struct block_place place = place_of_block(view.channels);
    const unsigned channel = place.channel;
    const kind_value<K> *ring = ring_of<K>(view, channel);
    const uint64_t leaf = ahead.first_leaf + place.tile;
    const bool has_leaf = place.tile < ahead.leaves;

    if (place.tile < ahead.lead || place.tile - ahead.lead >= ahead.windows) {
        if (has_leaf) {
            ahead_make_leaf<K, THREADS>(view, ring, ahead, ahead_frames_of(view, ahead, leaf),
                                        pairs);
            __syncthreads();
            ahead_publish<K, THREADS>(ahead, channel, leaf, pairs);
        }
        return;
    }

    const unsigned tile = place.tile - ahead.lead;
    const uint64_t offset = (uint64_t)tile * view.tile;
    const struct ahead_tiles tiles = {view.start + (int64_t)offset, view.position + offset,
                                      view.begin + (int64_t)offset, view.begin_position + offset};
    ahead_look<K> look;
    bool special;

    if (threadIdx.x < LANES)
        look = ahead_look_at<K>(ahead, channel, ahead.first_tile + tile);
    special = ahead_load<K, THREADS>(view, ring, ahead, tiles, has_leaf, leaf, a, b, pairs);
    if (threadIdx.x < LANES) {
        const kind_pair<K> found =
            ahead_middle<K, THREADS>(view, ring, ahead, channel, ahead.first_tile + tile, look);

        if (threadIdx.x == 0) {
            *middle = found;
            special = special || is_odd_middle<K>(found);
        }
    }
    special = __syncthreads_or(special);
    if (has_leaf)
        ahead_publish<K, THREADS>(ahead, channel, leaf, pairs);
    far_tiles<K, THREADS>(view, channel, tiles.end, special, *middle, a, b);
}

#endif
