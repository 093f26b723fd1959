/* SPDX-License-Identifier: MIT */
/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * Sliders across channels, and windows without a slider, of every kernel table that runs here,
 * against the rules of window/rules.h: channels that are no multiple of a vector, gaps between
 * frames, cuts at random, and windows past the end. */
#include "base/min_max.h"
#include "check.h"
#include "streams_tmpl.h"

/* Frames of channels with a gap between them, each channel a stream of its own. */
struct wide {
    size_t channels;
    size_t step;
    size_t n;
    size_t tail;
    kind_value *samples;
    struct stream *streams;
};

static struct wide wide_open(size_t channels, size_t n, uint64_t width, enum nan_policy policy,
                             enum value_kind kind)
{
    struct wide wide = {.channels = channels,
                        .step = channels + random_below(5),
                        .n = n,
                        .tail = random_below(width)};

    wide.samples = malloc((n * wide.step + 1) * sizeof *wide.samples);
    wide.streams = malloc(channels * sizeof *wide.streams);
    if (wide.samples == NULL || wide.streams == NULL)
        abort();
    for (size_t c = 0; c < channels; c++) {
        const enum data data = (enum data)random_below(DATA_KINDS);

        wide.streams[c] = stream_open(data, n, wide.tail, width, policy);
        if (kind != KIND)
            stream_flip(&wide.streams[c]);
        for (size_t i = 0; i < n; i++)
            wide.samples[i * wide.step + c] = wide.streams[c].samples[i];
    }
    return wide;
}

static void wide_close(struct wide *wide)
{
    for (size_t c = 0; c < wide->channels; c++)
        stream_close(&wide->streams[c]);
    free(wide->samples);
    free(wide->streams);
}

/* What is asked of a kernel, and where it puts results. */
struct question {
    const struct cpu_kernels *kernels;
    const struct wide *wide;
    unsigned sides;
    bool pairs;
    size_t out_step;
    kind_value *out[2];
};

static struct across work_of(const struct question *question, size_t at, size_t count)
{
    const struct wide *wide = question->wide;

    return (struct across){
        .samples = wide->samples + at * wide->step,
        .in_step = wide->step,
        .channels = wide->channels,
        .count = count,
        .low = (question->sides & SLIDER_LOW) != 0 ? question->out[0] : NULL,
        .high = (question->sides & SLIDER_HIGH) != 0 && !question->pairs ? question->out[1] : NULL,
        .out_step = question->out_step,
        .pairs = question->pairs,
    };
}

static void clear(const struct question *question)
{
    for (unsigned i = 0; i < 2; i++)
        guard_values(question->out[i],
                     (question->wide->n + question->wide->tail) * question->out_step);
}

/* Are the values of frames from `at` on as expected, and the others untouched? */
static bool is_right(const struct question *question, const struct across *work, size_t at)
{
    const struct wide *wide = question->wide;
    const size_t each = work->pairs ? 2 : 1;
    kind_value guard;

    guard_values(&guard, 1);
    for (unsigned array = 0; array < 2; array++) {
        const kind_value *got = question->out[array];
        const size_t written =
            (array == 0 ? work->low : work->high) != NULL ? each * wide->channels : 0;

        for (size_t end = at + work->muted; end < at + work->count; end++) {
            for (size_t v = 0; v < work->out_step; v++, got++) {
                const unsigned side = work->pairs ? v % 2 : array;
                const kind_value *due =
                    v < written ? &wide->streams[v / each].expected[side][end] : &guard;

                if (memcmp(got, due, sizeof guard) != 0)
                    return false;
            }
        }
        if (!guard_is_intact(got))
            return false;
    }
    return true;
}

static bool slide_wide(const struct question *question, void *sliders, size_t bytes)
{
    const struct wide *wide = question->wide;
    bool right = true;

    for (size_t at = 0; right && at < wide->n + wide->tail;) {
        const bool missing = at >= wide->n;
        const size_t left = (missing ? wide->n + wide->tail : wide->n) - at;
        const size_t cut = 1 + random_below(random_below(4) == 0 ? 200 : 9);
        struct across work = work_of(question, at, min_u64(cut, left));

        if (missing)
            work.samples = NULL;
        if (random_below(8) == 0)
            work.low = work.high = NULL;
        else if (random_below(4) == 0)
            work.muted = random_below(work.count + 1);
        clear(question);
        question->kernels->slide_across(sliders, bytes, &work);
        right = is_right(question, &work, at);
        at += work.count;
    }
    return right;
}

/* The same windows without a slider, from any frame on. */
static bool window_wide(const struct question *question, uint64_t width, enum nan_policy policy)
{
    const size_t windows = question->wide->n + question->wide->tail;
    bool right = true;

    for (int i = 0; right && i < 20 && windows > 0; i++) {
        const size_t at = random_below(windows);
        struct across work = work_of(question, at, 1 + random_below(min_u64(windows - at, 150)));

        work.lead = min_u64(at, width - 1);
        work.have = (ptrdiff_t)question->wide->n - (ptrdiff_t)at;
        work.muted = random_below(work.count);
        if (work.have < -(ptrdiff_t)work.lead)
            work.have = -(ptrdiff_t)work.lead;
        clear(question);
        question->kernels->window_across(&work, width, question->sides, policy);
        right = is_right(question, &work, at);
    }
    return right;
}

static void check_wide(const struct cpu_kernels *kernels, uint64_t width, size_t n)
{
    const enum nan_policy policy = random_below(2) == 0 ? NAN_PROPAGATE : NAN_OMIT;
    const size_t channels = kernels->lanes + random_below(6 * kernels->lanes + 3);
    const size_t columns = (channels + kernels->lanes - 1) / kernels->lanes;
    struct wide wide = wide_open(channels, n, width, policy, kernels->kind);

    for (unsigned i = 0; i < 4; i++) {
        struct question question = {.kernels = kernels,
                                    .wide = &wide,
                                    .sides = i < 3 ? i + 1 : SLIDER_BOTH,
                                    .pairs = i == 3};
        const size_t bytes = ((size_t)kernels->across_bytes(width, question.sides) + 63) / 64 * 64;
        unsigned char *sliders = aligned_alloc(ALIGNMENT, columns * bytes);
        bool right = sliders != NULL;

        question.out_step = channels * (question.pairs ? 2 : 1) + random_below(3);
        for (unsigned k = 0; k < 2; k++)
            question.out[k] = guarded_values((n + wide.tail) * question.out_step);
        for (unsigned k = 0; right && k < 2; k++) {
            if (k == 0)
                memset(sliders, 0xa5, columns * bytes);
            for (size_t c = 0; c < columns; c++)
                kernels->across_init((struct slider *)(void *)(sliders + c * bytes), width,
                                     question.sides, policy);
            right = slide_wide(&question, sliders, bytes);
        }
        CHECK_THAT(right && (question.pairs || window_wide(&question, width, policy)),
                   "%s across %zu channels, %s, w %llu, sides %u, pairs %d, policy %d, n %zu+%zu",
                   kernels->name, channels, right ? "windows" : "sliders",
                   (unsigned long long)width, question.sides, question.pairs, (int)policy, n,
                   wide.tail);
        free(question.out[0]);
        free(question.out[1]);
        free(sliders);
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
