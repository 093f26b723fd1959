/* What statistics of a table have besides, of one column in one block: the standard deviation, the
 * first and the last number.
 *
 * The numbers are cut into blocks of COLUMN_BLOCK, missing ones left out. The mean of a block and
 * the squares of its deviations from that are computed in two passes; blocks are joined in pairs,
 * and pairs in pairs, as in the summation tree (cpu/tree.h). So numbers far from 0 keep their
 * digits. */
#ifndef GPUENV_FORMAT_TEXT_COLUMN_STATS_PRIV_H
#define GPUENV_FORMAT_TEXT_COLUMN_STATS_PRIV_H

#include <stddef.h>
#include <stdint.h>

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
    unsigned filled; /* of the block */
    double block[COLUMN_BLOCK];
    uint64_t blocks;
    struct column_node level[COLUMN_LEVELS]; /* level n is in use if bit n of `blocks` is set */
};

/* Adds numbers and NaN, which are missing. */
void column_stats_add(struct column_stats *stats, const double *numbers, size_t count);

/* NaN with fewer than two numbers. */
double column_stats_deviation(const struct column_stats *stats);

/* NaN without numbers. */
double column_stats_first(const struct column_stats *stats);
double column_stats_last(const struct column_stats *stats);

#endif
