/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * The sliders of every kernel table that runs here, against the rules of window/rules.h, to the
 * byte, and large streams against Lemire's algorithm: all widths that a vector, a chunk or a strip
 * could get wrong, all sides and policies, data with every kind of trap, cut at random. Slider,
 * input and output lie between guards. And raw samples are decoded as sample_decode() does.
 * across_tmpl.c tests the sliders across channels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "check.h"
#include "cpu/kernels.h"
#include "sample/bytes.h"
#include "streams_tmpl.h"
#include "window/lemire.h"

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
                same = kind_to_bits(low[2 * i]) == kind_to_bits(expected->low[at + i]) &&
                       kind_to_bits(low[2 * i + 1]) == kind_to_bits(expected->high[at + i]);
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

/* All tables of a kind, kinds of output and a few cuts on one stream. */
static void check_kind(struct run run, const struct stream *stream, const size_t *cuts,
                       size_t cut_count, enum value_kind kind)
{
    run.samples = stream->samples;
    for (unsigned t = 0; (run.kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
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

/* The same as unsigned integers, too. */
static void check_stream(struct run run, struct stream *stream, const size_t *cuts,
                         size_t cut_count)
{
    check_kind(run, stream, cuts, cut_count, KIND);
#ifdef KIND_UNSIGNED
    stream_flip(stream, run.n, run.tail);
    check_kind(run, stream, cuts, cut_count, KIND_UNSIGNED);
#endif
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
 * requires: what windows without samples give is not said of unsigned integers. */
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
            check_kind(run, &stream, cuts, sizeof cuts / sizeof *cuts, KIND);
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
#ifdef KIND_UNSIGNED
    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND_UNSIGNED)) != NULL; t++)
        CHECK(cpu_kernels_pick(kernels->name, KIND_UNSIGNED) == kernels &&
              kernels->kind == KIND_UNSIGNED && t < count);
#endif
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

CHECK_MAIN(test_pick, test_bytes, test_decode, test_small, test_short, test_single_samples,
           test_large, test_huge_widths)
