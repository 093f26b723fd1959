/* The statistics of a leaf (stats/tree.h): sums by lane, and the extremes. A template: compiled for
 * each instruction set, with the vectors of comb_slider_tmpl.h. */
#ifndef GPUENV_CPU_LEAF_STATS_TMPL_H
#define GPUENV_CPU_LEAF_STATS_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "window/rules.h"

typedef double leaf_doubles __attribute__((vector_size(sizeof(vec))));

enum {
    LEAF_DOUBLES = VEC_LANES / 2, /* in a vector of the same size */
    LEAF_VECTORS = 4,             /* vectors of sums in registers, and as many of squares */
    LEAF_GROUP = LEAF_VECTORS * LEAF_DOUBLES, /* lanes of the tree, and samples, at a time */
    LEAF_AHEAD = 8192,                        /* bytes */
    LEAF_LINE = 64,
};

_Static_assert((int)TREE_LANES % (int)LEAF_GROUP == 0, "all lanes have their turn");
_Static_assert((int)LEAF_GROUP % (int)VEC_LANES == 0, "a group is whole vectors");

/* The extremes of samples, found from their bits: no keys are made. Read as integers, positive
 * samples are in order and negative ones in reverse order. Read as signed integers, the negative
 * ones come before the positive ones; as unsigned integers, behind them. So three numbers are
 * enough: the least and the greatest signed integer, and the *furthest*, the greatest unsigned one:
 *
 * | samples  | the least sample | the greatest sample |
 * |----------|------------------|---------------------|
 * | positive | least            | greatest            |
 * | both     | furthest         | greatest            |
 * | negative | furthest         | least               |
 *
 * A NaN lies behind the infinity of its sign. */
struct leaf_extremes {
    vec least;
    vec greatest;
    vec furthest;
};

static inline int32_t leaf_lane(vec bits, size_t lane)
{
    int32_t lanes[VEC_LANES];

    memcpy(lanes, &bits, sizeof lanes);
    return lanes[lane];
}

/* By the table above. */
static inline void leaf_end(const struct leaf_extremes *extremes, struct leaf_stats *leaf)
{
    int32_t least = INT32_MAX;
    int32_t greatest = INT32_MIN;
    uint32_t furthest = 0;
    int32_t low;
    int32_t high;

    for (size_t i = 0; i < VEC_LANES; i++) {
        int32_t a = leaf_lane(extremes->least, i);
        int32_t b = leaf_lane(extremes->greatest, i);
        uint32_t c = (uint32_t)leaf_lane(extremes->furthest, i);

        least = a < least ? a : least;
        greatest = b > greatest ? b : greatest;
        furthest = c > furthest ? c : furthest;
    }
    low = (int32_t)rules_flip((int32_t)furthest < 0 ? furthest : (uint32_t)least);
    high = (int32_t)rules_flip((uint32_t)(greatest < 0 ? least : greatest));
    leaf->low = low < leaf->low ? low : leaf->low;
    leaf->high = high > leaf->high ? high : leaf->high;
}

/* Each lane of the tree takes its samples in order, so the sums do not depend on the number of
 * lanes in a vector. The square of a float is exact in double: a fused multiply-add would change
 * nothing. Four vectors of sums fit in the registers; they process all samples for their lanes,
 * then the next four follow. The prefetch is explicit because the processor's own stops at the end
 * of a page. */
static inline void leaf_add(const void *values, size_t count, struct leaf_stats *leaf)
{
    const float *samples = values;
    const vec any = vec_load(samples);
    struct leaf_extremes extremes = {any, any, any};

    for (size_t first = 0; first < TREE_LANES; first += LEAF_GROUP) {
        leaf_doubles sums[LEAF_VECTORS];
        leaf_doubles squares[LEAF_VECTORS];

        memcpy(sums, leaf->sum + first, sizeof sums);
        memcpy(squares, leaf->square + first, sizeof squares);
        for (size_t at = first; at < count; at += TREE_LANES) {
            for (size_t i = 0; i < LEAF_GROUP; i += LEAF_LINE / sizeof(float))
                __builtin_prefetch((const void *)((uintptr_t)(samples + at + i) + LEAF_AHEAD));
            /* Before the wide loads: otherwise clang would extract these from them, lane by
             * lane. */
            for (size_t i = 0; i < LEAF_VECTORS; i++) {
                const leaf_doubles doubles = vec_to_doubles(samples + at + i * LEAF_DOUBLES);

                sums[i] += doubles;
                squares[i] += doubles * doubles;
            }
            for (size_t i = 0; i < LEAF_GROUP / VEC_LANES; i++) {
                const vec bits = vec_load(samples + at + i * VEC_LANES);

                extremes.least = vec_min_ints(extremes.least, bits);
                extremes.greatest = vec_max_ints(extremes.greatest, bits);
                extremes.furthest = vec_max_unsigned(extremes.furthest, bits);
            }
        }
        memcpy(leaf->sum + first, sums, sizeof sums);
        memcpy(leaf->square + first, squares, sizeof squares);
    }
    leaf_end(&extremes, leaf);
}

#endif
