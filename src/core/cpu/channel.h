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

/* The parts of a channel beside its extremes and ends. Each includes those before it. */
enum channel_parts {
    CHANNEL_EXTREMES,
    CHANNEL_SUMS,
    CHANNEL_DEVIATIONS,
    CHANNEL_LEAVES, /* leaf by leaf, so that parts may be added */
};

struct channel_stats {
    uint64_t frames;            /* frames so far */
    struct stats_values values; /* values of these frames, except the sums and the deviations */
    enum channel_parts parts;
    struct tree tree;         /* has the sums */
    struct variance variance; /* has the deviations */
};

enum channel_parts channel_parts_of(const struct emit_list *emits);

/* The bytes of a channel with only these parts. */
size_t channel_bytes(enum channel_parts parts);

void channel_init(struct channel_stats *channel, enum channel_parts parts);

/* What the samples of a stream are, and how they are added. */
struct channel_samples {
    const struct cpu_kernels *kernels; /* kernels of the values */
    const struct cpu_kernels *sums;    /* `kernels`; for 64-bit integers, those of float64 */
    enum value_kind numbers;           /* what the values stand for: sample_type_numbers() */
    double unit;                       /* the unit of integers: sample_type_unit() */
    struct full_scale scale;           /* samples that reach it are counted */
    bool ends;                         /* are the first and the last sample asked for? */
    bool squares;                      /* are squares the only sums of channel_values_of()? */
    enum nan_policy nan;               /* with NAN_OMIT, NaN are not the first or the last sample */
};

/* `isa` is that of struct machine. Sets NAN_OMIT, and no ends. */
struct channel_samples channel_samples_of(const char *isa, struct sample_type sample,
                                          struct full_scale scale);

/* channel_samples_of() for the values of an engine, without full scale. */
struct channel_samples channel_samples_for(const char *isa, const struct engine_setup *setup);

/* Adds the next decoded samples. */
void channel_add(struct channel_stats *channel, const struct channel_samples *of,
                 const void *samples, size_t count);

/* Converts samples to the numbers that are summed. */
void channel_make_doubles(const struct channel_samples *of, const void *samples, size_t count,
                          double *doubles);

/* Computes the sums, the extremes and the ends, as keys, of a short block at once. Returns false
 * where channel_add() is needed: for more than TREE_LEAF samples, for missing ones (NULL), and for
 * integers of 64 bits. */
bool channel_values_of(const struct channel_samples *of, const void *samples, size_t count,
                       struct stats_values *values);

/* Everything added so far, as a part. */
struct stats_values channel_values(const struct channel_stats *channel);

/* Joins the statistics of later frames, except the sums and the deviations. Their places count from
 * frame `first`. */
void channel_join(struct stats_values *all, const struct stats_values *values, uint64_t first);

/* Adds the next part, which begins at a border between leaves. */
void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values);

#endif
