#include "cpu/hopper.h"

#include <stdalign.h>

enum {
    HOP_LEAST = 64, /* below, the cost of segments is more than that of all windows */
};

/* The open segment reaches up to, but does not include, the next border: the frame at which a
 * written window begins, or the frame after one ends. Both kinds come once a hop. */
struct hopper {
    const struct cpu_kernels *kernels;
    enum nan_policy policy;
    uint64_t hop;
    uint64_t next;       /* the next frame */
    uint64_t next_begin; /* the next frame at which a written window begins */
    uint64_t next_end;   /* the next frame after the end of one */
    uint64_t first_end;  /* of output 0 */
    bool gaps;           /* windows do not touch: nobody needs the samples between them */
    int32_t low_key;     /* of the segment so far */
    int32_t high_key;
    struct slider *low;
    struct slider *high;
    alignas(64) unsigned char sliders[];
};

bool hopper_pays(const struct window *window)
{
    return window->hop >= HOP_LEAST;
}

/* The ends and the beginnings of its neighbours divide a window: floor((w-1) / hop) of each, on the
 * same frames when the hop divides the width. */
static uint64_t segments_of(const struct window *window)
{
    uint64_t borders = (window->width - 1) / window->hop;

    return window->width % window->hop == 0 ? borders + 1 : 2 * borders + 1;
}

/* The sliders of segments are few and short: portable C will do. It also allows segments after
 * missing ones, which gaps ask for and the other tables do not. */
static const struct cpu_kernels *segment_kernels(void)
{
    return &cpu_kernels_scalar;
}

static uint64_t segment_slider_room(const struct window *window)
{
    uint64_t bytes = segment_kernels()->slider_bytes(segments_of(window), SLIDER_LOW);

    return bytes > UINT64_MAX - 63 ? UINT64_MAX : (bytes + 63) / 64 * 64;
}

uint64_t hopper_bytes(const struct window *window)
{
    uint64_t room = segment_slider_room(window);

    if (room > (UINT64_MAX - sizeof(struct hopper)) / 2)
        return UINT64_MAX;
    return sizeof(struct hopper) + 2 * room;
}

/* The first frame from `from` on that is `residue` more than a multiple of the hop. */
static uint64_t next_of(uint64_t residue, uint64_t hop, uint64_t from)
{
    uint64_t past = from % hop;

    return past <= residue ? from + (residue - past) : from + (hop - past) + residue;
}

static void begin_segment(struct hopper *hopper)
{
    hopper->low_key = KEY_ABOVE;
    hopper->high_key = KEY_BELOW;
}

void hopper_init(struct hopper *hopper, const struct cpu_kernels *kernels,
                 const struct window *window, enum nan_policy policy, uint64_t first)
{
    uint64_t hop = window->hop;
    uint64_t end_residue = (window->after + 1) % hop;
    uint64_t begin_residue = (end_residue + (hop - window->width % hop)) % hop;

    hopper->kernels = kernels;
    hopper->policy = policy;
    hopper->hop = hop;
    hopper->first_end = window->after + 1;
    hopper->next = first;
    /* Borders before output 0 count too, or its segments would be fewer and larger. */
    hopper->next_end = next_of(end_residue, hop, first + 1);
    hopper->next_begin = next_of(begin_residue, hop, first + 1);
    hopper->gaps = window->width < hop;
    hopper->low = (struct slider *)(void *)hopper->sliders;
    hopper->high = (struct slider *)(void *)(hopper->sliders + (size_t)segment_slider_room(window));
    segment_kernels()->slider_init(hopper->low, segments_of(window), SLIDER_LOW, policy);
    segment_kernels()->slider_init(hopper->high, segments_of(window), SLIDER_HIGH, policy);
    begin_segment(hopper);
}

/* The segment is complete: its minimum and maximum go into the sliders. */
static void end_segment(struct hopper *hopper, float *low, float *high)
{
    float segment_low = rules_from_key(hopper->low_key);
    float segment_high = rules_from_key(hopper->high_key);

    /* A segment without a number is NaN. With `propagate` its window is, too; or the segment has no
     * samples at all (past the end) and must not count. */
    if (hopper->policy != NAN_OMIT && hopper->low_key == KEY_ABOVE &&
        hopper->high_key == KEY_BELOW) {
        segment_kernels()->slide_missing(hopper->low, 1, low, NULL);
        segment_kernels()->slide_missing(hopper->high, 1, NULL, high);
    } else {
        segment_kernels()->slide(hopper->low, &segment_low, 1, low, NULL);
        segment_kernels()->slide(hopper->high, &segment_high, 1, NULL, high);
    }
    begin_segment(hopper);
}

void hopper_jump(struct hopper *hopper, uint64_t to)
{
    hopper->next_end = next_of(hopper->next_end % hopper->hop, hopper->hop, to + 1);
    hopper->next_begin = next_of(hopper->next_begin % hopper->hop, hopper->hop, to + 1);
    hopper->next = to;
}

void hopper_run(struct hopper *hopper, const float *samples, size_t count, float *low, float *high)
{
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
                hopper->kernels->extremes(samples, segment, hopper->policy, &hopper->low_key,
                                          &hopper->high_key);
            samples += segment;
        }
        hopper->next += segment;
        count -= segment;
        if (hopper->next == border) {
            float segment_low;
            float segment_high;

            end_segment(hopper, &segment_low, &segment_high);
            if (border == hopper->next_begin)
                hopper->next_begin += hopper->hop;
            if (border == hopper->next_end) {
                hopper->next_end += hopper->hop;
                if (border < hopper->first_end)
                    continue;
                if (low != NULL) {
                    low[written] = segment_low;
                    high[written++] = segment_high;
                }
            }
        }
    }
}
