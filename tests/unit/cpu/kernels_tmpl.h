/* A template: included once for each kind of values.
 *
 * The sliders of every kernel table that runs here, against the rules of window/rules.h, to the
 * byte, and large streams against Lemire's algorithm: all widths that a vector, a chunk or a strip
 * could get wrong, all sides and policies, data with every kind of trap, cut at random. Slider,
 * input and output lie between guards. And raw samples are decoded as sample_decode() does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "check.h"
#include "cpu/kernels.h"
#include "sample/bytes.h"
#include "shapes_tmpl.h"
#include "window/lemire.h"

enum {
    GUARD = 64,                   /* values after the writable ones */
    LANES_MOST = 64 / KIND_BYTES, /* of a vector */
    ALIGNMENT = 64,               /* of a slider */
    GUARD_BITS = 0x7fa5a5,        /* a subnormal that no test feeds */
};

#define BYTES ((uint64_t)sizeof(kind_value))

/* Lemire's algorithm has fewer kinds of values. */
#ifndef KIND_COMPACT
typedef kind_value lemire_value;
#define LEMIRE_KIND KIND
#define to_lemire(sample) (sample)
#define from_lemire(value) (value)
#elif defined(KIND_F16)
typedef float lemire_value;
#define LEMIRE_KIND VALUE_F32

static const struct sample_type half = {.kind = SAMPLE_F16, .big_endian = SAMPLE_MACHINE_IS_BIG};

static float to_lemire(kind_value sample)
{
    float value;

    sample_decode(half, VALUE_F32, &sample, &value, 1);
    return value;
}

static kind_value from_lemire(float value)
{
    struct sample_losses losses;
    kind_value sample;

    sample_encode(half, VALUE_F32, &value, &sample, 1, &losses);
    return sample;
}
#else
typedef int64_t lemire_value;
#define LEMIRE_KIND VALUE_I64
#define to_lemire(sample) ((int64_t)(sample))
#define from_lemire(value) ((kind_value)(value))
#endif

/* ---- what is expected ---- */

struct expected {
    kind_value *low;
    kind_value *high;
};

/* The definition, window by window. Windows n .. n+tail-1 end past the last sample. */
static void define(const kind_value *samples, size_t n, size_t tail, uint64_t width,
                   enum nan_policy policy, struct expected *expected)
{
    for (size_t end = 0; end < n + tail; end++) {
        kind_key low = KIND_ABOVE;
        kind_key high = KIND_BELOW;

        for (size_t i = end + 1 < width ? 0 : end + 1 - (size_t)width; i <= end && i < n; i++) {
            kind_key low_key = kind_low_key(samples[i], policy);
            kind_key high_key = kind_high_key(samples[i], policy);

            low = low_key < low ? low_key : low;
            high = high_key > high ? high_key : high;
        }
        expected->low[end] = kind_from_key(low);
        expected->high[end] = kind_from_key(high);
    }
}

/* ---- a slider between guards ---- */

struct guarded {
    unsigned char *memory;
    struct slider *slider;
    size_t bytes;
};

static struct guarded guarded_open(const struct cpu_kernels *kernels, uint64_t width,
                                   unsigned sides)
{
    struct guarded guarded = {.bytes = (size_t)kernels->slider_bytes(width, sides)};

    guarded.memory = aligned_alloc(ALIGNMENT, (guarded.bytes / ALIGNMENT + 3) * ALIGNMENT);
    if (guarded.memory == NULL)
        abort();
    memset(guarded.memory, 0xa5, (guarded.bytes / ALIGNMENT + 3) * ALIGNMENT);
    guarded.slider = (struct slider *)(void *)(guarded.memory + ALIGNMENT);
    return guarded;
}

static bool guarded_is_intact(const struct guarded *guarded)
{
    for (size_t i = 0; i < ALIGNMENT; i++) {
        if (guarded->memory[i] != 0xa5 || guarded->memory[ALIGNMENT + guarded->bytes + i] != 0xa5)
            return false;
    }
    return true;
}

