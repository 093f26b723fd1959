/* SPDX-License-Identifier: MIT */
#include "cpu/hopper_priv.h"

#include <string.h>

#include "cpu/level.h"
#include "window/value.h"

enum {
    /* For smaller hops, segments cost more than computing all windows, or all their places. */
    HOP_LEAST = 64,
    HOP_LEAST_PLACES = 128,
};

/* The open segment reaches up to, but does not include, the next border: the frame at which a
 * written window begins, or the frame after one ends. Both kinds occur once per hop.
 *
 * Closed segments slide as keys, one at a time, by van Herk and Gil-Werman. They form blocks of as
 * many as a window has. A window is a suffix of the old block and a prefix of the new one. Both
 * blocks share an array: a segment replaces a suffix that no later window needs.
 *
 * The keys of missing samples lose every comparison, and the keys of a NaN follow the policy. So
 * neither is a special case here. */
struct hopper {
    const struct cpu_kernels *kernels;
    enum nan_policy policy;
    unsigned places; /* the sides whose places are wanted */
    uint64_t hop;
    uint64_t next;          /* the next frame */
    uint64_t next_begin;    /* the next frame at which a written window begins */
    uint64_t next_end;      /* the next frame after the end of a written window */
    uint64_t first_end;     /* the frame after the end of output 0 */
    bool gaps;              /* windows do not touch: the samples between them are not needed */
    bool has_old;           /* there was a block before this one */
    struct extremes none;   /* extremes of no samples */
    struct extremes open;   /* extremes of the open segment so far */
    struct extremes prefix; /* extremes of the new block */
    uint64_t open_at[2];    /* frames of the first samples with the extremes in `open` */
    uint64_t prefix_at[2];  /* frames of the first samples with the extremes in `prefix` */
    size_t closed;          /* segments in the new block */
    size_t segments;        /* segments in a window, and so in a block */

    /* After the segments comes an empty suffix, that after the last one; then the frames of all. */
    struct extremes block[];
};

static uint64_t *block_at(struct hopper *hopper, size_t index)
{
    return (uint64_t *)(void *)(hopper->block + hopper->segments + 1) + 2 * index;
}

/* `places` is a constant in each call. */
#define HOPPER_INLINE static inline __attribute__((always_inline))

/* Joins the frames of newer extremes to those of older ones. Call it before the extremes are
 * joined. Of equals the first stays. */
HOPPER_INLINE void join_at(const bool places, struct extremes older, struct extremes newer,
                           uint64_t older_at[2], const uint64_t newer_at[2])
{
    if (places && newer.low < older.low)
        older_at[0] = newer_at[0];
    if (places && newer.high > older.high)
        older_at[1] = newer_at[1];
}

HOPPER_INLINE void copy_at(const bool places, uint64_t to[2], const uint64_t from[2])
{
    if (places)
        memcpy(to, from, 2 * sizeof *to);
}

bool hopper_pays(const struct window *window, bool places)
{
    return window->hop >= (places ? HOP_LEAST_PLACES : HOP_LEAST);
}

/* The ends and the beginnings of its neighbours divide a window: floor((w-1) / hop) of each kind.
 * Both lie at equal frames if the hop divides the width. */
static uint64_t segments_of(const struct window *window)
{
    uint64_t borders = (window->width - 1) / window->hop;

    return window->width % window->hop == 0 ? borders + 1 : 2 * borders + 1;
}

uint64_t hopper_bytes(const struct window *window, unsigned places)
{
    const uint64_t segments = segments_of(window);
    const size_t at = places != 0 ? 2 * sizeof(uint64_t) : 0;

    if (segments > UINT64_MAX / 64)
        return UINT64_MAX;
    return sizeof(struct hopper) + (segments + 1) * (sizeof(struct extremes) + at);
}

/* The first frame at or after `from` that is `residue` more than a multiple of the hop. */
static uint64_t next_of(uint64_t residue, uint64_t hop, uint64_t from)
{
    uint64_t past = from % hop;

    return past <= residue ? from + (residue - past) : from + (hop - past) + residue;
}

