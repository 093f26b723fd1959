/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Sliders across channels, and windows without a slider, of every kernel table that runs here,
 * against the rules of window/rules.h: channels that are no multiple of a vector, gaps between
 * frames, cuts at random, and windows past the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "check.h"
#include "cpu/kernels.h"
#include "streams_tmpl.h"

/* Frames of channels with a gap between them, and what is expected, channel by channel. */
struct wide {
    size_t channels;
    size_t step;
    size_t n;
    size_t tail;
    kind_value *samples;
    struct expected *expected;
};

static struct wide wide_open(size_t channels, size_t n, size_t tail, uint64_t width,
                             enum nan_policy policy, enum value_kind kind)
{
    struct wide wide = {channels,
                        channels + random_below(5),
                        n,
                        tail,
                        malloc((n * (channels + 5) + 1) * sizeof(kind_value)),
                        malloc(channels * sizeof(struct expected))};

    for (size_t c = 0; wide.samples != NULL && wide.expected != NULL && c < channels; c++) {
        struct stream stream = stream_open((enum data)random_below(DATA_KINDS), n, tail);

        define(stream.samples, n, tail, width, policy, &stream.expected);
        if (kind != KIND)
            stream_flip(&stream, n, tail);
        for (size_t i = 0; i < n; i++)
            wide.samples[i * wide.step + c] = stream.samples[i];
        wide.expected[c] = stream.expected;
        stream.expected = (struct expected){NULL, NULL};
        stream_close(&stream);
    }
    return wide;
}

static void wide_close(struct wide *wide)
{
    for (size_t c = 0; c < wide->channels; c++) {
        free(wide->expected[c].low);
        free(wide->expected[c].high);
    }
    free(wide->samples);
    free(wide->expected);
}

/* Are these values of `place` as expected, and the others untouched? */
static bool wide_is_right(const struct wide *wide, const struct across *work, size_t at,
                          unsigned sides, const kind_value *low, const kind_value *high)
{
    const size_t each = work->pairs ? 2 : 1;
    const bool wanted = work->low != NULL || work->high != NULL;

    for (size_t i = 0; i < work->count - work->muted; i++) {
        for (size_t v = 0; v < work->out_step; v++) {
            const size_t place = i * work->out_step + v;
            const size_t c = v / each;
            const bool written = wanted && c < wide->channels;
            const bool is_high = work->pairs && v % 2 == 1;
            const struct expected *of = &wide->expected[written ? c : 0];
            const size_t end = at + work->muted + i;
            const kind_bits guard = (kind_bits)GUARD_BITS;
            const kind_bits first =
                written ? kind_to_bits(is_high ? of->high[end] : of->low[end]) : guard;
            const kind_bits second = written ? kind_to_bits(of->high[end]) : guard;

            if ((sides & SLIDER_LOW) != 0 && kind_to_bits(low[place]) != first)
                return false;
            if ((sides & SLIDER_HIGH) != 0 && !work->pairs && kind_to_bits(high[place]) != second)
                return false;
        }
    }
    return true;
}

static bool feed_wide(const struct cpu_kernels *kernels, const struct wide *wide, void *sliders,
                      size_t bytes, unsigned sides, bool pairs)
{
    const size_t out_step = wide->channels * (pairs ? 2 : 1) + random_below(3);
    const size_t room = (wide->n + wide->tail) * out_step;
    kind_value *low = malloc((room + GUARD) * sizeof *low);
    kind_value *high = malloc((room + GUARD) * sizeof *high);
    bool right = low != NULL && high != NULL;

    for (size_t at = 0; right && at < wide->n + wide->tail;) {
        const bool missing = at >= wide->n;
        const size_t left = (missing ? wide->n + wide->tail : wide->n) - at;
        const size_t cut = 1 + random_below(random_number() % 4 == 0 ? 200 : 9);
        const bool wanted = random_number() % 8 != 0;
        struct across work = {
            .samples = missing ? NULL : wide->samples + at * wide->step,
            .in_step = wide->step,
            .channels = wide->channels,
            .count = cut < left ? cut : left,
            .out_step = out_step,
            .pairs = pairs,
        };

        if (wanted && random_number() % 4 == 0)
            work.muted = random_below(work.count + 1);
        if (wanted && (sides & SLIDER_LOW) != 0)
            work.low = low;
        if (wanted && (sides & SLIDER_HIGH) != 0 && !pairs)
            work.high = high;
        guard_room(low, room);
        guard_room(high, room);
        kernels->slide_across(sliders, bytes, &work);
        right = wide_is_right(wide, &work, at, sides, low, high) &&
                guard_is_intact(low + (work.count - work.muted) * out_step) &&
                guard_is_intact(high + (work.count - work.muted) * out_step);
        at += work.count;
    }
    free(low);
    free(high);
    return right;
}

