/* SPDX-License-Identifier: MIT */
/* The statistics of a leaf of floats (cpu/tree.h): sums by lane, and the extremes. A template:
 * compiled for each instruction set and kind, with the vectors of comb_slider_tmpl.h. */
#ifndef GPUENV_CPU_LEAF_STATS_TMPL_H
#define GPUENV_CPU_LEAF_STATS_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/extremes_tmpl.h"
#include "cpu/kernels.h"
#include "cpu/tree_fold_priv.h"

typedef double leaf_doubles __attribute__((vector_size(sizeof(vec))));

#define LEAF_DOUBLES (sizeof(leaf_doubles) / sizeof(double))

enum {
    LEAF_VECTORS = 4, /* vectors of sums in registers; as many have squares */
    LEAF_GROUP = LEAF_VECTORS * LEAF_DOUBLES, /* lanes of the tree that are added at a time */
    LEAF_AHEAD = 8192,                        /* bytes */
    LEAF_LINE = 64,
};

_Static_assert((int)TREE_LANES % (int)LEAF_GROUP == 0, "all lanes have their turn");

#ifdef KIND_F64
#define VEC_TO_DOUBLES vec_load
#endif
#ifndef VEC_ADD_SQUARE
#define VEC_ADD_SQUARE(x, sum) ((sum) + (x) * (x))
#endif

EXTREMES_INLINE void leaf_take(leaf_doubles doubles, leaf_doubles *sum, leaf_doubles *square)
{
    if (sum != NULL)
        *sum += doubles;
    *square = VEC_ADD_SQUARE(doubles, *square);
}

/* Adds rows of all lanes to sums, which are 0 so far if `first` is true; `sum` may be NULL. A group
 * of lanes at a time is in registers. Each lane takes its samples in order, so the sums do not
 * depend on the number of lanes in a vector. The prefetch is explicit because the processor's own
 * stops at the end of a page. */
EXTREMES_INLINE void leaf_add_rows(const kind_value *samples, size_t count, const bool first,
                                   double *sum, double *square, vec *low, vec *high)
{
    enum { group = LEAF_VECTORS };

    for (size_t lane = 0; lane < TREE_LANES; lane += LEAF_GROUP) {
        leaf_doubles sums[GROUP_MOST];
        leaf_doubles squares[GROUP_MOST];

        EACH(sums[i] = first || sum == NULL
                           ? (leaf_doubles){0}
                           : (leaf_doubles)vec_load(sum + lane + i * LEAF_DOUBLES));
        EACH(squares[i] = first ? (leaf_doubles){0}
                                : (leaf_doubles)vec_load(square + lane + i * LEAF_DOUBLES));
        for (size_t at = lane; at < count; at += TREE_LANES) {
#pragma GCC unroll 4
            for (size_t i = 0; i < LEAF_GROUP; i += LEAF_LINE / sizeof *samples)
                __builtin_prefetch((const void *)((uintptr_t)(samples + at + i) + LEAF_AHEAD));
            /* The sums come before the wide loads: otherwise clang would extract their samples from
             * these, lane by lane. */
            EACH(leaf_take((leaf_doubles)VEC_TO_DOUBLES(samples + at + i * LEAF_DOUBLES),
                           sum == NULL ? NULL : &sums[i], &squares[i]));
#pragma GCC unroll 4
            for (size_t i = 0; i < LEAF_GROUP; i += VEC_LANES)
                extremes_take(low, high, vec_load(samples + at + i), false, 0);
        }
        if (sum != NULL)
            EACH(vec_store(sum + lane + i * LEAF_DOUBLES, (vec)sums[i]));
        EACH(vec_store(square + lane + i * LEAF_DOUBLES, (vec)squares[i]));
    }
}

/* Because the sum is the leaf's first member, it would be tested for NULL without the attribute. */
static __attribute__((nonnull)) void leaf_add(const void *values, size_t count,
                                              struct leaf_stats *leaf)
{
    vec low = vec_all(KIND_ABOVE);
    vec high = vec_all(KIND_BELOW);
    struct extremes extremes;

    leaf_add_rows(values, count, false, leaf->sum, leaf->square, &low, &high);
    extremes =
        extremes_join((struct extremes){leaf->low, leaf->high}, extremes_of_lanes(low, high));
    leaf->low = extremes.low;
    leaf->high = extremes.high;
}

/* +0 fills up the last row of lanes, which changes no sum. */
EXTREMES_INLINE struct window_stats leaf_window_of(const void *values, size_t count, double *sums)
{
    const size_t whole = count - count % TREE_LANES;
    const kind_value *rest = (const kind_value *)values + whole;
    vec low = vec_all(KIND_ABOVE);
    vec high = vec_all(KIND_BELOW);
    struct extremes extremes;
    double squares[TREE_LANES];

    leaf_add_rows(values, whole, true, sums, squares, &low, &high);
    extremes = extremes_of_lanes(low, high);
    if (whole < count) {
        kind_value last[TREE_LANES] = {0};

        extremes = extremes_plain(extremes, rest, count - whole, NAN_PROPAGATE);
        memcpy(last, rest, (count - whole) * sizeof *last);
        leaf_add_rows(last, TREE_LANES, false, sums, squares, &low, &high);
    }
    return (struct window_stats){sums == NULL ? 0 : tree_fold(sums), tree_fold(squares),
                                 extremes.low, extremes.high};
}

