/* SPDX-License-Identifier: MIT */
/* The engines against the definition: every align, edge, hop, emit and NaN policy, channels, random
 * cuts, opening in mid-stream, threads and instruction sets. */
#include "check.h"
#include "random.h"
#include "run_engine.h"
#include "words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/kernels.h"
#include "engine/engine.h"
#include "window/lemire.h"

/* One random sample, as a number that all kinds of floats hold, but float32 not in full. */
static double random_float(bool with_nan)
{
    uint32_t number = random_number();
    double sample = (int32_t)number / 2147483648.0 + random_number() * 0x1p-75;

    if (number % 11 == 0)
        sample = number % 2 != 0 ? 0.0 : -0.0;
    if (number % 97 == 0)
        sample = number % 2 != 0 ? (double)INFINITY : -(double)INFINITY;
    if (with_nan && number % 23 == 0)
        sample = number % 2 != 0 ? (double)NAN : -(double)NAN;
    return sample;
}

static uint64_t random_integer(void)
{
    uint64_t number = (uint64_t)random_number() << 32 | random_number();

    return number % 7 == 0 ? (uint64_t)INT64_MIN : number % 5 == 0 ? (uint64_t)INT64_MAX : number;
}

static void *random_samples(enum value_kind kind, size_t count, bool with_nan)
{
    void *samples = malloc((count + 1) * value_bytes(kind));

    for (size_t i = 0; samples != NULL && i < count; i++) {
        if (kind == VALUE_F32)
            ((float *)samples)[i] = (float)random_float(with_nan);
        else if (kind == VALUE_F64)
            ((double *)samples)[i] = random_float(with_nan);
        else
            ((uint64_t *)samples)[i] = random_integer();
    }
    return samples;
}

