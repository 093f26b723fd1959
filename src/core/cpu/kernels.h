/* SPDX-License-Identifier: MIT */
/* The kernels of the cpu engine: one table for each instruction set and kind of values, chosen
 * once. Samples and results are values of the table's kind.
 *
 * A *slider* is the running minimum and maximum of one channel: its state from sample to sample.
 * The bytes that a slider gives depend neither on the table nor on how the samples are cut into
 * calls. */
#ifndef GPUENV_CPU_KERNELS_H
#define GPUENV_CPU_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/leaf.h"
#include "sample/sample_type.h"
#include "window/rules.h"

/* The wanted sides; a slider does not compute the other one. */
enum {
    SLIDER_LOW = 1,
    SLIDER_HIGH = 2,
    SLIDER_BOTH = SLIDER_LOW | SLIDER_HIGH,
    SLIDER_PLACES = 4, /* with SLIDER_LOW or SLIDER_HIGH: find the places of the extremes, too */
};

struct slider;

/* The minimum and the maximum of some samples, as the keys of window/rules.h. */
struct extremes {
    int64_t low; /* without samples, the keys of missing samples: see extremes_none() */
    int64_t high;
};

static inline struct extremes extremes_none(enum value_kind kind)
{
    return kind == VALUE_F32 ? (struct extremes){KEY_ABOVE, KEY_BELOW}
                             : (struct extremes){KEY64_ABOVE, KEY64_BELOW};
}

/* The bits of the extreme of missing integers, on one side. */
static inline uint64_t extremes_missing_bits(enum value_kind kind, unsigned side)
{
    const bool is_unsigned = kind == VALUE_U8 || kind == VALUE_U16 || kind == VALUE_U32;
    const uint64_t top = UINT64_C(1) << (8 * value_bytes(kind) - 1);
    const uint64_t least = is_unsigned ? 0 : top;

    return side == SLIDER_HIGH ? least : ~least & (2 * top - 1);
}

static inline struct extremes extremes_join(struct extremes a, struct extremes b)
{
    return (struct extremes){
        .low = a.low < b.low ? a.low : b.low,
        .high = a.high > b.high ? a.high : b.high,
    };
}

static inline bool extremes_key_is_nan(enum value_kind kind, int64_t key)
{
    return kind == VALUE_F32   ? rules_is_nan_bits(rules_flip((uint32_t)key))
           : kind == VALUE_F64 ? rules_is_nan_bits64(rules_flip64((uint64_t)key))
           : kind == VALUE_F16 ? rules_is_nan_bits16(rules_flip16((uint16_t)key))
                               : false;
}

/* Is there a NaN among the samples, if a NaN has the key of its bits? That key lies beyond the
 * infinities, so one of the extremes shows it. Extremes of no samples look like NaN as well.
 * Integers are never NaN. */
static inline bool extremes_have_nan(enum value_kind kind, struct extremes extremes)
{
    return extremes_key_is_nan(kind, extremes.low) || extremes_key_is_nan(kind, extremes.high);
}

/* The statistics of a leaf, of all its samples or of those so far. A NaN shows in the
 * extremes, see extremes_have_nan(). */
struct leaf_stats {
    double sum[TREE_LANES]; /* the sum of lane j: samples j, j + TREE_LANES, ... */
    double square[TREE_LANES];
    int64_t low;
    int64_t high;
};

/* The statistics of a tree of one leaf. */
struct window_stats {
    double sum;
    double square;
    int64_t low; /* keys, as in struct leaf_stats */
    int64_t high;
};

/* Windows whose extremes on one side and their places are known, from a slider with places. */
struct places {
    const void *extremes;
    const void *places; /* integers as wide as the extremes, wrapped: samples since slider_init() */
    uint64_t none;      /* extremes_missing_bits() */
    size_t windows;
    uint64_t width;
    uint64_t hop;    /* samples from one window to the next */
    uint64_t end;    /* the number in the stream of the first window's last sample */
    uint64_t first;  /* the number of the first sample since slider_init() */
    int64_t origin;  /* the frame of sample number 0 */
    int64_t turn;    /* 0, or -1 if frames count backwards from `origin` */
    int64_t *frames; /* the frames of the extremes; -1 for NaN */
};

