/* What the window kernels are built of: tiles of keys in shared memory, in and out.
 *
 * A sample lies in shared memory as its bits. In a tile of numbers alone, a *plain* one, minima and
 * maxima are those of floats, which a device takes as the rules want them: -0 below +0, no
 * subnormal flushed. Where a sample is missing or NaN, words become keys (src/window/rules.h), and
 * the word of such a sample is the one whose key in the running *maximum* is what the rules say;
 * its key in the running minimum is the opposite. A block picks one of the
 * two versions of its kernel when its tile is in.
 *
 * Word i of a tile lies at spread(i): one word is left out after every 32. Then there is no
 * bank conflict in any of the four ways that tiles are touched:
 * - a warp stores quads: word 4l+k for lane l goes to bank 4(l%8) + l/8 + k;
 * - a warp stores or reads words side by side;
 * - a thread a chunk: word 16l+j (also j > 15) lies in bank l/2 + 16(l%2) + j, or next to it,
 *   all lanes the same;
 * - a warp reads pairs or quads of its outputs: as the first. */
#ifndef GPUENV_CUDA_WINDOW_TILE_CUH
#define GPUENV_CUDA_WINDOW_TILE_CUH

#include "launch.cuh"

#include <stdint.h>

#include "window.h"
#include "window/rules.h"

enum {
    R = CUDA_CHUNK,
    QUAD = 4,
    QUADS = R / QUAD, /* that a thread loads */
    LANES = 32,
};

/* Words of shared memory for a tile of `words` words. */
#define SPREAD_WORDS(words) ((words) + (words) / 32 + 1)

/* A launch, as its kernels see it: block b works for channel b % channels, on the tile b / channels
 * of `tile` ends from `start` on. */
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
    bool pairs;  /* mono, all ends, min and max: quads of pairs fit on 16-byte boundaries */
    bool single; /* mono, all ends, one of min and max: likewise */
    float *out;

    /* far only */
    int64_t begin;           /* the first frame that block 0 loads of the windows' beginnings, */
    uint64_t begin_position; /* its place, */
    unsigned begin_shift;    /* and how far behind it the first window begins: 0 to 3 */
    const int2 *middles;     /* minimum and maximum, a block */
};

__device__ __forceinline__ int spread(int word)
{
    return word + (word >> 5);
}

/* spread(16 * chunk + j) without j, for 0 <= j < 16: the same words, at offsets that are known when
 * this is compiled. */
__device__ __forceinline__ int spread_chunk(int chunk)
{
    return chunk * R + (chunk >> 1);
}

/* The 16 words from 16 * chunk + shift on, 0 <= shift < 16: word j lies at
 * spread_chunk(chunk) + shift + j, or, where that is in the next chunk, perhaps one further. */
template <int SHIFT_MOST>
__device__ __forceinline__ int shifted_word(const int *tile, int chunk, int shift, int j)
{
    const int gap = chunk & 1;

    return tile[spread_chunk(chunk) + shift + j +
                (j + SHIFT_MOST >= R && j + shift >= R ? gap : 0)];
}

__device__ __forceinline__ bool is_special(int key)
{
    return (unsigned)key - (unsigned)KEY_ABOVE < 2U;
}

/* The key in the running minimum of what has this key in the running maximum. */
__device__ __forceinline__ int low_of(int key)
{
    return is_special(key) ? ~key : key;
}

/* A word's key, and back: it is its own inverse. */
__device__ __forceinline__ int flip(int word)
{
    return (int)rules_flip((uint32_t)word);
}

/* What follows works on float bits where a tile is plain, on keys where it is not. */

template <bool PLAIN> __device__ __forceinline__ float float_of(int key)
{
    return PLAIN ? rules_float((uint32_t)key) : rules_from_key(key);
}