/* Samples in the byte order of the machine, and what they are worked on as. */
static const struct kind {
    struct sample_type sample;
    enum value_kind value;
} kinds[] = {
    {{.kind = SAMPLE_F32}, VALUE_F32}, {{.kind = SAMPLE_F64}, VALUE_F64},
    {{.kind = SAMPLE_S64}, VALUE_I64}, {{.kind = SAMPLE_S64, .counts = true}, VALUE_I64},
    {{.kind = SAMPLE_U64}, VALUE_I64}, {{.kind = SAMPLE_U64, .counts = true}, VALUE_I64},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* `whole`: integers are written as such, as far as they can be. */
static void set_kind(struct engine_setup *setup, const struct kind *kind, bool whole)
{
    setup->sample = kind->sample;
    setup->value = kind->value;
    for (unsigned i = 0; i < setup->emits.count; i++) {
        bool edge = setup->emits.item[i] == EMIT_MIN || setup->emits.item[i] == EMIT_MAX;

        setup->results[i] = emit_is_position(setup->emits.item[i]) ? VALUE_FRAME
                            : kind->value == VALUE_F32             ? VALUE_F32
                                                                   : VALUE_F64;
        if (kind->value == VALUE_I64 && whole && edge && setup->window.edge != EDGE_NAN)
            setup->results[i] =
                kind->sample.kind == SAMPLE_U64 && kind->sample.counts ? VALUE_U64 : VALUE_I64;
    }
}

/* The keys of a sample, or of a window, and where these are. */
struct keys {
    int64_t low;
    int64_t high;
    int64_t low_at;
    int64_t high_at;
};

static struct keys keys_of(const struct engine_setup *setup, const void *samples, size_t i)
{
    float narrow = setup->value == VALUE_F32 ? ((const float *)samples)[i] : 0;
    double wide = setup->value == VALUE_F64 ? ((const double *)samples)[i] : 0;
    uint64_t whole;

    if (setup->value == VALUE_F32)
        return (struct keys){.low = rules_low_key(narrow, setup->nan),
                             .high = rules_high_key(narrow, setup->nan)};
    if (setup->value == VALUE_F64)
        return (struct keys){.low = rules_low_key64(wide, setup->nan),
                             .high = rules_high_key64(wide, setup->nan)};
    whole = ((const uint64_t *)samples)[i];
    whole ^= setup->sample.kind == SAMPLE_U64 ? UINT64_C(1) << 63 : 0;
    return (struct keys){.low = (int64_t)whole, .high = (int64_t)whole};
}

/* The number that a key stands for, in full; `unit` is what it is to be multiplied by. */
static long double number_of(const struct engine_setup *setup, int64_t key, long double *unit)
{
    bool raised = setup->sample.kind == SAMPLE_U64 && setup->sample.counts;

    *unit = setup->sample.counts ? 1 : 0x1p-63L;
    return (long double)key + (raised ? 0x1p63L : 0);
}

/* An 80-bit long double holds every integer of 64 bits, their differences, and half of the sum of
 * two that lie on the same side of zero; other sums have fewer bits. */
static double integer_emit(const struct engine_setup *setup, enum emit emit, struct keys keys)
{
    long double unit;
    long double low = number_of(setup, keys.low, &unit);
    long double high = number_of(setup, keys.high, &unit);

    switch (emit) {
    case EMIT_MIN:
    default:
        break;
    case EMIT_MAX:
        return (double)(high * unit);
    case EMIT_ABS:
        return (double)((-low > high ? -low : high) * unit);
    case EMIT_RANGE:
        return (double)((high - low) * unit);
    case EMIT_MID:
        return (double)((low + high) / 2 * unit);
    }
    return (double)(low * unit);
}

static void put_emit(const struct engine_setup *setup, unsigned item, struct keys keys, bool is_nan,
                     unsigned char *out)
{
    enum emit emit = setup->emits.item[item];
    enum value_kind result = setup->results[item];
    uint64_t whole = (uint64_t)(emit == EMIT_MAX ? keys.high : keys.low);
    double wide = rules_double(RULES_NAN_BITS64);
    float narrow = rules_float(RULES_NAN_BITS);
    int64_t at = emit == EMIT_ARGMIN ? keys.low_at : keys.high_at;

    if (result == VALUE_FRAME) {
        if (is_nan || (setup->value == VALUE_F32 && isnan(rules_from_key((int32_t)keys.low))) ||
            (setup->value == VALUE_F64 && isnan(rules_from_key64(keys.low))))
            at = -1;
        else
            at += (int64_t)setup->origin;
        memcpy(out, &at, sizeof at);
    } else if (result == VALUE_F32) {
        if (!is_nan)
            narrow = emit_float(emit, rules_from_key((int32_t)keys.low),
                                rules_from_key((int32_t)keys.high));
        memcpy(out, &narrow, sizeof narrow);
    } else if (result == VALUE_F64) {
        if (!is_nan)
            wide = setup->value == VALUE_I64
                       ? integer_emit(setup, emit, keys)
                       : emit_double(emit, rules_from_key64(keys.low), rules_from_key64(keys.high));
        memcpy(out, &wide, sizeof wide);
    } else {
        whole ^= result == VALUE_U64 ? UINT64_C(1) << 63 : 0;
        memcpy(out, &whole, sizeof whole);
    }
}

/* As the manual defines it, one output at a time. Returns the frames written to `out`. */
static size_t oracle(const struct engine_setup *setup, const void *samples, int64_t n,
                     unsigned char *out)
{
    int64_t width = (int64_t)setup->window.width;
    size_t written = 0;

    for (int64_t k = 0; k < n; k += (int64_t)setup->window.hop) {
        int64_t from = setup->window.align == ALIGN_VALID || setup->window.align == ALIGN_FORWARD
                           ? k
                       : setup->window.align == ALIGN_CAUSAL ? k - width + 1
                                                             : k - width / 2;
        int64_t to = from + width - 1;
        bool cut = from < 0 || to >= n;

        if (setup->window.align == ALIGN_VALID && to >= n)
            break;
        from = from < 0 ? 0 : from;
        to = to >= n ? n - 1 : to;
        for (unsigned c = 0; c < setup->channels; c++) {
            struct keys keys = {.low = setup->value == VALUE_F32 ? KEY_ABOVE : KEY64_ABOVE,
                                .high = setup->value == VALUE_F32 ? KEY_BELOW : KEY64_BELOW,
                                .low_at = from,
                                .high_at = from};

            for (int64_t i = from; i <= to; i++) {
                struct keys one = keys_of(setup, samples, (size_t)i * setup->channels + c);

                keys.low_at = one.low < keys.low ? i : keys.low_at;
                keys.high_at = one.high > keys.high ? i : keys.high_at;
                keys.low = one.low < keys.low ? one.low : keys.low;
                keys.high = one.high > keys.high ? one.high : keys.high;
            }
            for (unsigned e = 0; e < setup->emits.count; e++) {
                put_emit(setup, e, keys, cut && setup->window.edge == EDGE_NAN, out);
                out += engine_value_bytes(setup);
            }
        }
        written++;
    }
    return written;
}

static const struct emit_list emit_lists[] = {
    {2, {EMIT_MIN, EMIT_MAX}},
    {1, {EMIT_MAX}},
    {1, {EMIT_MIN}},
    {1, {EMIT_ABS}},
    {5, {EMIT_MID, EMIT_RANGE, EMIT_ABS, EMIT_MAX, EMIT_MIN}},
    {2, {EMIT_ARGMIN, EMIT_ARGMAX}},
    {1, {EMIT_ARGMAX}},
    {3, {EMIT_MAX, EMIT_ARGMIN, EMIT_MID}}, /* results of one size: not of float32 */
};

static struct emit_list random_list(const struct kind *kind)
{
    const unsigned lists = sizeof emit_lists / sizeof *emit_lists;

    return emit_lists[random_number() % (kind->value == VALUE_F32 ? lists - 1 : lists)];
}

static void check_case(const struct engine_setup *setup, size_t n, bool with_nan)
{
    size_t out_bytes = engine_out_bytes(setup);
    size_t capacity = (n + setup->window.width) * out_bytes + 1;
    void *samples = random_samples(setup->value, n * setup->channels, with_nan);
    unsigned char *expected = malloc(capacity);
    unsigned char *got = malloc(capacity);
    size_t frames = oracle(setup, samples, (int64_t)n, expected);
    const struct cpu_kernels *kernels;
    const struct engine_setup one = *setup;
    struct machine machine;

    CHECK(machine_open(&machine, 1, NULL, 0) == 0);
    CHECK(frames == window_outputs(&setup->window, n));
    for (unsigned i = 0; (kernels = cpu_kernels_at(i, setup->value)) != NULL; i++) {
        size_t middle = n == 0 ? 0 : random_number() % n;
        size_t first;

        machine.isa = kernels->name;
        CHECK(run_engine(&engine_cpu, &machine, one, samples, 0, n, true, got) == frames);
        CHECK_THAT(memcmp(got, expected, frames * out_bytes) == 0,
                   "%s %s w %llu n %zu align %d edge %d hop %llu emits %u channels %u nan %d",
                   kernels->name, sample_type_name(one.sample),
                   (unsigned long long)one.window.width, n, (int)one.window.align,
                   (int)one.window.edge, (unsigned long long)one.window.hop, one.emits.count,
                   one.channels, (int)one.nan);

        /* One engine for the beginning, and another one opened where it stopped. */
        first = run_engine(&engine_cpu, &machine, one, samples, 0, middle, false, got);
        first += run_engine(&engine_cpu, &machine, one, samples, middle, n, true,
                            got + first * out_bytes);
        CHECK_THAT(first == frames && memcmp(got, expected, frames * out_bytes) == 0,
                   "%s: opened at %zu of %zu, w %llu", kernels->name, middle, n,
                   (unsigned long long)one.window.width);
    }
    CHECK(run_engine(&engine_lemire, &machine, one, samples, 0, n, true, got) == frames);
    CHECK_THAT(memcmp(got, expected, frames * out_bytes) == 0, "lemire w %llu n %zu",
               (unsigned long long)one.window.width, n);
    machine_close(&machine);
    free(samples);
    free(expected);
    free(got);
}

static void check_small(void)
{
    static const uint64_t widths[] = {1, 2, 3, 7, 16, 17, 31, 32, 33, 64, 100, 512};
    static const uint64_t hops[] = {1, 2, 5, 64, 97, 300};
    unsigned turn = 0;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += CHECK_FEW ? 4 : 1) {
        uint64_t w = widths[i];
        const size_t sizes[] = {0, 1, w - 1, w, w + 1, 2 * w, 200, 900};

        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            for (unsigned k = 0; k < 4 * 2 * 6; k += CHECK_FEW ? 17 : 1, turn++) {
                struct engine_setup setup = {
                    .emits = random_list(&kinds[turn % KINDS]),
                    .nan = turn % 7 < 4 ? NAN_PROPAGATE : NAN_OMIT,
                    .channels = turn % 3 == 0 ? 1 + turn % 6 : 1,
                    .chunk_frames = 1 + random_number() % 150,
                };

                window_init(&setup.window, w, hops[k % 6], (enum window_align)(k / 6 % 4),
                            k / 24 != 0 ? EDGE_NAN : EDGE_SHRINK);
                set_kind(&setup, &kinds[turn % KINDS], turn / KINDS % 3 != 0);
                setup.origin = turn % 4 == 0 ? 1000 : 0;
                check_case(&setup, sizes[j], turn % 2 == 0);
            }
        }
    }
}

