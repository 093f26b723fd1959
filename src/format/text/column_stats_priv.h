/* What statistics of a table have besides, of one column in one block: the standard deviation, the
 * first and the last number, and the times of these and of the extremes.
 *
 * The numbers are cut into blocks of COLUMN_BLOCK, missing ones left out. The mean of a block and
 * the squares of its deviations from that are computed in two passes; blocks are joined in pairs,
 * and pairs in pairs, as in the summation tree (cpu/tree.h). So numbers far from 0 keep their
 * digits. */
#ifndef GPUENV_FORMAT_TEXT_COLUMN_STATS_PRIV_H
#define GPUENV_FORMAT_TEXT_COLUMN_STATS_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "sample/moment.h"

enum column_time { TIME_OF_MIN, TIME_OF_MAX, TIME_OF_FIRST, TIME_OF_LAST, COLUMN_TIMES };

enum { COLUMN_BLOCK = 32, COLUMN_LEVELS = 59 };

struct column_node {
    double count;
    double mean;
    double squares; /* of the deviations from the mean */
};

/* All zero: no numbers so far. */
struct column_stats {
    double first;
    double last;
    struct moment times[COLUMN_TIMES]; /* where there are such numbers, and rows have times */
    unsigned filled;                   /* of the block */
    double block[COLUMN_BLOCK];
    uint64_t blocks;
    struct column_node level[COLUMN_LEVELS]; /* level n is in use if bit n of `blocks` is set */
};

/* Adds numbers and NaN, which are missing. `moments`: the times of their rows; or NULL. */
void column_stats_add(struct column_stats *stats, const double *numbers,
                      const struct moment *moments, size_t count);

/* NaN with fewer than two numbers. */
double column_stats_deviation(const struct column_stats *stats);

/* NaN without numbers. */
double column_stats_first(const struct column_stats *stats);
double column_stats_last(const struct column_stats *stats);

#endif
