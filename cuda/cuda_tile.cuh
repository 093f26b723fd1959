/* SPDX-License-Identifier: MIT */
/* The building blocks of the window kernels: a tile in shared memory, and the runs of its threads.
 *
 * Each kernel has a version for plain tiles and one for all others (cuda_kind.cuh), and a block
 * chooses one after its tile has been loaded.
 *
 * In shared memory, after every eight quads, one quad stays unused: word i lies at spread(i). So
 * the eight lanes whose quads a device fetches at once have at most one bank conflict:
 * - quads side by side are on one side of a gap, and so are the pairs of sixteen lanes;
 * - with one run per thread, quad i of run c lies at 4c + i + c/2, which is i plus 0, 4, 1, 5, 2,
 *   6, 3 and 7, modulo 8. Only two of the eight collide where the first run's number is odd. */
#ifndef GPUENV_CUDA_CUDA_TILE_CUH
#define GPUENV_CUDA_CUDA_TILE_CUH

#include "cuda_kind.cuh"
#include "cuda_window.h"

/* Words of shared memory for a tile of `words` words. */
#define SPREAD_WORDS(K, words) ((words) + ((words) >> K::GROUP) * K::QUAD)

/* The dynamic shared memory of the block, as words. Kernels of all kinds must declare the same
 * type. */
#define KIND_SHARED(K, name)                                                                       \
    SHARED_DYNAMIC(int4, shared_quads);                                                            \
    kind_word<K> *const name = (kind_word<K> *)(void *)shared_quads

/* A launch, as seen by its kernels: block b processes channel b % channels, and tile b / channels
 * of `tile` ends, counted from `start`. cuda_near.cuh has other ways. */
struct window_view {
    const void *samples; /* samples of the kind that the kernel is compiled for */
    uint64_t capacity;
    uint64_t pitch;
    unsigned channels;
    unsigned tile;

    int64_t known_from;
    int64_t known_to;
    int64_t start;     /* a multiple of a run, or of a quad for rows end to end */
    uint64_t position; /* place in the ring of the first frame that block 0 loads */
    uint64_t width;

    /* The ends that are written: kept_first, hop after it, and so on, before `last`. */
    int64_t kept_first;
    int64_t last;
    uint64_t hop;
    int64_t whole_from;
    int64_t whole_to;

    enum nan_policy nan;
    struct emit_list emits;
    bool pairs; /* mono, all ends, min and max: quads of pairs fit 16-byte boundaries */
    bool sides; /* all ends, each value in an array without gaps; far: minima and maxima only */
    struct cuda_out out;

    /* May a value be made of minima, and of maxima? */
    bool has_low;
    bool has_high;

    /* For near and herk only. */
    unsigned step;   /* ends from tile to tile */
    unsigned rows;   /* number of channels */
    unsigned length; /* words from row to row, where a tile has several rows; otherwise 0 */
    unsigned ratio;  /* 2^32 / length, rounded down; or 2^16 / together, rounded up */
    bool aligned;    /* all channels begin on 16-byte borders */

    /* Rows end to end: each begins and ends with a quad, and frame 0 is sample 0 of a ring. Side by
     * side: all channels, from a 16-byte border on. */
    bool even;
    unsigned together; /* channels side by side in a block; otherwise 0 */
    uint64_t stride;   /* samples from frame to frame */
    unsigned sign;     /* for narrow only: turns the samples in 32 bits into keys, or 0 */

    /* For far only. `begin` is the first frame that block 0 loads for the beginnings of windows,
     * and begin_position its place. The first window begins begin_shift frames after it, less than
     * a quad. */
    int64_t begin;
    uint64_t begin_position;
    unsigned begin_shift;
};

/* The leaves of a launch, for far only. Block b makes the leaf of tile first_leaf + b / channels,
 * and the windows of tile first_tile + b / channels - lead. Leaves and tiles are counted from
 * `base`, the first one that this launch reads or makes. */
struct ahead {
    void *totals; /* records: those of channel c begin at c * kept */
    void *suffixes;
    void *spans;
    unsigned kept; /* leaves per channel: as many as a ring has tiles */
    uint64_t base;
    unsigned base_place;
    unsigned stamps[2]; /* the stamp from `base` on, and the stamp from the ring's end on */

    unsigned first_leaf;
    unsigned leaves;
    unsigned first_tile;
    unsigned windows; /* tiles with windows */
    unsigned lead;
    unsigned oldest; /* no middle reaches back before this leaf */
    unsigned whole;  /* tiles in a middle */
    bool has_suffix;
    int cut; /* the suffix of a tile begins at this word */
    unsigned looks;
    unsigned span; /* leaves of a span; 0 if all leaves of a middle are looked up */
    unsigned lag;  /* the span of leaf n ends with leaf n - lag */
};

template <class K> DEVICE int spread(int word)
{
    return SPREAD_WORDS(K, word);
}

template <class K>
DEVICE const kind_value<K> *ring_of(const struct window_view &view, unsigned channel)
{
    return (const kind_value<K> *)view.samples + channel * view.pitch;
}

