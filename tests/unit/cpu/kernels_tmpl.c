/* SPDX-License-Identifier: MIT */
/* A template: compiled for each kind of values (tests/CMakeLists.txt).
 *
 * The sliders of every kernel table that runs here, against the rules of window/rules.h, to the
 * byte: all widths that a vector, a chunk or a strip could get wrong, all sides and policies, data
 * with every kind of trap, cut at random. Slider, input and output lie between guards. And raw
 * samples are decoded as sample_decode() does. across_tmpl.c tests the sliders across channels,
 * places_tmpl.c those with places. */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>

#include "check.h"
#include "cpu/variance.h"
#include "sample/bytes.h"
#include "streams_tmpl.h"

#define BYTES ((uint64_t)sizeof(kind_value))

/* A slider between guards. */
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

struct run {
    const struct cpu_kernels *kernels;
    const struct stream *stream;
    unsigned sides;
    bool pairs;
    size_t cut; /* the size of each call; 0: random */
};

static size_t next_cut(const struct run *run, size_t left)
{
    const size_t cut = run->cut > 0 ? run->cut : 1 + random_below(random_below(4) == 0 ? 700 : 70);

    return cut < left ? cut : left;
}

/* Are these `count` results of windows from `at` on? */
static bool are_right(const struct run *run, size_t at, size_t count, kind_value *const out[2])
{
    kind_value *const *expected = run->stream->expected;
    bool same = true;

    if (out[0] != NULL && run->pairs && at < run->stream->n) {
        for (size_t i = 0; i < 2 * count && same; i++)
            same = memcmp(&out[0][i], &expected[i % 2][at + i / 2], sizeof(kind_value)) == 0;
        return same && guard_is_intact(out[0] + 2 * count);
    }
    for (unsigned side = 0; side < 2 && same; side++)
        same = out[side] == NULL ||
               (memcmp(out[side], expected[side] + at, count * sizeof(kind_value)) == 0 &&
                guard_is_intact(out[side] + count));
    return same;
}

/* Feeds a slider and compares every call's outputs. Now and then it only updates the state, or
 * gives one side of two. Returns false at the first difference. */
static bool feed(const struct run *run, struct slider *slider, kind_value *const memory[2])
{
    const struct stream *stream = run->stream;

    for (size_t at = 0, count; at < stream->n + stream->tail; at += count) {
        const bool missing = at >= stream->n;
        const bool pairs = run->pairs && !missing;
        const bool mute = run->cut == 0 && !pairs && random_below(8) == 0;
        const bool one = run->cut == 0 && !pairs && random_below(8) == 0;
        kind_value *const out[2] = {
            (run->sides & SLIDER_LOW) != 0 && !mute ? memory[0] : NULL,
            (run->sides & SLIDER_HIGH) != 0 && !mute && !one ? memory[1] : NULL,
        };

        count = next_cut(run, (missing ? stream->n + stream->tail : stream->n) - at);
        if (missing)
            run->kernels->slide_missing(slider, count, out[0], out[1]);
        else if (pairs)
            run->kernels->slide_pairs(slider, stream->samples + at, count, out[0]);
        else
            run->kernels->slide(slider, stream->samples + at, count, out[0], out[1]);
        if (!are_right(run, at, count, out) || (out[0] == NULL && !guard_is_intact(memory[0])) ||
            (out[1] == NULL && !guard_is_intact(memory[1]))) {
            fprintf(stderr, "in the call for %zu windows from %zu\n", count, at);
            return false;
        }
        guard_values(memory[0], 2 * count);
        guard_values(memory[1], count);
    }
    return true;
}

static void check_run(const struct run *run)
{
    const struct stream *stream = run->stream;
    const size_t capacity = 2 * (stream->n + stream->tail) + 1;
    struct guarded guarded = guarded_open(run->kernels, stream->width, run->sides);
    kind_value *memory[2] = {guarded_values(capacity), guarded_values(capacity)};
    /* One value past an aligned address. */
    kind_value *const out[2] = {memory[0] + 1, memory[1] + 1};

    /* Used twice: a slider can be restarted. */
    for (int i = 0; i < 2; i++) {
        run->kernels->slider_init(guarded.slider, stream->width, run->sides, stream->policy);
        CHECK_THAT(feed(run, guarded.slider, out) && guarded_is_intact(&guarded),
                   "%s, w %llu, sides %u, policy %d, data %d, %s, cut %zu, n %zu+%zu",
                   run->kernels->name, (unsigned long long)stream->width, run->sides,
                   (int)stream->policy, (int)stream->data, run->pairs ? "pairs" : "planes",
                   run->cut, stream->n, stream->tail);
    }
    free(memory[0]);
    free(memory[1]);
    free(guarded.memory);
}

