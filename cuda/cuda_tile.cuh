/* The building blocks of the window kernels: a tile in shared memory, the runs of its threads, and
 * the output of windows.
 *
 * In shared memory a sample is a word. In a *plain* tile, which contains only numbers, the word is
 * the bits of the float, and minima and maxima are the device's for floats, which follow the rules:
 * -0 below +0, no subnormal flushed. If a sample is missing or NaN, words become keys
 * (src/window/rules.h). The word of such a sample is its key in the running *maximum*; its key in
 * the running minimum is the opposite one. Each kernel has both versions, and a block chooses one
 * after its tile has been loaded.
 *
 * Words are accessed in fours, quads. After every eight quads, one quad stays unused: word i lies
 * at spread(i). So the eight lanes whose quads a device fetches at once have at most one bank
 * conflict:
 * - quads side by side are on one side of a gap, and so are the pairs of sixteen lanes;
 * - with one run per thread, quad i of run c lies at 4c + i + c/2, which is i plus 0, 4, 1, 5, 2,
 *   6, 3 and 7, modulo 8. Only two of the eight collide where the first run's number is odd. */
#ifndef GPUENV_CUDA_CUDA_TILE_CUH
#define GPUENV_CUDA_CUDA_TILE_CUH

#include "launch.cuh"

#include <stdint.h>

#include "cuda_window.h"
#include "window/rules.h"

enum {
    RUN = CUDA_RUN,
    QUAD = 4,
    QUADS = RUN / QUAD, /* loaded by a thread */
    LANES = 32,
};

/* Words of shared memory for a tile of `words` words. */
#define SPREAD_WORDS(words) ((words) + (words) / 32 * 4)

/* A launch, as seen by its kernels: block b processes channel b % channels, and tile b / channels
 * of `tile` ends, counted from `start`. */
struct window_view {
    const float *samples;
    uint64_t capacity;
    unsigned channels;
    unsigned tile;

    int64_t known_from;
    int64_t known_to;
    int64_t start;     /* a multiple of 16 */
    uint64_t position; /* the place in the ring of the first frame that block 0 loads */
    uint64_t width;

    int64_t first; /* ends that are written: first <= end < last */
    int64_t last;
    int64_t kept_first;
    uint64_t hop;
    int64_t whole_from;
    int64_t whole_to;

    enum nan_policy nan;
    struct emit_list emits;
    bool pairs;  /* mono, all ends, min and max: quads of pairs fit 16-byte boundaries */
    bool single; /* mono, all ends, one of min and max: likewise */
    float *out;

    /* far only */
    int64_t begin;           /* the first frame that block 0 loads for the windows' beginnings, */
    uint64_t begin_position; /* its place, */
    unsigned begin_shift;    /* and how far after it the first window begins: 0 to 3 */
    const int2 *middles;     /* minimum and maximum, one per block */
};

__device__ __forceinline__ int spread(int word)
{
    return word + (word >> 5) * QUAD;
}

/* The four quads of a run. */
__device__ __forceinline__ int4 *run_quads(int *tile, int run)
{
    return (int4 *)(void *)(tile + spread(run * RUN));
}

__device__ __forceinline__ const int4 *run_quads(const int *tile, int run)
{
    return (const int4 *)(const void *)(tile + spread(run * RUN));
}

__device__ __forceinline__ void quad_words(int4 quad, int *words)
{
    words[0] = quad.x;
    words[1] = quad.y;
    words[2] = quad.z;
    words[3] = quad.w;
}

__device__ __forceinline__ void write_run(int *tile, int run, const int *words)
{
    int4 *quads = run_quads(tile, run);

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = make_int4(words[i * QUAD], words[i * QUAD + 1], words[i * QUAD + 2],
                             words[i * QUAD + 3]);
}

__device__ __forceinline__ void read_run(const int *tile, int run, int *words)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quad_words(run_quads(tile, run)[i], words + i * QUAD);
}

__device__ __forceinline__ bool is_special(int key)
{
    return (unsigned)key - (unsigned)KEY_ABOVE < 2U;
}

/* From the key in the running maximum to the key in the running minimum. */
__device__ __forceinline__ int low_of(int key)
{
    return is_special(key) ? ~key : key;
}

