/* Where the extremes of windows are: the first sample with the bits of each. A template: compiled
 * for each instruction set and kind, see cpu/kind_tmpl.h.
 *
 * From window to window the position never goes back. It stays while windows have the same extreme
 * and contain it, and then the search goes on behind it: each sample is looked at once. Groups of
 * samples and of windows are looked at without branches, and past their ends: there is memory for
 * a group more. In short windows positions change too often for that: all samples of a window are
 * compared, with those of a group of windows at a time. */
#ifndef GPUENV_CPU_LOCATE_TMPL_H
#define GPUENV_CPU_LOCATE_TMPL_H

#include <string.h>

#include "cpu/kernels.h"
#include "cpu/vec_keys_tmpl.h"

enum {
    LOCATE_SHORT = 3 * VEC_LANES, /* the widest window whose samples are all compared */
};

/* The index of the first value with these bits, or of the first one with others; a group if there
 * is none among so many. A group is long enough that compilers make vectors of it. */
static inline __attribute__((always_inline)) size_t locate_first(const kind_value *values,
                                                                 kind_bits bits, bool equal)
{
    kind_key first = LOCATE_GROUP;

    for (unsigned i = 0; i < LOCATE_GROUP; i++) {
        const bool is_hit = (kind_to_bits(values[i]) == bits) == equal;
        const kind_key here = is_hit ? (kind_key)i : LOCATE_GROUP;

        first = here < first ? here : first;
    }
    return (size_t)first;
}

/* The same from `at` on; `count` or more if there is none. */
static inline size_t locate_next(const kind_value *samples, size_t at, size_t count, kind_bits bits)
{
    while (at < count) {
        const size_t first = locate_first(samples + at, bits, true);

        at += first;
        if (first < LOCATE_GROUP)
            break;
    }
    return at;
}

/* Gives the frame to the first windows of `count` that have this extreme. Returns their number. */
static inline size_t locate_fill(const kind_value *extremes, size_t count, kind_bits bits,
                                 int64_t frame, int64_t *frames)
{
    size_t done = 0;

    while (done < count) {
        const size_t same = locate_first(extremes + done, bits, false);

        for (size_t i = 0; i < LOCATE_GROUP; i++)
            frames[done + i] = frame;
        done += same;
        if (same < LOCATE_GROUP)
            break;
    }
    return done < count ? done : count;
}

/* Finds the extreme of window `index`, and of the next ones as long as it stays where it is, or
 * moves by one sample. Returns the number of windows. */
static inline size_t locate_run(struct locate *work, size_t index)
{
    const kind_value *samples = work->samples;
    const kind_value *extremes = (const kind_value *)work->extremes + index;
    const size_t count = work->count;
    const size_t windows = work->windows - index;
    const size_t hop = work->hop;
    int64_t *frames = work->frames + index;
    int64_t begin = work->first + (int64_t)(index * hop);
    size_t at = (int64_t)work->at < begin ? (size_t)begin : work->at;
    size_t done = 0;
    kind_bits bits = kind_to_bits(extremes[0]);

    if (kind_is_nan_bits(bits)) {
        frames[0] = -1;
        return 1;
    }
    if (at < count && kind_to_bits(samples[at]) != bits)
        at = locate_next(samples, at + 1, count, bits);
    if (at >= count) {
        frames[0] = -1;
        return 1;
    }
    do {
        frames[done++] = locate_frame(work, (int64_t)at);
        begin += (int64_t)hop;
        if (done == windows)
            break;
        bits = kind_to_bits(extremes[done]);
        if (begin <= (int64_t)at && kind_to_bits(samples[at]) == bits) {
            const size_t reach = ((size_t)((int64_t)at - begin)) / hop + 1;
            const size_t most = reach < windows - done ? reach : windows - done;

            done += locate_fill(extremes + done, most, bits, frames[done - 1], frames + done);
            break;
        }
        at++;
    } while (begin <= (int64_t)at && at < count && kind_to_bits(samples[at]) == bits &&
             !kind_is_nan_bits(bits));
    work->at = at;
    return done;
}

/* A group of windows, all of them whole. */
static inline void locate_group(struct locate *work, size_t index)
{
    const kind_value *samples = (const kind_value *)work->samples + (size_t)work->first + index;
    const kind_value *extremes = (const kind_value *)work->extremes + index;
    const struct locate where = *work; /* the results are known not to change it */
    const int64_t first = work->first + (int64_t)index;
    int64_t *frames = work->frames + index;
    vec found[LOCATE_GROUP / VEC_LANES];
    kind_key lanes[LOCATE_GROUP];

    for (size_t i = 0; i < LOCATE_GROUP / VEC_LANES; i++)
        found[i] = vec_all(0);
    for (size_t at = work->width; at-- > 0;) {
        const vec place = vec_all((kind_key)at);

        for (size_t i = 0; i < LOCATE_GROUP / VEC_LANES; i++)
            found[i] = vec_select((vec_ints)vec_load(samples + at + i * VEC_LANES) ==
                                      (vec_ints)vec_load(extremes + i * VEC_LANES),
                                  place, found[i]);
    }
    memcpy(lanes, found, sizeof lanes);
    for (size_t i = 0; i < LOCATE_GROUP; i++) {
        const int64_t frame = locate_frame(&where, first + (int64_t)i + (int64_t)lanes[i]);

        frames[i] = kind_is_nan_bits(kind_to_bits(extremes[i])) ? -1 : frame;
    }
}

static void locate_windows(struct locate *work)
{
    const bool is_short = work->hop == 1 && work->width <= LOCATE_SHORT;

    for (size_t i = 0; i < work->windows;) {
        const int64_t begin = work->first + (int64_t)i;

        if (is_short && begin >= 0 && work->windows - i >= LOCATE_GROUP &&
            (size_t)begin + LOCATE_GROUP - 1 + work->width <= work->count) {
            locate_group(work, i);
            i += LOCATE_GROUP;
        } else {
            i += locate_run(work, i);
        }
    }
}

#endif