/* ---- what is run ---- */

/* All tables of a kind, kinds of output and one or two cuts on one stream. */
static void check_kind(const struct stream *stream, const size_t cuts[2], enum value_kind kind)
{
    struct run run = {.stream = stream};

    for (unsigned t = 0; (run.kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
        for (size_t i = 0; i < (cuts[0] == cuts[1] ? 3 : 6); i++) {
            run.cut = cuts[i / 3];
            run.pairs = i % 3 == 0;
            run.sides = i % 3 < 2 ? SLIDER_BOTH : 1 + (unsigned)random_below(2);
            check_run(&run);
        }
    }
}

/* A stream, also as unsigned integers. */
static void check_stream(enum data data, size_t n, size_t tail, uint64_t width,
                         enum nan_policy policy, size_t cut, size_t other_cut)
{
    const struct stream stream = stream_open(data, n, tail, width, policy);
    const size_t cuts[] = {cut, other_cut};

    check_kind(&stream, cuts, KIND);
#ifdef KIND_UNSIGNED
    stream_flip(&stream);
    check_kind(&stream, cuts, KIND_UNSIGNED);
#endif
    stream_close(&stream);
}

static enum nan_policy policy_of(size_t i)
{
    return i % 2 == 0 ? NAN_PROPAGATE : NAN_OMIT;
}

/* Widths around those of vectors, and all data. */
static void test_small(void)
{
    static const uint64_t widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16,  17,  24,  31,
                                      32, 33, 40, 47, 48, 49, 63, 64, 65, 80, 100, 127, 128, 129};
    const size_t cuts[] = {1, LANES_MOST - 1, LANES_MOST, LANES_MOST + 1, 61, 257, 500};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t data = 0; data < DATA_KINDS; data++) {
            const size_t n = 400 + random_below(60);

            check_stream((enum data)data, n, random_below(widths[w]), widths[w],
                         policy_of(w + data), 0, cuts[n % 7]);
        }
    }
}

/* Streams shorter than a vector, than the window, and with more missing samples than the contract
 * requires. */
static void test_short(void)
{
    static const uint64_t widths[] = {1, 3, 16, 20, 64, 200, 3000};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t n = 0; n < 40; n += 1 + n / 4) {
            const enum data data = n % 2 == 0 ? RANDOM : NAN_DENSE;

            check_stream(data, n, 90, widths[w], policy_of(n % 3 == 0), 0, 1);
            check_stream(data, n, 90, widths[w], policy_of(n % 3 == 0), 5, 100);
        }
    }
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
        const uint64_t w = sizes[s].width;
        const size_t cut = sizes[s].n > 100000 ? 0 : cuts[s % 3];
        const size_t tail = random_below(w < 3000 ? w : 3000);

        check_stream(ANY_BITS, sizes[s].n, tail, w, policy_of(s / 2), 0, cut);
        check_stream((enum data)(s % DATA_KINDS), sizes[s].n, tail, w, policy_of(s / 2), 0, cut);
    }
    for (size_t data = 0; data < DATA_KINDS; data++)
        check_stream((enum data)data, 12000, random_below(2065), 2065, policy_of(data + 1), 0, 999);
}

/* One sample per call. */
static void test_single_samples(void)
{
    static const uint64_t widths[] = {2, 6, 19, 48, 300, 700};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        check_stream(ANY_BITS, 2500, 40, widths[w], NAN_PROPAGATE, 1, 1);
}

