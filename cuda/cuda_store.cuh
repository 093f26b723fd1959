/* SPDX-License-Identifier: MIT */
/* Stores the windows of a tile, which are in shared memory. */
#ifndef GPUENV_CUDA_CUDA_STORE_CUH
#define GPUENV_CUDA_CUDA_STORE_CUH

#include "cuda_tile.cuh"

/* Returns one value of window `k`. */
template <class K, bool PLAIN>
DEVICE kind_value<K> emit_value(enum emit item, const kind_word<K> *low, const kind_word<K> *high,
                                int k)
{
    if (item == EMIT_MIN)
        return value_of<K, PLAIN>(low[spread<K>(k)]);
    if (item == EMIT_MAX)
        return value_of<K, PLAIN>(high[spread<K>(k)]);
    return K::emit(item, value_of<K, PLAIN>(low[spread<K>(k)]),
                   value_of<K, PLAIN>(high[spread<K>(k)]));
}

/* Stores values for any hop, channels, emits and edges: one value per thread. In mono, adjacent
 * threads store adjacent values. */
template <class K, int THREADS, bool PLAIN>
__device__ void store_values(const struct window_view &view, unsigned channel, int64_t end,
                             int from, int to, const kind_word<K> *low, const kind_word<K> *high)
{
    const unsigned items = view.emits.count;
    int64_t first = end + from;
    uint64_t past = (uint64_t)(first - view.kept_first);
    uint64_t skip = view.hop == 1 || past % view.hop == 0 ? 0 : view.hop - past % view.hop;
    uint64_t row = view.hop == 1 ? past : (past + skip) / view.hop;
    unsigned count;

    if (from >= to || skip >= (uint64_t)(to - from))
        return;
    first += (int64_t)skip;
    count = view.hop == 1 ? (unsigned)(end + to - first)
                          : (unsigned)((uint64_t)(end + to - 1 - first) / view.hop) + 1;
    for (unsigned i = threadIdx.x; i < count * items; i += THREADS) {
        unsigned frame = items == 1 ? i : i / items;
        unsigned item = i - frame * items;
        int k = (int)(first - end) + (int)(frame * view.hop);
        bool whole = end + k >= view.whole_from && end + k < view.whole_to;
        kind_value<K> value = whole ? emit_value<K, PLAIN>(view.emits.item[item], low, high, k)
                                    : K::from_key(K::ABOVE);

        ((kind_value<K> *)
             view.out.item[item])[(row + frame) * view.out.frame + channel * view.out.channel] =
            value;
    }
}

/* The values min, max, min, max of as many windows as fit in a quad. */
template <class K, bool PLAIN>
DEVICE kind_values<K> pairs_at(const kind_word<K> *low, const kind_word<K> *high)
{
    kind_word<K> minima[K::QUAD / 2];
    kind_word<K> maxima[K::QUAD / 2];
    kind_value<K> values[K::QUAD];

    take_quad(*(const int64_t *)(const void *)low, minima); /* half a quad, in one access */
    take_quad(*(const int64_t *)(const void *)high, maxima);
#pragma unroll
    for (int i = 0; i < K::QUAD / 2; i++) {
        values[2 * i] = value_of<K, PLAIN>(minima[i]);
        values[2 * i + 1] = value_of<K, PLAIN>(maxima[i]);
    }
    return make_quad<kind_values<K>>(values);
}

template <class K, int THREADS, bool PLAIN>
DEVICE void store_pairs(kind_value<K> *out, int count, const kind_word<K> *low,
                        const kind_word<K> *high)
{
    const int windows = K::QUAD / 2; /* windows per thread, at a time */
    const int step = windows * THREADS;
    int left = count - windows * (int)threadIdx.x;

    low += spread<K>(windows * (int)threadIdx.x);
    high += spread<K>(windows * (int)threadIdx.x);
    out += K::QUAD * threadIdx.x;
#pragma unroll
    for (int i = 0; i < K::RUN / windows; i++) {
        if (i * step < left)
            __stcs((kind_values<K> *)(out + 2 * i * step),
                   pairs_at<K, PLAIN>(low + SPREAD_WORDS(K, i * step),
                                      high + SPREAD_WORDS(K, i * step)));
    }
}

/* store_pairs() for a part of a tile. `to` - `from` may be odd. */
template <class K, int THREADS, bool PLAIN>
DEVICE void store_some_pairs(kind_value<K> *out, int from, int to, const kind_word<K> *low,
                             const kind_word<K> *high)
{
    const int windows = K::QUAD / 2;

    for (int k = windows * (int)threadIdx.x; k < to; k += windows * THREADS) {
        const kind_values<K> quad = pairs_at<K, PLAIN>(low + spread<K>(k), high + spread<K>(k));

        if (k >= from && k + windows - 1 < to) {
            __stcs((kind_values<K> *)(out + 2 * k), quad);
        } else if constexpr (windows == 2) {
            if (k >= from)
                *(float2 *)(out + 2 * k) = make_float2(quad.x, quad.y);
            else if (k + 1 >= from)
                *(float2 *)(out + 2 * k + 2) = make_float2(quad.z, quad.w);
        }
    }
}

