/* The statistics of one channel over one block of frames.
 *
 * NaN are counted, and ignored in the other statistics. -0 lies below +0. */
#ifndef GPUENV_STATS_CHANNEL_H
#define GPUENV_STATS_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "engine/part.h"
#include "stats/tree.h"

struct channel_stats {
    uint64_t frames; /* so far */
    uint64_t nans;
    int64_t low; /* the keys of the extremes, as in window/rules.h; low > high: no number so far */
    int64_t high;
    uint64_t magnitude; /* the largest one, as in stats/level.h */
    uint64_t low_at;    /* frames from the start of the block; the first of equal values */
    uint64_t high_at;
    uint64_t magnitude_at;
    uint64_t clipped;    /* samples at full scale */
    uint64_t clipped_at; /* the first of them */
    struct tree tree;
};

void channel_init(struct channel_stats *channel);

/* Adds the next samples: floats of the kernels' kind. */
void channel_add(struct channel_stats *channel, const struct cpu_kernels *kernels,
                 struct full_scale scale, const void *samples, size_t count);

/* How integers of 64 bits are added. */
struct channel_integers {
    const struct cpu_kernels *kernels; /* for the extremes */
    const struct cpu_kernels *doubles; /* for the sums, of the nearest float64 */
    enum value_kind kind;              /* what the integers stand for: sample_type_numbers(), */
    double unit;                       /* and sample_type_unit() */
    struct full_scale scale;
};

/* Adds the next samples. */
void channel_add_integers(struct channel_stats *channel, const struct channel_integers *integers,
                          const int64_t *samples, size_t count);

/* Everything added so far, as a part. */
struct stats_values channel_values(const struct channel_stats *channel);

/* Adds the next part, which begins at a border between leaves. */
void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values);

#endif