/* Converts a word to a key and back; it is its own inverse. */
__device__ __forceinline__ int flip(int word)
{
    return (int)rules_flip((uint32_t)word);
}

__device__ __forceinline__ int4 flip_quad(int4 quad)
{
    return make_int4(flip(quad.x), flip(quad.y), flip(quad.z), flip(quad.w));
}

__device__ __forceinline__ int2 flip_sides(int2 sides)
{
    return make_int2(flip(sides.x), flip(sides.y));
}

/* From here on, values are float bits in a plain tile, and keys in any other. */

template <bool PLAIN> __device__ __forceinline__ float float_of(int key)
{
    return PLAIN ? rules_float((uint32_t)key) : rules_from_key(key);
}

template <bool LOW> __device__ __forceinline__ int pick_float(int a, int b)
{
#ifdef __CUDA_ARCH__
    float picked;

    /* Not fminf(): the compiler does not specify its result for zeros of different sign. */
    if (LOW)
        asm("min.f32 %0, %1, %2;" : "=f"(picked) : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
    else
        asm("max.f32 %0, %1, %2;" : "=f"(picked) : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
    return __float_as_int(picked);
#else
    return flip(LOW ? min(flip(a), flip(b)) : max(flip(a), flip(b)));
#endif
}

/* One step of the running filter, for one side: minimum or maximum. */
template <bool LOW, bool PLAIN> __device__ __forceinline__ int pick(int a, int b)
{
    if (PLAIN)
        return pick_float<LOW>(a, b);
    return LOW ? min(a, b) : max(a, b);
}

/* One side of a sample. */
template <bool LOW, bool PLAIN> __device__ __forceinline__ int key_of(int key)
{
    return LOW && !PLAIN ? low_of(key) : key;
}

/* The neutral element of the minimum, or of the maximum. */
template <bool LOW, bool PLAIN> __device__ __forceinline__ int neutral(void)
{
    if (PLAIN)
        return LOW ? 0x7f800000 : (int)0xff800000U;
    return LOW ? KEY_ABOVE : KEY_BELOW;
}

/* Both sides at once. */
template <bool PLAIN> __device__ __forceinline__ int2 pick_sides(int2 a, int2 b)
{
    return make_int2(pick<true, PLAIN>(a.x, b.x), pick<false, PLAIN>(a.y, b.y));
}

template <bool PLAIN> __device__ __forceinline__ int2 neutral_sides(void)
{
    return make_int2(neutral<true, PLAIN>(), neutral<false, PLAIN>());
}

/* The quad at `place` in the ring. A quad never wraps around: the capacity is a multiple of 4. */
__device__ __forceinline__ const float *quad_at(const struct window_view &view, const float *ring,
                                                uint64_t place)
{
    return ring + (place >= view.capacity ? place - view.capacity : place);
}

/* Compiles to one comparison for both. */
__device__ __forceinline__ bool is_unordered(float a, float b)
{
    return !(a <= b) & !(a > b);
}

__device__ __forceinline__ bool has_nan(float4 quad)
{
    return is_unordered(quad.x, quad.y) | is_unordered(quad.z, quad.w);
}

__device__ __forceinline__ int4 keys_of(float4 quad, enum nan_policy nan)
{
    return make_int4(rules_high_key(quad.x, nan), rules_high_key(quad.y, nan),
                     rules_high_key(quad.z, nan), rules_high_key(quad.w, nan));
}

/* The keys of four samples from `frame` on, some of which may be missing. Missing ones are not
 * read: the next chunk may be arriving in their place. */
__device__ __forceinline__ int4 load_quad(const struct window_view &view, const float *ring,
                                          int64_t frame, uint64_t place)
{
    const float *quad = quad_at(view, ring, place);
    int key[QUAD];

#pragma unroll
    for (int i = 0; i < QUAD; i++) {
        bool known = frame + i >= view.known_from && frame + i < view.known_to;

        key[i] = known ? rules_high_key(quad[i], view.nan) : KEY_BELOW;
    }
    return make_int4(key[0], key[1], key[2], key[3]);
}

__device__ __forceinline__ bool is_special(int4 quad)
{
    return is_special(quad.x) || is_special(quad.y) || is_special(quad.z) || is_special(quad.w);
}

/* Stores four keys, or the bits of four numbers, into a tile. */
__device__ __forceinline__ void stage_quad(int *at, int4 keys)
{
    *(int4 *)(void *)at = flip_quad(keys);
}

__device__ __forceinline__ void stage_quad(int *at, float4 quad)
{
    *(float4 *)(void *)at = quad;
}

/* This thread's share of THREADS * 16 frames that are all known and contiguous. All loads are
 * issued before the first result is needed. */
template <int THREADS>
__device__ __forceinline__ void fetch_tile(const struct window_view &view, const float *ring,
                                           uint64_t position, float4 *quads)
{
    const float4 *from = (const float4 *)quad_at(view, ring, position) + threadIdx.x;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = from[i * THREADS];
}

/* Stores it into a tile. Returns true if this thread has a special key. */
template <int THREADS>
__device__ __forceinline__ bool stage_tile(const struct window_view &view, const float4 *quads,
                                           int *tile)
{
    int *at = tile + spread((int)threadIdx.x * QUAD);
    bool special = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        special = special | has_nan(quads[i]);
    if (special) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            stage_quad(at + SPREAD_WORDS(i * THREADS * QUAD), keys_of(quads[i], view.nan));
    } else {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            stage_quad(at + SPREAD_WORDS(i * THREADS * QUAD), quads[i]);
    }
    return special;
}

/* Are THREADS * 16 frames all known, and contiguous in the ring? */
template <int THREADS>
__device__ __forceinline__ bool is_whole(const struct window_view &view, int64_t frame,
                                         uint64_t position)
{
    const uint64_t place = position >= view.capacity ? position - view.capacity : position;

    return frame >= view.known_from && frame + THREADS * RUN <= view.known_to &&
           place + THREADS * RUN <= view.capacity;
}

/* Loads THREADS * 16 frames, some of which may be missing, into a tile. Returns as above. */
template <int THREADS>
__device__ __forceinline__ bool load_tile(const struct window_view &view, const float *ring,
                                          int64_t frame, uint64_t position, int *tile)
{
    if (is_whole<THREADS>(view, frame, position)) {
        float4 quads[QUADS];

        fetch_tile<THREADS>(view, ring, position, quads);
        return stage_tile<THREADS>(view, quads, tile);
    }
    for (int i = 0, word = (int)threadIdx.x * QUAD; i < QUADS; i++, word += THREADS * QUAD)
        stage_quad(tile + spread(word),
                   load_quad(view, ring, frame + word, position + (uint64_t)word));
    return true;
}

/* Turns the words of the thread's run into keys, in a tile that is not plain. */
__device__ __forceinline__ void make_keys(int *tile)
{
    int4 *quads = run_quads(tile, (int)threadIdx.x);

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = flip_quad(quads[i]);
}

/* ---- runs */

/* The results of a run, both sides, in registers. */
struct sides {
    int low[RUN];
    int high[RUN];
};

__device__ __forceinline__ int2 side_of_quad(const struct sides &sides, int quad, int k)
{
    int2 side = make_int2(sides.low[quad], sides.high[quad]);

#pragma unroll
    for (int i = 1; i < QUAD; i++) {
        if (k == i)
            side = make_int2(sides.low[quad + i], sides.high[quad + i]);
    }
    return side;
}

/* Element `j`, by a switch: registers cannot be indexed. */
__device__ __forceinline__ int2 side_at(const struct sides &sides, int j)
{
    switch (j / QUAD) {
    case 0:
        return side_of_quad(sides, 0, j % QUAD);
    case 1:
        return side_of_quad(sides, QUAD, j % QUAD);
    case 2:
        return side_of_quad(sides, 2 * QUAD, j % QUAD);
    default:
        return side_of_quad(sides, 3 * QUAD, j % QUAD);
    }
}

/* A suffix scan of the 16 words from SHIFT on, in five quads: for each word, the extremes from it
 * to the end, `after` included, go to `sides`. Returns those of all. The first `own` quads are
 * at[i]; the others, possibly after a gap, are next[i]. */
template <int SHIFT, bool PLAIN>
__device__ __forceinline__ int2 take_suffixes(const int4 *at, const int4 *next, int own, int2 after,
                                              struct sides &sides)
{
#pragma unroll
    for (int i = SHIFT > 0 ? QUADS : QUADS - 1; i >= 0; i--) {
        int words[QUAD];

        quad_words(i < own ? at[i] : next[i], words);
#pragma unroll
        for (int k = QUAD - 1; k >= 0; k--) {
            const int j = i * QUAD + k - SHIFT;

            if (j < 0 || j >= RUN)
                continue;
            after.x = pick<true, PLAIN>(after.x, key_of<true, PLAIN>(words[k]));
            after.y = pick<false, PLAIN>(after.y, key_of<false, PLAIN>(words[k]));
            sides.low[j] = after.x;
            sides.high[j] = after.y;
        }
    }
    return after;
}

/* The same for the 16 words from word `shift` of a run on, 0 <= shift < 16. */
template <bool PLAIN>
__device__ __forceinline__ int2 take_shifted(const int *tile, int run, int shift, int2 after,
                                             struct sides &sides)
{
    const int skip = shift / QUAD; /* quads */
    const int own = QUADS - skip;
    const int4 *at = run_quads(tile, run) + skip;
    const int4 *next = run_quads(tile, run + 1) - own;

    switch (shift % QUAD) {
    case 0:
        return take_suffixes<0, PLAIN>(at, next, own, after, sides);
    case 1:
        return take_suffixes<1, PLAIN>(at, next, own, after, sides);
    case 2:
        return take_suffixes<2, PLAIN>(at, next, own, after, sides);
    default:
        return take_suffixes<3, PLAIN>(at, next, own, after, sides);
    }
}

/* Turns suffixes into windows: joins `sides` with `middle`, and each with the words of the run up
 * to its own. */
template <bool PLAIN>
__device__ __forceinline__ void take_prefixes(const int *tile, int run, int2 middle,
                                              struct sides &sides)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        int words[QUAD];

        quad_words(run_quads(tile, run)[i], words);
#pragma unroll
        for (int k = 0; k < QUAD; k++) {
            const int j = i * QUAD + k;

            middle.x = pick<true, PLAIN>(middle.x, key_of<true, PLAIN>(words[k]));
            middle.y = pick<false, PLAIN>(middle.y, key_of<false, PLAIN>(words[k]));
            sides.low[j] = pick<true, PLAIN>(sides.low[j], middle.x);
            sides.high[j] = pick<false, PLAIN>(sides.high[j], middle.y);
        }
    }
}