/* The four quads of a run. */
template <class K> DEVICE kind_quad<K> *run_quads(kind_word<K> *tile, int run)
{
    return (kind_quad<K> *)(void *)(tile + spread<K>(run * K::RUN));
}

template <class K> DEVICE const kind_quad<K> *run_quads(const kind_word<K> *tile, int run)
{
    return (const kind_quad<K> *)(const void *)(tile + spread<K>(run * K::RUN));
}

template <class K> DEVICE void write_run(kind_word<K> *tile, int run, const kind_word<K> *words)
{
    kind_quad<K> *quads = run_quads<K>(tile, run);

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = make_quad<kind_quad<K>>(words + i * K::QUAD);
}

template <class K> DEVICE void read_run(const kind_word<K> *tile, int run, kind_word<K> *words)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        take_quad(run_quads<K>(tile, run)[i], words + i * K::QUAD);
}

/* ---- loads */

/* The quad at `place` in the ring. A quad never wraps around: the capacity is a multiple of 4. */
template <class K>
DEVICE const kind_value<K> *quad_at(const struct window_view &view, const kind_value<K> *ring,
                                    uint64_t place)
{
    return ring + (place >= view.capacity ? place - view.capacity : place);
}

/* Loads a quad of samples from `frame` on as keys. Missing frames are not read: the next chunk may
 * be arriving in their place. */
template <class K>
DEVICE kind_quad<K> load_quad(const struct window_view &view, const kind_value<K> *ring,
                              int64_t frame, uint64_t place)
{
    const kind_value<K> *quad = quad_at<K>(view, ring, place);
    kind_word<K> key[K::QUAD];

#pragma unroll
    for (int i = 0; i < K::QUAD; i++) {
        bool known = frame + i >= view.known_from && frame + i < view.known_to;

        key[i] = known ? K::high_key(quad[i], view.nan) : K::BELOW;
    }
    return make_quad<kind_quad<K>>(key);
}

/* Stores a quad of keys into a tile, as words of a plain one. */
template <class K> DEVICE void stage_keys(kind_word<K> *at, kind_quad<K> keys)
{
    *(kind_quad<K> *)(void *)at = turn_quad<K>(keys);
}

/* Fetches this thread's share of THREADS runs that are all known and contiguous. All loads are
 * issued before the first result is needed. */
template <class K, int THREADS>
DEVICE void fetch_tile(const struct window_view &view, const kind_value<K> *ring, uint64_t position,
                       kind_values<K> *quads)
{
    const kind_values<K> *from =
        (const kind_values<K> *)quad_at<K>(view, ring, position) + threadIdx.x;

#pragma unroll
    for (int i = 0; i < K::LOADS; i++)
        quads[i] = from[i * THREADS];
}

/* Stores this thread's share into a tile. Returns true if this thread has a special key. */
template <class K, int THREADS>
DEVICE bool stage_tile(const struct window_view &view, const kind_values<K> *quads,
                       kind_word<K> *tile)
{
    kind_word<K> *at = tile + spread<K>((int)threadIdx.x * K::QUAD);
    bool special = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        special = special | is_odd(quads[i]);
    if (special) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            stage_keys<K>(at + SPREAD_WORDS(K, i * THREADS * K::QUAD),
                          keys_of<K>(quads[i], view.nan));
    } else {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            *(kind_quad<K> *)(void *)(at + SPREAD_WORDS(K, i * THREADS * K::QUAD)) =
                plain_words<K>(quads[i]);
    }
    return special;
}

/* Are THREADS runs all known, and contiguous in the ring? */
template <class K, int THREADS>
DEVICE bool is_whole(const struct window_view &view, int64_t frame, uint64_t position)
{
    const uint64_t place = position >= view.capacity ? position - view.capacity : position;

    return frame >= view.known_from && frame + THREADS * K::RUN <= view.known_to &&
           place + THREADS * K::RUN <= view.capacity;
}

/* Loads THREADS runs, some of whose frames may be missing, into a tile. Returns true if this thread
 * has a special key. */
template <class K, int THREADS>
DEVICE bool load_tile(const struct window_view &view, const kind_value<K> *ring, int64_t frame,
                      uint64_t position, kind_word<K> *tile)
{
    if (is_whole<K, THREADS>(view, frame, position)) {
        kind_values<K> quads[QUADS];

        fetch_tile<K, THREADS>(view, ring, position, quads);
        return stage_tile<K, THREADS>(view, quads, tile);
    }
    for (int i = 0, word = (int)threadIdx.x * K::QUAD; i < QUADS; i++, word += THREADS * K::QUAD)
        stage_keys<K>(tile + spread<K>(word),
                      load_quad<K>(view, ring, frame + word, position + (uint64_t)word));
    return true;
}

/* Turns the words of the thread's run into keys, in a tile that is not plain. */
template <class K> DEVICE void make_keys(kind_word<K> *tile)
{
    kind_quad<K> *quads = run_quads<K>(tile, (int)threadIdx.x);

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = turn_quad<K>(quads[i]);
}

/* ---- runs */

