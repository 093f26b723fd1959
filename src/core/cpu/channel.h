/* SPDX-License-Identifier: MIT */
/* The statistics of one channel over one block of frames.
 *
 * NaN are counted, and ignored in the other statistics. -0 lies below +0. */
#ifndef GPUENV_CPU_CHANNEL_H
#define GPUENV_CPU_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/kernels.h"
#include "cpu/tree.h"
#include "cpu/variance.h"
#include "engine/engine.h"
#include "engine/part.h"

/* What a channel has beside its extremes and ends. */
enum channel_parts {
    CHANNEL_EXTREMES,
    CHANNEL_SUMS,
    CHANNEL_DEVIATIONS, /* and sums */
    CHANNEL_LEAVES,     /* these, leaf by leaf: parts may be added */
};

struct channel_stats {
    uint64_t frames;            /* so far */
    struct stats_values values; /* of these, except the sums and the deviations */
    enum channel_parts parts;
    struct tree tree;         /* has the sums */
    struct variance variance; /* has the deviations */
};

enum channel_parts channel_parts_of(const struct emit_list *emits);

/* The bytes of a channel that has no more than these. */
size_t channel_bytes(enum channel_parts parts);

void channel_init(struct channel_stats *channel, enum channel_parts parts);

/* What the samples of a stream are, and how they are added. */
struct channel_samples {
    const struct cpu_kernels *kernels; /* of their values */
    const struct cpu_kernels *sums;    /* the same; of the nearest float64 to integers of 64 bits */
    enum value_kind numbers;           /* what the values stand for: sample_type_numbers() */
    double unit;                       /* of integers: sample_type_unit() */
    struct full_scale scale;           /* samples that reach it are counted */
    bool ends;                         /* are the first and the last sample asked for? */
    enum nan_policy nan;               /* NAN_OMIT: NaN are none of these */
};

/* `isa`: as for an engine. With NAN_OMIT, and without ends. */
struct channel_samples channel_samples_of(const char *isa, struct sample_type sample,
                                          struct full_scale scale);

/* For the values of an engine. */
struct channel_samples channel_samples_for(const char *isa, const struct engine_setup *setup);

/* Adds the next samples, which are decoded. */
void channel_add(struct channel_stats *channel, const struct channel_samples *of,
                 const void *samples, size_t count);

/* Samples as the numbers that are summed. */
void channel_make_doubles(const struct channel_samples *of, const void *samples, size_t count,
                          double *doubles);

/* The sums, the extremes and the ends, as keys, of the few samples of a short block at once.
 * Returns false where channel_add() has to: for many samples, with a NaN even for a few hundred,
 * and for integers of 64 bits. */
bool channel_values_of(const struct channel_samples *of, const void *samples, size_t count,
                       struct stats_values *values);

/* Everything added so far, as a part. */
struct stats_values channel_values(const struct channel_stats *channel);

/* Joins the statistics of later frames, except the sums and the deviations. `first`: what their
 * places are counted from. */
void channel_join(struct stats_values *all, const struct stats_values *values, uint64_t first);

/* Adds the next part, which begins at a border between leaves. */
void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values);

#endif
