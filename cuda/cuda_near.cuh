/* SPDX-License-Identifier: MIT */
/* Windows that lie within a block's tile and its halo: the plan near, and what herk (van Herk,
 * cuda_herk.cuh) shares with it.
 *
 * A block loads NEAR_THREADS runs. The first ones are the halo of the windows that end in the
 * others.
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

#include "cuda_store.cuh"

#include <utility>

enum {
    NEAR_THREADS = 256,
    RATIO_BITS = 16, /* enough to divide words of a tile by up to eight channels */
};

/* ---- rows
 *
 * Where there are several channels, a tile may have parts of many, its *rows*. They lie end to end
 * in the tile, `length` words from one to the next, each with its halo before it.
 *
 * - Short channels lie end to end as a whole, and a tile goes on from one to the next.
 * - Of interleaved channels, a tile has the same frames of `together` that are side by side:
 *   neighbouring threads access neighbouring samples.
 *
 * Else a tile is of one channel, and the length is 0. If all channels begin on 16-byte borders as
 * well, herk has kernels without ROWS, which are up to 5 % faster. */

struct row_place {
    unsigned row;
    uint64_t past; /* frame, counted from the first of the row's halo */
};

/* The first frame that a block loads. */
template <bool ROWS>
DEVICE struct row_place first_place(const struct window_view &view, unsigned block)
{
    const struct block_place place = place_of_block(view.channels, block);
    const uint64_t past = (uint64_t)place.tile * view.step;
    unsigned rows;

    if (ROWS && view.together > 0)
        return {place.channel * view.together, past};
    if (!ROWS || view.length == 0)
        return {place.channel, past};
    rows = (unsigned)(past / view.length);
    return {rows, past - (uint64_t)rows * view.length};
}

/* The frame `past` frames after the beginning of `row`, where rows have no gaps between them. */
DEVICE struct row_place place_in_rows(const struct window_view &view, unsigned row, unsigned past)
{
    unsigned rows = (unsigned)((uint64_t)past * view.ratio >> 32); /* may be one too few */

    rows += past - rows * view.length >= view.length ? 1 : 0;
    return {row + rows, past - rows * view.length};
}

/* A tile's n-th sample in the order of memory, where channels are side by side. */
DEVICE struct row_place place_side_by_side(const struct window_view &view, struct row_place first,
                                           unsigned n)
{
    const unsigned frame = n * view.ratio >> RATIO_BITS;

    return {first.row + (n - frame * view.together), first.past + frame};
}

/* The place of a tile's n-th sample in the tile. */
DEVICE int word_side_by_side(const struct window_view &view, unsigned n)
{
    const struct row_place place = place_side_by_side(view, {0, 0}, n);

    return (int)(place.row * view.length + (unsigned)place.past);
}

/* The first frame of a row's halo. */
template <class K> DEVICE int64_t start_of(const struct window_view &view)
{
    return view.start - (NEAR_THREADS * K::RUN - (int)view.tile);
}

/* ---- loads */

/* Loads the quad from `frame` on. A missing frame is replaced by the nearest known one: a window
 * that reaches beyond the known frames contains that one as well, so no window changes. Missing
 * frames are not read: the next chunk may be arriving in their place. */
template <class K, bool ROWS>
DEVICE kind_values<K> load_padded_quad(const struct window_view &view, const kind_value<K> *ring,
                                       int64_t frame, uint64_t place)
{
    const kind_value<K> *quad = quad_at<K>(view, ring, place);
    const int64_t at = quad - ring;
    kind_value<K> value[K::VALUES];

    if (frame >= view.known_from && frame + K::VALUES <= view.known_to) {
        if constexpr (ROWS) {
            if (!view.aligned) {
#pragma unroll
                for (int i = 0; i < K::VALUES; i++)
                    value[i] = quad[i];
                return make_quad<kind_values<K>>(value);
            }
        }
        return *(const kind_values<K> *)(const void *)quad;
    }
#pragma unroll
    for (int i = 0; i < K::VALUES; i++) {
        const int64_t late = frame + i < view.known_to ? frame + i : view.known_to - 1;
        const int64_t known = late > view.known_from ? late : view.known_from;
        const int64_t from = at + (known - frame);

        value[i] = ring[from < 0                         ? from + (int64_t)view.capacity
                        : from >= (int64_t)view.capacity ? from - (int64_t)view.capacity
                                                         : from];
    }
    return make_quad<kind_values<K>>(value);
}

