/* SPDX-License-Identifier: MIT */
/* The statistics of a leaf of floats (cpu/tree.h): sums by lane, and the extremes. A template:
 * compiled for each instruction set and kind, with the vectors of comb_slider_tmpl.h. */
#ifndef GPUENV_CPU_LEAF_STATS_TMPL_H
#define GPUENV_CPU_LEAF_STATS_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/extremes_tmpl.h"
#include "cpu/kernels.h"

typedef double leaf_doubles __attribute__((vector_size(sizeof(vec))));

enum {
    LEAF_DOUBLES = sizeof(leaf_doubles) / sizeof(double),
    LEAF_VECTORS = 4, /* vectors of sums in registers; as many have squares */
    LEAF_GROUP = LEAF_VECTORS * LEAF_DOUBLES, /* lanes of the tree that are added at a time */
    LEAF_AHEAD = 8192,                        /* bytes */
    LEAF_LINE = 64,
};

_Static_assert((int)TREE_LANES % (int)LEAF_GROUP == 0, "all lanes have their turn");

#ifdef KIND_F64
#define VEC_TO_DOUBLES vec_load
#endif

/* The square of a float32 is exact in double: a fused multiply-add would change nothing. */
EXTREMES_INLINE void leaf_add_row(const kind_value *row, leaf_doubles *sums, leaf_doubles *squares)
{
    for (size_t i = 0; i < LEAF_VECTORS; i++) {
        const leaf_doubles doubles = (leaf_doubles)VEC_TO_DOUBLES(row + i * LEAF_DOUBLES);

        sums[i] += doubles;
        squares[i] += doubles * doubles;
    }
}

/* Adds the samples of a group of lanes, from rows of all lanes. Each lane takes its samples in
 * order, so the sums do not depend on the number of lanes in a vector. The prefetch is explicit
 * because the processor's own stops at the end of a page. */
EXTREMES_INLINE void leaf_add_group(const kind_value *samples, size_t count, leaf_doubles *sums,
                                    leaf_doubles *squares, vec *low, vec *high)
{
    for (size_t at = 0; at < count; at += TREE_LANES) {
        for (size_t i = 0; i < LEAF_GROUP; i += LEAF_LINE / sizeof *samples)
            __builtin_prefetch((const void *)((uintptr_t)(samples + at + i) + LEAF_AHEAD));
        /* The row comes before the wide loads: otherwise clang would extract its samples from
         * these, lane by lane. */
        leaf_add_row(samples + at, sums, squares);
        for (size_t i = 0; i < LEAF_GROUP; i += VEC_LANES)
            extremes_take(low, high, vec_load(samples + at + i), false, 0);
    }
}

static void leaf_add(const void *values, size_t count, struct leaf_stats *leaf)
{
    const kind_value *samples = values;
    vec low = vec_all(KIND_ABOVE);
    vec high = vec_all(KIND_BELOW);
    struct extremes extremes;

    for (size_t first = 0; first < TREE_LANES; first += LEAF_GROUP) {
        leaf_doubles sums[LEAF_VECTORS];
        leaf_doubles squares[LEAF_VECTORS];

        memcpy(sums, leaf->sum + first, sizeof sums);
        memcpy(squares, leaf->square + first, sizeof squares);
        leaf_add_group(samples + first, count, sums, squares, &low, &high);
        memcpy(leaf->sum + first, sums, sizeof sums);
        memcpy(leaf->square + first, squares, sizeof squares);
    }
    extremes =
        extremes_join((struct extremes){leaf->low, leaf->high}, extremes_of_lanes(low, high));
    leaf->low = extremes.low;
    leaf->high = extremes.high;
}

/* Adds the upper half of the lanes to the lower half, until one lane is left. */
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

/* Like leaf_add() and the rest of a tree of one leaf, but sums stay in registers from the first
 * sample to the total. +0 fills up the last row of lanes, which changes no sum. */
static void leaf_window(const void *values, size_t count, struct window_stats *stats)
{
    const kind_value *samples = values;
    const size_t whole = count - count % TREE_LANES;
    vec low = vec_all(KIND_ABOVE);
    vec high = vec_all(KIND_BELOW);
    struct extremes extremes;
    leaf_doubles sums[TREE_LANES / LEAF_DOUBLES] = {{0}};
    leaf_doubles squares[TREE_LANES / LEAF_DOUBLES] = {{0}};

    for (size_t first = 0; first < TREE_LANES; first += LEAF_GROUP) {
        leaf_doubles *group_sums = sums + first / LEAF_DOUBLES;
        leaf_doubles *group_squares = squares + first / LEAF_DOUBLES;

        leaf_add_group(samples + first, whole, group_sums, group_squares, &low, &high);
        if (whole < count) {
            kind_value last[TREE_LANES] = {0};

            memcpy(last, samples + whole, (count - whole) * sizeof *last);
            leaf_add_row(last + first, group_sums, group_squares);
        }
    }
    extremes =
        extremes_plain(extremes_of_lanes(low, high), samples + whole, count - whole, NAN_PROPAGATE);
    *stats =
        (struct window_stats){leaf_fold(sums), leaf_fold(squares), extremes.low, extremes.high};
}

/* Adds the samples of the last, incomplete row of lanes. Missing samples count as +0, which changes
 * no sum. */
EXTREMES_INLINE void leaf_add_rest(const kind_value *samples, size_t count, leaf_doubles *sums)
{
    for (size_t i = 0; i < TREE_LANES / LEAF_DOUBLES && i * LEAF_DOUBLES < count; i++) {
        kind_value last[LEAF_DOUBLES] = {0};
        const bool whole = (i + 1) * LEAF_DOUBLES <= count;

        for (size_t j = i * LEAF_DOUBLES; !whole && j < count; j++)
            last[j % LEAF_DOUBLES] = samples[j];
        sums[i] += (leaf_doubles)VEC_TO_DOUBLES(whole ? samples + i * LEAF_DOUBLES : last);
    }
}

static void leaf_window_sums(const void *values, size_t count, size_t windows, double *found)
{
    const kind_value *samples = values;
    const size_t whole = count - count % TREE_LANES;

    for (; windows > 0; windows--, samples += count) {
        leaf_doubles sums[TREE_LANES / LEAF_DOUBLES] = {{0}};

        for (size_t at = 0; at < whole; at += TREE_LANES) {
            for (size_t i = 0; i < TREE_LANES / LEAF_DOUBLES; i++)
                sums[i] += (leaf_doubles)VEC_TO_DOUBLES(samples + at + i * LEAF_DOUBLES);
        }
        leaf_add_rest(samples + whole, count - whole, sums);
        *found++ = leaf_fold(sums);
    }
}

#endif