static void leaf_window(const void *values, size_t count, bool squares, struct window_stats *stats)
{
    double sums[TREE_LANES];

    *stats = squares ? leaf_window_of(values, count, NULL) : leaf_window_of(values, count, sums);
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
        leaf_doubles sums[TREE_LANES / LEAF_DOUBLES];

#pragma GCC unroll 16
        for (size_t i = 0; i < TREE_LANES / LEAF_DOUBLES; i++)
            sums[i] = (leaf_doubles){0};
        for (size_t at = 0; at < whole; at += TREE_LANES) {
#pragma GCC unroll 16
            for (size_t i = 0; i < TREE_LANES / LEAF_DOUBLES; i++)
                sums[i] += (leaf_doubles)VEC_TO_DOUBLES(samples + at + i * LEAF_DOUBLES);
        }
        leaf_add_rest(samples + whole, count - whole, sums);
        *found++ = tree_fold((const double *)sums);
    }
}

/* A lane for each of several blocks: a processor waits for each addition to one sum. */
enum { BESIDE = 1 << VARIANCE_LEVEL_MOST, BESIDE_VECTORS = BESIDE / LEAF_DOUBLES };

/* Turns a square of samples, so that there is a column for each sample of the blocks. Each step
 * moves the rows of the second half between those of the first. Where there are too few blocks,
 * they are taken several times. */
EXTREMES_INLINE void leaf_turn(const kind_value *samples, size_t first, size_t blocks,
                               leaf_doubles (*columns)[BESIDE_VECTORS])
{
    kind_value rows[VEC_LOG + 1][VEC_LANES][VEC_LANES];

#pragma GCC unroll 16
    for (size_t i = 0; i < VEC_LANES; i++)
        vec_store(rows[0][i], vec_load(samples + (first + i) % blocks * VARIANCE_BLOCK));
#pragma GCC unroll 4
    for (size_t step = 0; step < VEC_LOG; step++) {
#pragma GCC unroll 8
        for (size_t i = 0; i < VEC_LANES / 2; i++)
            vec_store_pairs(rows[step + 1][2 * i], vec_load(rows[step][i]),
                            vec_load(rows[step][i + VEC_LANES / 2]));
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < VEC_LANES; i++) {
#pragma GCC unroll 2
        for (size_t j = 0; j < VEC_LANES; j += LEAF_DOUBLES)
            columns[i][(first + j) / LEAF_DOUBLES] =
                (leaf_doubles)VEC_TO_DOUBLES(rows[VEC_LOG][i] + j);
    }
}

static struct deviations leaf_deviations(const void *values, unsigned level)
{
    leaf_doubles columns[VARIANCE_BLOCK][BESIDE_VECTORS];
    leaf_doubles mean[BESIDE_VECTORS] = {{0}};
    leaf_doubles square[BESIDE_VECTORS] = {{0}};
    double means[BESIDE];
    double squares[BESIDE];
    double count = VARIANCE_BLOCK;

    for (size_t b = 0; b < BESIDE; b += VEC_LANES) {
        for (size_t i = 0; i < VARIANCE_BLOCK; i += VEC_LANES)
            leaf_turn((const kind_value *)values + i, b, (size_t)1 << level, columns + i);
    }
    for (size_t i = 0; i < VARIANCE_BLOCK; i++) {
#pragma GCC unroll 8
        for (size_t v = 0; v < BESIDE_VECTORS; v++)
            mean[v] += columns[i][v] - columns[0][v];
    }
#pragma GCC unroll 8
    for (size_t v = 0; v < BESIDE_VECTORS; v++)
        mean[v] = columns[0][v] + mean[v] / count;
    for (size_t i = 0; i < VARIANCE_BLOCK; i++) {
#pragma GCC unroll 8
        for (size_t v = 0; v < BESIDE_VECTORS; v++)
            square[v] += (columns[i][v] - mean[v]) * (columns[i][v] - mean[v]);
    }
    memcpy(means, mean, sizeof mean);
    memcpy(squares, square, sizeof square);
    /* Neighbours have as many numbers as each other, so this is deviations_join(). */
    for (; level > 0; level--) {
        for (size_t i = 0; i < (size_t)1 << (level - 1); i++) {
            const double apart = means[2 * i + 1] - means[2 * i];

            means[i] = means[2 * i] + apart / 2;
            squares[i] = squares[2 * i] + squares[2 * i + 1] + apart * apart * (count / 2);
        }
        count *= 2;
    }
    return (struct deviations){count, means[0], squares[0]};
}

#endif