/* ---- one run ---- */

struct run {
    const struct cpu_kernels *kernels;
    const char *name;
    uint64_t width;
    unsigned sides;
    enum nan_policy policy;
    enum data data;
    bool pairs;
    size_t cut; /* the size of each call; 0: random */
    const kind_value *samples;
    size_t n;
    size_t tail;
};

static size_t next_cut(const struct run *run, size_t left)
{
    size_t cut = run->cut;

    if (cut == 0)
        cut = 1 + random_below(random_number() % 4 == 0 ? 700 : 70);
    return cut < left ? cut : left;
}

/* Room for `count` values, filled with the guard, aligned for values only. */
static kind_value *guard_room(kind_value *capacity, size_t count)
{
    for (size_t i = 0; i < count + GUARD; i++)
        capacity[i] = kind_from_bits((kind_bits)GUARD_BITS);
    return capacity;
}

static bool guard_is_intact(const kind_value *end)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (kind_to_bits(end[i]) != (kind_bits)GUARD_BITS)
            return false;
    }
    return true;
}

/* Feeds a slider and compares every call's outputs. Now and then it only updates the state, or
 * gives one side of two. Returns false at the first difference. */
static bool feed(const struct run *run, struct slider *slider, const struct expected *expected,
                 kind_value *low, kind_value *high)
{
    for (size_t at = 0; at < run->n + run->tail;) {
        bool missing = at >= run->n;
        size_t count = next_cut(run, (missing ? run->n + run->tail : run->n) - at);
        bool mute = run->cut == 0 && random_number() % 8 == 0;
        bool want_low = (run->sides & SLIDER_LOW) != 0 && !mute;
        bool want_high = (run->sides & SLIDER_HIGH) != 0 && !mute;
        bool same = true;

        if (run->pairs && !missing) {
            run->kernels->slide_pairs(slider, run->samples + at, count, low);
            for (size_t i = 0; i < count && same; i++)
                same = memcmp(&low[2 * i], &expected->low[at + i], sizeof *low) == 0 &&
                       memcmp(&low[2 * i + 1], &expected->high[at + i], sizeof *low) == 0;
            same = same && guard_is_intact(low + 2 * count);
            guard_room(low, 2 * count);
        } else {
            if (run->cut == 0 && want_low && random_number() % 8 == 0)
                want_high = false;
            if (missing)
                run->kernels->slide_missing(slider, count, want_low ? low : NULL,
                                            want_high ? high : NULL);
            else
                run->kernels->slide(slider, run->samples + at, count, want_low ? low : NULL,
                                    want_high ? high : NULL);
            same = (!want_low || memcmp(low, expected->low + at, count * sizeof *low) == 0) &&
                   (!want_high || memcmp(high, expected->high + at, count * sizeof *high) == 0) &&
                   guard_is_intact(want_low ? low + count : low) &&
                   guard_is_intact(want_high ? high + count : high);
            guard_room(low, count);
            guard_room(high, count);
        }
        if (!same) {
            fprintf(stderr, "in the call for %zu windows from %zu\n", count, at);
            return false;
        }
        at += count;
    }
    return true;
}

static void check_run(const struct run *run, const struct expected *expected)
{
    const size_t capacity = 2 * (run->n + run->tail) + GUARD;
    struct guarded guarded = guarded_open(run->kernels, run->width, run->sides);
    kind_value *low = malloc((capacity + 1) * sizeof *low);
    kind_value *high = malloc((capacity + 1) * sizeof *high);

    if (low == NULL || high == NULL)
        abort();
    /* One kind_value past an aligned address, and used twice: a slider can be restarted. */
    guard_room(low, capacity + 1 - GUARD);
    guard_room(high, capacity + 1 - GUARD);
    for (int i = 0; i < 2; i++) {
        run->kernels->slider_init(guarded.slider, run->width, run->sides, run->policy);
        CHECK_THAT(feed(run, guarded.slider, expected, low + 1, high + 1),
                   "%s, w %llu, sides %u, policy %d, data %d, %s, cut %zu, n %zu+%zu",
                   run->kernels->name, (unsigned long long)run->width, run->sides, (int)run->policy,
                   (int)run->data, run->pairs ? "pairs" : "planes", run->cut, run->n, run->tail);
        CHECK_THAT(guarded_is_intact(&guarded), "%s, w %llu", run->kernels->name,
                   (unsigned long long)run->width);
    }
    free(low);
    free(high);
    free(guarded.memory);
}