/* Takes the words from `k` on for a full-width store, `shift` words before a quad. Words before the
 * first one, and from `to` on, are not read. */
template <class K>
DEVICE void take_shifted_quad(const kind_word<K> *words, int k, int shift, int to,
                              kind_word<K> *quad)
{
    kind_word<K> two[2 * K::QUAD] = {0};

    if (shift != 0 && k >= 0)
        take_quad(*(const kind_quad<K> *)(const void *)(words + spread<K>(k + shift - K::QUAD)),
                  two);
    if (k + shift < to)
        take_quad(*(const kind_quad<K> *)(const void *)(words + spread<K>(k + shift)),
                  two + K::QUAD);
        /* The choices are uniform, as registers cannot be indexed. */
#pragma unroll
    for (int j = 0; j < K::QUAD; j++) {
        if (j == shift) {
#pragma unroll
            for (int i = 0; i < K::QUAD; i++)
                quad[i] = two[K::QUAD - j + i];
        }
    }
}

/* Takes one value of each of a quad of windows, from word `k` on, as take_shifted_quad() does.
 * Without ANY, it is a minimum or a maximum. */
template <class K, bool PLAIN, bool ANY>
DEVICE void take_values(enum emit item, const kind_word<K> *low, const kind_word<K> *high, int k,
                        int shift, int to, kind_value<K> *value)
{
    kind_word<K> key[K::QUAD];

    take_shifted_quad<K>(item == EMIT_MIN ? low : high, k, shift, to, key);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        value[i] = value_of<K, PLAIN>(key[i]);
    if (!ANY || item == EMIT_MIN || item == EMIT_MAX)
        return;
    take_shifted_quad<K>(low, k, shift, to, key);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        value[i] = K::emit(item, value_of<K, PLAIN>(key[i]), value[i]);
}

/* Stores the values of the words from `k` on that are in `from` .. `to`-1. If all of them are, one
 * store does it. */
template <class K>
DEVICE void store_words(kind_value<K> *out, int k, int from, int to, const kind_value<K> *value)
{
    if (k >= from && k + K::QUAD <= to) {
        __stcs((kind_values<K> *)out, make_quad<kind_values<K>>(value));
        return;
    }
#pragma unroll
    for (int i = 0; i < K::QUAD; i++) {
        if (k + i >= from && k + i < to)
            out[i] = value[i];
    }
}

/* Stores one value of each window. Float32 are written in full-width stores wherever `out` is;
 * float64 are written one by one if `out` is not on a 16-byte border. (The kernels of far have no
 * registers for that, nor for ANY value.) */
template <class K, int THREADS, bool PLAIN, bool ANY>
DEVICE void store_side(kind_value<K> *out, enum emit item, int from, int to,
                       const kind_word<K> *low, const kind_word<K> *high)
{
    const int shift = (int)((uintptr_t)out % sizeof(kind_values<K>) / sizeof *out);

    if (K::QUAD == 2 && shift != 0) {
        for (int k = (int)threadIdx.x; k < to; k += THREADS) {
            if (k < from)
                continue;
            __stcs(out + k,
                   ANY ? emit_value<K, PLAIN>(item, low, high, k)
                       : value_of<K, PLAIN>((item == EMIT_MIN ? low : high)[spread<K>(k)]));
        }
        return;
    }
    for (int k = K::QUAD * (int)threadIdx.x - shift; k < to; k += K::QUAD * THREADS) {
        kind_value<K> value[K::QUAD];

        take_values<K, PLAIN, ANY>(item, low, high, k, K::QUAD == 2 ? 0 : shift, to, value);
        store_words<K>(out + k, k, from, to, value);
    }
}

/* Writes the output frames of a tile of windows. Word k of `low` and `high` belongs to the window
 * that ends at end+k. */
template <class K, int THREADS, bool PLAIN, bool ANY>
DEVICE void store_tile(const struct window_view &view, unsigned channel, int64_t end, int count,
                       const kind_word<K> *low, const kind_word<K> *high)
{
    int from = view.kept_first > end ? (int)(view.kept_first - end) : 0;
    int to = view.last < end + count ? (int)(view.last - end) : count;
    bool whole = end >= view.whole_from && end + count <= view.whole_to;
    const int64_t past = end - view.kept_first;

    if (whole && view.pairs) {
        kind_value<K> *out = (kind_value<K> *)view.out.item[0] + 2 * past;

        if (from == 0 && to == count)
            store_pairs<K, THREADS, PLAIN>(out, count, low, high);
        else
            store_some_pairs<K, THREADS, PLAIN>(out, from, to, low, high);
    } else if (whole && view.sides) {
        for (unsigned i = 0; i < view.emits.count; i++)
            store_side<K, THREADS, PLAIN, ANY>((kind_value<K> *)view.out.item[i] +
                                                   channel * view.out.channel + past,
                                               view.emits.item[i], from, to, low, high);
    } else {
        store_values<K, THREADS, PLAIN>(view, channel, end, from, to, low, high);
    }
}

#endif