/* Widths beyond the memory size: their pages are not touched. */
static void test_huge_widths(void)
{
    static const uint64_t widths[] = {(UINT64_C(1) << 31) + 1, (UINT64_C(1) << 32) + 5};
    const size_t n = 20000;

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const struct stream stream = stream_open(ANY_BITS, n, 0, widths[w], NAN_OMIT);
        struct run run = {.stream = &stream};
        kind_value *out[2] = {guarded_values(n), guarded_values(n)};

        for (unsigned t = 0; (run.kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
            const uint64_t bytes = run.kernels->slider_bytes(widths[w], SLIDER_BOTH);
            void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

            CHECK(bytes >= 2 * BYTES * widths[w] && bytes <= 2 * BYTES * widths[w] / 8 * 9);
            if (memory == MAP_FAILED) {
                printf("w %llu: no address space for it here\n", (unsigned long long)widths[w]);
                break;
            }
            run.kernels->slider_init(memory, widths[w], SLIDER_BOTH, NAN_OMIT);
            run.kernels->slide(memory, stream.samples, n, out[0], out[1]);
            CHECK_THAT(are_right(&run, 0, n, out), "%s, w %llu", run.kernels->name,
                       (unsigned long long)widths[w]);
            munmap(memory, (size_t)bytes);
        }
        free(out[0]);
        free(out[1]);
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

static const char *const names[] = {"scalar", "sse4", "avx2", "avx512", "neon"};

/* The best table that is no better than this name, or NULL. */
static const struct cpu_kernels *best_of(size_t name)
{
    const struct cpu_kernels *best = NULL;
    const struct cpu_kernels *kernels;

    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
        for (size_t i = 0; i <= name; i++)
            best = strcmp(kernels->name, names[i]) == 0 ? kernels : best;
    }
    return best;
}

static void test_pick(void)
{
    const bool compact = value_is_compact(KIND); /* for these there are no scalar kernels */
    const struct cpu_kernels *kernels = cpu_kernels_at(0, KIND);
    unsigned count = 0;

    CHECK(compact ? cpu_kernels_pick("scalar", KIND) == NULL
                  : strcmp(kernels->name, "scalar") == 0);
    for (; (kernels = cpu_kernels_at(count, KIND)) != NULL; count++) {
        CHECK(cpu_kernels_pick(kernels->name, KIND) == kernels && kernels->kind == KIND);
        printf("%s ", kernels->name);
    }
#ifdef KIND_UNSIGNED
    for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND_UNSIGNED)) != NULL; t++)
        CHECK(cpu_kernels_pick(kernels->name, KIND_UNSIGNED) == kernels &&
              kernels->kind == KIND_UNSIGNED && t < count);
#endif
    CHECK(count == 0 ? compact && cpu_kernels_pick(NULL, KIND) == NULL
                     : cpu_kernels_pick(NULL, KIND) == cpu_kernels_at(count - 1, KIND));
    CHECK(cpu_kernels_pick("", KIND) == NULL);
    CHECK(cpu_kernels_pick("sse", KIND) == NULL);
    /* A name of this build selects that table or the best lesser one that the CPU has; another name
     * selects nothing. Builds with ThreadSanitizer, or KERNELS_SCALAR, have scalar kernels alone.
     */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool x86 = i >= 1 && i <= 3;
        bool ours = i == 0;

#ifdef KERNELS_SCALAR
#elif defined(__x86_64__) && defined(__LP64__)
        ours = ours || (x86 && !CHECK_THREADS);
#elif defined(__aarch64__) && defined(__AARCH64EL__)
        ours = ours || (!x86 && !CHECK_THREADS);
#endif
        (void)x86;
        CHECK_THAT(cpu_kernels_pick(names[i], KIND) == (ours ? best_of(i) : NULL), "%s", names[i]);
    }
}

/* The extremes of the first samples of a stream, against the keys of each of them. */
static void check_extremes(const struct stream *stream, size_t count, enum value_kind kind)
{
    const struct cpu_kernels *kernels;
    struct extremes wanted = extremes_none(kind);

    for (size_t i = 0; i < count; i++)
        wanted =
            extremes_join(wanted, (struct extremes){key_of(stream, i, 0), key_of(stream, i, 1)});
    if (kind != KIND)
        stream_flip(stream);
    for (unsigned t = 0; (kernels = cpu_kernels_at(t, kind)) != NULL; t++) {
        const size_t some = random_below(count + 1);
        const struct extremes found = kernels->extremes(
            kernels->extremes(extremes_none(kind), stream->samples, some, stream->policy),
            stream->samples + some, count - some, stream->policy);

        CHECK_THAT(found.low == wanted.low && found.high == wanted.high, "%s, %zu of %zu samples",
                   kernels->name, some, count);
    }
    if (kind != KIND)
        stream_flip(stream);
}