/* ---- windows */

/* One value of window `k`. */
template <bool PLAIN>
__device__ __forceinline__ float emit_value(enum emit item, const int *low, const int *high, int k)
{
    if (item == EMIT_MIN)
        return float_of<PLAIN>(low[spread(k)]);
    if (item == EMIT_MAX)
        return float_of<PLAIN>(high[spread(k)]);
    return rules_emit(item, float_of<PLAIN>(low[spread(k)]), float_of<PLAIN>(high[spread(k)]));
}

/* For any hop, channels, emits and edges: one value per thread, adjacent threads adjacent in
 * mono. */
template <int THREADS, bool PLAIN>
__device__ void store_values(const struct window_view &view, unsigned channel, int64_t end,
                             int from, int to, const int *low, const int *high)
{
    const unsigned items = view.emits.count;
    int64_t first = end + from > view.kept_first ? end + from : view.kept_first;
    uint64_t past = (uint64_t)(first - view.kept_first);
    uint64_t skip = view.hop == 1 || past % view.hop == 0 ? 0 : view.hop - past % view.hop;
    uint64_t row = view.hop == 1 ? past : (past + skip) / view.hop;
    unsigned count;

    if (first >= end + to || skip >= (uint64_t)(end + to - first))
        return;
    first += (int64_t)skip;
    count = view.hop == 1 ? (unsigned)(end + to - first)
                          : (unsigned)((uint64_t)(end + to - 1 - first) / view.hop) + 1;
    for (unsigned i = threadIdx.x; i < count * items; i += THREADS) {
        unsigned frame = items == 1 ? i : i / items;
        unsigned item = i - frame * items;
        int k = (int)(first - end) + (int)(frame * view.hop);
        bool whole = end + k >= view.whole_from && end + k < view.whole_to;
        float value = whole ? emit_value<PLAIN>(view.emits.item[item], low, high, k)
                            : rules_float(RULES_NAN_BITS);

        view.out[((row + frame) * view.channels + channel) * items + item] = value;
    }
}