template <bool LOW> __device__ __forceinline__ int pick_float(int a, int b)
{
#ifdef __CUDA_ARCH__
    float picked;

    /* Not fminf(), of which the compiler does not promise what it does with zeros. */
    if (LOW)
        asm("min.f32 %0, %1, %2;" : "=f"(picked) : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
    else
        asm("max.f32 %0, %1, %2;" : "=f"(picked) : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
    return __float_as_int(picked);
#else
    return flip(LOW ? min(flip(a), flip(b)) : max(flip(a), flip(b)));
#endif
}

/* One side of the running filter: the minimum, or the maximum. */
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

/* What changes no minimum, no maximum. */
template <bool LOW, bool PLAIN> __device__ __forceinline__ int neutral(void)
{
    if (PLAIN)
        return LOW ? 0x7f800000 : (int)0xff800000U;
    return LOW ? KEY_ABOVE : KEY_BELOW;
}

/* The quad at `place` in the ring. A quad lies within the ring: its capacity is a multiple of 4. */
__device__ __forceinline__ const float *quad_at(const struct window_view &view, const float *ring,
                                                uint64_t place)
{
    return ring + (place >= view.capacity ? place - view.capacity : place);
}

__device__ __forceinline__ bool has_nan(float4 quad)
{
    return (quad.x != quad.x) | (quad.y != quad.y) | (quad.z != quad.z) | (quad.w != quad.w);
}

__device__ __forceinline__ int4 keys_of(float4 quad, enum nan_policy nan)
{
    return make_int4(rules_high_key(quad.x, nan), rules_high_key(quad.y, nan),
                     rules_high_key(quad.z, nan), rules_high_key(quad.w, nan));
}

/* The keys of four samples, some of which may be missing; `frame` is the first one's. What is
 * not known is not read either: the next chunk may just be on its way there. */
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

/* Puts four keys into a tile, or the bits of four numbers. */
__device__ __forceinline__ void stage_quad(int *tile, int word, int4 keys)
{
    int *at = tile + spread(word);

    at[0] = flip(keys.x);
    at[1] = flip(keys.y);
    at[2] = flip(keys.z);
    at[3] = flip(keys.w);
}

__device__ __forceinline__ void stage_quad(int *tile, int word, float4 quad)
{
    int *at = tile + spread(word);

    at[0] = __float_as_int(quad.x);
    at[1] = __float_as_int(quad.y);
    at[2] = __float_as_int(quad.z);
    at[3] = __float_as_int(quad.w);
}

/* This thread's share of THREADS * 16 frames that are all known: loads that are all on their way
 * before the first is needed. */
template <int THREADS>
__device__ __forceinline__ void fetch_tile(const struct window_view &view, const float *ring,
                                           uint64_t position, float4 *quads)
{
#pragma unroll
    for (int i = 0; i < QUADS; i++)
        quads[i] = *(const float4 *)quad_at(
            view, ring, position + (uint64_t)((int)threadIdx.x * QUAD + i * THREADS * QUAD));
}

/* Puts it into a tile. True: this thread has met a special key. */
template <int THREADS>
__device__ __forceinline__ bool stage_tile(const struct window_view &view, const float4 *quads,
                                           int *tile)
{
    const int word = (int)threadIdx.x * QUAD;
    bool special = false;

#pragma unroll
    for (int i = 0; i < QUADS; i++)
        special = special | has_nan(quads[i]);
    if (special) {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            stage_quad(tile, word + i * THREADS * QUAD, keys_of(quads[i], view.nan));
    } else {
#pragma unroll
        for (int i = 0; i < QUADS; i++)
            stage_quad(tile, word + i * THREADS * QUAD, quads[i]);
    }
    return special;
}

template <int THREADS>
__device__ __forceinline__ bool is_known(const struct window_view &view, int64_t frame)
{
    return frame >= view.known_from && frame + THREADS * R <= view.known_to;
}

/* Brings THREADS * 16 frames into a tile, some of which may be missing. True as above. */
template <int THREADS>
__device__ __forceinline__ bool load_tile(const struct window_view &view, const float *ring,
                                          int64_t frame, uint64_t position, int *tile)
{
    if (is_known<THREADS>(view, frame)) {
        float4 quads[QUADS];

        fetch_tile<THREADS>(view, ring, position, quads);
        return stage_tile<THREADS>(view, quads, tile);
    }
    for (int i = 0, word = (int)threadIdx.x * QUAD; i < QUADS; i++, word += THREADS * QUAD)
        stage_quad(tile, word, load_quad(view, ring, frame + word, position + (uint64_t)word));
    return true;
}

/* Makes keys of the words of a tile that is not plain. All threads must come. */
__device__ __forceinline__ void make_keys(int *tile)
{
#pragma unroll
    for (int j = 0; j < R; j++)
        tile[spread_chunk((int)threadIdx.x) + j] = flip(tile[spread_chunk((int)threadIdx.x) + j]);
    __syncthreads();
}

/* One value of the window that ends at word `k` of the tile. */
template <bool PLAIN>
__device__ __forceinline__ float emit_value(enum emit item, const int *low, const int *high, int k)
{
    if (item == EMIT_MIN)
        return float_of<PLAIN>(low[spread(k)]);
    if (item == EMIT_MAX)
        return float_of<PLAIN>(high[spread(k)]);
    return rules_emit(item, float_of<PLAIN>(low[spread(k)]), float_of<PLAIN>(high[spread(k)]));
}

/* Any hop, channels, emits and edges: a value a thread, side by side in mono. */
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

/* min, max, min, max: a quad is two frames. `to` - `from` may be odd. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_pairs(float *out, int from, int to, const int *low,
                                            const int *high)
{
    for (int k = 2 * (int)threadIdx.x; k < to; k += 2 * THREADS) {
        float4 quad;

        if (k + 1 < from)
            continue;
        quad.x = float_of<PLAIN>(low[spread(k)]);
        quad.y = float_of<PLAIN>(high[spread(k)]);
        quad.z = float_of<PLAIN>(low[spread(k) + 1]);
        quad.w = float_of<PLAIN>(high[spread(k) + 1]);
        if (k >= from && k + 1 < to)
            __stcs((float4 *)(out + 2 * (int64_t)k), quad);
        else if (k >= from)
            *(float2 *)(out + 2 * (int64_t)k) = make_float2(quad.x, quad.y);
        else
            *(float2 *)(out + 2 * (int64_t)k + 2) = make_float2(quad.z, quad.w);
    }
}

template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_single(float *out, int from, int to, const int *keys)
{
    for (int k = QUAD * (int)threadIdx.x; k < to; k += QUAD * THREADS) {
        float value[QUAD];

#pragma unroll
        for (int i = 0; i < QUAD; i++)
            value[i] = float_of<PLAIN>(keys[spread(k) + i]);
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

/* Writes what is wanted of a tile of windows: word k of `low` and `high` is the one that ends at
 * end+k. */
template <int THREADS, bool PLAIN>
__device__ __forceinline__ void store_tile(const struct window_view &view, unsigned channel,
                                           int64_t end, int count, const int *low, const int *high)
{
    int from = view.first > end ? (int)(view.first - end) : 0;
    int to = view.last < end + count ? (int)(view.last - end) : count;
    bool whole = end >= view.whole_from && end + count <= view.whole_to;

    if (view.kept_first > end + from)
        from = view.kept_first - end < count ? (int)(view.kept_first - end) : count;
    if (whole && view.pairs)
        store_pairs<THREADS, PLAIN>(view.out + 2 * (end - view.kept_first), from, to, low, high);
    else if (whole && view.single)
        store_single<THREADS, PLAIN>(view.out + (end - view.kept_first), from, to,
                                     view.emits.item[0] == EMIT_MIN ? low : high);
    else
        store_values<THREADS, PLAIN>(view, channel, end, from, to, low, high);
}

#endif