/* The same windows without a slider, from any frame on. */
static bool window_wide(const struct cpu_kernels *kernels, const struct wide *wide, uint64_t width,
                        unsigned sides, bool pairs, enum nan_policy policy)
{
    const size_t out_step = wide->channels * (pairs ? 2 : 1) + random_below(3);
    const size_t room = (wide->n + wide->tail) * out_step;
    kind_value *low = malloc((room + GUARD) * sizeof *low);
    kind_value *high = malloc((room + GUARD) * sizeof *high);
    bool right = low != NULL && high != NULL;

    for (int i = 0; right && i < 20 && wide->n + wide->tail > 0; i++) {
        const size_t at = random_below(wide->n + wide->tail);
        struct across work = {
            .samples = wide->samples + at * wide->step,
            .in_step = wide->step,
            .channels = wide->channels,
            .count = 1 + random_below(min_u64(wide->n + wide->tail - at, 150)),
            .low = (sides & SLIDER_LOW) != 0 ? low : NULL,
            .high = (sides & SLIDER_HIGH) != 0 && !pairs ? high : NULL,
            .out_step = out_step,
            .pairs = pairs,
            .lead = min_u64(at, width - 1),
            .have = (ptrdiff_t)wide->n - (ptrdiff_t)at,
        };

        work.muted = random_below(work.count);
        if (work.have < -(ptrdiff_t)work.lead)
            work.have = -(ptrdiff_t)work.lead;
        guard_room(low, room);
        guard_room(high, room);
        kernels->window_across(&work, width, sides, policy);
        right = wide_is_right(wide, &work, at, sides, low, high) &&
                guard_is_intact(low + (work.count - work.muted) * out_step) &&
                guard_is_intact(high + (work.count - work.muted) * out_step);
    }
    free(low);
    free(high);
    return right;
}

static void check_wide(const struct cpu_kernels *kernels, uint64_t width, size_t n)
{
    const enum nan_policy policy = random_number() % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT;
    const size_t channels = kernels->lanes + random_below(6 * kernels->lanes + 3);
    const size_t columns = (channels + kernels->lanes - 1) / kernels->lanes;
    struct wide wide =
        wide_open(channels, n, random_below((size_t)width), width, policy, kernels->kind);

    for (unsigned sides = SLIDER_LOW; sides <= SLIDER_BOTH + 1; sides++) {
        const bool pairs = sides > SLIDER_BOTH;
        const unsigned computed = pairs ? SLIDER_BOTH : sides;
        const size_t bytes = ((size_t)kernels->across_bytes(width, computed) + 63) / 64 * 64;
        unsigned char *sliders = aligned_alloc(ALIGNMENT, columns * bytes);

        if (sliders == NULL)
            abort();
        memset(sliders, 0xa5, columns * bytes);
        for (int i = 0; i < 2; i++) {
            for (size_t c = 0; c < columns; c++)
                kernels->across_init((struct slider *)(void *)(sliders + c * bytes), width,
                                     computed, policy);
            CHECK_THAT(feed_wide(kernels, &wide, sliders, bytes, computed, pairs),
                       "%s across %zu channels, w %llu, sides %u, policy %d, n %zu+%zu",
                       kernels->name, channels, (unsigned long long)width, sides, (int)policy, n,
                       wide.tail);
        }
        free(sliders);
        CHECK_THAT(window_wide(kernels, &wide, width, computed, pairs, policy),
                   "%s: windows across %zu channels, w %llu, sides %u, policy %d, n %zu+%zu",
                   kernels->name, channels, (unsigned long long)width, sides, (int)policy, n,
                   wide.tail);
    }
    wide_close(&wide);
}

static void test_across(enum value_kind kind)
{
    static const uint64_t widths[] = {1,  2,  3,  4,  7,  8,   9,   10,  11,  12,
                                      31, 32, 33, 64, 65, 100, 127, 128, 129, 300};
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
        CHECK(kernels->across_bytes(UINT64_MAX, SLIDER_BOTH) == UINT64_MAX);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            check_wide(kernels, widths[w], random_below(6));
            check_wide(kernels, widths[w], 100 + random_below(900));
        }
    }
}

int main(void)
{
    test_across(KIND);
#ifdef KIND_UNSIGNED
    test_across(KIND_UNSIGNED);
#endif
    return check_result();
}
