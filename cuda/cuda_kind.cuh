/* SPDX-License-Identifier: MIT */
/* The kinds of values that the window kernels are compiled for: what the kernels, which are
 * templates, need to know of them. First float32 and float64; at the end of this comment, samples
 * as they are.
 *
 * A sample in shared memory or in a register is a *word*, as large as a value. Words are accessed
 * in *quads* of 16 bytes: four of 32 bits, or two of 64 bits. A run is four quads, so the kernels
 * of both kinds use as much shared memory and about as many registers.
 *
 * A tile is *plain* if it contains only numbers: then both sides of a sample are the same word.
 * - f32: In a plain tile, the word is the bits of the float, and minima and maxima are the device's
 *   for floats, which follow the rules: -0 below +0, no subnormal flushed. In any other tile, words
 *   are keys (src/core/window/rules.h).
 * - f64: Likewise, but devices have no instruction for the minimum of two doubles: it takes a
 *   comparison, for which -0 equals +0, and two selects. So a plain tile has no -0 either. With
 *   keys, the comparison is two instructions, on units that are more busy. Devices that compare
 *   doubles very slowly have keys in all tiles.
 *
 * The word of a missing sample or a NaN is its key in the running *maximum*; its key in the running
 * minimum is the opposite one.
 *
 * - narrow: Integers of up to 32 bits and float16 are compared as keys of their own width, also in
 *   a plain tile. A word has the key of a sample of 32 bits, or those of two smaller ones, each of
 *   a tile of its own: so the steps of a filter are the same, and a device picks both at once. */
#ifndef GPUENV_CUDA_CUDA_KIND_CUH
#define GPUENV_CUDA_CUDA_KIND_CUH

#include "launch.cuh"

#include <stdint.h>
#include <string.h>

#include "sample/sample_type.h"
#include "window/emit_list.h"

/* Most devices compare one or two doubles in the time of 64 integers. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 && __CUDA_ARCH__ != 900 && __CUDA_ARCH__ != 1000
#define KIND_SLOW_DOUBLES true
#else
#define KIND_SLOW_DOUBLES false
#endif

enum { QUADS = 4 }; /* quads in a run */

/* Types like int2 and int4. */
struct alignas(16) wide2 {
    int64_t x, y;
};
struct alignas(16) wide4 {
    int64_t x, y, z, w;
};

/* The types of a kind. */
template <class Value, class Word, class Bits, class Pair, class Pairs, class Quad, class Values>
struct kind_types {
    typedef Value value;
    typedef Word word;
    typedef Bits bits;
    typedef Pair pair;     /* a minimum and a maximum */
    typedef Pairs pairs;   /* two pairs */
    typedef Quad quad;     /* a quad of words */
    typedef Values values; /* a quad of values */

    static constexpr int QUAD = sizeof(quad) / sizeof(word);
    static constexpr int RUN = QUADS * QUAD;
    static constexpr int GROUP = QUAD == 4 ? 5 : 4; /* eight quads are 2^GROUP words */
    static constexpr int VALUES = sizeof(values) / sizeof(value);
    static constexpr int LOADS = RUN / VALUES; /* quads of values in a run */
    static constexpr int TILES = 1;            /* tiles that a word has a sample of */
    static constexpr bool NARROW = false;
    static constexpr bits MAGNITUDE = ~(bits)0 >> 1; /* all but the sign */

    static DEVICE bits bits_of(value from)
    {
        bits to;

        memcpy(&to, &from, sizeof to);
        return to;
    }

    static DEVICE value from_bits(bits from)
    {
        value to;

        memcpy(&to, &from, sizeof to);
        return to;
    }

    static DEVICE pair make_pair(word low, word high)
    {
        return pair{low, high};
    }

    /* Copies the N-th sample of a quad to all places of its word. */
    template <int N> static DEVICE word repeat(word samples)
    {
        if constexpr (sizeof(value) == 1)
            return (word)__byte_perm((unsigned)samples, 0, 0x1111 * (N % 4));
        else if constexpr (sizeof(value) == 2)
            return (word)__byte_perm((unsigned)samples, 0, N % 2 == 0 ? 0x1010 : 0x3232);
        else
            return samples;
    }
};