/* The results of a run, on both sides, in registers. */
template <class K> struct sides {
    kind_word<K> low[K::RUN];
    kind_word<K> high[K::RUN];
};

template <class K> DEVICE kind_pair<K> side_of_quad(const sides<K> &sides, int quad, int k)
{
    const int first = quad * K::QUAD;
    kind_pair<K> side = K::make_pair(sides.low[first], sides.high[first]);

#pragma unroll
    for (int i = 1; i < K::QUAD; i++) {
        if (k == i)
            side = K::make_pair(sides.low[first + i], sides.high[first + i]);
    }
    return side;
}

/* Returns element `j` by a switch, as registers cannot be indexed. */
template <class K> DEVICE kind_pair<K> side_at(const sides<K> &sides, int j)
{
    switch (j / K::QUAD) {
    case 0:
        return side_of_quad<K>(sides, 0, j % K::QUAD);
    case 1:
        return side_of_quad<K>(sides, 1, j % K::QUAD);
    case 2:
        return side_of_quad<K>(sides, 2, j % K::QUAD);
    default:
        return side_of_quad<K>(sides, 3, j % K::QUAD);
    }
}

/* A suffix scan of the run of words from SHIFT on, in five quads: the extremes from each word to
 * the end go to `sides`. `after` is added to all of them, except with LAST, where nothing comes
 * after. Returns the extremes of all words. The first `own` quads are at[i]; the others, possibly
 * after a gap, are next[i]. */
template <class K, int SHIFT, bool LAST, bool PLAIN>
DEVICE kind_pair<K> take_suffixes(const kind_quad<K> *at, const kind_quad<K> *next, int own,
                                  kind_pair<K> after, sides<K> &sides)
{
#pragma unroll
    for (int i = SHIFT > 0 ? QUADS : QUADS - 1; i >= 0; i--) {
        kind_word<K> words[K::QUAD];

        take_quad(i < own ? at[i] : next[i], words);
#pragma unroll
        for (int k = K::QUAD - 1; k >= 0; k--) {
            const int j = i * K::QUAD + k - SHIFT;

            if (j < 0 || j >= K::RUN)
                continue;
            const kind_word<K> low = key_of<K, true, PLAIN>(words[k]);
            const kind_word<K> high = key_of<K, false, PLAIN>(words[k]);

            after = LAST && j == K::RUN - 1 ? K::make_pair(low, high)
                                            : pick_sides<K, PLAIN>(after, K::make_pair(low, high));
            sides.low[j] = after.x;
            sides.high[j] = after.y;
        }
    }
    return after;
}

/* take_suffixes() of the words that begin `shift` words after the beginning of a run, 0 <= shift <
 * RUN. */
template <class K, bool LAST, bool PLAIN>
DEVICE kind_pair<K> take_shifted(const kind_word<K> *tile, int run, int shift, kind_pair<K> after,
                                 sides<K> &sides)
{
    const int skip = shift / K::QUAD; /* quads that are skipped */
    const int own = QUADS - skip;
    const kind_quad<K> *at = run_quads<K>(tile, run) + skip;
    const kind_quad<K> *next = run_quads<K>(tile, run + 1) - own;

    if constexpr (K::QUAD == 2) {
        return shift % 2 == 0 ? take_suffixes<K, 0, LAST, PLAIN>(at, next, own, after, sides)
                              : take_suffixes<K, 1, LAST, PLAIN>(at, next, own, after, sides);
    } else {
        switch (shift % K::QUAD) {
        case 0:
            return take_suffixes<K, 0, LAST, PLAIN>(at, next, own, after, sides);
        case 1:
            return take_suffixes<K, 1, LAST, PLAIN>(at, next, own, after, sides);
        case 2:
            return take_suffixes<K, 2, LAST, PLAIN>(at, next, own, after, sides);
        default:
            return take_suffixes<K, 3, LAST, PLAIN>(at, next, own, after, sides);
        }
    }
}

/* take_shifted() with nothing after it. */
template <class K, bool PLAIN>
DEVICE kind_pair<K> take_last(const kind_word<K> *tile, int run, int shift, sides<K> &sides)
{
    return take_shifted<K, true, PLAIN>(tile, run, shift, neutral_sides<K>(), sides);
}

/* Turns suffixes into windows: joins `sides` with `middle`, and each window with the words of the
 * run up to its own. */
template <class K, bool PLAIN>
DEVICE void take_prefixes(const kind_word<K> *tile, int run, kind_pair<K> middle, sides<K> &sides)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        kind_word<K> words[K::QUAD];

        take_quad(run_quads<K>(tile, run)[i], words);
#pragma unroll
        for (int k = 0; k < K::QUAD; k++) {
            const int j = i * K::QUAD + k;

            middle.x = pick<K, true, PLAIN>(middle.x, key_of<K, true, PLAIN>(words[k]));
            middle.y = pick<K, false, PLAIN>(middle.y, key_of<K, false, PLAIN>(words[k]));
            sides.low[j] = pick<K, true, PLAIN>(sides.low[j], middle.x);
            sides.high[j] = pick<K, false, PLAIN>(sides.high[j], middle.y);
        }
    }
}

#endif