/* Frames of neighbouring channels, which are sliding across. */
struct across {
    const void *samples; /* NULL for missing samples, which only missing ones may follow */
    size_t in_step;      /* values from one frame to the next */
    size_t channels;
    size_t count; /* how many frames */
    size_t muted; /* the number of first frames whose windows are not wanted */

    /* A side that the slider does not compute is ignored. Both are NULL if no window is wanted. */
    void *low;
    void *high;

    size_t out_step; /* values from one frame of windows to the next */
    bool pairs;      /* `low` gets min, max of a channel, min, max of the next, ... */

    /* These are for window_across() alone. */
    size_t lead;    /* how many frames there are before `samples` */
    ptrdiff_t have; /* how many there are from `samples` on; negative if all end before `samples` */
};

/* Windows of rows of keys, down each column. */
struct stacks {
    const void *const *rows; /* rows of the first window, and one more for each later window */
    size_t height;           /* rows of a window */
    size_t count;            /* keys of a row */
    size_t windows;          /* rows of results; 1 or more */
    void *out;
    ptrdiff_t step; /* bytes from one row of results to the next */
    void *suffixes; /* memory for BOXES_STRAND bytes of each row of a window */
};

/* The most bytes of keys that are processed together: so many may be read, and written, after the
 * end of a row. */
enum { BOXES_STRAND = 256 };

struct cpu_kernels {
    const char *name; /* the name of the instruction set */
    enum value_kind kind;

    /* Bytes of one slider's state. It must be aligned to 64 bytes; pages that it does not need are
     * not touched. slider_init() may restart a used slider. */
    uint64_t (*slider_bytes)(uint64_t width, unsigned sides);
    void (*slider_init)(struct slider *slider, uint64_t width, unsigned sides,
                        enum nan_policy policy);

    /* Takes `count` samples and gives the minimum and the maximum of the window that ends at each;
     * the first width-1 windows are cut to the samples that exist. The array of a side that is not
     * wanted is ignored; if both are NULL, only the slider is updated. With places, `low` gets the
     * extremes of the one side, and `high` the places of the first samples that have them, see
     * struct places. */
    void (*slide)(struct slider *slider, const void *samples, size_t count, void *low, void *high);

    /* Like slide(), for a slider of both sides. Writes pairs: min, max, min, max, ... */
    void (*slide_pairs)(struct slider *slider, const void *samples, size_t count, void *pairs);

    /* Takes `count` missing samples: windows past the end of the stream. After this, only
     * slide_missing() may follow. */
    void (*slide_missing)(struct slider *slider, size_t count, void *low, void *high);

    /* Sliding across channels: one slider for a vector of `lanes` neighbouring channels, from frame
     * to frame. slide_across() takes a slider for each vector, slider_bytes apart. Sliders may
     * slide over several ranges of channels, if each range begins at a multiple of `lanes` and has
     * `lanes` channels or more. */
    size_t lanes;
    uint64_t (*across_bytes)(uint64_t width, unsigned sides);
    void (*across_init)(struct slider *slider, uint64_t width, unsigned sides,
                        enum nan_policy policy);
    void (*slide_across)(void *sliders, size_t slider_bytes, const struct across *work);

    /* Like slide_across(), without a slider, where all frames of the windows are in memory. Some
     * windows must be wanted, and not as pairs. It takes as long as for `width - 1` more frames. */
    void (*window_across)(const struct across *work, uint64_t width, unsigned sides,
                          enum nan_policy policy);