struct f32 : kind_types<float, int, unsigned, int2, int4, int4, float4> {
    static constexpr word BELOW = KEY_BELOW;
    static constexpr word ABOVE = KEY_ABOVE;
    static constexpr word INFINITE = 0x7f800000;  /* key of infinity, ~INFINITE of -infinity */
    static constexpr bool WORDS_ARE_KEYS = false; /* in a plain tile, words are not keys */
    static constexpr bool LOW_ZERO_IS_ODD = false;

    static DEVICE word high_key(value sample, enum nan_policy nan)
    {
        return rules_high_key(sample, nan);
    }

    static DEVICE value from_key(word key)
    {
        return rules_from_key(key);
    }

    /* Converts bits to a key, and back. */
    static DEVICE bits flip(bits from)
    {
        return rules_flip(from);
    }

    /* One step of the running filter, in a plain tile. */
    template <bool LOW> static DEVICE word plain_pick(word a, word b)
    {
#ifdef __CUDA_ARCH__
        float picked;

        /* Not fminf(): the compiler does not specify its result for zeros of different sign. */
        if (LOW)
            asm("min.f32 %0, %1, %2;"
                : "=f"(picked)
                : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
        else
            asm("max.f32 %0, %1, %2;"
                : "=f"(picked)
                : "f"(__int_as_float(a)), "f"(__int_as_float(b)));
        return __float_as_int(picked);
#else
        const word one = (word)flip((bits)a);
        const word other = (word)flip((bits)b);

        return (word)flip((bits)(LOW ? min(one, other) : max(one, other)));
#endif
    }

    static DEVICE value emit(enum emit item, value low, value high)
    {
        return emit_float(item, low, high);
    }
};

struct f64 : kind_types<double, int64_t, uint64_t, wide2, wide4, wide2, double2> {
    static constexpr word BELOW = KEY64_BELOW;
    static constexpr word ABOVE = KEY64_ABOVE;
    static constexpr word INFINITE = 0x7ff0000000000000;
    static constexpr bool WORDS_ARE_KEYS = KIND_SLOW_DOUBLES;
    static constexpr bool LOW_ZERO_IS_ODD = !WORDS_ARE_KEYS;

    static DEVICE word high_key(value sample, enum nan_policy nan)
    {
        return rules_high_key64(sample, nan);
    }

    static DEVICE value from_key(word key)
    {
        return rules_from_key64(key);
    }

    static DEVICE bits flip(bits from)
    {
        return rules_flip64(from);
    }

    /* Equal doubles in a plain tile have the same bits. */
    template <bool LOW> static DEVICE word plain_pick(word a, word b)
    {
        if constexpr (WORDS_ARE_KEYS) {
            return LOW ? min(a, b) : max(a, b);
        } else {
            const double one = rules_double((uint64_t)a);
            const double other = rules_double((uint64_t)b);
            double picked;

#ifdef __CUDA_ARCH__
            /* Doubles are selected with both halves in place, which takes fewer registers and
             * moves. */
            if (LOW)
                asm("{.reg .pred less; setp.lt.f64 less, %1, %2; selp.f64 %0, %1, %2, less;}"
                    : "=d"(picked)
                    : "d"(one), "d"(other));
            else
                asm("{.reg .pred more; setp.gt.f64 more, %1, %2; selp.f64 %0, %1, %2, more;}"
                    : "=d"(picked)
                    : "d"(one), "d"(other));
#else
            picked = (LOW ? one < other : one > other) ? one : other;
#endif
            return (int64_t)rules_bits64(picked);
        }
    }

    static DEVICE value emit(enum emit item, value low, value high)
    {
        return emit_double(item, low, high);
    }
};

/* Samples as they are. The sign bit of unsigned integers is turned at run time, which makes them
 * keys. A key of 8 bits stands in both bytes of its half of a word. */
template <class Sample, bool FLOATS>
struct narrow : kind_types<Sample, int, unsigned, int2, int4, int4, int4> {
    static constexpr int TILES = sizeof(Sample) < sizeof(int) ? 2 : 1;
    static constexpr bool NARROW = true;
    static constexpr bool HAS_NAN = FLOATS; /* only float16 has NaN */
    static constexpr int BELOW = TILES == 2 ? (int)0x80008000 : KEY_BELOW;
    static constexpr int ABOVE = ~BELOW;
    static constexpr int INFINITE = ABOVE; /* the neutral element */
    static constexpr bool WORDS_ARE_KEYS = true;

