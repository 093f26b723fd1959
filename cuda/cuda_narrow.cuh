/* SPDX-License-Identifier: MIT */
/* The plans near and herk for samples as they are, of up to 32 bits, whose keys are as wide.
 *
 * The words of a block have samples of one tile or, if samples have less than 32 bits, of two
 * neighbouring tiles. Samples are loaded as they lie, and woven into words on their way into shared
 * memory; results are taken apart on their way out. In between everything is as in cuda_near.cuh: a
 * word is 32 bits, and the extremes of both tiles are picked at once.
 *
 * All of a block's instructions count: a sample of 8 bits should take no more than a quarter of
 * those of a float32. */
#ifndef GPUENV_CUDA_CUDA_NARROW_CUH
#define GPUENV_CUDA_CUDA_NARROW_CUH

#include "cuda_herk.cuh"
#include "sample/decode_one.h"

#include <type_traits>

/* Blocks that a multiprocessor has room for, which limits their registers. Devices that have no
 * instruction for the minima of two halves of a word need more registers. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define NARROW_BLOCKS 2
#else
#define NARROW_BLOCKS 4
#endif

/* ---- loads */

/* Weaves a quad of samples of each tile into words. */
template <class K> DEVICE void weave(const unsigned (*keys)[K::QUAD], kind_word<K> *words)
{
#pragma unroll
    for (int i = 0; i < K::VALUES; i++) {
        if constexpr (K::VALUES == 4)
            words[i] = (int)keys[0][i];
        else if constexpr (K::VALUES == 8)
            words[i] =
                (int)__byte_perm(keys[0][i / 2], keys[1][i / 2], i % 2 == 0 ? 0x5410 : 0x7632);
        else
            words[i] = (int)__byte_perm(keys[0][i / 4], keys[1][i / 4], 0x4400 + 0x1111 * (i % 4));
    }
}

/* The keys of samples; a NaN has its key in the running maximum. */
template <class K>
DEVICE unsigned keys_of_samples(const struct window_view &view, unsigned samples, bool special)
{
    const unsigned nan = special ? K::find_nan(samples) : 0;
    const unsigned key = (unsigned)(view.nan == NAN_OMIT ? K::BELOW : K::ABOVE);

    return (K::turn(samples, view.sign) & ~nan) | (key & nan);
}

/* Loads this thread's share of the tiles that begin at `first`. Returns true if it has a NaN. */
template <class K>
DEVICE bool load_woven(const struct window_view &view, const struct row_place *first,
                       kind_word<K> *tile)
{
    kind_word<K> *at = tile + spread<K>((int)threadIdx.x * K::VALUES);
    kind_values<K> quads[K::TILES][K::LOADS];
    unsigned keys[K::TILES][K::QUAD];
    bool whole = true;
    bool special = false;

#pragma unroll
    for (int t = 0; t < K::TILES; t++)
        whole = whole && is_whole_at<K, true>(view, first[t]);
#pragma unroll
    for (int t = 0; whole && t < K::TILES; t++)
        fetch_tile<K, NEAR_THREADS>(view, ring_of<K>(view, first[t].row),
                                    view.position + first[t].past, quads[t]);
#pragma unroll
    for (int t = 0; !whole && t < K::TILES; t++)
        fetch_padded<K, true>(view, first[t], quads[t]);
#pragma unroll
    for (int i = 0; K::HAS_NAN && i < K::TILES * K::LOADS; i++) {
        take_quad(quads[i % K::TILES][i / K::TILES], keys[0]);
#pragma unroll
        for (int k = 0; k < K::QUAD; k++)
            special = special | (K::find_nan(keys[0][k]) != 0);
    }
#pragma unroll
    for (int i = 0; i < K::LOADS; i++) {
        kind_word<K> words[K::VALUES];

#pragma unroll
        for (int t = 0; t < K::TILES; t++) {
            take_quad(quads[t][i], keys[t]);
#pragma unroll
            for (int k = 0; k < K::QUAD; k++)
                keys[t][k] = keys_of_samples<K>(view, keys[t][k], special);
        }
        weave<K>(keys, words);
#pragma unroll
        for (int k = 0; k < K::VALUES; k += K::QUAD)
            *(kind_quad<K> *)(void *)(at + SPREAD_WORDS(K, i * NEAR_THREADS * K::VALUES) + k) =
                make_quad<kind_quad<K>>(words + k);
    }
    return special;
}

/* ---- stores */

