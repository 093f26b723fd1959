/* SPDX-License-Identifier: MIT */
/* Partial statistics of a block, computed by a worker.
 *
 * A part is a subtree of a block's summation tree (cpu/tree.h). The functions here cut frames into
 * parts that are as large as possible; cpu/channel.h merges their values. */
#ifndef GPUENV_ENGINE_PART_H
#define GPUENV_ENGINE_PART_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/device_too.h"
#include "engine/leaf.h"

/* A subtree of 2^level leaves. Only the last one of a block may be short at its end. */
struct stats_part {
    uint64_t first; /* frames from the start of the run that was cut */
    uint64_t frames;
    unsigned level;
};

/* The deviations of all numbers of both. */
DEVICE_TOO struct deviations deviations_join(struct deviations left, struct deviations right)
{
    const double count = left.count + right.count;
    const double apart = right.mean - left.mean;

    if (left.count == 0 || right.count == 0)
        return left.count == 0 ? right : left;
    left.squares =
        left.squares + right.squares + apart * apart * (left.count * (right.count / count));
    left.mean += apart * (right.count / count);
    left.count = count;
    return left;
}

/* The standard deviation; NaN with fewer than two numbers. */
DEVICE_TOO double deviations_std(struct deviations deviations)
{
    return deviations.count < 2 ? (double)NAN : sqrt(deviations.squares / (deviations.count - 1));
}

/* The place of a sample that does not exist. */
#define STATS_NOWHERE UINT64_MAX

/* One channel of a part. If it has no number, `low` is greater than `high`. */
struct stats_values {
    double sum;
    double square;
    struct deviations deviations; /* all zero where they are not asked for */
    uint64_t nans;
    uint64_t low_at; /* frames from the start of the part; the first of equal values */
    uint64_t high_at;
    uint64_t magnitude_at;
    int64_t low; /* keys, as in window/rules.h */
    int64_t high;
    uint64_t magnitude; /* bits */
    uint64_t clipped;   /* samples at full scale */
    uint64_t clipped_at;
    int64_t first; /* keys */
    int64_t last;
    uint64_t first_at; /* STATS_NOWHERE if there is no first and no last sample */
    uint64_t last_at;
};

/* The values of no samples. */
extern const struct stats_values stats_none;

/* The most parts that `count` frames can have, in blocks of `every`. */
uint64_t parts_most(uint64_t every, uint64_t count);

/* Cuts the frames first .. first+count-1 of the stream. At each end, less than one leaf belongs to
 * no part. Returns the number of parts; `*frames` is how many frames they cover. */
size_t parts_cut(struct stats_part *part, uint64_t every, uint64_t first, uint64_t count,
                 uint64_t *frames);

#endif