/* load_padded_quad() for even rows, without a branch: a quad before the first of a row repeats the
 * first sample, and one after the last repeats the last. */
template <class K>
DEVICE kind_values<K> load_even_quad(const struct window_view &view, const kind_value<K> *ring,
                                     int frame)
{
    const int from = (int)view.known_from;
    const int last = (int)view.known_to - K::VALUES;
    kind_word<K> value[K::QUAD];
    kind_word<K> known[K::QUAD];

    take_quad(*(const kind_values<K> *)(const void *)(ring + min(max(frame, from), last)), known);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        value[i] = frame < from   ? K::template repeat<0>(known[0])
                   : frame > last ? K::template repeat<K::VALUES - 1>(known[K::QUAD - 1])
                                  : known[i];
    return make_quad<kind_values<K>>(value);
}

/* Stores words of adjacent channels, which begin with the n-th of the tile. Words behind the last
 * one of the tile are only in windows that are not stored. */
template <class K, int COUNT>
DEVICE void stage_side_by_side(const struct window_view &view, unsigned n,
                               const kind_word<K> *words, kind_word<K> *tile)
{
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        tile[spread<K>(word_side_by_side(view, n + i))] = words[i];
}

/* Loads adjacent channels that lie end to end, all of whose frames are known. Returns true if this
 * thread has a special key. */
template <class K>
DEVICE bool load_even_side_by_side(const struct window_view &view, const kind_value<K> *samples,
                                   kind_word<K> *tile)
{
    const unsigned count = view.together * view.length;
    kind_values<K> quads[QUADS] = {};
    bool special = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        const unsigned n = (i * NEAR_THREADS + threadIdx.x) * K::QUAD;

        if (n < count)
            quads[i] = *(const kind_values<K> *)(const void *)(samples + n);
    }
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        special = special | is_odd(quads[i]);
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        const unsigned n = (i * NEAR_THREADS + threadIdx.x) * K::QUAD;
        kind_word<K> words[K::QUAD];

        take_quad(special ? turn_quad<K>(keys_of<K>(quads[i], view.nan)) : plain_words<K>(quads[i]),
                  words);
        if (n < count)
            stage_side_by_side<K, K::QUAD>(view, n, words, tile);
    }
    return special;
}

/* Loads adjacent channels in the order of memory. Returns true if this thread has a special key. */
template <class K>
DEVICE bool load_side_by_side(const struct window_view &view, struct row_place first,
                              kind_word<K> *tile)
{
    const unsigned count = view.together * view.length;
    const int64_t start = start_of<K>(view) + (int64_t)first.past;
    kind_value<K> values[K::RUN] = {0};
    bool special = false;

    if (view.even && start >= view.known_from && start + view.length <= view.known_to)
        return load_even_side_by_side<K>(view, ring_of<K>(view, 0) + start * view.together, tile);
#pragma unroll
    for (int i = 0; i < K::RUN; i++) {
        const unsigned n = i * NEAR_THREADS + threadIdx.x;
        const struct row_place place = place_side_by_side(view, first, n);
        const int64_t frame =
            min(max(start_of<K>(view) + (int64_t)place.past, view.known_from), view.known_to - 1);

        if (n < count && place.row < view.rows)
            values[i] = ring_of<K>(view, place.row)[(uint64_t)frame * view.stride];
    }
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        special = special | is_odd(make_quad<kind_values<K>>(values + i * K::QUAD));
#pragma unroll
    for (int i = 0; i < K::RUN; i++) {
        const unsigned n = i * NEAR_THREADS + threadIdx.x;
        const kind_word<K> word =
            special ? turn<K>(K::high_key(values[i], view.nan)) : plain_word<K>(values[i]);

        if (n < count)
            stage_side_by_side<K, 1>(view, n, &word, tile);
    }
    return special;
}

/* Is the tile that begins at `first` within one row, all known, and contiguous? Where channels lie
 * end to end, no frame after the last window's is known. */
template <class K, bool ROWS>
DEVICE bool is_whole_at(const struct window_view &view, struct row_place first)
{
    return (!ROWS || view.aligned) &&
           is_whole<K, NEAR_THREADS>(view, start_of<K>(view) + (int64_t)first.past,
                                     view.position + first.past);
}