static void test_extremes(void)
{
    for (size_t count = 0; count < 400; count++) {
        for (size_t data = 0; data < DATA_KINDS; data++) {
            const struct stream stream =
                stream_open((enum data)data, count, 0, 1, policy_of(count + data));

            check_extremes(&stream, count, KIND);
#ifdef KIND_UNSIGNED
            check_extremes(&stream, count, KIND_UNSIGNED);
#endif
            stream_close(&stream);
        }
    }
}

/* The sums of windows side by side have the bits of each by itself, or are NaN as those are. */
static void check_sums(const struct cpu_kernels *kernels, const struct stream *stream, size_t count)
{
    enum { WINDOWS = 5 };
    double sums[WINDOWS];

    kernels->window_sums(stream->samples, count, WINDOWS, sums);
    for (size_t i = 0; i < WINDOWS; i++) {
        struct window_stats stats;

        kernels->window_stats(stream->samples + i * count, count, false, &stats);
        CHECK_THAT(isnan(stats.sum) ? isnan(sums[i]) : memcmp(&sums[i], &stats.sum, 8) == 0,
                   "%s, window %zu of %zu samples", kernels->name, i, count);
    }
}

/* The deviations of the first blocks are those of each block, joined in pairs. */
static void check_deviations(const struct cpu_kernels *kernels, const struct stream *stream,
                             size_t count, unsigned level)
{
    struct variance all = {0};
    struct deviations got;
    struct deviations due;

    if ((size_t)VARIANCE_BLOCK << level > count)
        return;
    got = kernels->deviations(stream->samples, level);
    for (size_t at = 0; at < (size_t)VARIANCE_BLOCK << level; at += VARIANCE_BLOCK) {
        double numbers[VARIANCE_BLOCK];

        for (size_t i = 0; i < VARIANCE_BLOCK; i++)
            numbers[i] = (double)stream->samples[at + i];
        variance_add_blocks(&all, 0, deviations_of(numbers, VARIANCE_BLOCK));
    }
    due = all.level[level];
    CHECK_THAT(isnan(due.squares) ? isnan(got.squares) : memcmp(&got, &due, sizeof due) == 0,
               "%s, level %u", kernels->name, level);
}

/* The first samples within the keys of some of them, or outside. `low` is given with odd numbers of
 * samples. */
static void check_within(const struct cpu_kernels *kernels, const struct stream *stream, size_t n)
{
    const size_t some = random_below(n / 2);
    const size_t stride = 1 + random_below(4);
    struct extremes found = extremes_none(KIND);
    struct extremes keys = kernels->extremes(found, stream->samples + some / 9, some, NAN_OMIT);
    int64_t extreme = 0;
    size_t run = 0;

    if (random_below(3) == 0 && keys.high < KIND_ABOVE && keys.low > KIND_BELOW)
        keys = (struct extremes){keys.high + 1, keys.low - 1};
    for (; run * stride < n; run++) {
        const kind_key key = (kind_key)kind_flip(kind_to_bits(stream->samples[run * stride]));

        if ((key < keys.low) + (key > keys.high) > (keys.low > keys.high))
            break;
        found = extremes_join(found, (struct extremes){key, key});
    }
    CHECK(kernels->within(keys, run % 2, stream->samples, stride, (n - 1) / stride + 1, &extreme) ==
          run);
    CHECK(run == 0 || keys.low > keys.high || extreme == (run % 2 ? found.low : found.high));
}

static void test_sums(void)
{
    const struct cpu_kernels *kernels;

    for (size_t count = 1; count < 200; count++) {
        for (size_t data = 0; data < DATA_KINDS; data++) {
            const struct stream stream =
                stream_open((enum data)data, 5 * count, 0, 1, NAN_PROPAGATE);

            for (unsigned t = 0; (kernels = cpu_kernels_at(t, KIND)) != NULL; t++) {
                if (kernels->window_sums != NULL)
                    check_sums(kernels, &stream, count);
                for (unsigned level = 0;
                     kernels->deviations != NULL && level <= VARIANCE_LEVEL_MOST; level++)
                    check_deviations(kernels, &stream, 5 * count, level);
                if (kernels->within != NULL)
                    check_within(kernels, &stream, 5 * count);
            }
            stream_close(&stream);
        }
    }
}

CHECK_MAIN(test_pick, test_bytes, test_decode, test_extremes, test_sums, test_small, test_short,
           test_single_samples, test_large, test_huge_widths)