/* Takes the keys of tile `t` out of a quad of words, without gaps. */
template <class K> DEVICE void unweave(const kind_word<K> *words, int t, unsigned *keys)
{
    unsigned half[2];

#pragma unroll
    for (int i = 0; i < 2; i++) {
        const unsigned first = (unsigned)words[2 * i];
        const unsigned second = (unsigned)words[2 * i + 1];

        if constexpr (K::VALUES == 4) {
            keys[2 * i] = first;
            keys[2 * i + 1] = second;
        } else if constexpr (K::VALUES == 8) {
            keys[i] = __byte_perm(first, second, t == 0 ? 0x5410 : 0x7632);
        } else {
            half[i] = __byte_perm(first, second, 0x7351); /* keys of both tiles */
        }
    }
    if constexpr (K::VALUES == 16)
        keys[0] = __byte_perm(half[0], half[1], t == 0 ? 0x5410 : 0x7632);
}

/* Takes a quad of keys, those from number `skip` on: 0 to 3. The choices are uniform, as registers
 * cannot be indexed. */
template <class K> DEVICE void skip_keys(unsigned *keys, int skip, unsigned *quad)
{
    constexpr int WORDS = K::QUAD + (int)sizeof(kind_value<K>); /* words of `keys` */
    const int bytes = skip * (int)sizeof(kind_value<K>);

#pragma unroll
    for (int i = 0; K::VALUES == 4 && i + 2 < WORDS; i++)
        keys[i] = (bytes & 8) != 0 ? keys[i + 2] : keys[i];
#pragma unroll
    for (int i = 0; K::VALUES <= 8 && i + 1 < WORDS; i++)
        keys[i] = (bytes & 4) != 0 ? keys[i + 1] : keys[i];
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        quad[i] = K::VALUES == 4 ? keys[i] : __funnelshift_r(keys[i], keys[i + 1], 8 * (bytes & 3));
}

/* The key of tile `t` in word `k`, as a signed integer. */
template <class K> DEVICE int key_at(const kind_word<K> *words, int t, int k)
{
    const int word = words[spread<K>(k)];

    return K::VALUES == 4   ? word
           : K::VALUES == 8 ? (int16_t)(word >> 16 * t)
                            : (int8_t)(word >> 16 * t);
}

/* The sample of tile `t` in word `k`. */
template <class K>
DEVICE kind_value<K> sample_at(const struct window_view &view, const kind_word<K> *words, int t,
                               int k)
{
    return (kind_value<K>)K::turn((unsigned)key_at<K>(words, t, k) & (K::HAS_NAN ? 0xffff : ~0U),
                                  view.sign);
}

/* Where the windows of one tile go: the window of word k goes to number at+k of an array, if k is
 * one of from .. to-1. */
struct woven_place {
    int64_t at;
    int from;
    int to;
};

DEVICE struct woven_place woven_place_of(const struct window_view &view, struct row_place first,
                                         int count)
{
    const int64_t end = view.start + (int64_t)first.past;

    return {(int64_t)(first.row * view.out.channel) + (end - view.kept_first),
            (int)max(view.kept_first - end, (int64_t)0), (int)min(view.last - end, (int64_t)count)};
}

/* Where the windows of the row that has word `k` go, if rows have no gaps between them. */
template <class K>
DEVICE struct woven_place woven_place_in_rows(const struct window_view &view,
                                              struct row_place first, int count, int k)
{
    const int kept = (int)(view.kept_first - view.start);
    const struct row_place place = place_in_rows(view, first.row, (unsigned)((int)first.past + k));
    const int past = (int)place.past;

    return {(int64_t)(place.row * view.out.channel) + past - kept - k, max(k - past + kept, 0),
            place.row < view.rows ? min(k - past + (int)(view.last - view.start), count) : 0};
}

/* How many samples number `at` of an array lies after a 16-byte border. */
template <class K> DEVICE int woven_shift(const kind_value<K> *out, int64_t at)
{
    return (int)(((unsigned)((uintptr_t)out / sizeof *out) + (unsigned)at) & (K::VALUES - 1));
}

/* Stores the windows from word `k` on, as many as a quad has and `to` allows. */
template <class K>
DEVICE void store_keys(const struct window_view &view, const struct woven_place &to, int t, int k,
                       unsigned *keys, kind_value<K> *out, const kind_word<K> *words)
{
    unsigned quad[K::QUAD];

    skip_keys<K>(keys, k & (K::QUAD - 1), quad);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        quad[i] = K::turn(quad[i], view.sign);
    if (k >= to.from && k + K::VALUES <= to.to) {
        __stcs((kind_values<K> *)(void *)(out + (to.at + k)), make_quad<kind_values<K>>(quad));
        return;
    }
#pragma unroll 1
    for (int i = max(k, to.from); i < min(k + K::VALUES, to.to); i++)
        out[to.at + i] = sample_at<K>(view, words, t, i);
}