/* ---- what is run ---- */

/* The samples of a run, without any space around them, aligned for values only. */
struct stream {
    kind_value *memory;
    kind_value *samples;
    struct expected expected;
};

static struct stream stream_open(enum data data, size_t n, size_t tail)
{
    struct stream stream = {.memory = malloc((n + 1) * sizeof(kind_value))};

    stream.expected.low = malloc((n + tail + 1) * sizeof(kind_value));
    stream.expected.high = malloc((n + tail + 1) * sizeof(kind_value));
    if (stream.memory == NULL || stream.expected.low == NULL || stream.expected.high == NULL)
        abort();
    stream.samples = stream.memory + 1;
    fill(data, stream.samples, n);
    return stream;
}

static void stream_close(struct stream *stream)
{
    free(stream->memory);
    free(stream->expected.low);
    free(stream->expected.high);
}

/* All tables, kinds of output and a few cuts on one stream. */
static void check_stream(struct run run, const struct stream *stream, const size_t *cuts,
                         size_t cut_count)
{
    run.samples = stream->samples;
    for (unsigned t = 0; (run.kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (size_t c = 0; c < cut_count; c++) {
            run.cut = cuts[c];
            run.sides = SLIDER_BOTH;
            run.pairs = true;
            check_run(&run, &stream->expected);
            run.pairs = false;
            check_run(&run, &stream->expected);
            run.sides = random_number() % 2 == 0 ? SLIDER_LOW : SLIDER_HIGH;
            check_run(&run, &stream->expected);
        }
    }
}

/* Small streams against the definition. */
static void test_small(void)
{
    static const uint64_t widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16,  17,  24,  31,
                                      32, 33, 40, 47, 48, 49, 63, 64, 65, 80, 100, 127, 128, 129};
    static const enum nan_policy policies[] = {NAN_PROPAGATE, NAN_OMIT};
    const size_t sizes[] = {1, LANES_MOST - 1, LANES_MOST, LANES_MOST + 1, 61, 257, 500};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (int data = 0; data < DATA_KINDS; data++) {
            size_t n = 400 + random_below(60);
            size_t tail = random_below((size_t)widths[w]);
            size_t cuts[] = {0, sizes[random_below(sizeof sizes / sizeof *sizes)]};
            struct stream stream = stream_open((enum data)data, n, tail);

            struct run run = {.width = widths[w],
                              .policy = policies[(w + (size_t)data) % 2],
                              .data = (enum data)data,
                              .n = n,
                              .tail = tail};

            define(stream.samples, n, tail, widths[w], run.policy, &stream.expected);
            check_stream(run, &stream, cuts, 2);
            stream_close(&stream);
        }
    }
}

/* Streams shorter than a vector, than the window, and with more missing samples than the contract
 * requires. */
static void test_short(void)
{
    static const uint64_t widths[] = {1, 3, 16, 20, 64, 200, 3000};
    const size_t cuts[] = {0, 1, 5, 100};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t n = 0; n < 40; n += 1 + n / 4) {
            struct stream stream = stream_open(n % 2 == 0 ? RANDOM : NAN_DENSE, n, 90);
            struct run run = {.width = widths[w],
                              .policy = n % 3 == 0 ? NAN_OMIT : NAN_PROPAGATE,
                              .n = n,
                              .tail = 90};

            define(stream.samples, n, 90, widths[w], run.policy, &stream.expected);
            check_stream(run, &stream, cuts, sizeof cuts / sizeof *cuts);
            stream_close(&stream);
        }
    }
}

