/* SPDX-License-Identifier: MIT */
/* Windows across channels whose frames are all in memory, without a slider.
 *
 * Van Herk and Gil-Werman again (comb_join_tmpl.h). Take a frame, and the windows that end in it
 * and in the frames after it, at most a width of them. Each is the best of a suffix, which ends
 * with that frame, and of a prefix of the frames after it. Only the suffixes are stored, in the L1
 * cache. So a frame is read twice, for its suffix and for its prefix, and no state has to be set
 * up. */
#ifndef GPUENV_CPU_COMB_WINDOWS_TMPL_H
#define GPUENV_CPU_COMB_WINDOWS_TMPL_H

#include <stdalign.h>
#include <stddef.h>

#include "cpu/comb_join_tmpl.h"
#include "cpu/comb_spans_tmpl.h"

enum {
    STRAND = 4,     /* vectors of a frame that are processed together: whole lines of the cache */
    SUFFIXES = 512, /* vectors */
};

/* Windows that end in neighbouring frames, at most a width of them. */
struct windows {
    struct keying keying; /* comes first because it has vectors */
    const struct across *work;
    ptrdiff_t first; /* the frame in which the first window ends */
    ptrdiff_t begin; /* the frame in which it begins, which may not exist */
    size_t count;
    kind_value *low;
    kind_value *high;
};

/* How many windows have room for their suffixes. */
static size_t windows_most(const struct across *work, enum comb_kind kind)
{
    const size_t strand = work->channels < (size_t)STRAND * VEC_LANES ? 1 : STRAND;

    return SUFFIXES / strand / (SLOT(kind) / VEC_LANES);
}

/* The oldest frame of a window that exists. */
static inline ptrdiff_t windows_oldest(const struct windows *windows, size_t index)
{
    const ptrdiff_t begin = windows->begin + (ptrdiff_t)index;
    const ptrdiff_t oldest = -(ptrdiff_t)windows->work->lead;

    return begin < oldest ? oldest : begin;
}

/* The keys of a vector of a frame. With `special`, the frame may be missing. */
COMB_INLINE struct both windows_keys(const struct windows *windows, const kind_value *samples,
                                     ptrdiff_t frame, const enum comb_kind kind, const bool special)
{
    if (special && frame >= windows->work->have)
        return both_none(kind);
    return spans_keys(&windows->keying,
                      vec_load(samples + frame * (ptrdiff_t)windows->work->in_step), special);
}

/* The last frame of the first window that exists. All plain windows contain it, so their suffixes
 * and their prefixes may begin with it. */
static inline ptrdiff_t windows_newest(const struct windows *windows)
{
    const ptrdiff_t have = windows->work->have;

    return windows->first < have ? windows->first : have - 1;
}

/* Computes the suffixes of `group` neighbouring vectors. Returns whether there is a NaN in them. */
COMB_INLINE bool windows_suffixes(const struct windows *windows, const kind_value *samples,
                                  kind_key *suffixes, const unsigned group,
                                  const enum comb_kind kind, const bool special)
{
    const ptrdiff_t step = (ptrdiff_t)windows->work->in_step;
    const ptrdiff_t newest = windows_newest(windows);
    const ptrdiff_t oldest = windows_oldest(windows, 0);
    struct both best[GROUP_MOST];
    bool nan = false;

    EACH(best[i] = special ? both_none(kind)
                           : windows_keys(windows, samples + i * VEC_LANES, newest, kind, false));
    for (ptrdiff_t frame = special ? windows->first : newest; frame >= oldest; frame--) {
        const size_t place = (size_t)(frame - oldest);
        kind_key *to = suffixes + place * group * SLOT(kind);

        nan |= !special && vec_any_nan(samples + frame * step, VEC_LANES, group);
        EACH(best[i] =
                 both_better(windows_keys(windows, samples + i * VEC_LANES, frame, kind, special),
                             best[i], kind, special));
        if (place < windows->count)
            EACH(both_store(to + i * SLOT(kind), best[i], kind));
    }
    return nan;
}

/* Computes the windows of `group` neighbouring vectors, from a channel on. Returns whether there is
 * a NaN in them: then only the special function is right. */
COMB_INLINE bool windows_join(const struct windows *windows, size_t channel, kind_key *suffixes,
                              const unsigned group, const enum comb_kind kind, const bool special)
{
    const struct across *work = windows->work;
    const kind_value *samples = (const kind_value *)work->samples + channel;
    const ptrdiff_t oldest = windows_oldest(windows, 0);
    const ptrdiff_t newest = windows_newest(windows);
    kind_value *low = windows->low + channel * OUTPUTS(kind) / VEC_LANES;
    kind_value *high = windows->high + channel * OUTPUTS(kind) / VEC_LANES;
    struct both best[GROUP_MOST];
    bool nan = windows_suffixes(windows, samples, suffixes, group, kind, special);

    EACH(best[i] = special ? both_none(kind)
                           : windows_keys(windows, samples + i * VEC_LANES, newest, kind, false));
    for (size_t index = 0; index < windows->count; index++) {
        const ptrdiff_t frame = windows->first + (ptrdiff_t)index;
        const size_t place = (size_t)(windows_oldest(windows, index) - oldest);
        const kind_key *suffix = suffixes + place * group * SLOT(kind);

        if (index > 0 && frame < work->have) {
            nan |= !special &&
                   vec_any_nan(samples + frame * (ptrdiff_t)work->in_step, VEC_LANES, group);
            EACH(best[i] = both_better(
                     best[i], windows_keys(windows, samples + i * VEC_LANES, frame, kind, special),
                     kind, special));
        }
        EACH(join_put(both_better(both_load(suffix + i * SLOT(kind), kind), best[i], kind, special),
                      windows->keying.middle, low + i * OUTPUTS(kind), high + i * OUTPUTS(kind),
                      kind, special));
        low += work->out_step;
        high += work->out_step;
    }
    return nan;
}

/* Computes the windows of all channels. If necessary, the last vector overlaps the one before
 * it. */
COMB_INLINE void windows_run(const struct windows *windows, const enum comb_kind kind)
{
    const struct across *work = windows->work;
    const bool empty = windows_oldest(windows, windows->count - 1) >= work->have;
    alignas(64) kind_key suffixes[SUFFIXES * VEC_LANES];
    size_t vectors;

    for (size_t at = 0; at < work->channels; at += vectors * VEC_LANES) {
        bool special = empty;

        vectors = at + (size_t)STRAND * VEC_LANES <= work->channels ? STRAND : 1;
        if (at + VEC_LANES > work->channels)
            at = work->channels - VEC_LANES;
        if (!special && vectors > 1)
            special = windows_join(windows, at, suffixes, STRAND, kind, false);
        else if (!special)
            special = windows_join(windows, at, suffixes, 1, kind, false);
        for (size_t i = 0; special && i < vectors; i++)
            (void)windows_join(windows, at + i * VEC_LANES, suffixes, 1, kind, true);
    }
}

typedef void comb_windows_function(const struct windows *windows);

#define WINDOWS(name, kind)                                                                        \
    static void windows_##name(const struct windows *windows)                                      \
    {                                                                                              \
        windows_run(windows, kind);                                                                \
    }

WINDOWS(low, KIND_LOW)
WINDOWS(planes, KIND_PLANES)

#if KIND_HAS_NAN
WINDOWS(high, KIND_HIGH)
#else
#define windows_high NULL /* see comb_kind_of() */
#endif

static comb_windows_function *const comb_windows_functions[KINDS] = {
    windows_low, windows_high, NULL, windows_planes, NULL,
};

#endif
