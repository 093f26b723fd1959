/* The statistics of samples side by side, for each instruction set to compile. */
#ifndef GPUENV_CPU_TALLY_H
#define GPUENV_CPU_TALLY_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "window/rules.h"

/* A vector of integers of the instruction set, and what is done with it. */
#ifdef VEC_LANES
typedef vec tally_bits;
typedef double tally_doubles __attribute__((vector_size(sizeof(vec))));
enum { TALLY_LANES = VEC_LANES };

#define tally_load vec_load
#define tally_least vec_min
#define tally_greatest vec_max
#define tally_greatest_unsigned vec_max_unsigned
#define tally_to_doubles vec_to_doubles
#else
typedef double tally_doubles __attribute__((vector_size(16)));
typedef int32_t tally_bits __attribute__((vector_size(16)));
enum { TALLY_LANES = 4 };

static inline tally_bits tally_load(const float *at)
{
    tally_bits bits;

    memcpy(&bits, at, sizeof bits);
    return bits;
}

static inline tally_bits tally_choose(tally_bits mask, tally_bits a, tally_bits b)
{
    return (a & mask) | (b & ~mask);
}

static inline tally_bits tally_least(tally_bits a, tally_bits b)
{
    return tally_choose(a < b, a, b);
}

static inline tally_bits tally_greatest(tally_bits a, tally_bits b)
{
    return tally_choose(a > b, a, b);
}

static inline tally_bits tally_greatest_unsigned(tally_bits a, tally_bits b)
{
    const tally_bits turn = (tally_bits){0} + INT32_MIN;

    return tally_choose((a ^ turn) > (b ^ turn), a, b);
}

static inline tally_doubles tally_to_doubles(const float *samples)
{
    return (tally_doubles){samples[0], samples[1]};
}
#endif

enum {
    TALLY_DOUBLES = TALLY_LANES / 2, /* in a vector as large */
    TALLY_SUMS = 4,                  /* vectors of sums in registers, and as many of squares */
    TALLY_GROUP = TALLY_SUMS * TALLY_DOUBLES, /* lanes of the tree, and samples, at a time */
    TALLY_AHEAD = 8192,                       /* bytes */
    TALLY_LINE = 64,
};

_Static_assert((int)SUMS_LANES % (int)TALLY_GROUP == 0, "all lanes have their turn");
_Static_assert((int)TALLY_GROUP % (int)TALLY_LANES == 0, "a group is whole vectors");

/* The extremes of samples, by their bits: no key has to be made. As integers, positive samples are
 * in order and negative ones in reverse; as signed ones the negative ones come before the positive
 * ones, as unsigned ones behind them. So the least and the greatest signed integer and the
 * *furthest*, the greatest unsigned one, are enough:
 *
 * | samples  | the least sample | the greatest sample |
 * |----------|------------------|---------------------|
 * | positive | least            | greatest            |
 * | both     | furthest         | greatest            |
 * | negative | furthest         | least               |
 *
 * A NaN lies behind the infinity of its sign. */
struct tally_extremes {
    tally_bits least;
    tally_bits greatest;
    tally_bits furthest;
};

static inline int32_t tally_lane(tally_bits bits, size_t lane)
{
    int32_t lanes[TALLY_LANES];

    memcpy(lanes, &bits, sizeof lanes);
    return lanes[lane];
}

/* By the table above. */
static inline void tally_end(const struct tally_extremes *extremes, struct tally *tally)
{
    int32_t least = INT32_MAX;
    int32_t greatest = INT32_MIN;
    uint32_t furthest = 0;
    int32_t low;
    int32_t high;

    for (size_t i = 0; i < TALLY_LANES; i++) {
        int32_t a = tally_lane(extremes->least, i);
        int32_t b = tally_lane(extremes->greatest, i);
        uint32_t c = (uint32_t)tally_lane(extremes->furthest, i);

        least = a < least ? a : least;
        greatest = b > greatest ? b : greatest;
        furthest = c > furthest ? c : furthest;
    }
    low = (int32_t)rules_flip((int32_t)furthest < 0 ? furthest : (uint32_t)least);
    high = (int32_t)rules_flip((uint32_t)(greatest < 0 ? least : greatest));
    tally->low = low < tally->low ? low : tally->low;
    tally->high = high > tally->high ? high : tally->high;
}

/* Each lane takes its samples in order, so the sums do not depend on how many lanes a vector has.
 * The square of a float is exact in double: a fused multiply-add would change nothing. The lanes
 * that four vectors of sums have go over all samples, then the next ones. Memory is asked for
 * early: the processor looks ahead too, but not beyond its page. */
static inline void tally_add(const float *samples, size_t count, struct tally *tally)
{
    const tally_bits any = tally_load(samples);
    struct tally_extremes extremes = {any, any, any};

    for (size_t first = 0; first < SUMS_LANES; first += TALLY_GROUP) {
        tally_doubles sums[TALLY_SUMS];
        tally_doubles squares[TALLY_SUMS];

        memcpy(sums, tally->sum + first, sizeof sums);
        memcpy(squares, tally->square + first, sizeof squares);
        for (size_t at = first; at < count; at += SUMS_LANES) {
            for (size_t i = 0; i < TALLY_GROUP; i += TALLY_LINE / sizeof(float))
                __builtin_prefetch((const void *)((uintptr_t)(samples + at + i) + TALLY_AHEAD));
            /* Before the wide loads, of which clang would make these, lane by lane. */
            for (size_t i = 0; i < TALLY_SUMS; i++) {
                const tally_doubles doubles = tally_to_doubles(samples + at + i * TALLY_DOUBLES);

                sums[i] += doubles;
                squares[i] += doubles * doubles;
            }
            for (size_t i = 0; i < TALLY_GROUP / TALLY_LANES; i++) {
                const tally_bits bits = tally_load(samples + at + i * TALLY_LANES);

                extremes.least = tally_least(extremes.least, bits);
                extremes.greatest = tally_greatest(extremes.greatest, bits);
                extremes.furthest = tally_greatest_unsigned(extremes.furthest, bits);
            }
        }
        memcpy(tally->sum + first, sums, sizeof sums);
        memcpy(tally->square + first, squares, sizeof squares);
    }
    tally_end(&extremes, tally);
}

static inline uint32_t tally_clean(const float *restrict samples, size_t count,
                                   float *restrict clean)
{
    uint32_t nans = 0;

    for (size_t i = 0; i < count; i++) {
        bool nan = rules_is_nan_bits(rules_bits(samples[i]));

        clean[i] = nan ? 0.0F : samples[i];
        nans += nan ? 1U : 0U;
    }
    return nans;
}

/* Looks for a group of samples with a hit first: a loop without a way out is one for vectors. */
static inline size_t tally_find(const float *samples, size_t count, uint32_t bits)
{
    enum { GROUP = 64 };
    size_t i = 0;

    for (; i + GROUP <= count; i += GROUP) {
        uint32_t hits = 0;

        for (unsigned j = 0; j < GROUP; j++)
            hits |= rules_bits(samples[i + j]) == bits ? 1U : 0U;
        if (hits != 0)
            break;
    }
    while (i < count && rules_bits(samples[i]) != bits)
        i++;
    return i;
}

#endif