/* min, max, min, max: two windows. */
template <bool PLAIN> __device__ __forceinline__ float4 pairs_at(const int *low, const int *high)
{
    const int2 minima = *(const int2 *)(const void *)low;
    const int2 maxima = *(const int2 *)(const void *)high;

    return make_float4(float_of<PLAIN>(minima.x), float_of<PLAIN>(maxima.x),
                       float_of<PLAIN>(minima.y), float_of<PLAIN>(maxima.y));
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_pairs(float *out, int count, const int *low, const int *high)
{
    const int step = 2 * THREADS;
    int left = count - 2 * (int)threadIdx.x;

    low += spread(2 * (int)threadIdx.x);
    high += spread(2 * (int)threadIdx.x);
    out += 4 * threadIdx.x;
#pragma unroll
    for (int i = 0; i < RUN / 2; i++) {
        if (i * step < left)
            __stcs((float4 *)(out + 2 * i * step),
                   pairs_at<PLAIN>(low + SPREAD_WORDS(i * step), high + SPREAD_WORDS(i * step)));
    }
}

/* The same for a part of a tile. `to` - `from` may be odd. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_some_pairs(float *out, int from, int to, const int *low,
                                                 const int *high)
{
    for (int k = 2 * (int)threadIdx.x; k < to; k += 2 * THREADS) {
        const float4 quad = pairs_at<PLAIN>(low + spread(k), high + spread(k));

        if (k >= from && k + 1 < to)
            __stcs((float4 *)(out + 2 * k), quad);
        else if (k >= from)
            *(float2 *)(out + 2 * k) = make_float2(quad.x, quad.y);
        else if (k + 1 >= from)
            *(float2 *)(out + 2 * k + 2) = make_float2(quad.z, quad.w);
    }
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_single(float *out, int from, int to, const int *keys)
{
    for (int k = QUAD * (int)threadIdx.x; k < to; k += QUAD * THREADS) {
        const int4 quad = *(const int4 *)(const void *)(keys + spread(k));
        const float value[QUAD] = {float_of<PLAIN>(quad.x), float_of<PLAIN>(quad.y),
                                   float_of<PLAIN>(quad.z), float_of<PLAIN>(quad.w)};

        if (k >= from && k + QUAD <= to) {
            __stcs((float4 *)(out + k), make_float4(value[0], value[1], value[2], value[3]));
            continue;
        }
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            if (k + i >= from && k + i < to)
                out[k + i] = value[i];
        }
    }
}

/* Writes the output frames of a tile of windows. Word k of `low` and `high` belongs to the window
 * that ends at end+k. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_tile(const struct window_view &view, unsigned channel,
                                           int64_t end, int count, const int *low, const int *high)
{
    int from = view.first > end ? (int)(view.first - end) : 0;
    int to = view.last < end + count ? (int)(view.last - end) : count;
    bool whole = end >= view.whole_from && end + count <= view.whole_to;
    float *out = view.out + (end - view.kept_first) * (view.pairs ? 2 : 1);

    if (view.kept_first > end + from)
        from = view.kept_first - end < count ? (int)(view.kept_first - end) : count;
    if (whole && view.pairs && from == 0 && to == count)
        store_pairs<THREADS, PLAIN>(out, count, low, high);
    else if (whole && view.pairs)
        store_some_pairs<THREADS, PLAIN>(out, from, to, low, high);
    else if (whole && view.single)
        store_single<THREADS, PLAIN>(out, from, to, view.emits.item[0] == EMIT_MIN ? low : high);
    else
        store_values<THREADS, PLAIN>(view, channel, end, from, to, low, high);
}

#endif
