/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * cpu/hopper against the definition: any hop, width, alignment and NaN policy, streams cut
 * anywhere, also between adjacent borders, and their tails. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu/hopper_priv.h"
#include "shapes_tmpl.h"

enum {
    FRAMES_MOST = 1200,
    WIDTH_MOST = 250,
    HOP_MOST = 200,
};

struct stream {
    struct window window;
    enum nan_policy policy;
    unsigned places; /* sides */
    size_t first;    /* frame of the hopper */
    size_t frames;
    kind_value samples[FRAMES_MOST];
};

/* The extremes of the window that ends at `end`, as far as it exists. */
static struct extremes window_extremes(const struct stream *stream, uint64_t end)
{
    uint64_t from = end + 1 < stream->window.width ? 0 : end + 1 - stream->window.width;
    struct extremes extremes = {KIND_ABOVE, KIND_BELOW};

    for (uint64_t i = from; i <= end && i < stream->frames; i++) {
        const struct extremes one = {kind_low_key(stream->samples[i], stream->policy),
                                     kind_high_key(stream->samples[i], stream->policy)};

        extremes = extremes_join(extremes, one);
    }
    return extremes;
}

static bool same_bits(kind_value a, kind_value b)
{
    return kind_to_bits(a) == kind_to_bits(b);
}

/* The place is that of the first sample with this extreme, if its place is wanted, and there is
 * one. */
static bool is_first(const struct stream *stream, unsigned side, uint64_t end, kind_key due,
                     kind_bits place)
{
    const uint64_t from = end + 1 < stream->window.width ? 0 : end + 1 - stream->window.width;
    const kind_key none = side == SLIDER_LOW ? KIND_ABOVE : KIND_BELOW;

    if ((stream->places & side) == 0 || due == none ||
        kind_is_nan_bits(kind_to_bits(kind_from_key(due))))
        return true;
    for (uint64_t i = from; i < place; i++) {
        const kind_key low = kind_low_key(stream->samples[i], stream->policy);
        const kind_key high = kind_high_key(stream->samples[i], stream->policy);

        if ((side == SLIDER_LOW ? low : high) == due)
            return false;
    }
    return place >= from && place <= end && place < stream->frames &&
           kind_low_key(stream->samples[place], NAN_PROPAGATE) == due;
}

/* The written windows that end at from .. from+count-1 are in `found`. */
static void check_windows(const struct stream *stream, const struct cpu_kernels *kernels,
                          uint64_t from, size_t count, const struct windows_found *found)
{
    const kind_value *low = found->extremes[0];
    const kind_value *high = found->extremes[1];
    const kind_bits *low_at = found->places[0];
    const kind_bits *high_at = found->places[1];
    const struct window *window = &stream->window;
    const struct window_pick pick = window_pick(window, from, count);

    for (uint64_t i = 0; i < pick.kept; i++) {
        uint64_t end = from + pick.start + i * window->hop;
        struct extremes due = window_extremes(stream, end);

        /* A hopper that begins later has not seen all of its first windows. */
        if (stream->first > 0 && end + 1 < stream->first + window->width)
            continue;
        CHECK_THAT(same_bits(low[i], kind_from_key((kind_key)due.low)) &&
                       same_bits(high[i], kind_from_key((kind_key)due.high)) &&
                       is_first(stream, SLIDER_LOW, end, (kind_key)due.low, low_at[i]) &&
                       is_first(stream, SLIDER_HIGH, end, (kind_key)due.high, high_at[i]),
                   "%s, w %llu, hop %llu, align %d, policy %d, %zu to %zu, the end %llu",
                   kernels->name, (unsigned long long)window->width,
                   (unsigned long long)window->hop, (int)window->align, (int)stream->policy,
                   stream->first, stream->frames, (unsigned long long)end);
    }
}

/* Runs up to frame `to`, cut at random and at borders. */
static void run_to(struct hopper *hopper, const struct cpu_kernels *kernels,
                   const struct stream *stream, uint64_t from, uint64_t to, bool missing)
{
    kind_value low[FRAMES_MOST + 1];
    kind_value high[FRAMES_MOST + 1];
    kind_bits low_at[FRAMES_MOST + 1];
    kind_bits high_at[FRAMES_MOST + 1];
    const struct windows_found found = {{low, high}, {low_at, high_at}};
    const struct windows_found none = {{NULL, NULL}, {NULL, NULL}};

    while (from < to) {
        size_t cut = random_below(4) == 0 ? (size_t)stream->window.hop : random_below(400) + 1;
        size_t count = cut < to - from ? cut : (size_t)(to - from);
        bool muted = random_below(8) == 0;

        hopper_run(hopper, missing ? NULL : stream->samples + from, count, muted ? &none : &found);
        if (!muted)
            check_windows(stream, kernels, from, count, &found);
        from += count;
    }
}

static void check_stream(const struct stream *stream, const struct cpu_kernels *kernels)
{
    const struct window *window = &stream->window;
    uint64_t tail = window_tail(window, stream->frames);
    uint64_t past = window_tail_first(window, stream->frames);
    /* Exactly as large as it claims, for the sanitizers. */
    struct hopper *hopper = malloc((size_t)hopper_bytes(window, stream->places));

    CHECK(hopper != NULL);
    if (hopper == NULL)
        return;
    memset(hopper, 0x55, (size_t)hopper_bytes(window, stream->places));
    hopper_init(hopper, kernels, window, stream->policy, stream->places, stream->first);
    run_to(hopper, kernels, stream, stream->first, stream->frames, false);
    if (tail > 0) {
        if (past > stream->frames)
            hopper_jump(hopper, past);
        run_to(hopper, kernels, stream, past, past + tail, true);
    }
    free(hopper);
}

/* Few segments per window or many, of one length or of two, and gaps between windows. */
static void make_window(struct window *window)
{
    static const uint64_t hops[] = {1, 2, 3, 7, 16, 17, 63, 64, 65, HOP_MOST};
    uint64_t hop = hops[random_below(sizeof hops / sizeof *hops)];
    uint64_t width = random_below(WIDTH_MOST) + 1;

    if (random_below(3) == 0)
        width = hop * (random_below(4) + 1) + random_below(3) - 1;
    window_init(window, width > 0 ? width : 1, hop, (enum window_align)random_below(4),
                EDGE_SHRINK);
}

int main(void)
{
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int i = 0; i < (CHECK_FEW ? 300 : 3000); i++) {
            struct stream stream = {.policy = i % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT,
                                    .places = (unsigned)(i % 7 % 4)};

            make_window(&stream.window);
            stream.frames = random_below(i % 3 == 0 ? 150 : FRAMES_MOST) + 1;
            stream.first = i % 5 == 0 ? random_below(stream.frames) : 0;
            fill((enum data)(i % DATA_KINDS), stream.samples, stream.frames);
            check_stream(&stream, kernels);
        }
    }
    return check_result();
}