    template <bool LOW> static DEVICE int plain_pick(int a, int b)
    {
        if constexpr (TILES == 1)
            return LOW ? min(a, b) : max(a, b);
        else
            return (int)(LOW ? __vmins2((unsigned)a, (unsigned)b)
                             : __vmaxs2((unsigned)a, (unsigned)b));
    }

    /* All ones in each half whose bit 15 is set; the lower 15 of them turn its key. */
    static DEVICE unsigned fill(unsigned bits)
    {
        return (bits >> 15 & 0x10001) * 0xffff;
    }

    /* Converts samples to keys in the order of memory, and back. */
    static DEVICE unsigned turn(unsigned bits, unsigned sign)
    {
        return HAS_NAN ? bits ^ (fill(bits) & 0x7fff7fff) : bits ^ sign;
    }

    /* All ones in each half that is a NaN. */
    static DEVICE unsigned find_nan(unsigned bits)
    {
        return HAS_NAN ? fill((bits & 0x7fff7fff) + 0x03ff03ff) : 0;
    }

    /* All ones in each half that is the lowest or the highest key. */
    static DEVICE unsigned find_special(int key)
    {
        return fill(((unsigned)key ^ fill((unsigned)key)) + 0x10001);
    }

    static DEVICE int low_of(int key)
    {
        return key ^ (int)find_special(key);
    }