static void define_by_lemire(const kind_value *samples, size_t n, size_t tail, uint64_t width,
                             enum nan_policy policy, struct expected *expected)
{
    struct lemire *lemire = lemire_open(width, LEMIRE_KIND, policy);

    for (size_t i = 0; i < n + tail; i++) {
        const lemire_value sample = i < n ? to_lemire(samples[i]) : 0;
        lemire_value low;
        lemire_value high;

        if (i < n)
            lemire_feed(lemire, &sample, 1, &low, &high);
        else
            lemire_drain(lemire, 1, &low, &high);
        expected->low[i] = from_lemire(low);
        expected->high[i] = from_lemire(high);
    }
    lemire_close(lemire);
}

/* One large stream against Lemire's algorithm. */
static void check_large(uint64_t width, size_t n, enum data data, enum nan_policy policy,
                        size_t cut)
{
    const size_t tail = random_below(width < 3000 ? (size_t)width : 3000);
    const size_t cuts[] = {0, cut};
    struct stream stream = stream_open(data, n, tail);
    struct run run = {.width = width, .policy = policy, .data = data, .n = n, .tail = tail};

    define_by_lemire(stream.samples, n, tail, width, policy, &stream.expected);
    check_stream(run, &stream, cuts, n > 100000 ? 1 : 2);
    stream_close(&stream);
}

/* Widths at which blocks, strips and the ring wrap around at all kinds of places. */
static void test_large(void)
{
    static const struct {
        uint64_t width;
        size_t n;
    } sizes[] = {
        {45, 4000},      {89, 6000},      {143, 3000},  {144, 3000},   {159, 3000},   {160, 3000},
        {176, 9000},     {177, 9000},     {180, 9000},  {185, 12000},  {191, 4000},   {256, 4000},
        {257, 4000},     {500, 6000},     {512, 9000},  {1000, 9000},  {1009, 9000},  {1023, 9000},
        {1024, 9000},    {1025, 9000},    {1040, 9000}, {2048, 12000}, {4096, 20000}, {5000, 20000},
        {48000, 130000}, {65537, 140000},
    };
    static const size_t cuts[] = {64, 2048, 1021};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const enum nan_policy policy = s % 4 < 2 ? NAN_PROPAGATE : NAN_OMIT;

        check_large(sizes[s].width, sizes[s].n, ANY_BITS, policy, cuts[s % 3]);
        check_large(sizes[s].width, sizes[s].n, (enum data)(s % DATA_KINDS), policy, cuts[s % 3]);
    }
    for (int data = 0; data < DATA_KINDS; data++)
        check_large(2065, 12000, (enum data)data, data % 2 == 0 ? NAN_OMIT : NAN_PROPAGATE, 999);
}

/* One sample per call. */
static void test_single_samples(void)
{
    static const uint64_t widths[] = {2, 6, 19, 48, 300, 700};
    const size_t cuts[] = {1};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        struct stream stream = stream_open(ANY_BITS, 2500, 40);
        struct run run = {.width = widths[w], .data = ANY_BITS, .n = 2500, .tail = 40};

        define(stream.samples, 2500, 40, widths[w], run.policy, &stream.expected);
        check_stream(run, &stream, cuts, 1);
        stream_close(&stream);
    }
}