/* Loads this thread's share of a tile that is not whole. */
template <class K, bool ROWS>
DEVICE void fetch_padded(const struct window_view &view, struct row_place first,
                         kind_values<K> *quads)
{
    const int64_t start = start_of<K>(view);

#pragma unroll
    for (int i = 0; i < K::LOADS; i++) {
        const unsigned word = (i * NEAR_THREADS + threadIdx.x) * K::VALUES;
        const struct row_place place =
            !ROWS || view.length == 0 ? row_place{first.row, first.past + word}
                                      : place_in_rows(view, first.row, (unsigned)first.past + word);
        const kind_value<K> *ring =
            ring_of<K>(view, ROWS ? min(place.row, view.rows - 1) : first.row);

        quads[i] = ROWS && view.even
                       ? load_even_quad<K>(view, ring, (int)(start + (int64_t)place.past))
                       : load_padded_quad<K, ROWS>(view, ring, start + (int64_t)place.past,
                                                   view.position + place.past);
    }
}

/* load_tile() for any frames and rows. A tile at an edge can be plain, too. (The kernels of far,
 * which have few edges, have no registers for this.) */
template <class K, bool ROWS>
DEVICE bool load_padded(const struct window_view &view, struct row_place first, kind_word<K> *tile)
{
    kind_values<K> quads[K::LOADS];

    if (ROWS && view.together > 0)
        return load_side_by_side<K>(view, first, tile);
    if (is_whole_at<K, ROWS>(view, first))
        fetch_tile<K, NEAR_THREADS>(view, ring_of<K>(view, first.row), view.position + first.past,
                                    quads);
    else
        fetch_padded<K, ROWS>(view, first, quads);
    return stage_tile<K, NEAR_THREADS>(view, quads, tile);
}

/* ---- stores
 *
 * Results that are keys become words of a plain tile before they are stored, so that one version of
 * all this is enough. (The kernels of far have no registers for it.) */

template <class K, bool PLAIN>
DEVICE void write_windows(kind_word<K> *tile, int run, kind_word<K> *words)
{
#pragma unroll
    for (int i = 0; i < K::RUN; i++) {
        if constexpr (K::NARROW)
            words[i] = PLAIN ? words[i] : K::settle(words[i]);
        else if (!PLAIN)
            words[i] = plain_word<K>(K::from_key(words[i]));
    }
    write_run<K>(tile, run, words);
}

/* A frame counted from `start`, at most the length of a row. */
DEVICE int frame_in_row(const struct window_view &view, int64_t frame)
{
    return (int)min(max(frame - view.start, (int64_t)0), (int64_t)view.length);
}

/* store_side() for channels end to end: for all rows of a tile. A row begins with a quad that is
 * stored from the last 16-byte border at or before its place, and the quads behind it follow: so
 * there is more than a quad of words before and behind the windows of a row. */
template <class K, bool ANY>
DEVICE void store_row_side(const struct window_view &view, struct row_place first, int count,
                           kind_value<K> *out, enum emit item, const kind_word<K> *low,
                           const kind_word<K> *high)
{
    /* Windows of a row that are written, and those that are whole. */
    const int kept = (int)(view.kept_first - view.start);
    const int last = (int)(view.last - view.start);
    const int whole_from = frame_in_row(view, view.whole_from);
    const int whole_to = frame_in_row(view, view.whole_to);
    const bool whole = whole_from <= kept && whole_to >= last;

    for (int word = K::QUAD * (int)threadIdx.x; word < count + K::QUAD;
         word += K::QUAD * NEAR_THREADS) {
        const struct row_place place =
            place_in_rows(view, first.row, (unsigned)((int)first.past + word));
        kind_value<K> *const at = out + (place.row * view.out.channel + place.past);
        const int shift = (int)((uintptr_t)at % sizeof(kind_values<K>) / sizeof *out);
        const int past = (int)place.past - shift;
        const int k = word - shift;
        const int from = k - past + kept;
        const int to = k - past + last;
        kind_value<K> value[K::QUAD];

        if (place.row >= view.rows)
            return;
        if (k + K::QUAD <= from || k >= to || k >= count)
            continue;
        take_values<K, true, ANY>(item, low, high, k, shift, count, value);
#pragma unroll
        for (int i = 0; i < K::QUAD; i++) {
            if (!whole && (past + i < whole_from || past + i >= whole_to))
                value[i] = K::from_key(K::ABOVE);
        }
        store_words<K>(at - shift, k, from > 0 ? from : 0, to < count ? to : count, value);
    }
}

