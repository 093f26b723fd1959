/* The extremes and the statistics of a leaf, for values of 64 bits: plain loops that compilers
 * vectorise. A template: compiled for each instruction set and kind, see cpu/kind_tmpl.h. */
#ifndef GPUENV_CPU_REDUCE64_TMPL_H
#define GPUENV_CPU_REDUCE64_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"

/* A NaN gets the key of its bits. */
static inline struct extremes extremes_of_bits(const kind_value *samples, size_t count)
{
    kind_key low = KIND_ABOVE;
    kind_key high = KIND_BELOW;

    for (size_t i = 0; i < count; i++) {
        const kind_key key = (kind_key)kind_flip(kind_to_bits(samples[i]));

        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    return (struct extremes){low, high};
}

static struct extremes extremes_keys(struct extremes so_far, const void *values, size_t count,
                                     enum nan_policy policy)
{
    const kind_value *samples = values;
    struct extremes more = extremes_of_bits(samples, count);

    if (count > 0 && extremes_have_nan(KIND, more)) {
        more = extremes_none(KIND);
        for (size_t i = 0; i < count; i++)
            more = extremes_join(more, (struct extremes){kind_low_key(samples[i], policy),
                                                         kind_high_key(samples[i], policy)});
    }
    return extremes_join(so_far, more);
}

#ifdef KIND_F64

/* Each lane takes its samples in order; a few lanes at a time stay in registers. */
static void leaf_add(const void *values, size_t count, struct leaf_stats *leaf)
{
    enum { GROUP = 16 };
    const double *samples = values;
    const struct extremes more = extremes_of_bits(samples, count);

    for (size_t first = 0; first < TREE_LANES; first += GROUP) {
        double sums[GROUP];
        double squares[GROUP];

        memcpy(sums, leaf->sum + first, sizeof sums);
        memcpy(squares, leaf->square + first, sizeof squares);
        for (size_t at = first; at < count; at += TREE_LANES) {
            for (size_t j = 0; j < GROUP; j++) {
                sums[j] += samples[at + j];
                squares[j] += samples[at + j] * samples[at + j];
            }
        }
        memcpy(leaf->sum + first, sums, sizeof sums);
        memcpy(leaf->square + first, squares, sizeof squares);
    }
    leaf->low = more.low < leaf->low ? more.low : leaf->low;
    leaf->high = more.high > leaf->high ? more.high : leaf->high;
}

#else

#define leaf_add NULL

#endif

#define leaf_window NULL

#endif