/* ---- across channels ---- */

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
                             enum nan_policy policy)
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
        for (size_t i = 0; i < n; i++)
            wide.samples[i * wide.step + c] = stream.samples[i];
        wide.expected[c] = stream.expected;
        free(stream.memory);
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
            .count = 1 + random_below(min_u64(wide->n + wide->tail - at, 50)),
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
    const size_t channels = kernels->lanes + random_below(2 * kernels->lanes + 3);
    const size_t columns = (channels + kernels->lanes - 1) / kernels->lanes;
    struct wide wide = wide_open(channels, n, random_below((size_t)width), width, policy);

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
        if (width < 20)
            CHECK_THAT(window_wide(kernels, &wide, width, computed, pairs, policy),
                       "%s: windows across %zu channels, w %llu, sides %u, policy %d, n %zu+%zu",
                       kernels->name, channels, (unsigned long long)width, sides, (int)policy, n,
                       wide.tail);
    }
    wide_close(&wide);
}

static void test_across(void)
{
    static const uint64_t widths[] = {1,  2,  3,  4,  7,  8,   9,   10,  11,  12,
                                      31, 32, 33, 64, 65, 100, 127, 128, 129, 300};
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        CHECK(kernels->across_bytes(UINT64_MAX, SLIDER_BOTH) == UINT64_MAX);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            check_wide(kernels, widths[w], random_below(6));
            check_wide(kernels, widths[w], 100 + random_below(900));
        }
    }
}

/* Widths beyond the memory size: their pages are not touched. */
static void test_huge_widths(void)
{
    static const uint64_t widths[] = {(UINT64_C(1) << 31) + 1, (UINT64_C(1) << 32) + 5};
    const size_t n = 20000;

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        struct stream stream = stream_open(ANY_BITS, n, 0);
        const struct cpu_kernels *kernels;
        kind_value *low = malloc(n * sizeof *low);
        kind_value *high = malloc(n * sizeof *high);

        if (low == NULL || high == NULL)
            abort();
        for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
            const uint64_t bytes = kernels->slider_bytes(widths[w], SLIDER_BOTH);
            void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            kind_key low_key = KIND_ABOVE;
            kind_key high_key = KIND_BELOW;
            bool same = true;

            CHECK(bytes >= 2 * BYTES * widths[w] && bytes <= 2 * BYTES * widths[w] / 8 * 9);
            if (memory == MAP_FAILED) {
                printf("w %llu: no address space for it here\n", (unsigned long long)widths[w]);
                break;
            }
            kernels->slider_init(memory, widths[w], SLIDER_BOTH, NAN_OMIT);
            kernels->slide(memory, stream.samples, n, low, high);
            for (size_t i = 0; i < n && same; i++) {
                kind_key key = kind_low_key(stream.samples[i], NAN_OMIT);

                low_key = key < low_key ? key : low_key;
                key = kind_high_key(stream.samples[i], NAN_OMIT);
                high_key = key > high_key ? key : high_key;
                same = kind_to_bits(low[i]) == kind_to_bits(kind_from_key(low_key)) &&
                       kind_to_bits(high[i]) == kind_to_bits(kind_from_key(high_key));
            }
            CHECK_THAT(same, "%s, w %llu", kernels->name, (unsigned long long)widths[w]);
            munmap(memory, (size_t)bytes);
        }
        free(low);
        free(high);
        stream_close(&stream);
    }
}

/* Raw samples of any bits, as many as there are and no byte more, against sample_decode() of each.
 */
static void check_decode(const struct cpu_kernels *kernels, struct sample_type type)
{
    const size_t bytes = sample_type_bytes(type);

    for (size_t count = 0; count < 300; count += count < 40 ? 1 : 37) {
        unsigned char *raw = malloc(count * bytes + 1);
        kind_value *values = malloc(count * sizeof *values + 1);
        bool right = raw != NULL && values != NULL;

        for (size_t i = 0; right && i < count * bytes; i++)
            raw[i] = (unsigned char)random_number();
        if (right)
            kernels->decode(type, raw, values, count);
        for (size_t i = 0; right && i < count; i++) {
            kind_value value;

            sample_decode(type, KIND, raw + i * bytes, &value, 1);
            right = memcmp(&value, &values[i], sizeof value) == 0 ||
                    (isnan((double)value) && isnan((double)values[i]));
        }
        CHECK_THAT(right, "%s: %zu of %s, counts %d", kernels->name, count, sample_type_name(type),
                   type.counts);
        free(raw);
        free(values);
    }
}