/* store_side() for adjacent channels, in the order of memory. */
template <class K, bool ANY>
DEVICE void store_side_by_side(const struct window_view &view, struct row_place first,
                               kind_value<K> *out, enum emit item, const kind_word<K> *low,
                               const kind_word<K> *high)
{
    const kind_word<K> *const keys = item == EMIT_MIN ? low : high;
    const unsigned count = view.together * view.step;
    const int64_t start = view.start + (int64_t)first.past;

    if (view.even && view.out.frame == view.together &&
        start >= max(view.kept_first, view.whole_from) &&
        start + view.step <= min(view.last, view.whole_to)) { /* the results lie end to end */
        out += (start - view.kept_first) * view.together;
        for (unsigned n = threadIdx.x; n < count; n += NEAR_THREADS) {
            const int word = word_side_by_side(view, n);

            out[n] = ANY ? emit_value<K, true>(item, low, high, word)
                         : value_of<K, true>(keys[spread<K>(word)]);
        }
        return;
    }
    for (unsigned n = threadIdx.x; n < count; n += NEAR_THREADS) {
        const struct row_place in_tile = place_side_by_side(view, {0, 0}, n);
        const unsigned row = first.row + in_tile.row;
        const int64_t end = start + (int64_t)in_tile.past;
        const int word = word_side_by_side(view, n);
        kind_value<K> value = K::from_key(K::ABOVE);

        if (row >= view.rows || end < view.kept_first || end >= view.last)
            continue;
        if (end >= view.whole_from && end < view.whole_to)
            value = ANY ? emit_value<K, true>(item, low, high, word)
                        : value_of<K, true>(keys[spread<K>(word)]);
        out[row * view.out.channel + (uint64_t)(end - view.kept_first) * view.out.frame] = value;
    }
}

template <class K, bool ANY>
DEVICE void store_rows(const struct window_view &view, struct row_place first, int count,
                       unsigned i, const kind_word<K> *low, const kind_word<K> *high)
{
    kind_value<K> *const out = (kind_value<K> *)view.out.item[i];
    const enum emit item = view.emits.item[i];

    if (view.together > 0)
        store_side_by_side<K, ANY>(view, first, out, item, low, high);
    else
        store_row_side<K, ANY>(view, first, count, out + (view.start - view.kept_first), item, low,
                               high);
}

/* Stores the windows of a tile that begins at `first`. */
template <class K, bool ROWS>
DEVICE void store_windows(const struct window_view &view, struct row_place first, int count,
                          const kind_word<K> *low, const kind_word<K> *high)
{
    const int64_t end = view.start + (int64_t)first.past;

    if constexpr (ROWS) {
        if (view.together > 0 || (view.length > 0 && end + count > view.last)) {
            for (unsigned i = 0; i < view.emits.count; i++) {
                if (view.emits.item[i] == EMIT_MIN || view.emits.item[i] == EMIT_MAX)
                    store_rows<K, false>(view, first, count, i, low, high);
                else
                    store_rows<K, true>(view, first, count, i, low, high);
            }
            return;
        }
    }
    store_tile<K, NEAR_THREADS, true, true>(view, first.row, end, count, low, high);
}

/* ---- near */

/* Makes one side of the windows of W samples that end in a run, by doubling. M_s(i) is the extreme
 * of the s samples up to i; s doubles up to the largest power of two not above W, and then two
 * overlapping M_s give the window. */
template <class K, int W, bool LOW, bool PLAIN>
DEVICE void near_side(const kind_word<K> *tile, int run, kind_word<K> *out)
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
DEVICE void near_tile(const struct window_view &view, kind_word<K> *a, kind_word<K> *b)
{
    const int run = (int)threadIdx.x;
    const int skip = NEAR_THREADS - (int)view.tile / K::RUN; /* runs without windows */
    kind_word<K> out[K::RUN];

    /* The minima go into the free half. The maxima overwrite the samples, after all threads have
     * read them. */
    if (run >= skip && view.has_low) {
        near_side<K, W, true, PLAIN>(a, run, out);
        write_windows<K, PLAIN>(b, run - skip, out);
    }
    if (run >= skip && view.has_high)
        near_side<K, W, false, PLAIN>(a, run, out);
    __syncthreads();
    if (run >= skip && view.has_high)
        write_windows<K, PLAIN>(a, run - skip, out);
}

/* Chooses the width at run time: one kernel for all widths takes far less time to compile. */
template <class K, bool PLAIN, int... BEFORE>
DEVICE void near_any(const struct window_view &view, kind_word<K> *a, kind_word<K> *b,
                     std::integer_sequence<int, BEFORE...>)
{
    ((view.width == BEFORE + 1 ? near_tile<K, BEFORE + 1, PLAIN>(view, a, b) : (void)0), ...);
}

#endif