void hopper_init(struct hopper *hopper, const struct cpu_kernels *kernels,
                 const struct window *window, enum nan_policy policy, unsigned places,
                 uint64_t first)
{
    uint64_t hop = window->hop;
    uint64_t end_residue = (window->after + 1) % hop;
    const struct extremes none = extremes_none(kernels->kind);
    uint64_t begin_residue = (end_residue + (hop - window->width % hop)) % hop;

    *hopper = (struct hopper){
        .kernels = kernels,
        .policy = policy,
        .places = places,
        .hop = hop,
        .next = first,
        /* Borders before output 0 count, too: otherwise output 0 would have fewer segments. */
        .next_begin = next_of(begin_residue, hop, first + 1),
        .next_end = next_of(end_residue, hop, first + 1),
        .first_end = window->after + 1,
        .gaps = window->width < hop,
        .none = none,
        .open = none,
        .prefix = none,
        .segments = (size_t)segments_of(window),
    };
    hopper->block[hopper->segments] = none;
    copy_at(places != 0, block_at(hopper, hopper->segments), hopper->open_at);
}

/* The new block is full: each segment becomes the suffix that begins with it. */
HOPPER_INLINE void end_block(struct hopper *hopper, const bool places)
{
    struct extremes suffix = hopper->none;

    for (size_t i = hopper->segments; i > 0; i--) {
        join_at(places, hopper->block[i - 1], suffix, block_at(hopper, i - 1), block_at(hopper, i));
        suffix = extremes_join(suffix, hopper->block[i - 1]);
        hopper->block[i - 1] = suffix;
    }
    hopper->prefix = hopper->none;
    hopper->closed = 0;
    hopper->has_old = true;
}

/* Closes the open segment. Returns the extremes of the window that ends with it, and sets their
 * frames. */
HOPPER_INLINE struct extremes end_segment(struct hopper *hopper, uint64_t at[2], const bool places)
{
    const size_t old = hopper->has_old ? hopper->closed + 1 : hopper->segments;
    struct extremes window = hopper->block[old];

    join_at(places, hopper->prefix, hopper->open, hopper->prefix_at, hopper->open_at);
    hopper->prefix = extremes_join(hopper->prefix, hopper->open);
    copy_at(places, at, block_at(hopper, old));
    join_at(places, window, hopper->prefix, at, hopper->prefix_at);
    window = extremes_join(window, hopper->prefix);
    copy_at(places, block_at(hopper, hopper->closed), hopper->open_at);
    hopper->block[hopper->closed++] = hopper->open;
    hopper->open = hopper->none;
    if (hopper->closed == hopper->segments)
        end_block(hopper, places);
    return window;
}

void hopper_jump(struct hopper *hopper, uint64_t to)
{
    hopper->next_end = next_of(hopper->next_end % hopper->hop, hopper->hop, to + 1);
    hopper->next_begin = next_of(hopper->next_begin % hopper->hop, hopper->hop, to + 1);
    hopper->next = to;
}

/* Adds samples to the open segment. Searches a new extreme if its frame is wanted. */
HOPPER_INLINE void take(struct hopper *hopper, const void *samples, size_t count, const bool places)
{
    const struct cpu_kernels *kernels = hopper->kernels;
    const struct extremes was = hopper->open;
    const struct extremes now = kernels->extremes(was, samples, count, hopper->policy);

    hopper->open = now;
    if (places && (hopper->places & SLIDER_LOW) != 0 && now.low < was.low)
        hopper->open_at[0] =
            hopper->next + kernels->find(samples, count, level_bits(kernels->kind, now.low));
    if (places && (hopper->places & SLIDER_HIGH) != 0 && now.high > was.high)
        hopper->open_at[1] =
            hopper->next + kernels->find(samples, count, level_bits(kernels->kind, now.high));
}