static void test_decode(void)
{
    const enum value_kind values = KIND;
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            for (unsigned bits = 0; bits < 4; bits++) {
                const struct sample_type type = {.kind = (enum sample_kind)kind,
                                                 .big_endian = (bits & 1) != 0,
                                                 .counts = (bits & 2) != 0};

                if (type.big_endian &&
                    sample_type_bytes(type) == 1u << sample_type_is_complex(type))
                    continue;
                if (value_is_compact(values)
                        ? sample_type_is_native(type, values)
                        : values != VALUE_I64 || sample_type_value(type) == VALUE_I64)
                    check_decode(kernels, type);
            }
        }
    }
}

static void test_bytes(void)
{
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        uint64_t both = kernels->slider_bytes(UINT64_C(1) << 20, SLIDER_BOTH);
        uint64_t one = kernels->slider_bytes(UINT64_C(1) << 20, SLIDER_LOW);

        CHECK(kernels->slider_bytes(UINT64_C(1) << 40, SLIDER_BOTH) >= 2 * BYTES << 40);
        CHECK(kernels->slider_bytes(UINT64_C(1) << 40, SLIDER_BOTH) <= (9 * BYTES << 40) / 4);
        CHECK(kernels->slider_bytes(UINT64_MAX, SLIDER_BOTH) == UINT64_MAX);
        CHECK(one < both / 2 + 8192);
        CHECK(kernels->slider_bytes(1, SLIDER_BOTH) < 65536);
    }
}

static void test_pick(void)
{
    static const char *const names[] = {"scalar", "sse4", "avx2", "avx512", "neon"};
    const struct cpu_kernels *kernels;
    unsigned count = 0;

    CHECK(strcmp(cpu_kernels_at(0, KIND)->name, "scalar") == 0);
    for (; (kernels = cpu_kernels_at(count, KIND)) != NULL; count++) {
        CHECK(cpu_kernels_pick(kernels->name, KIND) == kernels && kernels->kind == KIND);
        printf("%s ", kernels->name);
    }
    CHECK(count > 0 && cpu_kernels_pick(NULL, KIND) == cpu_kernels_at(count - 1, KIND));
    CHECK(cpu_kernels_pick("", KIND) == NULL);
    CHECK(cpu_kernels_pick("sse", KIND) == NULL);
    /* A name of this build selects that table or the best lesser one that the CPU has; another name
     * selects nothing. Builds with ThreadSanitizer have scalar kernels alone. */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool x86 = i >= 1 && i <= 3;
        bool ours = i == 0;

#if defined(__x86_64__) && defined(__LP64__)
        ours = ours || (x86 && !CHECK_THREADS);
#elif defined(__aarch64__) && defined(__AARCH64EL__)
        ours = ours || (!x86 && !CHECK_THREADS);
#endif
        (void)x86;
        CHECK_THAT((cpu_kernels_pick(names[i], KIND) != NULL) == ours, "%s", names[i]);
    }
}

#ifdef KIND_UNSIGNED