    /* Boxes of images, on one side. keys() turns samples to keys; best() writes the best of each
     * `width` keys that lie `step` apart to another array; stacks() turns windows of rows to
     * results. */
    void (*keys)(unsigned sides, enum nan_policy policy, const void *samples, size_t count,
                 void *keys);
    void (*best)(const void *keys, size_t step, size_t width, size_t count, void *to);
    void (*stacks)(unsigned sides, enum nan_policy policy, const struct stacks *work);

    /* Finds the frames of extremes. The width must not exceed the number of values that a place can
     * have. */
    void (*frames)(const struct places *work);

    /* The extremes of `so_far` and of `count` more samples. */
    struct extremes (*extremes)(struct extremes so_far, const void *samples, size_t count,
                                enum nan_policy policy);

    /* ---- The members below are NULL for compact kinds of values, except decode(). */

    /* Decodes `count` adjacent raw samples, like sample_decode(). */
    void (*decode)(struct sample_type type, const void *raw, void *samples, size_t count);

    /* Computes one value of each window, `abs`, `range` or `mid`, from its minimum and maximum.
     * NULL for integers, whose results are converted one by one. */
    void (*values)(enum combine combine, const void *low, const void *high, size_t count,
                   void *values);

    /* Adds samples, the first to lane 0, in order within each lane. `count` is a positive multiple
     * of TREE_LANES. leaf_stats() and window_stats() are NULL for integers, which are summed as
     * float64. */
    void (*leaf_stats)(const void *samples, size_t count, struct leaf_stats *leaf);

    /* Like leaf_stats(), for all samples of a short tree at once, at most TREE_LEAF, and with the
     * sums of its lanes added up. With `squares` the sum of the samples is left out, and 0. */
    void (*window_stats)(const void *samples, size_t count, bool squares,
                         struct window_stats *stats);

    /* The sums, as by window_stats(), of windows of `count` samples that stand side by side. A sum
     * is NaN if its window has a NaN, or infinities of both signs. */
    void (*window_sums)(const void *samples, size_t count, size_t windows, double *sums);

    /* The deviations of 2^level blocks of VARIANCE_BLOCK numbers, joined in pairs (cpu/variance.h).
     * The squares are NaN if a number is. NULL for integers. */
    struct deviations (*deviations)(const void *samples, unsigned level);

    /* Copies samples, replacing each NaN by +0. Returns the number of NaN. */
    uint32_t (*clean)(const void *samples, size_t count, void *clean);

    /* The index of the first sample with these bits; `count` if there is none. */
    size_t (*find)(const void *samples, size_t count, uint64_t bits);

    /* Counts the samples at full scale, which must be known. A NaN is never at full scale. `*first`
     * is the index of the first of these samples, if there is one. */
    size_t (*reach)(struct full_scale scale, const void *samples, size_t count, size_t *first);

    /* The number of samples, `stride` values apart, before the first whose key lies outside a
     * range. The range goes from keys.low to keys.high; if `low` is greater, past the greatest
     * integer. A NaN has the key of its bits. Unless the range does that, or the number is 0,
     * `*extreme` is the greatest of their keys, or the least if `low`. */
    size_t (*within)(struct extremes keys, bool low, const void *samples, size_t stride,
                     size_t count, int64_t *extreme);
};

/* The best table for this kind that this CPU supports, no better than `isa`, which may be NULL for
 * no limit. Returns NULL if this build does not know the name. */
const struct cpu_kernels *cpu_kernels_pick(const char *isa, enum value_kind kind);

/* The best table, no better than `kernels`, with vectors of several channels that `channels`
 * channels can slide across; NULL if there is none. */
const struct cpu_kernels *cpu_kernels_across(const struct cpu_kernels *kernels, size_t channels);

/* The tables for this kind that run on this CPU, scalar first; `index` counts from 0. Returns NULL
 * past the last table. VALUE_U64 has no table. */
const struct cpu_kernels *cpu_kernels_at(unsigned index, enum value_kind kind);

#endif