/* Takes the keys of tile `t` around word `k`. A tile has room behind its windows for what this
 * reads. */
template <class K> DEVICE void take_keys(const kind_word<K> *words, int k, int t, unsigned *keys)
{
#pragma unroll
    for (int q = 0; q <= K::VALUES / K::QUAD; q++) {
        const int at = max((k & ~(K::QUAD - 1)) + q * K::QUAD, 0);
        kind_word<K> quad[K::QUAD];

        take_quad(*(const kind_quad<K> *)(const void *)(words + spread<K>(at)), quad);
        unweave<K>(quad, t, keys + q * (int)sizeof(kind_value<K>));
    }
}

/* Stores one extreme of all windows of the tiles, in full-width stores. All windows are whole, and
 * rows that lie end to end are equally far from 16-byte borders. Tiles that are not take turns. */
template <class K, bool ROWS>
DEVICE void store_woven(const struct window_view &view, const struct row_place *first, int count,
                        kind_value<K> *out, const kind_word<K> *words)
{
    struct woven_place place[K::TILES];
    int shifts[K::TILES];

#pragma unroll
    for (int t = 0; t < K::TILES; t++) {
        place[t] = ROWS ? woven_place_in_rows<K>(view, first[t], count, 0)
                        : woven_place_of(view, first[t], count);
        shifts[t] = woven_shift<K>(out, place[t].at);
    }
#pragma unroll 1
    for (int turn = 0; turn < (shifts[0] == shifts[K::TILES - 1] ? 1 : K::TILES); turn++) {
        const int shift = turn == 0 ? shifts[0] : shifts[K::TILES - 1];

#pragma unroll 1
        for (int k = K::VALUES * (int)threadIdx.x - shift; k < count;
             k += K::VALUES * NEAR_THREADS) {
            unsigned keys[K::TILES][K::QUAD + sizeof *out];

#pragma unroll
            for (int t = 0; t < K::TILES; t++)
                take_keys<K>(words, k, t, keys[t]);
#pragma unroll
            for (int t = 0; t < K::TILES; t++) {
                const struct woven_place to =
                    ROWS ? woven_place_in_rows<K>(view, first[t], count, k + shift) : place[t];

                if (shift == shifts[t] && k + K::VALUES > to.from && k < to.to)
                    store_keys<K>(view, to, t, k, keys[t], out, words);
            }
        }
    }
}

/* store_woven() for tile `t` whose rows may be at any distance from borders: see
 * store_row_side(). */
template <class K>
DEVICE void store_uneven(const struct window_view &view, struct row_place first, int t, int count,
                         kind_value<K> *out, const kind_word<K> *words)
{
#pragma unroll 1
    for (int word = K::VALUES * (int)threadIdx.x; word < count + K::VALUES;
         word += K::VALUES * NEAR_THREADS) {
        const struct woven_place to = woven_place_in_rows<K>(view, first, count, word);
        const int k = word - woven_shift<K>(out, to.at + word);
        unsigned keys[K::QUAD + sizeof *out];

        if (k + K::VALUES <= to.from || k >= to.to)
            continue;
        take_keys<K>(words, k, t, keys);
        store_keys<K>(view, to, t, k, keys, out, words);
    }
}

/* The value of a sample, as the CPU decodes it, from its key. */
template <class K> DEVICE auto woven_value(const struct window_view &view, int key)
{
    if constexpr (K::HAS_NAN) {
        const unsigned bits = K::turn((unsigned)key & 0xffff, 0);
        const unsigned char raw[] = {(unsigned char)bits, (unsigned char)(bits >> 8)};

        return decode_f16(raw, false, scaling_make(0, 1));
    } else if constexpr (K::VALUES == 4) {
        return ((double)key + view.out.zero) * view.out.unit;
    } else {
        return ((float)key + (float)view.out.zero) * (float)view.out.unit;
    }
}