/* Hops so large that segments of the stream slide, few or many in a window, of one length or of
 * two, with gaps between windows, and in tails. */
static void check_hops(void)
{
    static const uint64_t hops[] = {64, 65, 97, 256, 300};

    for (unsigned i = 0; i < (CHECK_FEW ? 30 : 600); i++) {
        const uint64_t hop = hops[random_number() % 5];
        const bool many = random_number() % 3 == 0;
        const uint64_t width = many ? hop * (1 + random_number() % 6) + random_number() % 3 - 1
                                    : 1 + random_number() % 2000;
        struct engine_setup setup = {
            .emits = random_list(&kinds[i % KINDS]),
            .nan = i % 7 < 4 ? NAN_PROPAGATE : NAN_OMIT,
            .channels = i % 5 == 0 ? 3 : 1,
            .chunk_frames = 1 + random_number() % 400,
        };

        window_init(&setup.window, width, hop, (enum window_align)(random_number() % 4),
                    EDGE_SHRINK);
        set_kind(&setup, &kinds[i % KINDS], true);
        check_case(&setup, random_number() % (i % 3 == 0 ? 300 : 3000), i % 2 == 0);
    }
}

/* Chunks large enough to be spread over threads, against the sequential reference. */
static void check_threads(void)
{
    static const uint64_t widths[] = {1, 2, 100, 1000, 4096, 26000, 40000, 60000};
    const size_t n = 300000;

    for (size_t i = 0; i < 8 * 3; i += CHECK_FEW ? 7 : 1) {
        struct engine_setup setup = {
            .emits = random_list(&kinds[i % KINDS]),
            .nan = NAN_PROPAGATE,
            .channels = i % 3 == 0 ? 1 : (unsigned)i % 3 * 2,
            .chunk_frames = 1 << 17,
        };
        size_t capacity = n * setup.channels * setup.emits.count * sizeof(double);
        unsigned char *expected = malloc(capacity);
        unsigned char *got = malloc(capacity);
        void *samples;
        size_t frames;

        window_init(&setup.window, widths[i % 8],
                    i % 4 == 3   ? 7
                    : i % 4 == 2 ? 1000
                                 : 1,
                    i % 2 == 0 ? ALIGN_CENTER : ALIGN_FORWARD, EDGE_NAN);
        set_kind(&setup, &kinds[i % KINDS], true);
        samples = random_samples(setup.value, n * setup.channels, true);
        frames = run_engine(&engine_lemire, NULL, setup, samples, 0, n, true, expected);
        for (unsigned threads = 1; threads <= 5; threads++) {
            struct machine machine;

            CHECK(machine_open(&machine, threads, NULL, 0) == 0);
            CHECK(run_engine(&engine_cpu, &machine, setup, samples, 0, n, true, got) == frames);
            CHECK_THAT(memcmp(got, expected, frames * engine_out_bytes(&setup)) == 0,
                       "%s, w %llu, %u channels, %u threads", sample_type_name(setup.sample),
                       (unsigned long long)widths[i % 8], setup.channels, threads);
            machine_close(&machine);
        }
        free(samples);
        free(expected);
        free(got);
    }
}