    /* The word of a window, in which NaN has the key of the NaN that is written. */
    static DEVICE int settle(int key)
    {
        const unsigned special = find_special(key);

        return (int)(((unsigned)key & ~special) | (RULES_NAN_BITS16 * 0x10001 & special));
    }
};

typedef narrow<uint8_t, false> key8;
typedef narrow<uint16_t, false> key16;
typedef narrow<uint16_t, true> half16;
typedef narrow<uint32_t, false> key32;

/* The bits that turn 32 bits of samples as they are into keys of signed integers. */
static inline unsigned sign_of(enum value_kind value)
{
    return value == VALUE_U8    ? 0x80808080
           : value == VALUE_U16 ? 0x80008000
           : value == VALUE_U32 ? 0x80000000
                                : 0;
}

template <class K> using kind_value = typename K::value;
template <class K> using kind_word = typename K::word;
template <class K> using kind_pair = typename K::pair;
template <class K> using kind_pairs = typename K::pairs;
template <class K> using kind_quad = typename K::quad;
template <class K> using kind_values = typename K::values;

/* Converts arrays of words or values to the registers of a quad, and back. */
template <class Quad, class Item> DEVICE Quad make_quad(const Item *from)
{
    Quad to;

    memcpy(&to, from, sizeof to);
    return to;
}

template <class Quad, class Item> DEVICE void take_quad(Quad from, Item *to)
{
    memcpy(to, &from, sizeof from);
}

/* ---- keys */

template <class K> DEVICE bool is_special(kind_word<K> key)
{
    typedef typename K::bits bits;

    return (bits)key - (bits)K::ABOVE < 2U;
}

template <class K> DEVICE bool is_odd_zero(kind_word<K> key)
{
    return K::LOW_ZERO_IS_ODD && key == -1;
}

/* Converts the key in the running maximum to the key in the running minimum. */
template <class K> DEVICE kind_word<K> low_of(kind_word<K> key)
{
    return is_special<K>(key) ? ~key : key;
}

/* ---- words: of a plain tile, or keys */

/* Converts a key to a word of a plain tile and back; it is its own inverse. */
template <class K> DEVICE kind_word<K> turn(kind_word<K> key)
{
    if constexpr (K::WORDS_ARE_KEYS)
        return key;
    else
        return (kind_word<K>)K::flip((typename K::bits)key);
}

template <class K> DEVICE kind_pair<K> turn_pair(kind_pair<K> pair)
{
    return K::make_pair(turn<K>(pair.x), turn<K>(pair.y));
}

/* The words of a plain tile for extremes, which may be those of no samples. */
template <class K> DEVICE kind_pair<K> plain_pair(kind_pair<K> pair)
{
    return K::make_pair(turn<K>(min(pair.x, K::INFINITE)), turn<K>(max(pair.y, ~K::INFINITE)));
}

/* The word of a number in a plain tile. */
template <class K> DEVICE kind_word<K> plain_word(kind_value<K> number)
{
    const typename K::bits bits = K::bits_of(number);

    return (kind_word<K>)(K::WORDS_ARE_KEYS ? K::flip(bits) : bits);
}

template <class K, bool PLAIN> DEVICE kind_value<K> value_of(kind_word<K> word)
{
    typedef typename K::bits bits;

    if (!PLAIN)
        return K::from_key(word);
    return K::from_bits(K::WORDS_ARE_KEYS ? K::flip((bits)word) : (bits)word);
}

/* One step of the running filter, for one side: minimum or maximum. */
template <class K, bool LOW, bool PLAIN> DEVICE kind_word<K> pick(kind_word<K> a, kind_word<K> b)
{
    if (PLAIN || K::NARROW)
        return K::template plain_pick<LOW>(a, b);
    return LOW ? min(a, b) : max(a, b);
}

/* One side of a sample. */
template <class K, bool LOW, bool PLAIN> DEVICE kind_word<K> key_of(kind_word<K> word)
{
    if constexpr (LOW && !PLAIN && K::NARROW)
        return K::low_of(word);
    else
        return LOW && !PLAIN ? low_of<K>(word) : word;
}

/* The neutral element of the minimum, or of the maximum. */
template <class K, bool LOW, bool PLAIN> DEVICE kind_word<K> neutral(void)
{
    if (PLAIN)
        return turn<K>(LOW ? K::INFINITE : ~K::INFINITE);
    return LOW ? K::ABOVE : K::BELOW;
}

/* One step of the running filter, for both sides. */
template <class K, bool PLAIN = false>
DEVICE kind_pair<K> pick_sides(kind_pair<K> a, kind_pair<K> b)
{
    return K::make_pair(pick<K, true, PLAIN>(a.x, b.x), pick<K, false, PLAIN>(a.y, b.y));
}

template <class K, bool PLAIN = false> DEVICE kind_pair<K> neutral_sides(void)
{
    return K::make_pair(neutral<K, true, PLAIN>(), neutral<K, false, PLAIN>());
}

/* ---- quads */

/* Is a or b NaN? This compiles to one comparison for both. */
template <class T> DEVICE bool is_unordered(T a, T b)
{
    return !(a <= b) & !(a > b);
}

/* Is the number -0, or one of those closest to it? */
DEVICE bool is_low_zero(double number)
{
    return (uint32_t)(rules_bits64(number) >> 32) == UINT32_C(0x80000000);
}

/* May this quad not be in a plain tile? */
DEVICE bool is_odd(float4 quad)
{
    return is_unordered(quad.x, quad.y) | is_unordered(quad.z, quad.w);
}

DEVICE bool is_odd(double2 quad)
{
    bool odd = is_unordered(quad.x, quad.y);

    if (f64::LOW_ZERO_IS_ODD)
        odd = odd | is_low_zero(quad.x) | is_low_zero(quad.y);
    return odd;
}

/* Applies a function to each word or value of a quad. */
template <class K, class Item, class Quad, class Function>
DEVICE kind_quad<K> map_quad(Quad quad, Function function)
{
    Item item[K::QUAD];
    kind_word<K> word[K::QUAD];

    take_quad(quad, item);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        word[i] = function(item[i]);
    return make_quad<kind_quad<K>>(word);
}

template <class K> DEVICE kind_quad<K> keys_of(kind_values<K> quad, enum nan_policy nan)
{
    return map_quad<K, kind_value<K>>(
        quad, [nan](kind_value<K> value) { return K::high_key(value, nan); });
}

/* The words of numbers in a plain tile. */
template <class K> DEVICE kind_quad<K> plain_words(kind_values<K> quad)
{
    return map_quad<K, kind_value<K>>(quad, plain_word<K>);
}

template <class K> DEVICE kind_quad<K> turn_quad(kind_quad<K> quad)
{
    return map_quad<K, kind_word<K>>(quad, turn<K>);
}

/* May this quad of keys not be in a plain tile? */
template <class K> DEVICE bool has_odd_key(kind_quad<K> quad)
{
    kind_word<K> word[K::QUAD];
    bool odd = false;

    take_quad(quad, word);
#pragma unroll
    for (int i = 0; i < K::QUAD; i++)
        odd = odd || is_special<K>(word[i]) || is_odd_zero<K>(word[i]);
    return odd;
}

#endif