/* Stores any value of a tile's windows, for any hop, edges and rows: one value per thread. */
template <class K>
DEVICE void store_each(const struct window_view &view, struct row_place first, int t, int count,
                       unsigned i, const kind_word<K> *low, const kind_word<K> *high)
{
    typedef std::conditional_t<K::VALUES == 4, f64, f32> wide;
    const bool rows = view.length > 0;
    const enum emit item = view.emits.item[i];
    const int64_t end = view.start + (int64_t)first.past;
    const uint64_t hop = rows ? 1 : view.hop;
    const uint64_t past = rows || end < view.kept_first ? 0 : (uint64_t)(end - view.kept_first);
    uint64_t index = (hop == 1 ? past : (past + hop - 1) / hop) + threadIdx.x;
    int64_t k =
        rows ? (int64_t)threadIdx.x : (int64_t)(view.kept_first + (int64_t)(index * hop) - end);

    for (; k < count; k += (int64_t)hop * NEAR_THREADS, index += NEAR_THREADS) {
        const struct row_place place =
            rows ? place_in_rows(view, first.row, (unsigned)first.past + (unsigned)k)
                 : row_place{first.row, first.past + (uint64_t)k};
        const int64_t frame = view.start + (int64_t)place.past;
        const bool whole = frame >= view.whole_from && frame < view.whole_to;
        const uint64_t at =
            place.row * view.out.channel + (rows ? (uint64_t)(frame - view.kept_first) : index);

        if (place.row >= view.rows || frame < view.kept_first || frame >= view.last)
            continue;
        if (!view.out.wide[i])
            ((kind_value<K> *)view.out.item[i])[at] =
                whole ? sample_at<K>(view, item == EMIT_MIN ? low : high, t, (int)k)
                      : (kind_value<K>)RULES_NAN_BITS16;
        else
            ((kind_value<wide> *)view.out.item[i])[at] =
                whole ? wide::emit(item, woven_value<K>(view, key_at<K>(low, t, (int)k)),
                                   woven_value<K>(view, key_at<K>(high, t, (int)k)))
                      : wide::from_key(wide::ABOVE);
    }
}

/* Are all windows of the tile whole? */
DEVICE bool has_whole_windows(const struct window_view &view, struct row_place first, int count)
{
    const int64_t end = view.length > 0 ? view.start : view.start + (int64_t)first.past;

    return max(end, view.kept_first) >= view.whole_from &&
           (view.length > 0 ? view.last : min(end + count, view.last)) <= view.whole_to;
}

template <class K>
DEVICE void store_tiles(const struct window_view &view, const struct row_place *first, int count,
                        const kind_word<K> *low, const kind_word<K> *high)
{
    const bool even = view.length == 0 || view.out.channel % K::VALUES == 0;
    bool straight = view.sides;

#pragma unroll
    for (int t = 0; t < K::TILES; t++)
        straight = straight && has_whole_windows(view, first[t], count);
    for (unsigned i = 0; i < view.emits.count; i++) {
        kind_value<K> *const out = (kind_value<K> *)view.out.item[i];
        const kind_word<K> *const words = view.emits.item[i] == EMIT_MIN ? low : high;

        if (straight && !view.out.wide[i] && even) {
            if (view.length > 0)
                store_woven<K, true>(view, first, count, out, words);
            else
                store_woven<K, false>(view, first, count, out, words);
            continue;
        }
#pragma unroll 1
        for (int t = 0; t < K::TILES; t++) {
            const struct row_place own = t == 0 ? first[0] : first[K::TILES - 1];

            if (straight && !view.out.wide[i])
                store_uneven<K>(view, own, t, count, out, words);
            else
                store_each<K>(view, own, t, count, i, low, high);
        }
    }
}

/* ---- kernels */

template <class K, bool NEAR>
__global__ void __launch_bounds__(NEAR_THREADS, NARROW_BLOCKS)
    narrow_kernel(const struct window_view view, const struct ahead)
{
    KIND_SHARED(K, a);
    kind_word<K> *b = a + tile_sizes<K, NEAR>::TILE_WORDS;
    struct row_place first[K::TILES];
    bool special;

#pragma unroll
    for (int t = 0; t < K::TILES; t++)
        first[t] = first_place<true>(view, blockIdx.x * K::TILES + t);
    special = load_woven<K>(view, first, a);
    if (!K::HAS_NAN)
        __syncthreads();
    if (K::HAS_NAN && __syncthreads_or(special))
        make_tile<K, NEAR, !K::HAS_NAN>(view, a, b);
    else
        make_tile<K, NEAR, true>(view, a, b);
    __syncthreads();
    store_tiles<K>(view, first, (int)view.tile, b, a);
}

#endif
