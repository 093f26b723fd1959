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
#include "engine/emit.h"
#include "engine/part.h"

struct channel_stats {
    uint64_t frames;            /* so far */
    struct stats_values values; /* of these, except the sums */
    struct tree tree;           /* which has the sums */
};

void channel_init(struct channel_stats *channel);

/* What the samples of a stream are, and how they are added. */
struct channel_samples {
    const struct cpu_kernels *kernels; /* of their values */
    const struct cpu_kernels *sums;    /* the same; of the nearest float64 to integers of 64 bits */
    enum value_kind numbers;           /* what the values stand for: sample_type_numbers() */
    double unit;                       /* of integers: sample_type_unit() */
    struct full_scale scale;           /* samples that reach it are counted */
};

/* `isa`: as for an engine. */
struct channel_samples channel_samples_of(const char *isa, struct sample_type sample,
                                          struct full_scale scale);

/* Adds the next samples, which are decoded. */
void channel_add(struct channel_stats *channel, const struct channel_samples *of,
                 const void *samples, size_t count);

/* The sums and extremes, as keys, of the few samples of a short block at once. Returns false where
 * channel_add() has to: for many samples, with a NaN even for a few hundred, and for integers of 64
 * bits. */
bool channel_values_of(const struct channel_samples *of, const void *samples, size_t count,
                       struct stats_values *values);

/* Everything added so far, as a part. */
struct stats_values channel_values(const struct channel_stats *channel);

/* Joins the statistics of other frames, except the sums. `first`: what their places are counted
 * from. */
void channel_join(struct stats_values *all, const struct stats_values *values, uint64_t first);

/* Adds the next part, which begins at a border between leaves. */
void channel_add_part(struct channel_stats *channel, const struct stats_part *part,
                      const struct stats_values *values);

/* ---- The channel state for windows that stand side by side, if values made of sums are wanted:
 * the statistics of the window so far. They have the bits of those of a block of the same frames,
 * because they are added in the same tree. */

enum { TALLY_LEAST = 64 }; /* shorter windows take less time without tallies */

struct tally {
    uint64_t left;  /* frames up to the end of the window */
    uint64_t begin; /* the frame of the stream at which it begins, or from which it is known */
    struct channel_stats stats;
};

/* Does a setup need tallies? Its windows begin where others end: its hop is its width, and its
 * alignment `forward`. For positions alone, long windows need no memory then. */
static inline bool tally_is_needed(const struct engine_setup *setup)
{
    const struct window *window = &setup->window;

    return emits_need_sums(&setup->emits) ||
           (emits_positions(&setup->emits) > 0 && setup->least == 0 && !setup->backwards &&
            window->align == ALIGN_FORWARD && window->hop == window->width &&
            window->width >= TALLY_LEAST);
}

/* The next frame is number `first` of the stream. */
void tally_init(struct tally *tally, uint64_t width, uint64_t first);

/* Takes samples of `of`'s kind, or missing ones past the end of the stream if `samples` is NULL.
 * The values of each window that ends go to the next frame of `out`, unless its item[0] is NULL. */
void tally_run(struct tally *tally, const struct channel_samples *of,
               const struct engine_setup *setup, const void *samples, size_t count,
               const struct emit_out *out, unsigned channel);

#endif
