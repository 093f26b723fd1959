/* The statistics of a leaf (stats/tree.h): sums by lane, and the extremes. A template: compiled for
 * each instruction set, with the vectors of comb_slider_tmpl.h. */
#ifndef GPUENV_CPU_LEAF_STATS_TMPL_H
#define GPUENV_CPU_LEAF_STATS_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/extremes_tmpl.h"
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

static inline void leaf_take(struct leaf_extremes *extremes, vec bits)
{
    extremes->least = vec_min_ints(extremes->least, bits);
    extremes->greatest = vec_max_ints(extremes->greatest, bits);
    extremes->furthest = vec_max_unsigned(extremes->furthest, bits);
}

/* Joins the upper half of the lanes to the lower. */
EXTREMES_INLINE void leaf_halve(int32_t *least, int32_t *greatest, uint32_t *furthest,
                                const size_t half)
{
    for (size_t i = 0; i < half; i++) {
        least[i] = least[i + half] < least[i] ? least[i + half] : least[i];
        greatest[i] = greatest[i + half] > greatest[i] ? greatest[i + half] : greatest[i];
        furthest[i] = furthest[i + half] > furthest[i] ? furthest[i + half] : furthest[i];
    }
}

/* As keys, by the table above. */
EXTREMES_INLINE struct extremes leaf_end(const struct leaf_extremes *extremes)
{
    int32_t least[VEC_LANES];
    int32_t greatest[VEC_LANES];
    uint32_t furthest[VEC_LANES];

    memcpy(least, &extremes->least, sizeof least);
    memcpy(greatest, &extremes->greatest, sizeof greatest);
    memcpy(furthest, &extremes->furthest, sizeof furthest);
    if (VEC_LANES > 8)
        leaf_halve(least, greatest, furthest, 8);
    if (VEC_LANES > 4)
        leaf_halve(least, greatest, furthest, 4);
    leaf_halve(least, greatest, furthest, 2);
    leaf_halve(least, greatest, furthest, 1);
    return (struct extremes){
        .low = (int32_t)rules_flip((int32_t)*furthest < 0 ? *furthest : (uint32_t)*least),
        .high = (int32_t)rules_flip((uint32_t)(*greatest < 0 ? *least : *greatest)),
    };
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
    struct extremes found;

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
                leaf_take(&extremes, vec_load(samples + at + i * VEC_LANES));
            }
        }
        memcpy(leaf->sum + first, sums, sizeof sums);
        memcpy(leaf->square + first, squares, sizeof squares);
    }
    found = leaf_end(&extremes);
    leaf->low = found.low < leaf->low ? found.low : leaf->low;
    leaf->high = found.high > leaf->high ? found.high : leaf->high;
}

/* The upper half of the lanes is added to the lower one, until one is left. */
EXTREMES_INLINE double leaf_fold(leaf_doubles vectors[TREE_LANES / LEAF_DOUBLES])
{
    double lanes[LEAF_DOUBLES];

    for (size_t half = TREE_LANES / LEAF_DOUBLES / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; i++)
            vectors[i] += vectors[i + half];
    }
    memcpy(lanes, vectors, sizeof lanes);
    for (size_t half = LEAF_DOUBLES / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

EXTREMES_INLINE void leaf_add_row(const float *row, leaf_doubles *sums, leaf_doubles *squares)
{
    for (size_t i = 0; i < LEAF_VECTORS; i++) {
        const leaf_doubles doubles = vec_to_doubles(row + i * LEAF_DOUBLES);

        sums[i] += doubles;
        squares[i] += doubles * doubles;
    }
}

/* Like leaf_add() and the rest of a tree of one leaf, but sums stay in registers from the first
 * sample to the total. +0 fills the last row of lanes up, which changes no sum. The last vector of
 * extremes overlaps the one before it. */
static void leaf_window(const void *values, size_t count, struct window_stats *stats)
{
    const float *samples = values;
    const size_t whole = count - count % TREE_LANES;
    const vec any = vec_all((int32_t)rules_bits(samples[0]));
    struct leaf_extremes extremes = {any, any, any};
    struct extremes found;
    leaf_doubles sums[TREE_LANES / LEAF_DOUBLES] = {{0}};
    leaf_doubles squares[TREE_LANES / LEAF_DOUBLES] = {{0}};

    for (size_t first = 0; first < TREE_LANES; first += LEAF_GROUP) {
        leaf_doubles *group_sums = sums + first / LEAF_DOUBLES;
        leaf_doubles *group_squares = squares + first / LEAF_DOUBLES;

        for (size_t at = first; at < whole; at += TREE_LANES) {
            leaf_add_row(samples + at, group_sums, group_squares);
            for (size_t i = 0; i < LEAF_GROUP; i += VEC_LANES)
                leaf_take(&extremes, vec_load(samples + at + i));
        }
        if (whole < count) {
            float last[TREE_LANES] = {0};

            memcpy(last, samples + whole, (count - whole) * sizeof *last);
            leaf_add_row(last + first, group_sums, group_squares);
        }
    }
    for (size_t at = whole; at < count; at += VEC_LANES) {
        if (count >= VEC_LANES)
            leaf_take(&extremes,
                      vec_load(samples + (at + VEC_LANES <= count ? at : count - VEC_LANES)));
        for (size_t i = 0; i < count && count < VEC_LANES; i++)
            leaf_take(&extremes, vec_all((int32_t)rules_bits(samples[i])));
    }
    found = leaf_end(&extremes);
    *stats = (struct window_stats){leaf_fold(sums), leaf_fold(squares), found.low, found.high};
}

#endif
