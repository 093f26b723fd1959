/* The statistics of a leaf, for values of 64 bits: plain loops that compilers vectorise. A
 * template: compiled for each instruction set and kind, see cpu/kind_tmpl.h. */
#ifndef GPUENV_CPU_REDUCE64_TMPL_H
#define GPUENV_CPU_REDUCE64_TMPL_H

#include <stddef.h>
#include <string.h>

#include "cpu/extremes_tmpl.h"
#include "cpu/kernels.h"
#include "cpu/kind_tmpl.h"

#ifdef KIND_F64

/* Each lane takes its samples in order; a few lanes at a time stay in registers. */
static void leaf_add(const void *values, size_t count, struct leaf_stats *leaf)
{
    enum { GROUP = 16 };
    const double *samples = values;
    const struct extremes more = extremes_by_vectors(samples, count, false);

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