static void put_places(enum value_kind kind, const uint64_t at[2], const struct windows_found *to,
                       size_t index)
{
    for (int i = 0; i < 2; i++) {
        if (kind == VALUE_F32)
            ((uint32_t *)to->places[i])[index] = (uint32_t)at[i];
        else
            ((uint64_t *)to->places[i])[index] = at[i];
    }
}

/* The extremes of windows that stand side by side. `kind` is a constant in each call. */
HOPPER_INLINE void find_windows(const struct hopper *hopper, const unsigned char *samples,
                                size_t windows, const struct windows_found *to, size_t written,
                                const enum value_kind kind)
{
    const size_t hop = (size_t)hopper->hop;

    for (size_t i = 0; i < windows; i++) {
        const struct extremes window = hopper->kernels->extremes(
            hopper->none, samples + i * hop * value_bytes(kind), hop, hopper->policy);

        value_put_key(kind, window.low, to->extremes[0], written + i);
        value_put_key(kind, window.high, to->extremes[1], written + i);
    }
}

static size_t take_windows(struct hopper *hopper, const unsigned char *samples, size_t count,
                           const struct windows_found *to, size_t written)
{
    const enum value_kind kind = hopper->kernels->kind;
    const size_t windows = count / (size_t)hopper->hop;

    if (kind == VALUE_F32)
        find_windows(hopper, samples, windows, to, written, VALUE_F32);
    else if (kind == VALUE_U8)
        find_windows(hopper, samples, windows, to, written, VALUE_U8);
    else if (kind == VALUE_S16)
        find_windows(hopper, samples, windows, to, written, VALUE_S16);
    else
        find_windows(hopper, samples, windows, to, written, kind);
    hopper->next += windows * hopper->hop;
    hopper->next_begin += windows * hopper->hop;
    hopper->next_end += windows * hopper->hop;
    return windows;
}

/* Is the hop the width, and the next frame the first of a window? */
static bool stand_side_by_side(const struct hopper *hopper)
{
    return hopper->segments == 1 && !hopper->gaps && hopper->next_end == hopper->next_begin &&
           hopper->next_end == hopper->next + hopper->hop && hopper->next_end >= hopper->first_end;
}

HOPPER_INLINE void run(struct hopper *hopper, const void *samples, size_t count,
                       const struct windows_found *to, const bool places)
{
    const enum value_kind kind = hopper->kernels->kind;
    const unsigned char *next = samples;
    size_t written = 0;

    while (count > 0) {
        uint64_t border =
            hopper->next_end < hopper->next_begin ? hopper->next_end : hopper->next_begin;
        uint64_t left = border - hopper->next;
        size_t segment = left < count ? (size_t)left : count;
        /* Between windows that do not touch, a window begins at the next border. */
        bool between = hopper->gaps && hopper->next_begin < hopper->next_end;

        if (!places && count >= hopper->hop && samples != NULL && to->extremes[0] != NULL &&
            stand_side_by_side(hopper)) {
            const size_t windows = take_windows(hopper, next, count, to, written);

            written += windows;
            next += windows * (size_t)hopper->hop * value_bytes(kind);
            count -= windows * (size_t)hopper->hop;
            continue;
        }
        if (samples != NULL) {
            if (!between)
                take(hopper, next, segment, places);
            next += segment * value_bytes(kind);
        }
        hopper->next += segment;
        count -= segment;
        if (hopper->next == border) {
            uint64_t at[2];
            const struct extremes window = end_segment(hopper, at, places);

            if (border == hopper->next_begin)
                hopper->next_begin += hopper->hop;
            if (border == hopper->next_end) {
                hopper->next_end += hopper->hop;
                if (border >= hopper->first_end && to->extremes[0] != NULL) {
                    value_put_key(kind, window.low, to->extremes[0], written);
                    value_put_key(kind, window.high, to->extremes[1], written);
                    if (places)
                        put_places(kind, at, to, written);
                    written++;
                }
            }
        }
    }
}

void hopper_run(struct hopper *hopper, const void *samples, size_t count,
                const struct windows_found *to)
{
    if (hopper->places != 0)
        run(hopper, samples, count, to, true);
    else
        run(hopper, samples, count, to, false);
}
