#include "cpu/hopper_priv.h"

#include "window/value.h"

enum {
    HOP_LEAST = 64, /* for smaller hops, segments cost more than computing all windows */
};

/* The open segment reaches up to, but does not include, the next border: the frame at which a
 * written window begins, or the frame after one ends. Both kinds occur once per hop.
 *
 * Closed segments slide as keys, one at a time, by van Herk and Gil-Werman. They form blocks of as
 * many as a window has. A window is a suffix of the old block and a prefix of the new one. Both
 * blocks share an array: a segment replaces a suffix that no later window needs.
 *
 * The keys of missing samples lose every comparison, and those of a NaN follow the policy. So
 * neither is a special case here. */
struct hopper {
    const struct cpu_kernels *kernels;
    enum nan_policy policy;
    uint64_t hop;
    uint64_t next;           /* the next frame */
    uint64_t next_begin;     /* the next frame at which a written window begins */
    uint64_t next_end;       /* the next frame after the end of one */
    uint64_t first_end;      /* of output 0 */
    bool gaps;               /* windows do not touch: the samples between them are not needed */
    bool has_old;            /* there was a block before this one */
    struct extremes none;    /* of no samples */
    struct extremes open;    /* of the open segment so far */
    struct extremes prefix;  /* of the new block */
    size_t closed;           /* segments in the new block */
    size_t segments;         /* in a window, and so in a block */
    struct extremes block[]; /* and one more, always empty: the suffix after the last */
};

bool hopper_pays(const struct window *window)
{
    return window->hop >= HOP_LEAST;
}

/* A window is divided by the ends and the beginnings of its neighbours: floor((w-1) / hop) of each,
 * at the same frames if the hop divides the width. */
static uint64_t segments_of(const struct window *window)
{
    uint64_t borders = (window->width - 1) / window->hop;

    return window->width % window->hop == 0 ? borders + 1 : 2 * borders + 1;
}

uint64_t hopper_bytes(const struct window *window)
{
    uint64_t segments = segments_of(window);

    if (segments > UINT64_MAX / 32)
        return UINT64_MAX;
    return sizeof(struct hopper) + (segments + 1) * sizeof(struct extremes);
}

/* The first frame at or after `from` that is `residue` more than a multiple of the hop. */
static uint64_t next_of(uint64_t residue, uint64_t hop, uint64_t from)
{
    uint64_t past = from % hop;

    return past <= residue ? from + (residue - past) : from + (hop - past) + residue;
}

void hopper_init(struct hopper *hopper, const struct cpu_kernels *kernels,
                 const struct window *window, enum nan_policy policy, uint64_t first)
{
    uint64_t hop = window->hop;
    uint64_t end_residue = (window->after + 1) % hop;
    const struct extremes none = extremes_none(kernels->kind);
    uint64_t begin_residue = (end_residue + (hop - window->width % hop)) % hop;

    *hopper = (struct hopper){
        .kernels = kernels,
        .policy = policy,
        .hop = hop,
        .next = first,
        /* Borders before output 0 count, too, or its segments would be fewer and larger. */
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
}

/* The new block is full: each segment becomes the suffix that begins with it. */
static void end_block(struct hopper *hopper)
{
    struct extremes suffix = hopper->none;

    for (size_t i = hopper->segments; i > 0; i--) {
        suffix = extremes_join(suffix, hopper->block[i - 1]);
        hopper->block[i - 1] = suffix;
    }
    hopper->prefix = hopper->none;
    hopper->closed = 0;
    hopper->has_old = true;
}

/* Closes the open segment. Returns the extremes of the window that ends with it. */
static struct extremes end_segment(struct hopper *hopper)
{
    const size_t old = hopper->has_old ? hopper->closed + 1 : hopper->segments;
    struct extremes window;

    hopper->prefix = extremes_join(hopper->prefix, hopper->open);
    window = extremes_join(hopper->block[old], hopper->prefix);
    hopper->block[hopper->closed++] = hopper->open;
    hopper->open = hopper->none;
    if (hopper->closed == hopper->segments)
        end_block(hopper);
    return window;
}

void hopper_jump(struct hopper *hopper, uint64_t to)
{
    hopper->next_end = next_of(hopper->next_end % hopper->hop, hopper->hop, to + 1);
    hopper->next_begin = next_of(hopper->next_begin % hopper->hop, hopper->hop, to + 1);
    hopper->next = to;
}

void hopper_run(struct hopper *hopper, const void *samples, size_t count, void *low, void *high)
{
    const enum value_kind kind = hopper->kernels->kind;
    const unsigned char *next = samples;
    size_t written = 0;

    while (count > 0) {
        uint64_t border =
            hopper->next_end < hopper->next_begin ? hopper->next_end : hopper->next_begin;
        uint64_t left = border - hopper->next;
        size_t segment = left < count ? (size_t)left : count;
        /* Between windows that do not touch, the next border is a beginning. */
        bool between = hopper->gaps && hopper->next_begin < hopper->next_end;

        if (samples != NULL) {
            if (!between)
                hopper->open =
                    hopper->kernels->extremes(hopper->open, next, segment, hopper->policy);
            next += segment * value_bytes(kind);
        }
        hopper->next += segment;
        count -= segment;
        if (hopper->next == border) {
            struct extremes window = end_segment(hopper);

            if (border == hopper->next_begin)
                hopper->next_begin += hopper->hop;
            if (border == hopper->next_end) {
                hopper->next_end += hopper->hop;
                if (border >= hopper->first_end && low != NULL) {
                    value_put_key(kind, window.low, low, written);
                    value_put_key(kind, window.high, high, written++);
                }
            }
        }
    }
}