/* A batch opens an engine for each of many small files. What opening maps and unmaps must not grow
 * with the number of available threads, only with those that work. */
static void check_opening(void)
{
    const struct engine_setup setup = {
        .emits = emit_lists[0],
        .window = {.width = 512, .hop = 1, .align = ALIGN_VALID},
        .channels = 1,
        .chunk_frames = 1 << 16,
    };
    struct machine machine;
    struct engine *engine;
    struct error error;
    unsigned long pages;

    CHECK(machine_open(&machine, 64, NULL, 0) == 0);
    pages = check_address_space();
    CHECK(engine_cpu.open(&machine, &setup, 0, &engine, &error) == 0);
    pages = check_address_space() - pages;
    CHECK_THAT(pages * (unsigned long)sysconf(_SC_PAGESIZE) < 2 << 20, "%lu pages", pages);
    engine_cpu.close(engine);
    machine_close(&machine);
}

int main(void)
{
    /* A filter that is far too large is refused. */
    CHECK(lemire_bytes(UINT64_MAX / 2, VALUE_F64) == UINT64_MAX);
    CHECK(lemire_open(UINT64_MAX / 2, VALUE_F32, NAN_OMIT) == NULL);
    check_opening();
    check_small();
    check_hops();
    check_threads();
    return check_result();
}