/* The same samples in each of many channels, across. */
static bool is_right_across(const struct cpu_kernels *kernels, uint64_t width,
                            const kind_value *samples, const kind_value *low,
                            const kind_value *high, size_t count)
{
    enum { CHANNELS = LANES_MOST + 3 };
    const size_t bytes = (size_t)kernels->across_bytes(width, SLIDER_BOTH) / 64 * 64 + 64;
    const size_t states = (CHANNELS - 1) / kernels->lanes + 1;
    unsigned char *sliders = aligned_alloc(64, bytes * states);
    kind_value *all = malloc(3 * count * CHANNELS * sizeof *all);
    kind_value *lows = all + count * CHANNELS;
    kind_value *highs = lows + count * CHANNELS;
    const struct across work = {.samples = all,
                                .in_step = CHANNELS,
                                .channels = CHANNELS,
                                .count = count,
                                .low = lows,
                                .high = highs,
                                .out_step = CHANNELS,
                                .have = (ptrdiff_t)count};
    bool right = true;

    if (sliders == NULL || all == NULL)
        abort();
    for (size_t i = 0; i < count * CHANNELS; i++)
        all[i] = samples[i / CHANNELS];
    for (int stateless = 0; stateless < (width <= 10 ? 2 : 1); stateless++) {
        for (size_t i = 0; i < states; i++)
            kernels->across_init((struct slider *)(void *)(sliders + i * bytes), width, SLIDER_BOTH,
                                 NAN_PROPAGATE);
        if (stateless != 0)
            kernels->window_across(&work, width, SLIDER_BOTH, NAN_PROPAGATE);
        else
            kernels->slide_across(sliders, bytes, &work);
        for (size_t i = 0; i < count * CHANNELS; i++)
            right = right && lows[i] == low[i / CHANNELS] && highs[i] == high[i / CHANNELS];
        memset(lows, 0, count * CHANNELS * sizeof *lows);
    }
    free(all);
    free(sliders);
    return right;
}

/* Unsigned integers are signed ones with the top bit flipped, on their way in and out. */
static void test_unsigned(void)
{
    enum { COUNT = 1000, TAIL = 50 };
    static const uint64_t widths[] = {1, 7, 64, 100, 900};
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND_UNSIGNED)) != NULL; t++) {
        CHECK(kernels->kind == KIND_UNSIGNED &&
              cpu_kernels_pick(kernels->name, KIND_UNSIGNED) == kernels);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            struct stream stream = stream_open(w % 2 == 0 ? RANDOM : FEW, COUNT, TAIL);
            struct guarded guarded = guarded_open(kernels, widths[w], SLIDER_BOTH);
            kind_value pairs[2 * COUNT];
            kind_value low[TAIL];
            kind_value high[TAIL];
            bool same = true;

            define(stream.samples, COUNT, TAIL, widths[w], NAN_PROPAGATE, &stream.expected);
            for (size_t i = 0; i < COUNT + TAIL; i++) {
                stream.expected.low[i] ^= KIND_BELOW;
                stream.expected.high[i] ^= KIND_BELOW;
            }
            for (size_t i = 0; i < COUNT; i++)
                stream.samples[i] ^= KIND_BELOW;
            kernels->slider_init(guarded.slider, widths[w], SLIDER_BOTH, NAN_PROPAGATE);
            kernels->slide_pairs(guarded.slider, stream.samples, COUNT, pairs);
            kernels->slide_missing(guarded.slider, TAIL, low, high);
            for (size_t i = 0; i < COUNT + TAIL; i++) {
                const kind_value one = i < COUNT ? pairs[2 * i] : low[i - COUNT];
                const kind_value other = i < COUNT ? pairs[2 * i + 1] : high[i - COUNT];

                /* Windows without samples are never written. */
                same = same && (i >= COUNT + widths[w] - 1 || (one == stream.expected.low[i] &&
                                                               other == stream.expected.high[i]));
            }
            same = same && is_right_across(kernels, widths[w], stream.samples, stream.expected.low,
                                           stream.expected.high, COUNT);
            CHECK_THAT(same, "%s, unsigned, w %llu", kernels->name, (unsigned long long)widths[w]);
            free(guarded.memory);
            stream_close(&stream);
        }
    }
}

#endif

int main(void)
{
#ifdef KIND_UNSIGNED
    test_unsigned();
#endif
    test_pick();
    test_bytes();
    test_decode();
    test_small();
    test_short();
    test_single_samples();
    test_large();
    test_across();
    test_huge_widths();
    return check_result();
}
